"""WARC files that several processes read: a limit of pages is that of all."""

from __future__ import annotations

import re

import pytest

from tests.conftest import run_scrapy
from tests.warc_records import TEXT, html, record


@pytest.mark.parametrize("n_processes", [1, 2])
def test_as_many_are_read_as_the_limit_lets(tmp_path, n_processes):
    kind = "Content-Type: text/html"
    pages = [
        record(f"http://n{host}.s{host}.sample/{n}", html(TEXT), kind)
        for n in range(5)
        for host in range(6)
    ]
    (tmp_path / "1.warc").write_bytes(b"".join(pages))
    done = run_scrapy(
        *("fleet", "warc", "-p", str(n_processes), "-a", f"paths={tmp_path / '1.warc'}"),
        *("-a", "max_pages=7", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "--nolog"),
        *("-s", "DEDUP_THRESHOLD=0"),
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"fetched +7  pages", done.stdout), done.stdout
    assert re.search(r"unread +23  captures", done.stdout), done.stdout


@pytest.mark.parametrize("command", [("crawl", "warc"), ("fleet", "warc", "-p", "2")])
def test_files_that_were_read_before_have_nothing_new(tmp_path, command):
    """A second run over them took nothing, and did not say why."""
    pages = [
        record(f"http://s{n}.sample/", html(TEXT + f" {n}" * 30), "Content-Type: text/html")
        for n in range(5)
    ]
    # A second capture of a page, which is no later one.
    (tmp_path / "1.warc").write_bytes(b"".join([*pages, pages[0]]))
    for n_new in (5, 0):
        done = run_scrapy(
            *(*command, "-a", f"paths={tmp_path / '1.warc'}", "--nolog"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}"),
        )
        assert done.returncode == 0, done.stderr
        assert f"  answers            6  read, {n_new} of them new\n" in done.stdout, done.stdout
