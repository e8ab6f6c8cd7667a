"""Canola's pages divided into those to develop on and those to test on."""

from __future__ import annotations

import gzip

import pytest

from pipelines.evaluation.canola_split import Split, main, split_pages
from pipelines.evaluation.readers import open_dataset

IDS = [f"{number:03}" for number in range(197)]


def test_the_counts_of_the_thesis():
    misaligned = set(IDS[::6][:31])
    split = split_pages(IDS, misaligned)
    assert (len(split.dev), len(split.test)) == (97, 100)
    assert sorted(split.dev + split.test) == IDS
    assert misaligned <= set(split.dev)


def test_the_draw_is_that_of_the_seed_and_of_no_order():
    split = split_pages(IDS, n_test=10, seed=3)
    assert split_pages(reversed(IDS), n_test=10, seed=3) == split
    assert split_pages(IDS, n_test=10, seed=4) != split
    assert list(split.test) == sorted(split.test)


def test_as_many_as_there_are():
    assert split_pages("abc", "b", n_test=2) == Split(("b",), ("a", "c"))
    assert split_pages([], n_test=0) == Split((), ())
    with pytest.raises(ValueError, match="n_test must be 0 to 2, the aligned pages, got 3"):
        split_pages("abc", "b", n_test=3)


def annotated(good, bad):
    return (
        f"<p><kw class='krdwrd-tag-3-100'>{good}</kw></p><p><kw class='krdwrd-tag-1-80'>{bad}</kw>"
    )


@pytest.fixture
def canola(tmp_path):
    folder = tmp_path / "canola"
    folder.mkdir()
    for number in range(4):
        page = annotated("good text of a page", "bad")
        (folder / f"{number}.html").write_text(page, encoding="utf-8")
    (folder / "4.html.gz").write_bytes(gzip.compress(annotated("good", "bad text").encode()))
    (folder / "5.html").write_text(annotated("good", "bad") + "<p>what nobody annotated")
    return folder


def test_parts_are_gold_standards(canola, tmp_path, capsys):
    nodes = tmp_path / "nodes"
    nodes.mkdir()
    for number in (0, 1, 2):
        (nodes / f"{number}.txt").write_text("good text of a page\nbad\n", encoding="utf-8")
    (nodes / "3.txt").write_text("good text of a page bad\n")  # merged
    output = tmp_path / "parts"
    call = [str(canola), str(output), "--nodes", str(nodes), "--test", "2", "--seed", "1"]
    assert main(call) == 0
    parts = {part: [page.page_id for page in open_dataset(output / part)] for part in Split._fields}
    assert len(parts["test"]) == 2
    assert set(parts["test"]) < {"0", "1", "2"}
    # What is misaligned, and what the other program did not read; 5 is not annotated.
    assert set(parts["dev"]) == {"0", "1", "2", "3", "4"} - set(parts["test"])
    assert capsys.readouterr().out.splitlines() == [
        f"{output}/dev: 3 pages, 75.0% good text",
        f"{output}/test: 2 pages, 86.4% good text",
    ]
    assert main(call) == 2
    assert "parts is there already; name a new folder" in capsys.readouterr().err


def test_more_than_there_are(canola, tmp_path, capsys):
    assert main([str(canola), str(tmp_path / "parts")]) == 2
    assert "n_test must be 0 to 5, the aligned pages, got 100" in capsys.readouterr().err
    assert not (tmp_path / "parts").exists()
