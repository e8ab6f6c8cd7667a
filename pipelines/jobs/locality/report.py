"""What `measure_locality` found, as an object: for the screen, for machines, for the page."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pipelines.jobs.sheets.table import Table, number

if TYPE_CHECKING:
    from pipelines.jobs.locality.links import Partitioning
    from pipelines.jobs.locality.power_law import Histogram, PowerLaw
    from pipelines.jobs.locality.rasters import Raster

# Kohlschütter 2011, tables 3.1 and 3.2: LargeWeb in eight partitions
PUBLISHED = "LargeWeb: 93.81 % within hosts, 5.44 % between 8 partitions, 0.6 % votes"


@dataclass(frozen=True, slots=True)
class Distribution:
    """Positive values of *name* as a *histogram*, with the power law fitted to it if there is one."""

    name: str
    histogram: Histogram
    fit: PowerLaw | None

    @property
    def n(self) -> int:
        return int(self.histogram[1].sum())

    def as_json(self) -> dict[str, Any]:
        """Return the fit; what is not a number is null."""
        fit = None if self.fit is None else asdict(self.fit)
        if fit is not None and not math.isfinite(fit["standard_error"]):
            fit["standard_error"] = None
        return {"name": self.name, "n": self.n, "largest": self.largest, "power_law": fit}

    @property
    def largest(self) -> int:
        return int(self.histogram[0][-1]) if len(self.histogram[0]) else 0


@dataclass(frozen=True, slots=True)
class LocalityReport:
    """The figures of the graph of *source*, a folder."""

    source: str
    pages: int
    links: int
    hosts: int
    dangling: int
    inter_host: int
    largest_host: int
    partitionings: list[Partitioning]
    distributions: list[Distribution]
    rasters: list[Raster]
    files: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the figures without rasters and histograms."""
        names = ("source", "pages", "links", "hosts", "dangling", "inter_host", "largest_host")
        return {
            **{name: getattr(self, name) for name in names},
            "intra_host": self.links - self.inter_host,
            "intra_host_share": self.share(self.links - self.inter_host),
            "inter_host_share": self.share(self.inter_host),
            "partitions": [
                {
                    **asdict(each),
                    "inter_partition_share": self.share(each.inter_partition),
                    "votes_share": self.share(each.votes),
                }
                for each in self.partitionings
            ],
            "distributions": [each.as_json() for each in self.distributions],
            "files": self.files,
        }

    def share(self, links: int) -> float | None:
        """Return *links* as a share of all, None where there are none."""
        return links / self.links if self.links else None

    def tables(self) -> list[Table]:
        """Return the tables of the report."""
        return [self._links(), self._partitions(), self._distributions()]

    def screen(self) -> str:
        """Return the report as lines for people."""
        return "\n\n".join(_lines(table) for table in self.tables())

    def _links(self) -> Table:
        intra = self.links - self.inter_host
        mean = self.pages / self.hosts if self.hosts else 0.0
        rows = [
            ("pages", f"{self.pages:,}", ""),
            ("without links", f"{self.dangling:,}", _percent(_ratio(self.dangling, self.pages))),
            ("hosts", f"{self.hosts:,}", ""),
            ("pages of a host", f"{mean:,.1f}", f"{self.largest_host:,} at most"),
            ("links", f"{self.links:,}", ""),
            ("within a host", f"{intra:,}", _percent(self.share(intra))),
            ("between hosts", f"{self.inter_host:,}", _percent(self.share(self.inter_host))),
        ]
        return Table(f"Links of {self.source}", ("", "", ""), rows)

    def _partitions(self) -> Table:
        header = ("partitions", "links between", "", "votes", "", "reduction", "pages*", "links*")
        rows = []
        for each in self.partitionings:
            saved = _ratio(each.inter_partition - each.votes, each.inter_partition)
            rows.append(
                (
                    str(each.partitions),
                    f"{each.inter_partition:,}",
                    _percent(self.share(each.inter_partition)),
                    f"{each.votes:,}",
                    _percent(self.share(each.votes)),
                    _percent(saved),
                    f"{_ratio(each.largest_pages * each.partitions, self.pages) or 0:.2f}",
                    f"{_ratio(each.largest_links * each.partitions, self.links) or 0:.2f}",
                )
            )
        title = f"Hosts dealt to partitions ({PUBLISHED}); * largest partition, mean = 1"
        return Table(title, header, rows, frozenset())

    def _distributions(self) -> Table:
        header = ("values above 0 of", "n", "largest", "alpha", "error", "from", "tail", "distance")
        rows = [_fit_row(each) for each in self.distributions]
        return Table(
            "Power laws p(x) ~ x^-alpha that fit best (whether the law holds is not tested)",
            header,
            rows,
        )


def _fit_row(each: Distribution) -> tuple[str, ...]:
    known = (each.name, f"{each.n:,}", f"{each.largest:,}")
    fit = each.fit
    if fit is None:
        return (*known, "none", "", "", "", "")
    share = _percent(_ratio(fit.n_tail, fit.n))
    alpha, error, distance = map(number, (fit.alpha, fit.standard_error, fit.distance))
    return (*known, alpha, error, f"{fit.xmin:,}", share, distance)


def _lines(table: Table) -> str:
    """Return *table* as lines of equal columns."""
    rows = [table.header, *table.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.header))]
    shown = []
    for row in rows:
        cells = zip(row, widths, strict=True)
        aligned = (
            cell.ljust(width) if i in table.left else cell.rjust(width)
            for i, (cell, width) in enumerate(cells)
        )
        shown.append("  ".join(aligned).rstrip())
    return "\n".join([table.title, *(line for line in shown if line)])


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f} %"
