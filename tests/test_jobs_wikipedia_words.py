"""Words of a dump of Wikipedia: its markup taken out, its articles alone, and the list as `scrapy keywords` reads
it.
"""

from __future__ import annotations

import bz2
import gzip
from collections import Counter
from xml.sax.saxutils import escape

import pytest

from pipelines.jobs.wikipedia_words import main
from pipelines.linguistics.wiki_text import wiki_text
from tests.graph_commands import run_command

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="de"><siteinfo><namespaces>
<namespace key="0" case="first-letter" /><namespace key="6">Datei</namespace><namespace key="14">Kategorie</namespace>
</namespaces></siteinfo>"""
ARTICLE = """{{Infobox|name={{lang|de|Hund}}|text=nein}}
Der '''Hund''' ist ein [[Haustier|Haustier]].<ref name="a">Quelle</ref><ref name="a" />
[[Datei:Hund.jpg|mini|Ein [[Hund]] im [[Gras]]]]
== Rassen ==
* [[Pudel]] &amp; Dackel, [https://a.example/x Züchter]
{| class="wikitable"
| Tabelle || nein
|}
<!-- nein --> CSI: [[CSI: Miami]], Was<b>ser</b>, <math>nein</math>
[[Kategorie:Hund]] [[en:Dog]]"""
WORDS = [
    "der",
    "hund",
    "ist",
    "ein",
    "haustier",
    "rassen",
    "pudel",
    "dackel",
    "züchter",
    "csi",
    "csi",
    "miami",
    "wasser",
]


def page(text, namespace=0, redirect=""):
    return (
        f"<page><title>x</title><ns>{namespace}</ns>{redirect}<revision><id>1</id>"
        f'<text bytes="1" xml:space="preserve">{escape(text)}</text></revision></page>'
    )


DUMP = "".join(
    [
        HEAD,
        page(ARTICLE),
        page("nein", 1),
        page("nein", 0, '<redirect title="Hund" />'),
        page("Der Hund bellt."),
        "</mediawiki>",
    ]
).encode()


def words_of_list(out):
    return {line.split("\t")[0]: int(line.split("\t")[1]) for line in out.splitlines()}


@pytest.mark.parametrize("pack", [bytes, bz2.compress, gzip.compress])
def test_words_of_articles(tmp_path, capsys, pack):
    (tmp_path / "dump").write_bytes(pack(DUMP))
    assert main([str(tmp_path / "dump")]) == 0
    found = words_of_list(capsys.readouterr().out)
    assert found == Counter([*WORDS, "der", "hund", "bellt"])
    assert main([str(tmp_path / "dump"), "--pages", "1"]) == 0
    assert words_of_list(capsys.readouterr().out) == Counter(WORDS)


def test_seeds_of_middle_frequency(tmp_path, capsys):
    """Corpus Factory: ranks first, then the length."""
    (tmp_path / "dump").write_bytes(DUMP)
    main([str(tmp_path / "dump")])
    (tmp_path / "list.tsv").write_text(capsys.readouterr().out, encoding="utf-8")
    options = ("--corpus", tmp_path / "list.tsv", "--ranks", "2-8", "--min-chars", "5")
    done = run_command("keywords", *options)
    assert done.out.split() == ["bellt", "dackel", "haustier"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a {{b {{c}} d {{e}}}} f", "a  f"),
        ("{|\n|a\n{|\n|b\n|}\n|}\nc", "c"),
        ("[[a_b]] [[:Category:x]] [[A|b|c]] [[Wikipedia:a|b]]", "a b Category:x c"),
        ("a<br />b<i>c</i> &nbsp;&lt;d&gt;", "a bc \xa0<d>"),
        ("=== a ===\n:; b\n----\nc __NOTOC__", "a \n b\n\nc"),
        ("a [//b.example c d] [//b.example c\nd] =", "a  c d [//b.example c\nd]"),
        ("a <!-- b", "a"),
        ("a <ref>b", "a b"),
        ("a [[b", "a [[b"),
        ("-{zh-hans:[[a|b]]; zh-hant:c}- -{R|d; e}- -{f}- -{A|zh-cn:g;zh-tw:h}-", "b d; e f g"),
        ("-{T|zh-cn:a;}-b -{H|zh-cn:a;zh-tw:c}-d", "b d"),
        ("Donau&shy;dampf\xadschiff", "Donaudampfschiff"),
        ("[//a.example/x b] [http://a.example c [PDF]] [http://a.example]", "b [ c [PDF]]"),
        ("<nowiki>a</nowiki> http://a.example/b c", "a  c"),
    ],
)
def test_markup(source, text):
    assert wiki_text(source) == text


@pytest.mark.parametrize(
    "piece",
    [
        *("{{", "[[", "<ref>", "{|\n", "[[a|", "'''", "]]", "}}", "<math>", "[http://a", "=" * 20),
        *("-{a|", "}-", "[//a.example/long/path b", "[http://[//"),
    ],
)
def test_much_broken_markup(piece):
    """No regular expression looks to the end of the page for each."""
    assert wiki_text(f"{piece} word " * 20_000).count("word") == 20_000


def test_a_long_line_of_signs():
    assert wiki_text(f"a {'=' * 200_000} b [//{'c' * 200_000}").startswith("a ===")


@pytest.mark.parametrize(
    ("dump", "told"),
    [
        (DUMP[:-200], "is cut, or no dump of a wiki ("),
        (bz2.compress(DUMP)[:-20], "is cut, or no dump of a wiki ("),
        (b"no XML", "is cut, or no dump of a wiki ("),
        (f"{HEAD}{page('', 0)}</mediawiki>".encode(), "has no article with words; give a dump"),
    ],
)
def test_wrong_dumps_are_one_line(tmp_path, capsys, dump, told):
    (tmp_path / "dump").write_bytes(dump)
    assert main([str(tmp_path / "dump")]) == 2
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert told in errors


def test_wrong_numbers(tmp_path, capsys):
    (tmp_path / "dump").write_bytes(DUMP)
    assert main([str(tmp_path / "dump"), "--pages", "0"]) == 2
    assert "--pages is 0; give 1 or more" in capsys.readouterr().err
