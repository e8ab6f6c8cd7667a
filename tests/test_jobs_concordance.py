"""``python -m pipelines.jobs.concordance``: hits against a slow search, their context, order and screen."""

from __future__ import annotations

import json
import re
from collections import Counter
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.items import Page
from crawler.page.words import search_words
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.asked_words import words_asked
from pipelines.jobs.collocations import Wanted as Collocates
from pipelines.jobs.collocations import collocations
from pipelines.jobs.concordance import Wanted, concordance, find_words, main
from tests.laws_corpus import AT, block, url, write_pages

TEXTS = [
    "Search the web.\nWe search, and Search, for searches.",
    "A nascent effort; the nascent\neffort of a NASCENT EFFORT!",
    "我们搜索 search 搜索引擎",
    "Ein Wort, die Suche.",
]
LANGUAGES = ["en", "en", "zh", None]
MENU = "Home Search Help"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    pages = []
    for n, (text, language) in enumerate(zip(TEXTS, LANGUAGES, strict=True)):
        menu = block(MENU, None) | {"kept": False}
        blocks = [menu, *(block(line, None) for line in text.split("\n"))]
        page = Page(1, n, url(n), "a.com", AT, 200, text=text, blocks=blocks)
        page.language, page.n_words = language, len(text.split())
        pages.append(page)
    write_pages(folder, pages)
    return folder


def found(folder, *words, **wanted):
    return concordance(Corpus.open(folder), words, Wanted(**wanted))


def parts(lines):
    return [(line.left, line.match, line.right) for line in lines]


@given(
    st.lists(st.sampled_from(["a", "B", "ab", ",", ". ", "\n", "-", " "]), max_size=30).map(
        "".join
    ),
    st.lists(st.sampled_from(["a", "b", "ab", "bab", "a*", "ba*"]), min_size=1, max_size=3),
)
def test_hits_are_those_of_a_slow_search(text, words):
    row = r"[^\w\n]+".join(word.replace("*", r"\w*") for word in words)
    pattern = re.compile(rf"(?<!\w)(?={row}(?!\w))", re.IGNORECASE)
    starts = [match.start() for match in pattern.finditer(text)]
    spans = list(find_words(text, words))
    assert [start for start, _ in spans] == starts
    for start, end in spans:
        met = re.findall(r"\w+", text[start:end].lower())
        assert len(met) == len(words)
        assert all(map(fnmatchcase, met, words))


def test_hits_and_their_context(folder):
    report = found(folder, "search", chars=14)
    assert (report.hits, report.hit_documents, report.documents) == (4, 2, 4)
    assert parts(report.lines) == [
        ("", "Search", "the web. ¶ We"),
        ("the web. ¶ We", "search", ", and Search,"),
        ("We search, and", "Search", ", for searches"),
        ("我们搜索", "search", "搜索引擎"),
    ]
    assert report.words == sum(len(search_words(text)) for text in TEXTS)
    assert collocations(Corpus.open(folder), ["search"]).words == report.words
    assert {line.url for line in report.lines} == {url(0), url(2)}


def test_words_in_a_row_within_a_block(folder):
    assert [line.match for line in found(folder, "nascent", "effort").lines] == [
        "nascent effort",
        "NASCENT EFFORT",
    ]
    assert found(folder, "搜", "索").hits == 2
    assert parts(found(folder, "web", "we").lines) == []


def test_texts_of_a_language(folder):
    report = found(folder, "search", languages=frozenset({"zh"}))
    assert (report.hits, report.documents) == (1, 1)
    report = found(folder, "suche", languages=frozenset({"und"}))
    assert (report.hits, report.documents) == (1, 1)


def test_blocks_that_were_dropped(folder):
    assert found(folder, "help").hits == 0
    report = found(folder, "help", blocks="all")
    assert (report.hits, report.lines[0].left) == (4, "Home Search")
    assert report.lines[0].right.startswith("¶ Search the web.")
    assert report.words == sum(len(search_words(f"{MENU} {text}")) for text in TEXTS)


def test_a_query_in_another_spelling_of_its_letters(tmp_path, capsys):
    page = Page(1, 0, url(0), "a.com", AT, 200, text="Ein Café.", blocks=[])
    write_pages(tmp_path, [page])
    assert main([str(tmp_path), "CAFE\u0301"]) == 0
    assert "1 hit in 1 of 1 document," in capsys.readouterr().out


@pytest.mark.parametrize("asked", ["ΟΔΟΣ", "οδός", "ΟΔΌΣ", "οδοσ"])
def test_greek_capitals_have_no_tonos(tmp_path, asked):
    text = "Η ΟΔΟΣ ΕΡΜΟΥ.\nΜια οδός, η Οδός Ερμού και άλλες οδοί."
    page = Page(1, 0, url(0), "a.com", AT, 200, text=text, blocks=[])
    write_pages(tmp_path, [page])
    words = search_words(asked)
    assert [line.match for line in found(tmp_path, *words).lines] == ["ΟΔΟΣ", "οδός", "Οδός"]
    # What is beside keeps its letters: "ή" is not "η".
    report = collocations(Corpus.open(tmp_path), words, Collocates(min_together=1))
    assert report.hits == 3
    assert {"η", "ερμού", "άλλες"} <= {each.word for each in report.collocates}


def test_joiners_that_join_nothing_are_in_no_word(tmp_path):
    text = "Die Auf\u200clage, eine Auflage"
    write_pages(tmp_path, [Page(1, 0, url(0), "a.com", AT, 200, text=text, blocks=[])])
    assert found(tmp_path, "auflage").hits == 2
    assert found(tmp_path, *words_asked(["Auf\u200clage"])).hits == 2


@pytest.mark.parametrize("asked", ["كتاب", "كتــاب", "كتا*"])
def test_words_of_arabic_may_be_drawn_out(tmp_path, asked):
    text = "هذا كتـــاب جديد.\nكتاب قديم"
    write_pages(tmp_path, [Page(1, 0, url(0), "a.com", AT, 200, text=text, blocks=[])])
    words = words_asked([asked])
    assert [line.match for line in found(tmp_path, *words).lines] == ["كتـــاب", "كتاب"]
    report = collocations(Corpus.open(tmp_path), words, Collocates(min_together=1))
    assert {each.word for each in report.collocates} == {"هذا", "جديد", "قديم"}


def test_sorted_by_what_is_beside(folder):
    right = [line.right for line in found(folder, "search", order="right").lines]
    assert right == [
        ", and Search, for searches.",
        ", for searches.",
        "the web. ¶ We search, and Search, for se",
        "搜索引擎",
    ]
    left = [line.left for line in found(folder, "search", order="left", n_lines=0).lines]
    assert [each.split()[-1:] for each in left] == [[], ["and"], ["We"], ["我们搜索"]]
    assert parts(found(folder, "search", order="left", n_lines=2).lines) == parts(
        found(folder, "search", order="left", n_lines=0).lines[:2]
    )


def test_lines_at_random_have_equal_chances(folder):
    """Of 4 hits 2 are drawn: each 300 times of 600, and first 150 times; within 5 standard deviations."""
    drawn, first = Counter(), Counter()
    for seed in range(600):
        lines = found(folder, "search", order="random", n_lines=2, seed=seed).lines
        assert len({*lines}) == 2
        drawn.update(lines)
        first[lines[0]] += 1
    assert all(abs(n - 300) < 62 for n in drawn.values())
    assert len(drawn) == 4
    assert all(abs(n - 150) < 54 for n in first.values())
    again = found(folder, "search", order="random", seed=3).lines
    assert again == found(folder, "search", order="random", seed=3).lines


def test_the_screen(folder, capsys):
    assert main([str(folder), "Search", "--chars", "14", "--lines", "2"]) == 0
    head, empty, first, second = capsys.readouterr().out.splitlines()
    assert head.startswith("4 hits in 2 of 4 documents, ")
    assert empty == ""
    assert first.index("Search") == second.index("search") == len("the web. ¶ We") + 2
    assert first.endswith(f"<{url(0)}>")
    assert main([str(folder), "search", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"] == 4
    assert main([str(folder), "nowhere"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "0 hits in 0 of 4 documents, 0.00 in a million words"
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["...", ","], "'... ,' has no word; give one or more"),
        (["a", "*nik"], "'*nik' has * elsewhere than at the end of a word; give it as in mill*"),
        (["m*ll"], "'m*ll' has * elsewhere than at the end of a word; give it as in mill*"),
        (["a *"], "'*' has * elsewhere than at the end of a word; give it as in mill*"),
        (
            ["a", "--order", "best"],
            "--order must be one of corpus, random, right, left; see --help",
        ),
        (["a", "--blocks", "some"], "--blocks must be one of kept, all; see --help"),
        (
            ["a", "--language", "de, eng"],
            "--language takes codes of ISO 639-1 such as de,en, not 'eng'",
        ),
        (
            ["a", "--language", "xx,yy"],
            "no document of {} is in xx or yy; its languages are en, und, zh",
        ),
        (
            ["a", "--language", "en,cz"],
            "--language has 'cz', which no text of {} can get; its languages are en, und, zh",
        ),
        (["a", "--seed", "3"], "--seed is for --order random; leave it out"),
        (
            ["a", "--order", "random", "--seed", "-1"],
            "--seed must be at least 0, got -1; see --help",
        ),
        (["a", "--lines", "-1"], "--lines must be at least 0, got -1; see --help"),
    ],
)
def test_wrong_calls_are_one_line(folder, capsys, arguments, told):
    assert main([str(folder), *arguments]) == 2
    assert capsys.readouterr().err == f"winnow: {told.format(folder)}\n"


def test_no_corpus(tmp_path, capsys):
    assert main([str(tmp_path), "a"]) == 2
    assert f"no corpus in {tmp_path}" in capsys.readouterr().err
