"""``python -m pipelines.retrieval.experiment``: corpora of one cleaner and of others, wrong calls."""

from __future__ import annotations

import json

import pytest

from crawler.errors import InputError
from pipelines.retrieval import experiment
from pipelines.retrieval.block_index import BlockIndex, Selection
from pipelines.retrieval.experiment import swept
from pipelines.retrieval.measures import average_precision, ndcg_at
from tests.forked_commands import complete_python
from tests.laws_corpus import block, make_corpus, url
from tests.story_pages import story_pages


@pytest.fixture(scope="module")
def pages():
    return story_pages()


def corpus_of(pages, folder):
    """Write a corpus folder of *pages*; return it and the URL of each page."""
    rows = [
        [
            {**block(text, None), "words": n, "text_density": density, "kept": kept}
            for text, n, density, kept in zip(*page[1:], strict=True)
        ]
        for page in pages
    ]
    make_corpus(folder, rows)
    return folder, {page.page_id: url(number) for number, page in enumerate(pages)}


def test_experiment_on_a_corpus(pages, tmp_path, capsys):
    corpus, urls = corpus_of(pages, tmp_path / "corpus")
    (tmp_path / "queries").write_text("q1\tflood\nq2\tcomet\nunjudged\tx\n", encoding="utf-8")
    (tmp_path / "judgements").write_text(
        f"q1\t{urls['flood']}\t2\nq2\t{urls['comet']}\t1\n", encoding="utf-8"
    )
    files = ("--queries", str(tmp_path / "queries"), "--judgements", str(tmp_path / "judgements"))
    wanted = ("--min-words", "1", "10", "--min-density", "9")
    index = ("--index", str(tmp_path / "index"))
    experiment.main([str(corpus), *files, *wanted, *index, "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [(row["kind"], row["minimum"]) for row in rows] == [
        *(("words", 1), ("words", 10), ("density", 9), ("kept", 0)),
    ]
    assert [row["average_precision"] for row in rows] == [0.25, 1, 1, 1]
    experiment.main([str(corpus), *files, *wanted])
    assert capsys.readouterr().out.startswith("4 pages\nselection")
    with pytest.raises(InputError, match="is not empty; give a new folder for the index"):
        experiment.main([str(corpus), *files, *index])
    with pytest.raises(InputError, match="--min-words must be 1 and more; 1 is all text"):
        experiment.main([str(corpus), *files, "--min-words", "0"])
    (tmp_path / "judgements").write_text(
        f"q1\t{urls['flood']}\t1\nq1\t{urls['comet']}\t3\n", encoding="utf-8"
    )
    all_text = Selection("words", 1)
    ranking = BlockIndex(pages, [all_text]).ranking("flood", all_text, 9)
    for gains in ({1: 1.0, 3: 3.0}, {1: 3.0, 3: 3.0}):
        words = ("--gains", "1=3") if gains[1] == 3 else ()
        experiment.main([str(corpus), *files, "--min-words", "1", "--json", *words])
        expected = ndcg_at(10, ranking, {"flood": 1, "comet": 3}, gains)
        assert json.loads(capsys.readouterr().out)[0]["ndcg"] == pytest.approx(expected)
    for wrong in ("3", "x=1", "1=x", "1=-1", "1=inf", "1=1 1=2"):
        with pytest.raises(InputError, match="--gains has"):
            experiment.main([str(corpus), *files, "--gains", *wrong.split()])
    (tmp_path / "judgements").write_text("q1\tpage\t1\n", encoding="utf-8")
    with pytest.raises(InputError, match="none of the judged pages is in"):
        experiment.main([str(corpus), *files])
    (tmp_path / "judgements").write_text("other\tpage\t1\n", encoding="utf-8")
    with pytest.raises(InputError, match="judges none of the queries"):
        experiment.main([str(corpus), *files])


def test_runs_have_the_scores_that_are_printed(pages, tmp_path, capsys):
    corpus, urls = corpus_of(pages, tmp_path / "corpus")
    (tmp_path / "queries").write_text("q 1\tflood\nq_1\tcomet\nunjudged\tx\n", encoding="utf-8")
    grades = {"q%201": {urls["flood"]: 2}, "q_1": {urls["comet"]: 1}}
    (tmp_path / "judgements").write_text(
        f"q 1\t{urls['flood']}\t2\nq_1\t{urls['comet']}\t1\n", encoding="utf-8"
    )
    files = ("--queries", str(tmp_path / "queries"), "--judgements", str(tmp_path / "judgements"))
    wanted = ("--min-words", "1", "10", "--min-density", "9", "--cleaned", str(corpus))
    runs = tmp_path / "runs"
    experiment.main([str(corpus), *files, *wanted, "--json", "--runs", str(runs)])
    rows = json.loads(capsys.readouterr().out)
    tags = ["words-1", "words-10", "density-9", "kept", "kept-1"]
    assert sorted(path.name for path in runs.iterdir()) == sorted(f"{tag}.run" for tag in tags)
    for tag, row in zip(tags, rows, strict=True):
        lines = [line.split() for line in (runs / f"{tag}.run").read_text("utf-8").splitlines()]
        assert {(line[1], line[5]) for line in lines} == {("Q0", tag)}
        found = []
        for query, its in grades.items():
            ranked = sorted(
                (-int(score), int(rank), page)
                for name, _, page, rank, score, _ in lines
                if name == query
            )
            assert [rank for _, rank, _ in ranked] == list(range(1, len(ranked) + 1))
            found.append(average_precision([page for *_, page in ranked], its))
        assert sum(found) / 2 == pytest.approx(row["average_precision"])
    with pytest.raises(InputError, match="is not empty; give a new folder for the runs"):
        experiment.main([str(corpus), *files, "--runs", str(runs)])


def test_other_cleaners_are_compared_on_the_same_pages(pages, tmp_path, capsys):
    corpus, urls = corpus_of(pages, tmp_path / "corpus")
    # It kept all of two pages, and has not the others.
    kept = [page._replace(kept=[True] * len(page.texts)) for page in pages[:2]]
    other, _ = corpus_of(kept, tmp_path / "other")
    (tmp_path / "queries").write_text("q1\tflood\nq2\tcomet\n", encoding="utf-8")
    (tmp_path / "judgements").write_text(
        f"q1\t{urls['flood']}\t2\nq2\t{urls['comet']}\t1\n", encoding="utf-8"
    )
    files = ("--queries", str(tmp_path / "queries"), "--judgements", str(tmp_path / "judgements"))
    wanted = ("--min-words", "1", "--min-density", "9", "--cleaned", str(other))
    index = tmp_path / "index"
    experiment.main(
        [str(corpus), *files, *wanted, "--cleaned", str(corpus), "--json", "--index", str(index)]
    )
    done = capsys.readouterr()
    rows = json.loads(done.out)
    assert [row["kind"] for row in rows] == ["words", "density", "kept", "kept", "kept"]
    assert [row["method"] for row in rows] == ["", "", "", "no method", "no method"]
    scores = [[row["precision"], row["ndcg"], row["average_precision"]] for row in rows]
    assert scores[4] == scores[2]
    # As of an index of all pages, of which two have no word.
    empty = [page._replace(kept=[False] * len(page.texts)) for page in pages[2:]]
    judged = {"q1": {"flood": 2}, "q2": {"comet": 1}}
    slow = swept(
        BlockIndex([*kept, *empty], [Selection("kept")]), {"q1": "flood", "q2": "comet"}, judged
    )
    assert scores[3] == [*slow[0].scores]
    assert done.err.count("\n") == 1
    assert f"{len(pages) - 2} pages of {corpus} not in {other}" in done.err
    experiment.main([str(corpus), *files, *wanted])
    assert "\nkept by no method " in capsys.readouterr().out
    make_corpus(tmp_path / "none", [])
    with pytest.raises(InputError, match="has no page of"):
        experiment.main([str(corpus), *files, "--cleaned", str(tmp_path / "none")])
    with pytest.raises(InputError):
        experiment.main([str(corpus), *files, "--cleaned", str(tmp_path / "nowhere")])


def test_command_says_what_is_wrong(tmp_path):
    done = complete_python(
        *("-m", "pipelines.retrieval.experiment", str(tmp_path)),
        *("--queries", str(tmp_path / "no"), "--judgements", str(tmp_path / "no")),
    )
    assert done.returncode == 2
    assert done.stderr.startswith("winnow: ")
    assert "Traceback" not in done.stderr
