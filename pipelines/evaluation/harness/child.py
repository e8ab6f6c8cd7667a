"""The process of the isolated subjects; `pipelines.evaluation.harness.isolation` starts and asks it.

Questions are ``("load", subject)``, ``("page", page)``, ``("extract", name)``, ``("label", (name, texts
of the page's blocks))`` and ``("judge", (name, source page))``; each is answered by the fields of an ``Extraction``.
The process ends with the one that started it. What a package prints goes nowhere, and what it wants to fetch (an image,
a list of domains) it is refused: pages are evaluated as they were stored.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from crawler.page.words import nfc
from pipelines.evaluation.harness.extraction import WARM_UP, judged, run_method, run_peer
from pipelines.evaluation.harness.isolation import Extraction
from pipelines.evaluation.training.gold_labels import label_blocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pipelines.boilerplate.labels import Cleaner
    from pipelines.evaluation.harness.isolation import ServedPage
    from pipelines.evaluation.harness.specs import Subject

# linux/prctl.h
_PR_SET_PDEATHSIG = 1

_NETWORK_EVENTS = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"})


class Answers:
    """What the child answers; it remembers one page."""

    def __init__(self, memory_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._run: dict[str, Callable[[ServedPage], Extraction]] = {}
        self._cleaners: dict[str, Cleaner] = {}
        self._page: ServedPage | None = None

    def to(self, question: str, told: Any) -> Extraction:
        """Return the answer to *question*, of which *told* is the object."""
        if question == "load":
            return self._load(told)
        if question == "page":
            self._page = told
            return Extraction("", 0.0)
        if question == "judge":
            name, page = told
            return judged(self._cleaners[name], page)
        assert self._page is not None
        if question == "label":
            return self._label(self._page, *told)
        return self._run[told](self._page)

    def _label(self, page: ServedPage, name: str, block_texts: list[str]) -> Extraction:
        found = self._run[name](page)
        if found.error is not None:
            return found
        try:
            kept = label_blocks(block_texts, nfc(found.text))  # so are blocks
        except MemoryError as error:
            return Extraction("", found.secs, type(error).__name__)
        return Extraction("", found.secs, None, kept.astype("u1").tobytes())

    def _load(self, subject: Subject) -> Extraction:
        _limit_growth(None)
        try:
            self._run[subject.name] = (
                run_peer(subject) if subject.is_peer else self._method(subject)
            )
            label_blocks(
                WARM_UP.html.split("<p>"), WARM_UP.html
            )  # no page is to pay for its kernel
        except Exception as error:  # noqa: BLE001  # a package may raise anything at its import
            return Extraction("", 0.0, type(error).__name__)
        finally:
            _limit_growth(self._memory_bytes)
        return Extraction("", 0.0)

    def _method(self, subject: Subject) -> Callable[[ServedPage], Extraction]:
        cleaner = self._cleaners[subject.name] = subject.cleaner()
        return run_method(subject, cleaner)


def _end_with_parent() -> None:
    """Have the kernel end this process with the one that started it, whatever it does then."""
    with contextlib.suppress(OSError, AttributeError):  # there is no such call but on Linux
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _refuse_network(event: str, _: tuple[object, ...]) -> None:
    if event in _NETWORK_EVENTS:
        raise ConnectionRefusedError("an evaluation fetches nothing")


def _limit_growth(n_bytes: int | None) -> None:
    """Let the address space grow by *n_bytes* from here, by any amount for None."""
    soft = resource.RLIM_INFINITY
    if n_bytes is not None:
        with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as statm:
            soft = int(statm.read().split()[0]) * os.sysconf("SC_PAGESIZE") + n_bytes
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def main() -> None:
    """Answer until the other side hangs up."""
    _end_with_parent()
    pipe = Connection(int(sys.argv[1]))
    sys.addaudithook(_refuse_network)
    answers = Answers(int(sys.argv[2]))
    while True:
        try:
            question, told = pipe.recv()
        except EOFError:
            return
        pipe.send(tuple(answers.to(question, told)))


if __name__ == "__main__":
    main()
