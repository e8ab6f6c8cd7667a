"""What `scrapy templates cluster` tells of its run."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

# Clusters that the screen shows; JSON and the file have all.
MAX_ROWS = 20


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """A cluster: its pages, their hosts, the distances of pages to the medoid, and the URL of that."""

    pages: int
    hosts: int
    mean_distance: float
    max_distance: float
    medoid: str


@dataclass(frozen=True, slots=True)
class ClusterReport:
    """The figures of one run; *left_out* counts answers by reason, *clusters* are the largest first."""

    distance: str
    method: str
    threshold: float | None
    pages: int
    left_out: dict[str, int]
    clusters: list[ClusterRow]
    file: str
    plots: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return asdict(self)

    def screen(self) -> str:
        """Return the report as lines for people."""
        single = sum(row.pages == 1 for row in self.clusters)
        below = "" if self.threshold is None else f", linked below {self.threshold:g}"
        lines = [
            f"distance   {self.distance}, {self.method}{below}",
            f"pages      {self.pages:,} in {len(self.clusters):,} clusters, {single:,} of one page",
        ]
        if self.left_out:
            told = ", ".join(f"{n:,} {reason}" for reason, n in self.left_out.items())
            lines.append(f"left out   {told}")
        if self.clusters:
            lines += ["", "    pages     hosts  to the medoid: mean   most   medoid"]
        lines += [
            f"{row.pages:9,} {row.hosts:9,} {row.mean_distance:20.3f} {row.max_distance:6.3f}   {row.medoid}"
            for row in self.clusters[:MAX_ROWS]
        ]
        if len(self.clusters) > MAX_ROWS:
            lines.append(f"          … and {len(self.clusters) - MAX_ROWS:,} smaller ones")
        return "\n".join((*lines, "", *(f"written    {file}" for file in (self.file, *self.plots))))
