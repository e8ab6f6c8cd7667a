"""Graphs in the BV format of the WebGraph framework, as its Java, C++ and Rust programs read them.

A successor list is its length and, if that is not 0: a reference r (0: none), the list of node x - r
being copied in part; blocks of that list that are copied and left out in turn; of what is missing,
intervals of following numbers; the residuals one by one. Of the references within the window, and none,
the one is taken that needs the fewest bits.

*On disk.* Three files of one name.

- ``.graph``, bits: for each node its out-degree (gamma), and unless it is 0: the reference (unary, if
  the window is not 0); with a reference the number of blocks (gamma) and their lengths, all but the
  first less one (gamma); unless everything was copied, the number of intervals (gamma) and of each
  its left end (gamma; the first against x, either sign; the others less the previous right end
  and 2) and its length less the shortest (gamma); the residuals (zeta_k; the first against x, the
  others less the one before and 1).
- ``.offsets``, bits: 0, then the bits of each list (gamma).
- ``.properties``: a Java property file.

*Source: Boldi and Vigna 2004, "The WebGraph framework I: compression techniques", section 3, and the
class comment of it.unimi.dsi.webgraph.BVGraph.*

Memory: the graph forwards, 4 bytes an arc; a byte a node; `CHUNK_ARCS` arcs. Cost: O(m window).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.files import atomic_path, write_atomic
from crawler.webgraph.bv.codes import Parameters
from crawler.webgraph.bv.writing import Forward, Work, write_gammas, write_lists

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    import numpy.typing as npt

    from crawler.webgraph.arcs.streams import Bytes
    from crawler.webgraph.forward import ForwardGraph

GRAPH_CLASS = "it.unimi.dsi.webgraph.BVGraph"
VERSION = 0
# Arcs and nodes whose lists are written at a time. The longest code of one takes 64 bits, and a node
# has its degree, reference and counts besides.
CHUNK_ARCS = 2**18
_BYTES_OF_ARC, _BYTES_OF_NODE = 24, 48
# What the names of the files of a graph end in.
BV_ENDINGS = (".graph", ".offsets", ".properties")


@dataclass(frozen=True, slots=True)
class BvOptions:
    """The defaults are those of the framework."""

    window: int = 7
    max_ref: int = 3
    min_interval: int = 4
    zeta_k: int = 3

    def __post_init__(self) -> None:
        if not 0 <= self.window < 2**16:
            raise ValueError(f"window must be 0 to 65535, got {self.window}")
        if not 0 <= self.max_ref < 2**8 - 1:
            raise ValueError(f"max_ref must be 0 to 254, got {self.max_ref}")
        if not (self.min_interval == 0 or 2 <= self.min_interval < 2**31):
            raise ValueError(f"min_interval must be 0 or 2 and more, got {self.min_interval}")
        if not 1 <= self.zeta_k <= 16:
            raise ValueError(f"zeta_k must be 1 to 16, got {self.zeta_k}")

    def parameters(self) -> Parameters:
        """Return the options as kernels take them."""
        values = (self.window, self.max_ref, self.min_interval, self.zeta_k)
        return Parameters(*map(np.uint64, values))


DEFAULTS = BvOptions()


def write_bv(graph: ForwardGraph, basename: Path, options: BvOptions = DEFAULTS) -> list[Path]:
    """Write *graph* to ``basename.graph``, ``.offsets`` and ``.properties``; return the files."""
    files = [basename.with_name(basename.name + end) for end in BV_ENDINGS]
    longest = int(np.diff(graph.indptr).max(initial=0)) + 2
    room = [np.empty(longest, dtype=np.uint64) for _ in Work._fields[1:]]
    work = Work(options.parameters(), *room)
    depth = np.zeros(graph.n_nodes, dtype=np.uint8)
    forward = Forward(graph.indptr, graph.indices, depth)
    with (
        atomic_path(files[0]) as lists,
        atomic_path(files[1]) as offsets,
        _BitFile(lists) as graph_bits,
        _BitFile(offsets) as offset_bits,
    ):
        offset_bits.put_gammas(np.zeros(1, dtype=np.uint64))
        for first, stop in graph.chunks(CHUNK_ARCS):
            n_arcs = int(graph.indptr[stop] - graph.indptr[first])
            sizes = np.empty(stop - first, dtype=np.uint64)
            out, place = graph_bits.room(_BYTES_OF_ARC * n_arcs + _BYTES_OF_NODE * (stop - first))
            end = write_lists(first, forward, work, out, place, sizes)
            graph_bits.write(out, end)
            offset_bits.put_gammas(sizes)
    write_atomic(files[2], _properties(graph, options, graph_bits.n_bits).encode("latin-1"))
    return files


class _BitFile:
    """A file of bits, written in parts that need not end with a byte."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._last = 0
        self.n_bits = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.n_bits % 8:
            self._file.write(bytes([self._last]))
        self._file.close()

    def room(self, n_bytes: int) -> tuple[Bytes, int]:
        """Return *n_bytes* bytes, which begin with the bits that are not written yet, and their number."""
        out = np.zeros(n_bytes + 1, dtype=np.uint8)
        out[0] = self._last
        return out, self.n_bits % 8

    def write(self, out: Bytes, end: int) -> None:
        """Write what was put into *out* up to bit *end*."""
        self.n_bits += end - self.n_bits % 8
        self._file.write(out[: end // 8].tobytes())
        self._last = int(out[end // 8])

    def put_gammas(self, values: npt.NDArray[np.uint64]) -> None:
        """Write *values* in gamma code."""
        out, place = self.room(16 * len(values))
        self.write(out, write_gammas(values, out, place))


def _properties(graph: ForwardGraph, options: BvOptions, n_bits: int) -> str:
    n_nodes, n_arcs = graph.n_nodes, len(graph.indices)
    values = {
        "graphclass": GRAPH_CLASS,
        "version": VERSION,
        "nodes": n_nodes,
        "arcs": n_arcs,
        "windowsize": options.window,
        "maxrefcount": options.max_ref,
        "minintervallength": options.min_interval,
        "zetak": options.zeta_k,
        "compressionflags": "",
        "bitsperlink": f"{n_bits / n_arcs if n_arcs else 0:.3f}",
        "bitspernode": f"{n_bits / n_nodes if n_nodes else 0:.3f}",
    }
    lines = ["#BVGraph properties", *(f"{name}={value}" for name, value in values.items())]
    return "\n".join(lines) + "\n"
