"""Reading CleanEval, on pages made here."""

from __future__ import annotations

import pytest

from pipelines.evaluation.readers import guess_layout, open_dataset


def test_cleaneval(tmp_path):
    (tmp_path / "finalrun-input").mkdir()
    (tmp_path / "GoldStandard").mkdir()
    page = b'<text id="http://www.example.com/a?x=1&amp;y=2" title="t" encoding="utf8">\n<html>caf\xe9</text>\n'
    (tmp_path / "finalrun-input" / "7.html").write_bytes(page)
    (tmp_path / "finalrun-input" / "8.html").write_bytes(b"no gold text, left out")
    (tmp_path / "finalrun-input" / "9.html").write_bytes(b"<p>404: Page Not Found</text>")
    gold = b"URL: http://www.example.com/\nbefore\n\n<h>Caf\xe9\n<p>one\n two\n<L>item\n<p>\n"
    (tmp_path / "GoldStandard" / "7.txt").write_bytes(gold)
    (tmp_path / "GoldStandard" / "9.txt").write_bytes(b"URL: http://example.net/")
    assert guess_layout(tmp_path) == "cleaneval"
    first, second = open_dataset(tmp_path)
    assert (first.page_id, first.body) == ("7", b"<html>caf\xe9")
    assert (first.url, first.site) == ("http://www.example.com/a?x=1&y=2", "example.com")
    assert first.gold == "before\nCafé\none two\nitem"
    assert first.tagged_gold == "p\tbefore\nh\tCafé\np\tone two\nl\titem"
    # Without a wrapper nothing is taken off, and an empty gold text is one.
    assert (second.body, second.gold) == (b"<p>404: Page Not Found</text>", "")


@pytest.mark.parametrize(
    ("page", "gold"),
    [
        (
            b"\xef\xbb\xbf<text id='http://a.org/'>\n<p>x",
            b"\xef\xbb\xbfURL: http://a.org/\r\n<p>text",
        ),
        (b'<text id="http://a.org/" title="Home > News">\n<p>x', b"<p>text"),
        (b'<text id="http://a.org/" title="a 12" screen">\n<p>x', b"<p>text"),  # quotes in quotes
        (b"<text id=http://a.org/ title=Bob's>\n<p>x <q title='>'>", b"<p>text"),
        (
            b"<text id='http://a.org/'><p>x",
            b"\rURL: http://a.org/\r<p>text\r",
        ),  # ends of lines of old
        (b"<text id='http://a.org/'><p>x", "URL: http://a.org/\r\n<p>text".encode("utf-16")),
    ],
)
def test_cleaneval_in_files_of_its_day(tmp_path, page, gold):
    for folder, name, data in (("en_original", "1.html", page), ("en_cleaned", "1.txt", gold)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(data)
    (read,) = open_dataset(tmp_path)
    assert (read.url, read.gold, read.tagged_gold) == ("http://a.org/", "text", "p\ttext")
    # The byte order mark says what the page is in.
    assert read.body.removeprefix(b"\xef\xbb\xbf").startswith(b"<p>x")
    assert read.body[:3] == page[:3] or page[:1] == b"<"


def test_cleaneval_development_set(tmp_path):
    for name in ("en_original", "en_cleaned", "zh_original", "zh_cleaned"):
        (tmp_path / name).mkdir()
    for language in ("en", "zh"):
        (tmp_path / f"{language}_original" / "1.html").write_bytes(b"<p>text")
        (tmp_path / f"{language}_cleaned" / "1-cleaned.txt").write_text("<p>text")
    pages = list(open_dataset(tmp_path))
    assert [page.language for page in pages] == ["en", "zh"]
    assert len({page.dataset for page in pages}) == 2


def test_pages_with_other_endings_are_read(tmp_path):
    for folder in ("input", "GoldStandard"):
        (tmp_path / folder).mkdir()
    for name in ("1.HTML", "2.htm", "3.html", "4.Htm", "5.xml"):
        (tmp_path / "input" / name).write_bytes(b"<p>text")
        (tmp_path / "GoldStandard" / f"{name[0]}.txt").write_bytes(b"<p>text")
    assert [page.page_id for page in open_dataset(tmp_path)] == ["1", "2", "3", "4"]


def test_hidden_files_are_no_pages(tmp_path):
    """macOS sets a ``._NAME`` beside each file that it copies, of pages and of gold texts."""
    for folder, ending in (("en_original", ".html"), ("en_cleaned", "-cleaned.txt")):
        (tmp_path / folder).mkdir()
        for name in ("1", "._1"):
            (tmp_path / folder / f"{name}{ending}").write_bytes(b"<p>text")
    assert [page.page_id for page in open_dataset(tmp_path)] == ["1"]
