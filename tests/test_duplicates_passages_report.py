"""``scrapy passages``: its job on a corpus made by code, and its reports."""

from __future__ import annotations

import argparse
import json
import random
import re
import unicodedata
from html import unescape

import pytest
from scrapy.settings import Settings

from crawler.commands.passages import Command
from crawler.errors import InputError
from crawler.items import Page
from pipelines.jobs.passages import compare, find_sources, page, screen
from tests.dedup_corpus import make_corpus
from tests.laws_corpus import AT, write_pages


def words(rng, n):
    return ["".join(rng.choices("abcdefghij", k=rng.randint(3, 8))) for _ in range(n)]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A document that has one long passage of one source and short ones of another."""
    rng = random.Random(2)
    texts = {name: words(rng, 120) for name in ("one", "two", "three", "four")}
    copied = texts["one"][20:80]
    copied[30] = "changed"
    mixed = [*words(rng, 10), *copied, "<b>&", *texts["two"][40:58], *words(rng, 10)]
    texts["mixed"] = mixed
    documents = {f"http://a.com/{name}": [" ".join(text)] for name, text in texts.items()}
    folder = tmp_path_factory.mktemp("passages") / "corpus"
    make_corpus(folder, documents)
    return folder, {url: blocks[0] for url, blocks in documents.items()}


MIXED = "http://a.com/mixed"


def test_all_sources_are_found_the_largest_first(corpus):
    folder, texts = corpus
    report = find_sources(folder, MIXED)
    assert [source.name for source in report.sources] == ["http://a.com/one", "http://a.com/two"]
    assert [source.shared_words for source in report.sources] == [59, 18]
    # the changed word lies within a passage
    assert report.covered_words == 78
    assert report.words == len(texts[MIXED].replace("<b>&", "b").split())
    for source in report.sources:
        for copied in source.passages:
            assert texts[MIXED][copied.start : copied.end] == copied.text
            assert texts[source.name][copied.source_start : copied.source_end] == copied.source_text
            assert copied.text.split()[0] == copied.source_text.split()[0]
    assert report.n_more == 0
    first = find_sources(folder, MIXED, limit=1)
    assert first.sources == report.sources[:1]
    assert first.n_more == 1
    assert screen(first).splitlines()[0].endswith("of 1 source; 1 more share less (--limit)")


def test_two_documents_of_the_corpus_or_of_files(corpus, tmp_path):
    folder, texts = corpus
    report = compare(folder, "http://a.com/two", MIXED)
    assert [source.shared_words for source in report.sources] == [18]
    paths = []
    for name in (MIXED, "http://a.com/one"):
        paths.append(tmp_path / f"{len(paths)}.txt")
        paths[-1].write_text(texts[name])
    of_files = compare(tmp_path / "no corpus", *map(str, paths))
    assert [source.shared_words for source in of_files.sources] == [59]
    assert compare(folder, "http://a.com/three", "http://a.com/four").sources == ()


def test_the_page_holds_the_whole_text_with_passages_marked(corpus):
    folder, texts = corpus
    report = find_sources(folder, MIXED)
    html = page(report)
    (shown,) = re.findall(r'<pre dir="auto">(.*)</pre>', html, re.DOTALL)
    assert unescape(re.sub("</?mark[^>]*>", "", shown)) == texts[MIXED]
    marked = [unescape(piece) for piece in re.findall("<mark>(.*?)</mark>", shown)]
    assert marked == [copied.text for source in report.sources for copied in source.passages]
    assert "&lt;b&gt;&amp;" in html
    assert "http:" not in html.replace("http://a.com/", "")
    # Lines of Arabic begin at the right, in both columns too; the marks are light on any ground.
    assert "<td>" not in html
    assert "color-scheme:light dark" in html
    assert "mark{background:#fd8;color:#000}" in html


def test_the_screen_says_where(corpus):
    folder, _ = corpus
    lines = screen(find_sources(folder, MIXED)).splitlines()
    assert lines[0].startswith(f"{MIXED}: 78 of 99 words (78.8%) in passages of 2 sources")
    assert lines[2] == "http://a.com/one: 59 words"
    assert screen(compare(folder, MIXED, "http://a.com/four")).endswith("0 sources")


def run_command(folder, *arguments):
    command = Command()
    command.settings = Settings({"CORPUS_DIR": str(folder)})
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    options, names = parser.parse_known_args(list(arguments))
    command.run_checked(names, options)


def test_command(corpus, capsys):
    folder, _ = corpus
    run_command(folder, "--all", MIXED, "--json")
    found = json.loads(capsys.readouterr().out)
    assert found["covered_words"] == 78
    assert found["sources"][0]["passages"][0]["n_words"] == 59
    run_command(folder, MIXED, "http://a.com/one", "--format", "html", "--min-words", "60")
    assert "0 sources" in capsys.readouterr().out
    run_command(folder, MIXED, "http://a.com/one", "--gap", "0")
    assert capsys.readouterr().out.count(" words at ") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--all"], "0 named where one document"),
        (["a"], "1 named where two documents"),
        (["a", "b", "c"], "c"),
        ([MIXED, "http://a.com/none"], "neither a document"),
        ([MIXED, MIXED, "--format", "pdf"], "--format"),
        ([MIXED, MIXED, "--gap", "x"], "--gap"),
        ([MIXED, MIXED, "--gap", "-1"], "gap must be"),
        (["--all", MIXED, "--limit", "0"], "limit must be"),
        ([MIXED, MIXED, "--json", "--format", "html"], "both given; give one of them"),
        ([MIXED, MIXED, "--limit", "3"], "--limit without --all; leave it out"),
    ],
)
def test_wrong_calls(corpus, arguments, message):
    with pytest.raises(InputError, match=message):
        run_command(corpus[0], *arguments)


def test_a_file_in_another_encoding_is_told(corpus, tmp_path):
    """Nothing of it is found in a corpus: it was said to share no passage."""
    path = tmp_path / "essay.txt"
    path.write_text("One two three four five six", encoding="utf-16")
    with pytest.raises(InputError, match="no UTF-8 text"):
        find_sources(corpus, str(path))


def test_a_file_of_decomposed_letters_is_as_the_corpus_is(tmp_path):
    rng = random.Random(5)
    text = " ".join(f"é{word}ử" for word in words(rng, 40))
    make_corpus(tmp_path / "corpus", {"http://a.com/1": [text]})
    (tmp_path / "essay.txt").write_text(unicodedata.normalize("NFD", text), encoding="utf-8")
    essay = str(tmp_path / "essay.txt")
    report = find_sources(tmp_path / "corpus", essay)
    assert (report.words, report.covered_words, report.text) == (40, 40, text)
    assert len(report.sources) == 1
    assert compare(tmp_path / "corpus", essay, "http://a.com/1") == report


def test_a_source_without_spaces_is_found_wherever_the_quotation_begins(tmp_path):
    rng = random.Random(6)
    sentence, before = (
        "".join(chr(rng.randint(0x4E00, 0x9FFF)) for _ in range(n)) for n in (40, 9)
    )
    make_corpus(tmp_path / "corpus", {"http://a.com/1": [before + sentence]})
    for n_left_out in (0, 1):
        (tmp_path / "essay.txt").write_text(sentence[n_left_out:], encoding="utf-8")
        report = find_sources(tmp_path / "corpus", str(tmp_path / "essay.txt"))
        assert [source.shared_words for source in report.sources] == [40 - n_left_out]


def test_addresses_are_named_as_people_write_them(tmp_path):
    rng = random.Random(7)
    text, other = (" ".join(words(rng, 40)) for _ in range(2))
    kept, copy = "http://a.com/%C4%8Dlanek/1", "http://a.com/%C4%8Dlanek/2"
    columns = {"blocks": [], "n_words": 40}
    pages = [
        Page(1, 1, kept, "a.com", AT, 200, text=text, **columns),
        Page(1, 3, "http://a.com/3", "a.com", AT, 200, text=other, **columns),
    ]
    row = {"host_id": 1, "local_id": 2, "url": copy, "stage": "deduplicate", "fetched_at": AT}
    write_pages(tmp_path, pages, [row | {"reason": "near_duplicate", "duplicate_of": kept}])
    assert compare(tmp_path, "HTTP://A.com/članek/1", "http://a.com/3").text == text
    assert find_sources(tmp_path, "http://a.com/članek/1").sources == ()
    with pytest.raises(
        InputError, match=f"was rejected as near_duplicate of {kept}, without its text"
    ):
        find_sources(tmp_path, "http://a.com/članek/2")
