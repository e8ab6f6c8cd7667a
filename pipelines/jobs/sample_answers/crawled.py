"""What a crawl did and found, as its corpus folder and the web's request log tell."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.webgraph.graph import Graph
from pipelines.corpus.corpus import Corpus

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

REQUESTS_FILE = "requests.tsv"

# (source URL, target URL, nofollow)
ArcSet = set[tuple[str, str, bool]]


@dataclass(frozen=True, slots=True)
class Crawled:
    """*requests* by URL; rows of *documents* and *rejected*; *arcs* between URLs.

    *texts* yields (URL, kept text) of the documents, once: they are not held in memory.
    """

    requests: Counter[str]
    documents: list[dict[str, Any]]
    rejected: list[dict[str, Any]]
    arcs: ArcSet
    texts: Iterable[tuple[str, str]]


def read_crawl(corpus: Path, folder: Path) -> Crawled:
    """Read the corpus folder *corpus* and the request log in *folder*."""
    stored = Corpus.open(corpus)
    with Graph.open(corpus) as graph:
        arcs = _read_arcs(graph)
    return Crawled(
        requests=read_requests(folder / REQUESTS_FILE),
        documents=list(stored.documents(["url", "language"])),
        rejected=_duplicates_named(stored.rejected(["url", "reason", "duplicate_of", "digest"])),
        arcs=arcs,
        texts=((row["url"], row["text"]) for row in stored.documents(["url", "text"])),
    )


def _duplicates_named(rejected: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return *rejected* with copies to the byte as ``duplicate``.

    Copies of a near-duplicate, which name the page that is kept too, become copies of one of them.
    """
    rows: list[dict[str, Any]] = []
    first_near: dict[bytes, str] = {}
    for row in sorted(rejected, key=lambda row: str(row["url"])):
        if row["reason"] == "duplicate_bytes":
            row["reason"] = "duplicate"
        elif row["reason"] == "near_duplicate" and row["digest"] is not None:
            first = first_near.setdefault(row["digest"], row["url"])
            if first != row["url"]:
                row["reason"], row["duplicate_of"] = "duplicate", first
        rows.append(row)
    return rows


def read_requests(path: Path) -> Counter[str]:
    """Count the requests by URL in the log at *path*; lines of another form raise InputError."""
    try:
        with path.open(encoding="utf-8") as lines:
            return _count(lines)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read the request log {path}: {error}; crawl first") from error


def _count(lines: Iterable[str]) -> Counter[str]:
    requests: Counter[str] = Counter()
    for line in lines:
        _, host, path, _ = line.rstrip("\n").split("\t")
        requests[f"http://{host}{path}"] += 1
    return requests


def _read_arcs(graph: Graph) -> ArcSet:
    sources, targets, flags = graph.arcs()
    nofollow = (flags & 1).astype(bool).tolist()
    return set(zip(graph.urls(sources), graph.urls(targets), nofollow, strict=True))
