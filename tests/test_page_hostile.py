"""Hostile pages: no exception, time and memory in proportion to the bytes, limits that are told.

The quick tests build each page of :mod:`tests.hostile_pages` small; `make test-long` builds them at
their worst, measures memory in a process of its own, and sees what four times the page costs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from crawler.page import PageLimits
from tests.conftest import ROOT
from tests.hostile_pages import HOSTILE
from tests.page_invariants import check, page

SMALL = 100
LESS = 400
# Limits that the small pages meet where the worst ones meet the default ones.
SMALL_LIMITS = {"max_blocks": 1000, "max_links": 200, "max_depth": 16, "max_anchor_chars": 100}
# Bytes of memory a byte of the page that building it may take, beyond what any page takes. Measured: 16 at the most
# (rows of marks), 4 for one long text.
MEMORY_FACTOR = 20
MEMORY_BYTES = 64 * 2**20


def check_hostile(name, n, **limits):
    hostile = HOSTILE[name]
    model = page(hostile.make(n), hostile.content_type, **limits)
    check(model, PageLimits(**limits))
    assert set(hostile.cuts) <= set(model.cuts)
    if hostile.text is not None:
        assert model.blocks.text == [hostile.text]


@pytest.mark.parametrize("name", HOSTILE)
def test_small(name):
    check_hostile(name, max(1, HOSTILE[name].worst // SMALL), **SMALL_LIMITS)


@pytest.mark.parametrize("name", HOSTILE)
def test_tree(name):
    """The tree that is parsed when it is asked for: no exception; quadratic time would take hours."""
    hostile = HOSTILE[name]
    assert (
        page(hostile.make(max(1, hostile.worst // LESS)), hostile.content_type).tree.root
        is not None
    )


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_worst(name):
    check_hostile(name, HOSTILE[name].worst)


def test_cut_within_its_bytes():
    # Half of an entity, a tag, a character, a surrogate pair.
    for body in (
        b"<p>one &eacute; two",
        b"<p>one <a href=x>",
        "<p>one \U0001f600".encode("utf-16"),
    ):
        for size in range(1, len(body)):
            check(page(body, max_bytes=size), PageLimits(max_bytes=size))


def test_long_headers():
    for content_type in ("text/html; charset=" + "x" * 1_000_000, "text/html;" * 100_000, ";" * 9):
        assert page(b"<p>text", content_type).reject in {None, "content_type"}


def cpu_secs(body, content_type):
    """The least of three: others may run on this core."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        page(body, content_type)
        spent.append(time.process_time() - start)
    return min(spent)


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_four_times_the_page_cost_four_times_the_time(name):
    """Quadratic time would be sixteen times, and it is tried where it would show most.

    What is larger than the processor's caches takes up to twice as long a byte.
    """
    hostile = HOSTILE[name]
    part, whole = (hostile.make(max(1, hostile.worst // n)) for n in (4, 1))
    assert cpu_secs(whole, hostile.content_type) < 8 * cpu_secs(part, hostile.content_type) + 0.05


def check_memory(name):
    if not Path("/proc/self/clear_refs").exists():
        pytest.skip("needs Linux's /proc")
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile_pages", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    n_bytes, peak = json.loads(done.stdout)
    assert peak <= MEMORY_FACTOR * n_bytes + MEMORY_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("name", ["text node", "surrogates in UTF-8"])
def test_memory_is_bounded_by_the_bytes(name):
    check_memory(name)


@pytest.mark.long
@pytest.mark.parametrize("name", HOSTILE)
def test_memory_is_bounded_by_the_bytes_long(name):
    check_memory(name)
