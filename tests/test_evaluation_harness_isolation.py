"""What hangs, explodes, dies or calls home, in the process of the isolated subjects."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass

import pytest

from pipelines.evaluation.harness.isolation import IsolatedSubjects, Limits, ServedPage
from pipelines.evaluation.harness.specs import Subject, subject
from pipelines.evaluation.peers import PeerPage
from tests.gold_standard import page

PAGE = ServedPage(page(0), None, "keep", PeerPage(page(0).decode(), "http://a.sample/", "en"))
LIMITS = Limits(page_secs=4, memory_bytes=2**28)


def behave(name):
    """Do what *name* says; what returns at all returns the process's number."""
    if name == "hang":
        time.sleep(600)
    elif name == "explode":
        bytearray(2**30)
    elif name == "die":
        os._exit(3)
    elif name == "call home":
        socket.create_connection(("192.0.2.1", 80))
    elif name == "print":
        os.write(1, b"x" * 2**20)
    return str(os.getpid())


@dataclass(frozen=True, slots=True)
class Behaviour(Subject):
    """A peer that does one thing at every page but the one to warm up with."""

    def extractor(self):
        if self.base == "peer/no import":
            raise ModuleNotFoundError(self.base)
        n_calls = []

        def run(page):
            n_calls.append(1)
            if self.base == "peer/give back":
                return page.html
            return behave(self.base.removeprefix("peer/")) if len(n_calls) > 1 else ""

        return run


def behaviour(name):
    return Behaviour(f"peer/{name}", f"peer/{name}")


@pytest.fixture(scope="module")
def isolated():
    with IsolatedSubjects(LIMITS) as subjects:
        yield subjects


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("explode", "MemoryError"),
        ("call home", "ConnectionRefusedError"),
        ("no import", "ModuleNotFoundError"),
        ("print", None),
        ("hang", "Timeout"),
    ],
)
def test_failures_are_named(isolated, name, error):
    assert isolated.extract(behaviour(name), PAGE).error == error


@pytest.mark.slow
def test_after_a_death_the_next_subject_runs(isolated):
    first = isolated.extract(behaviour("go on"), PAGE)
    assert isolated.extract(behaviour("die"), PAGE).error == "Died"
    second = isolated.extract(behaviour("go on"), PAGE)
    assert first.error is second.error is None
    assert first.text != second.text  # another process


@pytest.mark.slow
def test_a_child_is_replaced_after_its_pages():
    pages = [PAGE._replace(content_type=f"text/html; n={n}") for n in range(3)]
    with IsolatedSubjects(Limits(recycle_pages=2)) as subjects:
        numbers = [subjects.extract(behaviour("go on"), one).text for one in pages]
        again = subjects.extract(behaviour("go on"), pages[2]).text
    assert numbers[0] == numbers[1] != numbers[2] == again


def test_a_method_runs_there_too(isolated):
    method = subject("numwords-tree")
    extraction = isolated.extract(method, PAGE)
    assert extraction.error is None
    assert extraction.text.startswith("Title of page 0")
    assert extraction.secs > 0


@pytest.mark.parametrize("name", ["page_secs", "memory_bytes", "recycle_pages"])
def test_wrong_limits(name):
    with pytest.raises(ValueError, match=f"{name} must be above 0"):
        Limits(**{name: 0})


def test_blocks_are_found_in_a_text_with_accents_behind_its_letters(isolated):
    marked = "Un e\N{COMBINING ACUTE ACCENT}te\N{COMBINING ACUTE ACCENT} a\N{COMBINING GRAVE ACCENT} la plage"
    page = PAGE._replace(peer_page=PeerPage(marked))
    found = isolated.label(
        behaviour("give back"), page, ["Un été à la plage", "Un hiver à la cave"]
    )
    assert (found.error, found.kept) == (None, b"\1\0")
