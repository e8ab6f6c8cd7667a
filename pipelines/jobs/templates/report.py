"""What `scrapy templates cluster` tells of its run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pipelines.jobs.sheets.table import Table, lines_of, number

if TYPE_CHECKING:
    from pipelines.jobs.templates.truth import Agreement

# Clusters that the screen shows; JSON and the file have all.
MAX_ROWS = 20
_URL_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """A cluster: its pages, their hosts, the distances of pages to the medoid, and the URL of that."""

    pages: int
    hosts: int
    mean_distance: float
    max_distance: float
    medoid: str

    def shown_distances(self) -> tuple[str, str]:
        """Return the distances as texts."""
        return f"{self.mean_distance:.3f}", f"{self.max_distance:.3f}"


@dataclass(slots=True)
class ClusterReport:
    """The figures of one run; *left_out* counts answers by reason, *compared_in_part* pages that are too large to be
    compared whole by the part that is, *clusters* are the largest first.

    *agreement* with the known templates, if they were given. Of the pages that were *drawn*, if any: the Dunn index of
    their clusters, None where it is infinite, and the widest gap of their merges by single linkage.
    """

    distance: str
    method: str
    threshold: float | None
    pages: int
    left_out: dict[str, int]
    compared_in_part: dict[str, int]
    clusters: list[ClusterRow]
    files: list[str]
    drawn: int = 0
    dunn: float | None = None
    gap: float | None = None
    agreement: Agreement | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return asdict(self)

    def tables(self) -> list[Table]:
        """Return the figures, and the largest clusters."""
        single = sum(row.pages == 1 for row in self.clusters)
        facts = [
            ("distance", self.distance),
            ("method", self.method),
            ("linked below", number(self.threshold)),
            ("pages", f"{self.pages:,}"),
            ("clusters", f"{len(self.clusters):,}, {single:,} of one page"),
            *((f"left out: {reason}", f"{n:,}") for reason, n in self.left_out.items()),
            *((f"by their {part}", f"{n:,}") for part, n in self.compared_in_part.items()),
        ]
        if self.drawn:
            facts += [
                (f"Dunn index of {self.drawn:,} pages", number(self.dunn)),
                ("widest gap of merges", number(self.gap)),
            ]
        if self.agreement is not None:
            facts += _compared(self.agreement)
        shown = self.clusters[:MAX_ROWS]
        rows = [
            (*(f"{n:,}" for n in (row.pages, row.hosts)), *row.shown_distances(), row.medoid)
            for row in shown
        ]
        if len(self.clusters) > len(shown):
            rows.append(("", "", "", "", f"… and {len(self.clusters) - len(shown):,} smaller ones"))
        header = ("pages", "hosts", "mean distance to the medoid", "largest", "medoid")
        return [
            Table("Templates", ("", ""), facts, frozenset({0, 1})),
            Table("Clusters", header, rows, frozenset({4}), _URL_COLUMNS),
        ]

    def screen(self) -> str:
        """Return the report as lines for people."""
        tables = [lines_of(table) for table in self.tables()]
        return "\n\n".join((*tables, "\n".join(f"written  {file}" for file in self.files)))


def _compared(found: Agreement) -> list[tuple[str, str]]:
    return [
        ("known templates", f"{found.templates:,}, of {found.pages:,} pages"),
        ("Rand index", number(found.rand)),
        ("purity, mean of clusters", number(found.purity)),
        ("mutual information", number(found.mutual_information)),
        ("Dunn index of the distance", number(found.dunn)),
    ]
