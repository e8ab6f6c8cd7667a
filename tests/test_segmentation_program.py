"""``python -m pipelines.segmentation``: hand-marked pages on disk, the tables and curves of them."""

from __future__ import annotations

import gzip
import json

import pytest

from pipelines.segmentation import registry, studies
from pipelines.segmentation.__main__ import main
from pipelines.segmentation.gold_folder import gold_pages, read_folder

TEXT = "These are the words of a long paragraph that fills more than a single line of text. " * 4
# Two blocks of level 1, the second with one of level 2 in it.
PAGE = (
    "<title>x</title><div data-block=1><ul><li>Home<li>News<li>About us</ul></div>"
    f"<div data-block=1><h1>Head</h1><p>{TEXT}<p>{TEXT}<div data-block=2><p>By me</div></div>"
)
OTHER = f"<div data-block=1><p>{TEXT}</div><div data-block=1><p>© 2026</div>"


def plain_folder(folder, **pages):
    folder.mkdir()
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


def listed_folder(folder):
    """Two pages of the layout with a manifest, one packed, in an encoding of its own, and as it was served."""
    (folder / "blocks").mkdir(parents=True)
    (folder / "orig").mkdir()
    one = PAGE.replace("Home", "Début")
    (folder / "blocks" / "one.html.gz").write_bytes(gzip.compress(one.encode("cp1252")))
    (folder / "blocks" / "two.html").write_text(OTHER, encoding="utf-8")
    served = one.replace(" data-block=1", "").replace(" data-block=2", "")
    (folder / "orig" / "one.html").write_text(f"<meta charset=utf-8>{served}", encoding="utf-8")
    rows = [{"id": "one", "url": "http://a.sample/", "encoding": "cp1252"}, {"id": "two"}]
    (folder / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    return folder


def told(capsys, *arguments):
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_table_and_curves_are_those_of_the_studies(tmp_path, capsys):
    folder = plain_folder(tmp_path / "mine", a=PAGE, b=OTHER, c="<p>no marks")
    (folder / "._a.html").write_text("of another program")
    found = told(capsys, folder)
    assert (found["pages"], found["left_out"], found["level"]) == (2, 1, 2)
    # Menu, article, author; text, footer.
    assert found["segments_by_hand"] == 2.5
    pages = gold_pages(read_folder(folder).pages, 2)
    for row in found["table"]:
        point = studies.score(registry.get(row["method"]), pages)
        numbers = (row["adjusted_rand"], row["nmi"], row["segments"])
        assert numbers == (*point.accuracy, point.n_segments)
    assert [row["method"] for row in found["table"]] == [*studies.PUBLISHED, "FullText"]
    assert found["table"][0]["published"] == [0.25, 0.59, 25.0]
    by_theta = found["theta"]["BF-plain"]
    assert [row["theta"] for row in by_theta] == list(studies.THETAS)
    assert by_theta[19]["theta"] == 0.38
    of_table = {row["method"]: row["adjusted_rand"] for row in found["table"]}
    assert by_theta[19]["adjusted_rand"] == of_table["BF-plain"]
    assert by_theta[-1]["segments"] == 1
    by_width = {row["w_max"]: row["adjusted_rand"] for row in found["w_max"]["BF-rule-based"]}
    assert list(by_width) == list(studies.W_MAXES)
    assert by_width[80] == of_table["BF-rule-based"]
    assert found["sweeps"]["BF-smoothed"][0]["adjusted_rand"] == of_table["TagGap"]
    assert found["halves"].keys() == found["theta"].keys()
    # Of level 1 the author's line is part of the article.
    assert told(capsys, folder, "--level", 1)["segments_by_hand"] == 2


def test_the_screen_has_a_table_and_a_line_a_point(tmp_path, capsys):
    folder = plain_folder(tmp_path / "mine", a=PAGE)
    assert main([str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 page, level 2, 3.0 segments by hand a page"
    assert sum(line.startswith("best ") for line in lines) == 9  # of one page there are no halves
    (row,) = [line.split() for line in lines if line.startswith("TagGap")]
    assert row[-3:] == ["0.43", "0.65", "69.43"]
    first = 1 + next(place for place, line in enumerate(lines) if line.startswith("theta"))
    assert [line.split()[0] for line in lines[first : first + 3]] == ["0", "0.02", "0.04"]
    assert len({len(line) for line in lines[first - 2 : first + len(studies.THETAS)]}) == 1


def test_a_manifest_names_pages_and_their_encodings(tmp_path, capsys):
    folder = listed_folder(tmp_path / "set")
    read = read_folder(folder)
    assert [page.blocks.text[0] for page in read.pages] == ["Début", TEXT.strip()]
    served = told(capsys, folder, "--served")
    assert (served["pages"], served["left_out"]) == (1, 0)
    marked = told(capsys, folder)
    assert marked["pages"] == 2


def test_pages_of_other_words_do_not_count(tmp_path, capsys):
    folder = listed_folder(tmp_path / "set")
    (folder / "orig" / "two.html.gz").write_bytes(gzip.compress(b"<p>Quite another page"))
    found = told(capsys, folder, "--served")
    assert (found["pages"], found["left_out"]) == (1, 1)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "manifest.jsonl").write_text("{}"), "line 1 is no page"),
        (lambda folder: (folder / "manifest.jsonl").write_text("\n[1]"), "line 2 is no page"),
        (
            lambda folder: (folder / "manifest.jsonl").write_text(
                '{"id": "a", "encoding": "x-no"}'
            ),
            "line 1 is no page",
        ),
        (lambda folder: (folder / "blocks" / "two.html").unlink(), "has no two.html"),
        (
            lambda folder: (folder / "blocks" / "one.html.gz").write_bytes(b"\x1f\x8b no"),
            "damaged gzip",
        ),
        (lambda folder: (folder / "manifest.jsonl").unlink(), "no pages with marked blocks"),
        (lambda folder: (folder / "manifest.jsonl").write_text(""), "no pages with marked blocks"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path, capsys, spoil, said):
    folder = listed_folder(tmp_path / "set")
    spoil(folder)
    assert main([str(folder)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_no_folder_and_no_marks_of_a_level(tmp_path, capsys):
    assert main([str(tmp_path / "none")]) == 2
    assert "no folder" in capsys.readouterr().err
    folder = plain_folder(tmp_path / "inner", a=f"<p>Said<div data-block=2><p>{TEXT}</div>")
    assert told(capsys, folder)["segments_by_hand"] == 2
    assert main([str(folder), "--level", "1"]) == 2
    assert "marks of level 1" in capsys.readouterr().err
