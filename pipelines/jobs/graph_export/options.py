"""What an export of the graph is asked for. Loads no compiled code."""

from __future__ import annotations

from dataclasses import dataclass

FORMATS = {
    "edges": "Parquet edges and vertices, and the same as gzip text",
    "webgraph": "WebGraph's BV graph, ASCII graph and arc list",
    "graphml": "GraphML of the best-linked hosts, for Gephi, networkx, igraph",
}
LEVELS = ("page", "host")
ORDERS = ("in-degree", "rank")


@dataclass(frozen=True, slots=True)
class GraphExportOptions:
    """*format*: of `FORMATS`. *level*: nodes are pages or hosts; GraphML is of hosts always.

    *top*: hosts in GraphML, 0 for all, best by *order* first. *nofollow*: keep nofollow links.
    """

    format: str
    level: str = "page"
    top: int = 1000
    order: str = "in-degree"
    nofollow: bool = False

    def __post_init__(self) -> None:
        for name, known in (("format", tuple(FORMATS)), ("level", LEVELS), ("order", ORDERS)):
            value = getattr(self, name)
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
        if self.top < 0:
            raise ValueError(f"top must be at least 0, got {self.top}")
