"""The study of topics by judged results: average precision by the category's rank and by the unbiased one."""

from __future__ import annotations

import json
import math
from statistics import fmean

import pytest
from lxml import html

from crawler.errors import InputError
from crawler.ranking.corpus.topics import rank_topics
from crawler.ranking.kendall import kendall_tau
from pipelines.jobs.facets.run import answer
from pipelines.jobs.index.run import index_corpus
from pipelines.jobs.topic_study.__main__ import main
from pipelines.jobs.topic_study.precision import read_judgements
from pipelines.jobs.topic_study.tree import study_tree
from tests.facet_corpus import HOSTS, listed_topics, make_corpus, url

ASKED = {"Top/Arts": ["alpha", "beta gamma"], "Top/Arts/Film": ["zeta"], "Top/Sports": ["delta"]}
JUDGES = ("ann", "ben")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "corpus"
    make_corpus(folder)
    rank_topics(folder, listed=listed_topics())
    index_corpus(folder)
    return folder


def is_relevant(category, query, number, judge):
    """Whether page *number* of the category's hosts suits a query: arbitrary, and the judges differ."""
    return (7 * number + len(query) + len(category)) % (2 + (judge == "ben")) == 0


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A file that judges all pages of two hosts for every query; of Top/Sports no result is relevant."""
    lines = ["# category, query, page, grade, judge", "", "Top/None\tx\thttp://a/\t1"]
    for category, queries in ASKED.items():
        lines += [
            f"{category}/\t{query}\t{url(host, number)}\t"
            f"{int(category != 'Top/Sports' and is_relevant(category, query, number, judge))}\t{judge}"
            for query in queries
            for host in HOSTS[:2]
            for number in range(12)
            for judge in JUDGES
        ]
    path = tmp_path_factory.mktemp("judged") / "judged.tsv"
    path.write_text("\n".join(lines))
    return path


def slow_precision(corpus, category, query, judge, chosen):
    """Average precision of the first ten results, by the formula of section 2.3."""
    found = [each.url for each in answer(corpus, query, chosen=chosen).results]
    good = {
        url(host, number)
        for host in HOSTS[:2]
        for number in range(12)
        if is_relevant(category, query, number, judge)
    }
    at = [rank for rank, page in enumerate(found[:10], 1) if page in good]
    return sum(sum(a <= rank for a in at) / rank for rank in at) / len(good)


def slow_mean(corpus, category, chosen):
    return fmean(
        fmean(slow_precision(corpus, category, query, judge, chosen) for judge in JUDGES)
        for query in ASKED[category]
    )


def test_precision_equals_the_formula(corpus, judged):
    study = study_tree(corpus, best=10, judgements=judged)
    found = {each.category: each for each in study.precision.categories}
    assert {name: each.queries for name, each in found.items()} == {
        "Top/Arts": 2,
        "Top/Arts/Film": 1,
        "Top/Sports": 1,
    }
    for category in ("Top/Arts", "Top/Arts/Film"):
        each = found[category]
        assert each.biased == pytest.approx(slow_mean(corpus, category, [category]))
        assert each.unbiased == pytest.approx(slow_mean(corpus, category, []))
        assert each.ratio == pytest.approx(each.biased / each.unbiased)
    assert found["Top/Arts"].biased != found["Top/Arts"].unbiased > 0
    assert (found["Top/Sports"].biased, found["Top/Sports"].unbiased) == (0, 0)
    assert math.isnan(found["Top/Sports"].ratio)
    taus = {pair.first: pair.tau for pair in study.pairs if pair.relation == "unbiased"}
    assert {name: each.tau for name, each in found.items()} == {name: taus[name] for name in found}

    levels = {each.level: each for each in study.precision.levels}
    assert (levels[1].categories, levels[2].categories) == (2, 1)
    assert levels[1].biased == pytest.approx(found["Top/Arts"].biased / 2)
    values = list(found.values())
    wanted = kendall_tau([each.tau for each in values], [each.biased for each in values])
    assert study.precision.with_tau == wanted


def test_tables_and_the_drawn_tree(corpus, judged, capsys):
    assert main(["tree", str(corpus), "--judgements", str(judged)]) == 0
    assert "MAP, unbiased" in capsys.readouterr().out
    stored = json.loads((corpus / "topics" / "study.json").read_text())
    assert stored["precision"]["categories"][2]["ratio"] is None
    page = html.fromstring((corpus / "topics" / "study.html").read_text())
    titles = page.xpath("//g/title/text()")
    assert [title.split(":")[0] for title in titles] == [
        "Top/Arts",
        "Top/Arts/Film",
        "Top/Arts/Music",
        "Top/Sports",
    ]
    assert titles[2] == "Top/Arts/Music: not judged"
    assert page.xpath("//g[rect[@stroke-dasharray]]/title/text()") == [titles[3]]
    assert len(page.xpath("//path")) == 2
    assert main(["tree", str(corpus)]) == 0
    assert "MAP" not in capsys.readouterr().out
    assert json.loads((corpus / "topics" / "study.json").read_text())["precision"] is None


def test_judgements_that_are_none(corpus, tmp_path, capsys):
    path = tmp_path / "judged.tsv"
    for text, told in (
        ("Top/Arts\talpha\thttp://a/\tgood\n", "line 1 is no judgement"),
        ("\nTop/Arts\talpha\t1\n", "line 2 is no judgement"),
        ("Top/None\talpha\thttp://a/\t1\n", "judges no query of a topic"),
        ("Top/Arts\talpha\thttp://a/\t1\nTop/Arts\talpha\tHTTP://A\t0\n", "another grade"),
        ("Top/Arts\talpha\thttp://a/\t1\n", "is a result; name them by their URLs"),
    ):
        path.write_text(text)
        assert main(["tree", str(corpus), "--judgements", str(path)]) == 2
        assert told in capsys.readouterr().err
    with pytest.raises(InputError, match="cannot be read as UTF-8"):
        read_judgements(tmp_path / "missing", {"Top/Arts": 1})
