"""What a report says of a corpus: counts by value, by host, and of words; a sample of the documents."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from datetime import datetime

    import numpy.typing as npt

# Columns of documents whose values are counted, with their words.
COUNTED = (
    "language",
    "content_type",
    "charset",
    "charset_source",
    "title_source",
    "author_source",
    "date_source",
    "description_source",
    "depth",
    "method",
)
# Values of a column that are told apart. When there are twice as many, those with fewest words so far are counted as
# OTHERS from then on; one of them that comes again counts anew.
MAX_VALUES = 10_000
OTHERS = "(others)"
NONE = "(none)"


class Count(NamedTuple):
    """Documents, or blocks, and their words."""

    n: int = 0
    words: int = 0

    def plus(self, n: int, words: int) -> Count:
        """Return the sum."""
        return Count(self.n + n, self.words + words)


class Counts(dict[str, Count]):
    """Counts by value, of twice `MAX_VALUES` values at most."""

    def add(self, value: str, n: int, words: int) -> None:
        """Count *n* more of *value*, with *words*."""
        self[value] = self.get(value, Count()).plus(n, words)
        if len(self) > 2 * MAX_VALUES:
            self._cut()

    def _cut(self) -> None:
        others = self.pop(OTHERS, Count())
        for value, count in self.by_words()[MAX_VALUES:]:
            others = others.plus(*count)
            del self[value]
        self[OTHERS] = others

    def by_words(self, n: int | None = None) -> list[tuple[str, Count]]:
        """Return the *n* values with most words, ties by name."""
        return sorted(self.items(), key=lambda item: (-item[1].words, -item[1].n, item[0]))[:n]

    def by_name(self) -> list[tuple[str, Count]]:
        """Return all in the order of their values, numbers as such."""
        return sorted(self.items(), key=lambda item: (item[0].rjust(20), item[0]))

    @property
    def total(self) -> Count:
        """All counted together."""
        return Count(
            sum(each.n for each in self.values()), sum(each.words for each in self.values())
        )


class HostTotal(NamedTuple):
    """What a host has: documents, their words, and pages that were rejected."""

    host_id: int
    host: str
    documents: int
    words: int
    rejected: int


class HostTotals:
    """Documents, words and rejected pages by HostID: int64[3, capacity], 24 bytes a HostID."""

    def __init__(self) -> None:
        self.totals: npt.NDArray[np.int64] = np.zeros((3, 1024), dtype=np.int64)

    def add(self, hosts: npt.NDArray[np.int64], row: int, weights: npt.NDArray[np.int64]) -> None:
        """Add *weights*, int64[n], to total *row* of *hosts*, int64[n]."""
        if not len(hosts):
            return
        missing = int(hosts.max()) + 1 - self.totals.shape[1]
        if missing > 0:
            more = max(missing, self.totals.shape[1])
            self.totals = np.pad(self.totals, ((0, 0), (0, more)))
        np.add.at(self.totals[row], hosts, weights)

    def documents(self) -> npt.NDArray[np.int64]:
        """Return the documents of each host that has any, most first."""
        found = self.totals[0]
        return np.sort(found[found > 0])[::-1]

    def largest(self, n: int) -> list[int]:
        """Return the *n* hosts with most words, ties by HostID."""
        found = np.flatnonzero(self.totals[0])
        order = np.lexsort((found, -self.totals[0][found], -self.totals[1][found]))
        return [int(host) for host in found[order[:n]]]


class Sample(NamedTuple):
    """A document of the sample: where it is from, and how its text begins."""

    url: str
    title: str
    language: str
    words: int
    text: str


@dataclass(slots=True)
class CorpusFacts:
    """What `pipelines.jobs.report.gather` read of the corpus in the folder *corpus*."""

    corpus: str
    release: str = ""
    n_documents: int = 0
    n_words: int = 0
    text_bytes: int = 0
    raw_bytes: int = 0
    shard_bytes: int = 0
    first: datetime | None = None
    last: datetime | None = None
    counted: dict[str, Counts] = field(default_factory=lambda: {name: Counts() for name in COUNTED})
    years: Counts = field(default_factory=Counts)
    categories: Counts = field(default_factory=Counts)
    signals: Counts = field(default_factory=Counts)
    labels: Counts = field(default_factory=Counts)
    kept_words: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    rejected: Counter[tuple[str, str]] = field(default_factory=Counter)
    provisional: int = 0
    hosts: HostTotals = field(default_factory=HostTotals)
    largest_hosts: list[HostTotal] = field(default_factory=list)
    ranked: list[tuple[float, str]] = field(default_factory=list)
    closed: Counter[str] = field(default_factory=Counter)
    graph: dict[str, int] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def n_rejected(self) -> int:
        """Pages that were fetched and not kept."""
        return self.rejected.total()

    def as_json(self) -> dict[str, Any]:
        """Return all as what JSON knows: counts as [number, words]."""
        of_hosts = self.hosts.documents()
        return {
            "corpus": self.corpus,
            "documents": self.n_documents,
            "words": self.n_words,
            "text_bytes": self.text_bytes,
            "raw_bytes": self.raw_bytes,
            "shard_bytes": self.shard_bytes,
            "first_fetch": None if self.first is None else self.first.isoformat(),
            "last_fetch": None if self.last is None else self.last.isoformat(),
            **{name: dict(counts.by_words()) for name, counts in self.counted.items()},
            "year": dict(self.years.by_name()),
            "category": dict(self.categories.by_words()),
            "signal": dict(self.signals.by_words()),
            "label": dict(self.labels.by_words()),
            "kept_words": self.kept_words,
            "lengths": {str(2**power): n for power, n in sorted(self.lengths.items())},
            "rejected": {"/".join(key): n for key, n in self.rejected.most_common()},
            "hosts": len(of_hosts),
            "largest_hosts": [each._asdict() for each in self.largest_hosts],
            "ranked": [{"url": url, "rank": rank} for rank, url in self.ranked],
            "closed": dict(self.closed.most_common()),
            "graph": self.graph,
            "samples": [each._asdict() for each in self.samples],
            "files": self.files,
        }
