"""``python -m pipelines.jobs.collocations``: against a slow count over the texts, screen, JSON and wrong calls."""

from __future__ import annotations

import json
import random
from collections import Counter
from fnmatch import fnmatchcase

import pytest

from crawler.items import Page
from crawler.page.words import search_words
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.collocations import Wanted, collocations, main
from pipelines.linguistics.collocations import MEASURES, Pair, Window
from tests.laws_corpus import AT, block, url, write_pages

WORDS = ["mill", "Mill", "water", "wheel", "the", "of", "Düne", "水", "हिन्दी"]


def made_texts(seed, n_texts=40):
    rng = random.Random(seed)
    for _ in range(n_texts):
        parts = [rng.choice(WORDS) + rng.choice([" ", ", ", " ", ".\n"]) for _ in range(30)]
        yield "".join(parts).strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    pages = []
    for n, text in enumerate(made_texts(seed=1)):
        menu = block("mill shop mill shop mill shop", None) | {"kept": False}
        blocks = [menu, *(block(line, None) for line in text.split("\n"))]
        page = Page(1, n, url(n), "a.com", AT, 200, text=text, blocks=blocks)
        page.language, page.n_words = ("en", "de")[n % 2], len(text.split())
        pages.append(page)
    write_pages(folder, pages)
    return folder


def found(folder, *words, **wanted):
    return collocations(Corpus.open(folder), words, Wanted(**wanted))


@pytest.mark.parametrize("asked", ["mill", "w*"])
def test_as_slowly_counted(folder, asked):
    texts = list(made_texts(seed=1))
    near, n_hits, of_all = Counter(), 0, Counter()
    for line in (line for text in texts for line in text.split("\n")):
        words = search_words(line)
        of_all.update(words)
        hits = [place for place, word in enumerate(words) if fnmatchcase(word, asked)]
        n_hits += len(hits)
        near.update(
            words[place]
            for place in range(len(words))
            if any(hit - 2 <= place <= hit + 1 and hit != place for hit in hits)
        )
    report = found(folder, asked, window=Window(2, 1), n_lines=0, min_together=1)
    assert (report.hits, report.words) == (n_hits, of_all.total())
    assert {each.word for each in report.collocates} == set(near)
    for each in report.collocates:
        assert each.occurrences == of_all[each.word]
        assert 0 < each.together <= near[each.word]
        pair = Pair(each.together, n_hits, each.occurrences, report.words)
        assert each.scores == {name: measure(pair) for name, measure in MEASURES.items()}


@pytest.mark.parametrize("measure", MEASURES)
def test_the_highest_come_first(folder, measure):
    every = found(folder, "the", measure=measure, n_lines=0).collocates
    assert every == sorted(every, key=lambda each: (-each.scores[measure], each.word))
    report = found(folder, "the", measure=measure, n_lines=3)
    assert (report.collocates, report.found) == (every[:3], len(every))


def test_which_are_wanted(folder):
    every = found(folder, "mill", "water", n_lines=0, min_together=1)
    bound = max(each.together for each in every.collocates)
    few = found(folder, "mill", "water", min_together=bound).collocates
    assert few == [each for each in every.collocates if each.together >= bound]
    parts = [found(folder, "mill", languages=frozenset([code])).words for code in ("en", "de")]
    assert sum(parts) == found(folder, "mill").words
    assert "shop" not in [each.word for each in found(folder, "mill").collocates]
    assert "shop" in [each.word for each in found(folder, "mill", blocks="all").collocates]


def test_the_screen(folder, capsys):
    assert main([str(folder), "MILL", "--lines", "2"]) == 0
    head, empty, names, first, second = capsys.readouterr().out.splitlines()
    report = found(folder, "mill")
    assert head == f"{report.hits} hits in {report.words:,} words; {report.found} collocates"
    assert (empty, names.split()) == ("", ["together", "occurrences", *MEASURES, "word"])
    assert [line.split()[-1] for line in (first, second)] == [
        each.word for each in report.collocates[:2]
    ]
    assert main([str(folder), "nowhere"]) == 0
    assert capsys.readouterr().out.startswith("0 hits in ")
    assert main([str(folder), "mill", "--json", "--language", "de", "--measure", "t"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["collocates"][0]["scores"].keys() == MEASURES.keys()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["..."], "'...' has no word; give one or more"),
        (["a", "--measure", "pmi"], "--measure must be one of logdice, mi, t, log-likelihood"),
        (["a", "--left", "0", "--right", "0"], "left or right must be above 0; see --help"),
        (["a", "--right", "-1"], "--right must be 0 to 1,000, got -1; see --help"),
        (["a", "--left", "1" + "0" * 20], f"--left must be 0 to 1,000, got {10**20}; see --help"),
        (["a", "--min-together", "0"], "--min-together must be at least 1, got 0; see --help"),
        (["a", "--language", "xx"], "no document of {} is in xx; its languages are de, en"),
        (
            ["a", "--language", "de,cz"],
            "--language has 'cz', which no text of {} can get; its languages are de, en",
        ),
        (["a", "--blocks", "some"], "--blocks must be one of kept, all; see --help"),
    ],
)
def test_wrong_calls_are_one_line(folder, capsys, arguments, told):
    assert main([str(folder), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"winnow: {told.format(folder)}")
    assert error.count("\n") == 1
