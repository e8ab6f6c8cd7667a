"""``scrapy index`` and ``scrapy facets``: what is printed, wrong calls."""

from __future__ import annotations

import argparse
import json

import pytest
from scrapy.settings import Settings

from crawler.commands import facets, index
from crawler.ranking.corpus.topics import rank_topics
from tests.facet_corpus import URLS, listed_topics, make_corpus


def run(module, *arguments: object) -> int:
    """Run the command of *module* as Scrapy does; return its exit code."""
    command = module.Command()
    command.settings = Settings(command.default_settings)
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    options, rest = parser.parse_known_args([*map(str, arguments)])
    command.process_options(rest, options)
    command.run(rest, options)
    return command.exitcode


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("facets") / "corpus"
    make_corpus(folder)
    rank_topics(folder, listed=listed_topics())
    return folder


def test_index_then_facets(corpus, capsys):
    assert run(index, "--corpus", corpus) == 0
    out, err = capsys.readouterr()
    assert f"documents   {len(URLS)} ({len(URLS)} added, 0 removed)" in out
    assert "facets      5 rank vectors\n" in out
    assert err == ""
    assert run(index, "--corpus", corpus, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["documents"], report["added"], report["folder"]) == (
        60,
        0,
        str(corpus / "index"),
    )

    assert run(facets, "--corpus", corpus, "alpha", "--results", 2, "--facet", "Sports") == 0
    out = capsys.readouterr().out
    assert "ranked by   Top/Sports\n" in out
    assert "%  Top/Sports\n" in out
    assert out.count("http://") == 2

    assert run(facets, "-s", f"CORPUS_DIR={corpus}", "alpha beta", "--json", "--sample", 7) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["query"] == "alpha beta"
    assert {"name", "share", "highlighted"} == set(found["facets"][0])
    shares = [facet["share"] for facet in found["facets"]]
    assert shares == sorted(shares, reverse=True)
    assert len(found["results"]) == 10
    assert found["results"][0]["url"] in URLS
    marked = {facet["name"] for facet in found["facets"] if facet["highlighted"]}
    assert run(facets, "--corpus", corpus, "--json", "--", "-alpha") == 0
    assert json.loads(capsys.readouterr().out)["query"] == "-alpha"
    # More than there are pages, or bytes of memory, are all.
    huge = [part for name in ("candidates", "results", "sample") for part in (f"--{name}", 10**30)]
    assert run(facets, "--corpus", corpus, "alpha", "--json", *huge) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["results"]) == found["found"] > 10
    assert run(facets, "--corpus", corpus, "alpha beta", "--sample", 7) == 0
    rows = capsys.readouterr().out.splitlines()
    assert {row.split("  ")[-1] for row in rows if row.startswith("* ")} == marked


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no query; give one"),
        ([" "], "no query; give one"),
        (["a", "b"], "unexpected argument 'b'"),
        (["a", "--sample", "0"], "--sample must be at least 1, got 0; see --help"),
        (["a", "--sample", "x"], "--sample is 'x'; give a number"),
        (["a", "--theta", "0"], "--theta must be above 0"),
        # No page is so much of a topic: none was named, and nothing said why.
        (["a", "--theta", "99"], "--theta must be above 0, at most 45, got 99.0"),
        (["a", "--results", "0"], "--results is 0; give 1 or more"),
        (
            ["a", "--facet", "Top/None"],
            "; the facets are General importance, Top/Arts, Top/Arts/Film, Top/Arts/Music, Top/Sports\n",
        ),
        (["a", "--weight", "topic"], "--weight is 'topic'; give DIMENSION=NUMBER"),
        (["a", "--weight", "topic=x"], "--weight is 'topic=x'; give DIMENSION=NUMBER"),
        (["a", "--weight", "=1"], "--weight is '=1'; give DIMENSION=NUMBER"),
        (["a", "--weight", "topic=0"], "--weight must be above 0 and finite, got 0.0 for topic"),
        (["a", "--weight", "topic=inf"], "--weight must be above 0 and finite, got inf for topic"),
        (
            ["a", "--weight", "topic=2"],
            "--weight has 'topic', a dimension of no facet that ranks the results",
        ),
        (["a", "--best"], "unknown option --best"),
        (["--", " "], "no query; give one"),
        (["a", "--", "-b"], "unexpected argument '-b'"),
    ],
)
def test_wrong_call_is_one_line(corpus, capsys, arguments, message):
    run(index, "--corpus", corpus)
    capsys.readouterr()
    assert run(facets, "--corpus", corpus, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("winnow: ")
    assert message in err
    assert err.count("\n") == 1


def test_folders_without_what_is_needed(tmp_path, capsys):
    assert run(index, "--corpus", tmp_path / "none") == 2
    assert "no corpus in" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    assert run(facets, "--corpus", tmp_path / "none", "a") == 2
    assert f"no corpus in {tmp_path / 'none'}; run a crawl first" in capsys.readouterr().err
    corpus = tmp_path / "corpus"
    make_corpus(corpus)
    assert run(facets, "--corpus", corpus, "a") == 2
    assert "no search index in" in capsys.readouterr().err
    assert run(index, "--corpus", corpus) == 0
    assert "no ranks: run `scrapy pagerank`" in capsys.readouterr().out
    assert run(facets, "--corpus", corpus, "a") == 2
    assert "run `scrapy pagerank` and `scrapy index`" in capsys.readouterr().err
