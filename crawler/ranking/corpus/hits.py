"""Hubs and authorities of a corpus folder: what ``scrapy hits`` does.

*On disk.* ``ranks/hits.parquet``, a row a page in ascending id: ``host_id uint32``, ``local_id uint32``,
``url string``, ``hub float64`` (null where hubs are pagelets), ``authority float64``, each column of
length 1 (L2). Where hubs are pagelets, ``ranks/hits_pagelets.parquet`` besides: ``host_id``, ``local_id``,
``pagelet uint32``, ``hub float64``. Both say how they were made, as JSON under ``winnow_hits`` in the
metadata. With a query the pages are those that match it, or, of pagelets, those that matching ones link to, and
their own.

Memory of writing: the URLs of one row group.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path, make_folder
from crawler.durable.layout import RANKS_FOLDER
from crawler.errors import InputError, WinnowError
from crawler.ranking.hits.hits import DEFAULTS, hits, page_links
from crawler.ranking.hits.pagelet_graph import pagelet_graph
from crawler.ranking.hits.pagelet_links import (
    k_of_files,
    of_pagelets,
    read_links,
    read_templates,
)
from crawler.ranking.options import HITS_WEIGHTS
from crawler.ranking.store import best_pages
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.graph import Graph
from crawler.webgraph.named_graph import open_graph
from crawler.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.hits.anchor_weights import WeighedAnchors
    from crawler.ranking.hits.hits import HitsOptions, HitsResult, HubLinks
    from crawler.ranking.hits.pagelet_graph import PageletGraph
    from crawler.ranking.hits.query_pages import QueryMatches
    from crawler.webgraph.named_graph import TableGraph

HITS_FILE, PAGELETS_FILE = "hits.parquet", "hits_pagelets.parquet"
N_BEST = 10
ROW_GROUP_ROWS = 65_536
_METADATA = b"winnow_hits"


@dataclass(frozen=True, slots=True)
class HitsReport:
    """What a run found: hubs are pages, or pagelets; *hubs* and *authorities* the best of both."""

    pages: int
    pagelets: int
    links: int
    iterations: int
    change: float
    file: str
    authorities: list[tuple[float, str]]
    hubs: list[tuple[float, str]]
    weighed: int | None = None
    """links of a weight above 0, where they are weighed"""

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"pages       {self.pages:,}",
            *([f"pagelets    {self.pagelets:,}"] if self.pagelets else []),
            f"links       {self.links:,}" + self._weighed(),
            f"iterations  {self.iterations} (last change {self.change:.1e})",
            f"written     {self.file}",
        ]
        for title, best in (("authority", self.authorities), ("hub", self.hubs)):
            lines += ["", f"{title:>12}  url", *(f"{value:12.4f}  {url}" for value, url in best)]
        return "\n".join(lines)

    def _weighed(self) -> str:
        return (
            "" if self.weighed is None else f", {self.weighed:,} of them weighed by their anchors"
        )


class PageletFiles(NamedTuple):
    """The links of pagelets, and the pagelets that are templates, which are left out."""

    links: Path
    templates: Path | None = None


class CountedLinks(NamedTuple):
    """Which links between pages count, of those within a host and nofollow ones; and by what: alike without
    *anchors*.
    """

    nepotistic: bool = True
    with_nofollow: bool = False
    anchors: WeighedAnchors | None = None


def rank_pages(
    folder: Path,
    options: HitsOptions = DEFAULTS,
    *,
    counted: CountedLinks,
    matches: QueryMatches | None = None,
    output: Path | None = None,
) -> HitsReport:
    """Find hubs and authorities among the pages known to the corpus in *folder*, and write them.

    They are in its ``ranks/``, or in the folder *output*. *matches*: only among these pages. Raises
    :exc:`InputError` when there is no graph, or no link counts, :exc:`WinnowError` when it did not converge.
    """
    with open_graph(folder) as stored:
        graph = stored.host_graph(nofollow=counted.with_nofollow)
        base = None if matches is None else np.isin(graph.packed, matches.pages)
        links = page_links(graph, nepotistic=counted.nepotistic, base=base)
        weights = None if counted.anchors is None else _weights(counted.anchors, links, graph)
        found = _checked(hits(links, options, weights=weights))
        computed = {
            **asdict(options),
            "nepotistic": counted.nepotistic,
            "nofollow": counted.with_nofollow,
            "weights": HITS_WEIGHTS[weights is not None],
        }
        ranks, chosen = output or folder / RANKS_FOLDER, slice(None) if base is None else base
        path = ranks / HITS_FILE
        values = found.hub[chosen], found.authority[chosen]
        ids = graph.packed[chosen]
        _write_pages(path, stored, ids, values, computed | _asked(matches))
        (ranks / PAGELETS_FILE).unlink(missing_ok=True)
        return HitsReport(
            pages=len(ids),
            pagelets=0,
            links=len(links.indices),
            iterations=found.iterations,
            change=found.change,
            file=str(path),
            authorities=_best(graph, found.authority, stored),
            hubs=_best(graph, found.hub, stored),
            weighed=None if weights is None else int(np.count_nonzero(weights)),
        )


def _weights(anchors: WeighedAnchors, links: HubLinks, graph: HostGraph) -> npt.NDArray[np.float64]:
    """Return the weights of *links*; raise :exc:`InputError` where none of them counts."""
    weights = anchors.of_links(links, graph)
    if len(weights) and not weights.any():
        raise InputError(
            "no link has an anchor of words that not all pages of its host have; leave out --weights"
        )
    return weights


def rank_pagelets(
    folder: Path,
    options: HitsOptions = DEFAULTS,
    *,
    files: PageletFiles,
    nepotistic: bool = True,
    matches: QueryMatches | None = None,
    output: Path | None = None,
) -> HitsReport:
    """Find hubs and authorities as :func:`rank_pages` does, but with the pagelets of *files* as hubs.

    *matches*: only with these pagelets. The format of files is told in `crawler.ranking.hits.pagelet_links`; errors as
    of :func:`rank_pages`.
    """
    pagelets, templates = files
    flags = None if templates is None else read_templates(templates)
    links, k = read_links(pagelets), k_of_files(pagelets, templates)
    if matches is not None:
        links = of_pagelets(links, matches.owner, matches.pagelet)
    graph = pagelet_graph(links, templates=flags, nepotistic=nepotistic)
    found = _checked(hits(graph.links, options))
    computed = {
        **asdict(options),
        "pagelets": True,
        "k": k,
        "templates": templates is not None,
        "nepotistic": nepotistic,
        **_asked(matches),
    }
    ranks = output or folder / RANKS_FOLDER
    path = ranks / HITS_FILE
    none = np.zeros(0, dtype=np.uint64)
    pages = HostGraph.from_arcs(graph.pages, none, none)
    with Graph.open(folder) as stored:
        try:
            _write_pages(path, stored, graph.pages, (None, found.authority), computed)
        except KeyError as error:
            raise InputError(
                f"{pagelets} names page {error}, which is not in {folder}; give the pagelets of "
                "this corpus"
            ) from error
        authorities = _best(pages, found.authority, stored)
        hubs = _best_pagelets(graph, found.hub, stored)
    _write_pagelets(ranks / PAGELETS_FILE, graph, found.hub, computed)
    return HitsReport(
        pages=len(graph.pages),
        pagelets=graph.links.n_hubs,
        links=len(graph.links.indices),
        iterations=found.iterations,
        change=found.change,
        file=str(path),
        authorities=authorities,
        hubs=hubs,
    )


def _asked(matches: QueryMatches | None) -> dict[str, str]:
    return {} if matches is None else {"query": matches.query}


def _best_pagelets(
    graph: PageletGraph, hub: npt.NDArray[np.float64], stored: Graph
) -> list[tuple[float, str]]:
    best = np.argsort(-hub, kind="stable")[:N_BEST]
    owners, numbers = stored.urls(graph.owner[best]), graph.pagelet[best].tolist()
    names = [f"{url} pagelet {number}" for url, number in zip(owners, numbers, strict=True)]
    return list(zip(hub[best].tolist(), names, strict=True))


def _write_pagelets(
    path: Path, graph: PageletGraph, hub: npt.NDArray[np.float64], computed: dict[str, Any]
) -> None:
    columns = {
        "host_id": (graph.owner >> np.uint64(32)).astype(np.uint32),
        "local_id": graph.owner.astype(np.uint32),
        "pagelet": graph.pagelet,
        "hub": hub,
    }
    with atomic_path(path) as unfinished:
        table = pa.table(columns).replace_schema_metadata({_METADATA: json.dumps(computed)})
        pq.write_table(table, unfinished, compression="zstd")


def _checked(found: HitsResult) -> HitsResult:
    if not found.converged:
        raise WinnowError(
            f"not converged after {counted(found.iterations, 'iteration')}: the last change was "
            f"{found.change:.1e}; give a larger --tolerance or --max-iterations"
        )
    return found


def _write_pages(
    path: Path,
    stored: Graph | TableGraph,
    ids: npt.NDArray[np.uint64],
    values: tuple[npt.NDArray[np.float64] | None, npt.NDArray[np.float64]],
    computed: dict[str, Any],
) -> None:
    fields: list[pa.Field[Any]] = [
        pa.field("host_id", pa.uint32()),
        pa.field("local_id", pa.uint32()),
        pa.field("url", pa.string()),
        pa.field("hub", pa.float64()),
        pa.field("authority", pa.float64()),
    ]
    schema = pa.schema(fields, metadata={_METADATA: json.dumps(computed, sort_keys=True)})
    make_folder(path.parent)
    with (
        atomic_path(path) as unfinished,
        pq.ParquetWriter(unfinished, schema, compression="zstd") as writer,
    ):
        for start in range(0, len(ids), ROW_GROUP_ROWS):
            rows = slice(start, start + ROW_GROUP_ROWS)
            hub = pa.nulls(len(ids[rows]), pa.float64()) if values[0] is None else values[0][rows]
            columns = [
                (ids[rows] >> np.uint64(32)).astype(np.uint32),
                ids[rows].astype(np.uint32),
                stored.urls(ids[rows]),
                hub,
                values[1][rows],
            ]
            writer.write_table(pa.table(columns, schema=schema))


def _best(
    graph: HostGraph, values: npt.NDArray[np.float64], stored: Graph | TableGraph
) -> list[tuple[float, str]]:
    """Return the best pages, of those whose value does not print as 0."""
    best = best_pages(graph, values, min(N_BEST, int((values >= 5e-5).sum())), urls=stored.urls)
    return [(value, url) for value, url in best if value > 0]
