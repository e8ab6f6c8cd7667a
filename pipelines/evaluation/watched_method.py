"""One of our methods in a watched process: what a page may make it take of time and memory ends with that.

Many methods build the tree of a page, and elISA tries each of its rules on each element. Measured, CPU seconds and peak
memory for 8 MiB of ``<p>x``: ``winnow`` less than 1; ``elisa`` some 110 and ``justext-released`` some 35, by 53 and 17
µs an element of pages up to a twentieth as long; ``isotonic-like`` 12.5 and 2.0 GB, ``genieknows-like`` 11.3 and 1.3
GB, ``lqf-25`` 9.2 and 1.3 GB, of which the tree takes 6.8 and 1.2 GB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.labels import CleaningFailed, Labels
from pipelines.evaluation.foreign_cleaner import reason_of
from pipelines.evaluation.harness.isolation import IsolatedSubjects, Limits
from pipelines.evaluation.harness.specs import Subject

__all__ = ["Limits", "WatchedMethod"]

if TYPE_CHECKING:
    from collections.abc import Mapping

    from crawler.page.limits import Inline
    from pipelines.boilerplate.labels import Cleaner
    from pipelines.boilerplate.reasons import Reasons
    from pipelines.evaluation.harness.isolation import SourcePage
    from pipelines.evaluation.harness.specs import Value


class WatchedMethod:
    """Runs the method called *name* with *options* within *limits*, one page at a time; *cleaner* is the same
    method.
    """

    def __init__(
        self, name: str, options: Mapping[str, Value], cleaner: Cleaner, limits: Limits
    ) -> None:
        self.inline: Inline = cleaner.inline
        self.limits = limits
        self._method = Subject(name, name, tuple(options.items()), cleaner.inline)
        self._isolated = IsolatedSubjects(limits)

    def judge(self, page: SourcePage) -> tuple[Labels, Reasons | None]:
        """Label the blocks of *page*, and say why; raise :exc:`CleaningFailed` for one that it does not survive."""
        found = self._isolated.judge(self._method, page)
        if found.error is not None:
            raise CleaningFailed(reason_of(found.error))
        kept = np.frombuffer(found.kept, dtype=np.bool_).copy()
        return Labels(kept, found.names), found.reasons

    def close(self) -> None:
        """End the process; a later page starts another."""
        self._isolated.end()
