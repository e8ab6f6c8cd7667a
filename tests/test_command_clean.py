"""``scrapy clean`` on files and standard input; wrong calls."""

from __future__ import annotations

import json

import pytest

from tests.conftest import run_scrapy

TEXT = (
    "Words that make a paragraph long enough to be the main content of this very small page. " * 3
)
PAGE = f"<title>A page</title><ul><li><a href='/'>Home</a></li></ul><p>{TEXT}</p><p>© 2026</p>"


def test_text_of_files_and_standard_input(tmp_path):
    first, second = tmp_path / "1.html", tmp_path / "2.html"
    first.write_text(PAGE, encoding="utf-8")
    second.write_bytes(PAGE.replace("Words", "Wörter").encode("windows-1252"))
    done = run_scrapy("clean", first, second, "-", input=PAGE.replace("Words", "Mots"))
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.split("\n\n")] == ["Words", "Wörter", "Mots"]


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{page}", "{none}"], "none.html"),
        (["{folder}"], "directory"),
        (["{image}"], "no HTML"),
        (["--method", "magic", "{page}"], "known are keep-all"),
        (["--format", "xml", "{page}"], "text, json"),
        (["--charset", "utf-7", "{page}"], "utf-7"),
        (["--no-such-option", "{page}"], "--no-such-option"),
        ([], "no file"),
    ],
)
def test_wrong_call_is_one_line_and_prints_nothing(tmp_path, arguments, said):
    names = {name: tmp_path / f"{name}.html" for name in ("page", "none", "image")}
    names["page"].write_text(PAGE, encoding="utf-8")
    names["image"].write_bytes(b"\x89PNG\r\n\x1a\n")
    done = run_scrapy("clean", *(text.format(folder=tmp_path, **names) for text in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("winnow: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
