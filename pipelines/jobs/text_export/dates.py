"""Which documents of a corpus are of the days that an export asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from crawler.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from pipelines.corpus.corpus import Corpus

# The column of each of `DATES` in pipelines.jobs.text_export.options.
_COLUMNS = {"published": "date", "fetched": "fetched_at"}
_DAY = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Days:
    """From *since* to *until*, both among them, by the dates called *which*: days, months or years as ``2024-03-05``,
    ``2024-03``, ``2024``; None for no bound.
    """

    since: str | None
    until: str | None
    which: str

    def are_of(self, day: str | None) -> bool:
        """Tell whether *day*, as ``2024-03-05``, is one of them; that of a document without a date is none.

        >>> Days("2023-11", "2024", "published").are_of("2024-12-31")
        True
        """
        if day is None:
            return False
        is_late = self.since is None or day[: len(self.since)] >= self.since
        return is_late and (self.until is None or day[: len(self.until)] <= self.until)

    def of(self, batch: pa.RecordBatch) -> list[bool]:
        """Return for each document of *batch* whether it is of these days."""
        return [self.are_of(day) for day in _days_of(batch, self.which)]

    def check(self, corpus: Corpus) -> None:
        """Raise `InputError`, which names the days that there are, when no document of *corpus* is of these."""
        there: set[str] = set()
        n_without = 0
        for batch in corpus.batches("documents", [_COLUMNS[self.which]]):
            days = _days_of(batch, self.which)
            n_without += days.count(None)
            there.update(day for day in days if day is not None)
        if any(map(self.are_of, there)):
            return
        bounds = (
            f"{name} {day}"
            for name, day in (("since", self.since), ("until", self.until))
            if day is not None
        )
        have = (
            f"those with a date are of {min(there)} to {max(there)}" if there else "none has a date"
        )
        raise InputError(
            f"no document of {corpus.corpus_dir} was {self.which} {' and '.join(bounds)}; {have}, {n_without:,} without one"
        )


def days_asked(since: str | None, until: str | None, which: str) -> Days | None:
    """Return the days that ``--since``, ``--until`` and ``--dates`` ask for, None for any.

    Raises `InputError` for what is no day, month or year, and for a first one behind the last.
    """
    for name, given in (("--since", since), ("--until", until)):
        if given is not None and not _is_day(given):
            raise InputError(
                f"{name} is {given!r}; give a day, a month or a year, such as 2024-03-05, 2024-03 or 2024"
            )
    if since is None and until is None:
        return None
    if since is not None and until is not None and since > until and not since.startswith(until):
        raise InputError(f"--since {since} is behind --until {until}; change one of them")
    return Days(since, until, which)


def _is_day(given: str) -> bool:
    try:
        date.fromisoformat(f"{given}-01-01"[:10])
    except ValueError:
        return False
    return _DAY.fullmatch(given) is not None


def _days_of(batch: pa.RecordBatch, which: str) -> list[str | None]:
    column = batch[_COLUMNS[which]]
    if which == "fetched":
        column = pc.strftime(column, format="%Y-%m-%d")
    days: list[str | None] = column.to_pylist()
    return days
