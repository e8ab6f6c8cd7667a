"""Sealed segments of the graph: the log ``arcs`` as files of compressed arcs.

*On disk.* In ``graph/<shard>/``, each seal writes ``arcs-…`` (crawler.webgraph.arcs.files): the arcs
of the pages captured, by ascending source, pages without arcs too. Of a page that stands in several
files the one with the largest serial counts.

Memory of a seal: the backlog's arcs, 40 bytes each.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from crawler.durable.layout import graph_folder
from crawler.durable.sealing import BacklogMeter, read_log, seal
from crawler.webgraph.arcs.blocks import latest_arcs
from crawler.webgraph.arcs.files import read_arcs, write_arcs
from crawler.webgraph.arcs.records import unpack_arcs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from crawler.durable.journal import Journal

__all__ = ["GraphSealer", "arc_files", "latest_arcs", "read_arcs"]


def arc_files(shard: str) -> dict[str, str]:
    """Return the kinds of files of the graph of *shard*, each with what its names begin with."""
    return {"arcs": f"{graph_folder(shard)}/arcs-"}


class GraphSealer:
    """Seals the arcs of *corpus_dir* when their log holds *n_arcs* arcs or *n_bytes* bytes."""

    def __init__(self, corpus_dir: Path, *, n_arcs: int, n_bytes: int) -> None:
        self.corpus_dir = corpus_dir
        self.n_arcs = n_arcs
        self.n_bytes = n_bytes
        self._meter = BacklogMeter("arcs")

    def __call__(self, journal: Journal, *, force: bool = False) -> int:
        with journal.read() as txn:
            backlog = self._meter.measure(txn)
        due = backlog.rows >= self.n_arcs or backlog.bytes >= self.n_bytes
        if not backlog.last or not (due or force):
            return 0
        write = partial(_write, journal, backlog.last)
        files = arc_files(journal.shard)
        return len(seal(journal, self.corpus_dir, logs={"arcs": backlog}, files=files, write=write))


def _write(journal: Journal, last: int, paths: Mapping[str, Path]) -> dict[str, int]:
    records = read_log(journal, "arcs", last=last)
    batch = latest_arcs([unpack_arcs(record) for record in records])
    return {"arcs": write_arcs(paths["arcs"], [batch])}
