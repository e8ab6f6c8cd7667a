"""A process of its own for what may hang, explode or take the interpreter with it.

The child (`pipelines.evaluation.harness.child`) answers one question at a time over a socket pair. A
question that is not answered in time, or that the child dies of, ends the child; the next one starts
another. A child may grow by a set amount of memory beyond what it has after its imports, and is
replaced after a number of pages, so that no leak adds up.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, NamedTuple

from crawler.page import build_page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from crawler.page import PageLimits, PageModel, PageRules
    from pipelines.boilerplate.reasons import Reasons
    from pipelines.evaluation.harness.specs import Subject
    from pipelines.evaluation.peers import PeerPage

CHILD = "pipelines.evaluation.harness.child"
TIMEOUT, DIED = "Timeout", "Died"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may take of an isolated subject, each above 0.

    *page_secs* is wall-clock time, *load_secs* that of importing a subject's package. *memory_bytes*
    is the growth of the address space. A child lives for *recycle_pages* pages.
    """

    page_secs: float = 30.0
    load_secs: float = 120.0
    memory_bytes: int = 2 * 2**30
    recycle_pages: int = 500

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")


class ServedPage(NamedTuple):
    """What an isolated subject may need of a page: for a method the bytes, for a peer the text."""

    body: bytes
    content_type: str | None
    hidden: str
    peer_page: PeerPage


class SourcePage(NamedTuple):
    """What a page model is built of: `crawler.page.build_page`."""

    body: bytes
    url: str
    content_type: str | None
    limits: PageLimits
    rules: PageRules

    def build(self) -> PageModel:
        """Return the page model."""
        return build_page(
            self.body,
            url=self.url,
            content_type=self.content_type,
            limits=self.limits,
            rules=self.rules,
        )


class Extraction(NamedTuple):
    """The text that a subject extracts, the CPU seconds it took, the error that it ended in.

    *kept*, where labels were asked for: a byte a block, 1 when the text has it. *marked*: the text of a
    method with the marks of `cleaneval.marked`; None of a peer, whose blocks are not known. *names* and *reasons*:
    a method's own labels, and why, where it was to judge the blocks.
    """

    text: str
    secs: float
    error: str | None = None
    kept: bytes = b""
    marked: str | None = None
    names: Sequence[str] = ()
    reasons: Reasons | None = None


class IsolatedSubjects:
    """Runs subjects in a child process; a context manager, which ends the child."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._loaded: set[str] = set()
        self._sent: ServedPage | None = None
        self._n_pages = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def load(self, subject: Subject) -> str | None:
        """Import what *subject* needs; return what went wrong, None when nothing did."""
        if subject.name in self._loaded:
            return None
        error = self._ask(("load", subject), self._limits.load_secs).error
        if error is None:
            self._loaded.add(subject.name)
        return error

    def extract(self, subject: Subject, page: ServedPage) -> Extraction:
        """Return what *subject* extracts from *page*; never raises for what it does."""
        refused = self._show(subject, page)
        return refused or self._ask(("extract", subject.name), self._limits.page_secs)

    def label(self, subject: Subject, page: ServedPage, block_texts: Sequence[str]) -> Extraction:
        """Return which of the blocks of *page* stand in what *subject* extracts, without the text."""
        refused = self._show(subject, page)
        return refused or self._ask(
            ("label", (subject.name, list(block_texts))), self._limits.page_secs
        )

    def judge(self, method: Subject, page: SourcePage) -> Extraction:
        """Return what *method*, no peer, says of each block of *page*, without the text."""
        error = self.load(method)
        if error is not None:
            return Extraction("", 0.0, error)
        return self._ask(("judge", (method.name, page)), self._limits.page_secs)

    def _show(self, subject: Subject, page: ServedPage) -> Extraction | None:
        """Have *subject* loaded and *page* there; return what went wrong, None when nothing did."""
        if self._n_pages >= self._limits.recycle_pages and page is not self._sent:
            self.end()
        error = self.load(subject)
        if error is not None:
            return Extraction("", 0.0, error)
        if page is not self._sent:
            self._n_pages += 1
            answer = self._ask(("page", page), self._limits.page_secs)
            if answer.error is not None:
                return answer
            self._sent = page
        return None

    def end(self) -> None:
        """End the child, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = self._sent = None
        self._loaded = set()
        self._n_pages = 0

    def _ask(self, question: tuple[str, object], secs: float) -> Extraction:
        start = time.perf_counter()
        try:
            pipe = self._pipe or self._start()
            pipe.send(question)
            if pipe.poll(secs):
                return Extraction(*pipe.recv())
            error = TIMEOUT
        except (EOFError, OSError):
            error = DIED
        self.end()
        return Extraction("", time.perf_counter() - start, error)

    def _start(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", CHILD, str(theirs.fileno()), str(self._limits.memory_bytes)],
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        self._pipe = Connection(ours.detach())
        return self._pipe
