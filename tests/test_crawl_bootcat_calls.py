"""Calls of ``crawl bootcat`` that are refused."""

from __future__ import annotations

import os

import pytest
from scrapy.settings import Settings

from crawler.errors import InputError
from crawler.spiders.bootcat import BootcatSpider
from tests.conftest import run_scrapy


@pytest.fixture
def keywords(tmp_path):
    path = tmp_path / "keywords.txt"
    path.write_text("mill\nwheel\ngrain\nsea bass", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ((), "search"),
        (("-a", "search=altavista"), "SearXNG"),
        (("-a", "search=http://127.0.0.1:1"), "keywords"),
        (("-a", "search=http://127.0.0.1:1", "-a", "keywords=none.txt"), "none.txt"),
        (("-a", "search=http://127.0.0.1:1", "-a", "keywords=K", "-a", "tuple_size=5"), "tuple of 5"),
        (("-a", "search=http://127.0.0.1:1", "-a", "keywords=K", "-a", "tuples=0"), "tuples"),
        (("-a", "search=http://127.0.0.1:1", "-a", "keywords=K", "-a", "results=many"), "results"),
        (("-a", "search=http://127.0.0.1:1", "-a", "keywords=K", "-a", "queries=K"), "either"),
        (("-a", "search=http://127.0.0.1:1", "-a", "keywords=K", "-a", "exclude=a b"), "exclude"),
        (("-a", "search=brave", "-a", "keywords=K"), "SEARCH_KEY"),
        (("-a", "saved=none/*.html"), "none/*.html"),
        (("-a", "saved=K", "-a", "keywords=K"), "keywords"),
        (("-a", "saved=K"), "has no link to another site; save pages of results"),
        (("-a", "search=http://127.0.0.1:1", "-a", "keywords=K", "-s", "SEARCH_DELAY_SECS=-1"), "SEARCH_DELAY_SECS"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_line(tmp_path, keywords, more, told):
    named = [part.replace("=K", f"={keywords}") for part in more]
    done = run_scrapy("crawl", "bootcat", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}", *named)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["keywords", "queries"])
def test_a_pipe_which_cannot_be_read_twice_is_refused(tmp_path, name):
    os.mkfifo(tmp_path / "words")
    arguments = {"search": "http://127.0.0.1:1", name: str(tmp_path / "words")}
    with pytest.raises(InputError, match=f"{name} file .*words is a pipe; write"):
        BootcatSpider.check(arguments, Settings())


def test_a_fleet_does_not_search(tmp_path, keywords):
    more = ("-a", "search=http://127.0.0.1:1", "-a", f"keywords={keywords}")
    done = run_scrapy("fleet", "bootcat", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}", *more)
    assert done.returncode == 2
    assert "runs in one process" in done.stderr
