"""``scrapy clean`` on files and standard input; wrong calls."""

from __future__ import annotations

import gzip
import json
import os
from typing import NamedTuple

import pytest
from scrapy.cmdline import execute

from tests.conftest import ROOT, run_scrapy
from tests.explorer_site import warc_record

TEXT = (
    "Words that make a paragraph long enough to be the main content of this very small page. " * 3
)
PAGE = f"<title>A page</title><ul><li><a href='/'>Home</a></li></ul><p>{TEXT}</p><p>© 2026</p>"


def test_text_of_files_and_standard_input(tmp_path):
    first, second = tmp_path / "1.html", tmp_path / "2.html"
    first.write_text(PAGE, encoding="utf-8")
    second.write_bytes(PAGE.replace("Words", "Wörter").encode("windows-1252"))
    done = run_scrapy("clean", first, second, "-", stdin=PAGE.replace("Words", "Mots"))
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.split("\n\n")] == ["Words", "Wörter", "Mots"]


def test_gzip_is_unpacked(tmp_path, run):
    page = tmp_path / "page.html.gz"
    page.write_bytes(gzip.compress(PAGE.encode()))
    assert run(page).stdout.startswith("Words")
    whole = page.read_bytes()
    page.write_bytes(whole[:-20])
    done = run(page)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "page.html.gz is damaged gzip" in done.stderr
    page.write_bytes(whole[:10] + bytes(20) + whole[30:])
    assert "is damaged gzip" in run(page).stderr


def test_a_broken_file_among_others_is_told_and_the_others_cleaned(tmp_path, run):
    good, broken, no_page = (tmp_path / name for name in ("a.html", "b.html.gz", "c.pdf"))
    good.write_text(PAGE, encoding="utf-8")
    broken.write_bytes(gzip.compress(PAGE.encode())[:-20])
    no_page.write_bytes(b"%PDF-1.4\n")
    done = run(broken, good, no_page, good)
    assert (done.returncode, done.stderr.count("\n")) == (2, 2)
    assert "b.html.gz is damaged gzip" in done.stderr
    assert "c.pdf is no HTML and no plain text" in done.stderr
    assert [line.split()[0] for line in done.stdout.split("\n\n")] == ["Words", "Words"]


def test_of_a_folder_all_files_are_cleaned_that_may_be_pages(tmp_path, run):
    site = tmp_path / "site"
    for name in ("z.html", "a/view.php?id=3", "a/plain", "a/b/packed.html.gz"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        body = PAGE.replace("Words", name.partition(".")[0].rpartition("/")[2]).encode()
        (site / name).write_bytes(gzip.compress(body) if name.endswith(".gz") else body)
    for name in ("style.css?ver=6", "logo.PNG", ".hidden.html", ".git/page.html", "dump.tar.gz"):
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text(PAGE, encoding="utf-8")
    done = run("--format", "json", site)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    places = [record["file"].removeprefix(f"{site}/") for record in records]
    assert places == ["a/b/packed.html.gz", "a/plain", "a/view.php?id=3", "z.html"]
    assert [record["text"].split()[0] for record in records] == ["packed", "plain", "view", "z"]
    empty = run(site / ".git")
    assert (empty.returncode, empty.stdout) == (0, run(site / ".git" / "page.html").stdout)
    (site / ".git" / "page.html").unlink()
    assert "has no file of a page; name another" in run(site / ".git").stderr


def test_of_a_folder_files_that_cannot_be_read_are_named_and_passed_over(tmp_path, run):
    for name in ("a.html", "z.html"):
        (tmp_path / name).write_text(PAGE, encoding="utf-8")
    (tmp_path / "lost.html").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.html")  # nobody writes into it
    done = run(tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"cannot read {tmp_path / 'lost.html'}" in done.stderr
    assert done.stdout.count(TEXT.strip()) == 2


def test_a_warc_file_is_no_page(tmp_path, run):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc_record("http://a.sample/", PAGE.encode()))
    done = run(path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"winnow: {path} is a WARC file; give it to scrapy crawl warc\n"


def test_no_more_of_a_file_is_read_than_a_page_may_have(tmp_path, run):
    bomb = tmp_path / "page.html.gz"
    bomb.write_bytes(gzip.compress(PAGE.encode() + b"<p>" + b" " * 10**6 + b"<p>" + PAGE.encode()))
    done = run("-s", f"PAGE_MAX_BYTES={10**5}", bomb)
    assert done.stdout.count(TEXT.strip()) == 1
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert "page.html.gz only the first 100,000 bytes (PAGE_MAX_BYTES) are read" in done.stderr


def test_blocks_that_a_limit_takes_away_are_told(tmp_path, run):
    for name, page in (("a.html", PAGE), ("b.txt", "One line.\n\nA second.\n\nA third.")):
        path = tmp_path / name
        path.write_text(page, encoding="utf-8")
        method = ("--method", "keep-all")
        assert not run("-s", "PAGE_MAX_BLOCKS=3", *method, path).stderr
        done = run("-s", "PAGE_MAX_BLOCKS=2", *method, path)
        assert (done.returncode, done.stderr.count("\n")) == (0, 1)
        assert f"{name} only the first 2 blocks (PAGE_MAX_BLOCKS) are read" in done.stderr


@pytest.mark.parametrize("options", [(), ("--format", "json"), ("--render", "delete")])
def test_pages_without_main_text_are_named(tmp_path, run, options):
    menu = tmp_path / "menu.html"
    menu.write_text("<ul><li><a href=/>Home</a><li><a href=/b>About us</a></ul>", encoding="utf-8")
    done = run(*options, menu)
    assert done.returncode == 0
    assert done.stderr == f"winnow: {menu} has no main text by winnow\n"
    kept = run("--method", "keep-all", *options, menu)
    assert (kept.returncode, kept.stderr) == (0, "")


def test_of_several_pages_those_without_main_text_are_named(tmp_path, run):
    for name, page in (("a", PAGE), ("b", "<ul><li><a href=/>Home</a>"), ("c", PAGE), ("d", "<p>")):
        (tmp_path / f"{name}.html").write_text(page, encoding="utf-8")
    done = run(tmp_path)
    expected = [
        f"winnow: {tmp_path / name} has no main text by winnow" for name in ("b.html", "d.html")
    ]
    assert (done.returncode, done.stderr.splitlines()) == (0, expected)
    assert done.stdout.count(TEXT.strip()) == 2


def test_json_has_blocks_with_labels(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    done = run_scrapy("clean", "--format", "json", "--method", "keep-all", path)
    page = json.loads(done.stdout)
    assert page["title"] == "A page"
    assert [block["kept"] for block in page["blocks"]] == [True] * 3
    assert page["blocks"][0] == {
        "text": "Home",
        "kind": "item",
        "segment": None,
        "label": "content",
        "kept": True,
        "words": 1,
        "link_density": 1.0,
        "text_density": 1.0,
        "path": "body/ul/li",
    }
    assert page["text"].splitlines() == [block["text"] for block in page["blocks"]]


def test_server_charset_and_plain_text(tmp_path):
    path = tmp_path / "page.txt"
    path.write_bytes(("Слова абзаца. " * 20 + "\n\nещё").encode("koi8-r"))
    done = run_scrapy("clean", "--charset", "koi8-r", path)
    assert done.stdout.startswith("Слова абзаца.")


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch, capsys):
    """Run ``scrapy clean`` within this process, with these arguments."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("SCRAPY_PROJECT", "local")
    # Scrapy sets it for good, and what later tests start would inherit it.
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "settings.local")

    def run_here(*arguments):
        with pytest.raises(SystemExit) as end:
            execute(["scrapy", "clean", *map(str, arguments)])
        return Done(int(end.value.code or 0), *capsys.readouterr())

    return run_here


def test_markdown_with_links_and_a_page_with_marks(tmp_path, run):
    path = tmp_path / "page.html"
    path.write_text(PAGE.replace("small page", "small <a href='/x'>page</a>", 1), encoding="utf-8")
    done = run("--format", "markdown", "--links", path)
    assert done.stdout.startswith("Words that make")
    assert "small [page](</x>)." in done.stdout
    done = run("--render", "mark", path)
    assert "<a href='/'>Home</a>" in done.stdout
    assert "<p><mark class=winnow-content>Words" in done.stdout


def test_html_shows_every_block(tmp_path, run):
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    done = run("--format", "html", path)
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert done.stdout.count("<li ") == 3
    assert "page.html" in done.stdout
    assert "borders of" in done.stdout
    assert "borders of" not in run("--format", "html", "-s", "SEGMENT_METHOD=", path).stdout
    refused = run("--format", "html", "-s", "SEGMENT_METHOD=WordWrap", path)
    assert refused.returncode == 2
    assert "change SEGMENT_METHOD" in refused.stderr


def test_json_has_metadata_and_links_of_kept_blocks(tmp_path, run):
    path = tmp_path / "page.html"
    head = "<meta name=author content='Jane Doe'><meta name=date content=2024-03-05>"
    head += "<meta name=description content=Wet>"
    links = "<a href=v>very</a><a href='javascript:x()'>!</a> <a href='mailto:a@b.sample?subject=c d'>e</a>"
    path.write_text(head + PAGE.replace("very", links, 1), encoding="utf-8")
    page = json.loads(run("--format", "json", "--links", path).stdout)
    assert (page["author"], page["date"], page["date_source"]) == ("Jane Doe", "2024-03-05", "meta")
    assert (page["description"], page["description_source"]) == ("Wet", "meta")
    assert page["links"] == [
        {"href": "v", "anchor": "very", "block": 1},
        {"href": "mailto:a@b.sample?subject=c%20d", "anchor": "e", "block": 1},
    ]
    path.write_text("<base href=http://a.sample/b/>" + path.read_text("utf-8"), encoding="utf-8")
    page = json.loads(run("--format", "json", "--links", path).stdout)
    assert page["links"][0]["href"] == "http://a.sample/b/v"


def test_blocks_are_those_of_the_method_unless_a_setting_says_otherwise(tmp_path, run):
    path = tmp_path / "page.html"
    path.write_text("<p>one <b>two</b> three", encoding="utf-8")
    for setting, expected in (((), 3), (("-s", "PAGE_INLINE=transparent"), 1)):
        done = run("--method", "keep-all", *setting, path)
        assert len(done.stdout.splitlines()) == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{page}", "{none}"], "none.html"),
        (["--format", "html", "{folder}"], "2 files for one HTML page; name one"),
        (["{image}"], "no HTML"),
        (["--method", "magic", "{page}"], "'magic'; `scrapy clean --help` lists all "),
        (["--method", "JusText-X", "{page}"], "did you mean justext-"),
        (["--method", "", "{page}"], "--method is empty; give it a value, or leave it out"),
        (["--format", "xml", "{page}"], "text, markdown, json, html"),
        (["--format", "{page}"], "page.html'; give one of text, markdown, json, html"),
        (["--render", "paint", "{page}"], "extract, mark, delete"),
        (["--render", "mark", "--format", "json", "{page}"], "give one of them"),
        (["--links", "{page}"], "--links needs --format markdown or json"),
        (["--format", "html", "{page}", "{page}"], "name one file"),
        (["--option", "depth", "{page}"], "NAME=VALUE"),
        (["--option", "least=0", "--option", "least=1", "{page}"], "least is given twice; give"),
        (["--option", "depth=1", "{page}"], "winnow: --option: winnow has no option 'depth'; it"),
        (["--option", "preset=9", "{page}"], "winnow: --option: preset must be precision, "),
        (
            ["-s", 'CLEAN_OPTIONS={{"preset":9}}', "--option", "least=0.3", "{page}"],
            "winnow: CLEAN_OPTIONS: preset must be ",
        ),
        (
            ["-s", 'CLEAN_OPTIONS={{"least":0}}', "--option", "least=9", "{page}"],
            "winnow: --option: least must be ",
        ),
        (["-s", "PAGE_INLINE=x", "{page}"], "PAGE_INLINE is 'x'; give one of gap, transparent"),
        (["-s", "CLEAN_METHOD=magic", "{page}"], "winnow: CLEAN_METHOD magic: unknown"),
        (
            ["-s", "CLEAN_METHOD=peer/justext", "-s", 'CLEAN_OPTIONS={{"a":1}}', "{page}"],
            "takes no CLEAN_OPTIONS; leave them out",
        ),
        (["--method", "justext", "--option", "stop_list=@{none}", "{page}"], "; name a file that"),
        (["--charset", "utf-7", "{page}"], "utf-7"),
        (["--no-such-option", "{page}"], "--no-such-option"),
        (["--no-such-option", "--", "{page}"], "--no-such-option"),
        (["--", "--no-such-file"], "cannot read --no-such-file"),
        (["--"], "no file"),
        ([], "no file"),
    ],
)
def test_wrong_call_is_one_line_and_prints_nothing(tmp_path, run, arguments, said):
    names = {name: tmp_path / f"{name}.html" for name in ("page", "none", "image")}
    names["page"].write_text(PAGE, encoding="utf-8")
    names["image"].write_bytes(b"\x89PNG\r\n\x1a\n")
    done = run(*(text.format(folder=tmp_path, **names) for text in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("winnow: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
