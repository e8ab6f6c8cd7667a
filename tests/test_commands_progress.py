"""What commands that read all documents show on a terminal meanwhile, and leave nothing of."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest

from crawler.items import Page
from tests.conftest import ROOT, run_scrapy, scrapy_environment
from tests.forked_commands import Running
from tests.laws_corpus import AT, block, url, write_pages

TEXT = "Some words of the main text of a page, which are enough. " * 9


@pytest.mark.parametrize(
    "arguments", [("export", "--format", "text"), ("keywords", "--ranks", "1-5"), ("laws",)]
)
def test_how_many_documents_are_read_is_told_on_a_terminal_alone(tmp_path, arguments):
    pages = [
        Page(1, n, url(n), "a.com", AT, 200, text=TEXT, n_words=99, blocks=[block(TEXT, 0)])
        for n in range(3)
    ]
    write_pages(tmp_path / "corpus", pages)
    command = (*arguments, "--corpus", str(tmp_path / "corpus"))
    done = run_scrapy(*command)
    assert (done.returncode, done.stderr) == (0, "")
    ours, theirs = os.openpty()
    with open(theirs, "wb") as terminal:
        process = Running(list(command), ROOT, scrapy_environment(), log=terminal)
    shown = b""
    with suppress(OSError):  # so a terminal ends on which nobody writes any more
        while data := os.read(ours, 65536):
            shown += data
    os.close(ours)
    assert process.wait(60) == 0
    assert b"\r\x1b[K3 of 3 documents \r\x1b[K" in shown
