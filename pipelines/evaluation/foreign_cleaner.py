"""A cleaner of another project as one of ours: a watched process runs it, its text labels the blocks.

A foreign cleaner gives text, not blocks. So that a page means the same whoever cleaned it, its blocks
are kept where the text has them (:func:`pipelines.evaluation.training.gold_labels.label_blocks`), and
the text of the page is theirs. What a page may make such a cleaner do (spin, allocate, die) ends with
its process; the next page gets another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import CleaningFailed, labels_of
from pipelines.evaluation.harness.isolation import (
    DIED,
    TIMEOUT,
    IsolatedSubjects,
    Limits,
    ServedPage,
)
from pipelines.evaluation.harness.specs import subject
from pipelines.evaluation.peers import PeerPage, missing

if TYPE_CHECKING:
    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.labels import Labels
    from pipelines.evaluation.harness.specs import Subject

__all__ = ["ForeignCleaner", "Limits", "foreign_cleaner"]

# A cleaner's own exceptions are all one reason: their names are legion.
_REASONS = {TIMEOUT: "cleaner_timeout", "MemoryError": "cleaner_memory", DIED: "cleaner_died"}
_ERROR = "cleaner_error"


class ForeignCleaner:
    """Runs *subject* within *limits*, one page at a time; its process starts at the first page.

    *secs* are the CPU seconds that the pages took there.
    """

    inline: Inline = "transparent"

    def __init__(self, subject: Subject, limits: Limits) -> None:
        self.limits = limits
        self._subject = subject
        self._isolated = IsolatedSubjects(limits)
        self.secs = 0.0

    def label(self, page: PageModel) -> Labels:
        """Label the blocks of *page*; raise :exc:`CleaningFailed` for a page that it does not survive."""
        if not len(page.blocks):
            # Some fail on a page without text, and there is nothing to label.
            return labels_of(np.zeros(0, np.bool_))
        html = page.source.decode("utf-8", "replace")
        peer_page = PeerPage(html, page.url, page.declared_language)
        served = ServedPage(page.source, "text/html; charset=utf-8", "drop", peer_page)
        found = self._isolated.label(self._subject, served, page.blocks.text)
        self.secs += found.secs
        if found.error is not None:
            raise CleaningFailed(reason_of(found.error))
        return labels_of(np.frombuffer(found.kept, dtype=np.bool_).copy())

    def close(self) -> None:
        """End the process; a later page starts another."""
        self._isolated.end()


def reason_of(error: str) -> str:
    """Return the reason of a page that ended a watched cleaner in *error*."""
    return _REASONS.get(error, _ERROR)


def foreign_cleaner(name: str, limits: Limits) -> ForeignCleaner:
    """Return the peer *name*, ``peer/trafilatura`` and the like.

    Raises ValueError for a name that is none, ImportError when its distribution is not installed.
    """
    found = subject(name)
    if absent := missing([name]):
        raise ImportError(f"{name} needs {absent[0]}", name=absent[0])
    return ForeignCleaner(found, limits)
