"""The peak memory of a process that holds a graph and ranks it, by us or by igraph.

Run as a module with the words of :func:`peak_memory`; prints the largest resident set in bytes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from crawler.ranking.host_blocks.iteration import host_block_pagerank
from crawler.ranking.options import RankOptions
from crawler.webgraph.large_web import LargeWeb, WebShape


def peak_memory(shape: WebShape, what: str) -> int:
    """Return the peak bytes of making *shape* and then ``nothing``, or ranking by ``ours`` or ``igraph``.

    0 when igraph is not installed.
    """
    if what == "igraph" and not find_spec("igraph"):
        return 0
    command = [sys.executable, "-m", __name__, json.dumps(asdict(shape)), what]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout)


def main() -> None:
    shape, what = WebShape(**json.loads(sys.argv[1])), sys.argv[2]
    graph = LargeWeb(shape).host_graph()
    if what == "ours":
        assert host_block_pagerank(graph, RankOptions(tolerance=1e-8 / 0.15)).converged
    elif what == "igraph":
        import igraph

        arcs = np.stack(graph.arcs(), axis=1)
        del graph
        ranks = igraph.Graph(n=shape.n_pages, edges=arcs, directed=True).pagerank()
        assert abs(sum(ranks) - 1) < 1e-6
    # ru_maxrss would count what the process was before it was this program
    status = Path("/proc/self/status").read_text()
    print(int(status.split("VmHWM:")[1].split()[0]) * 1024)


if __name__ == "__main__":
    main()
