"""The BV format: its codes, its published example, and graphs read as the format is described."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.kernels.jit import kernel
from crawler.webgraph.bv import graph as bv_graph
from crawler.webgraph.bv.codes import put_gamma, put_unary, put_zeta
from crawler.webgraph.bv.graph import BvOptions, write_bv
from crawler.webgraph.bv.writing import Forward, Work, _put_list
from crawler.webgraph.forward import ForwardGraph
from tests.bv_by_hand import Bits, read_slowly

# Boldi and Vigna 2004, table 1: an extract of a graph
EXAMPLE = {
    15: [13, 15, 16, 17, 18, 19, 23, 24, 203, 315, 1034],
    16: [15, 16, 17, 22, 23, 24, 315, 316, 317, 3041],
    17: [],
    18: [13, 15, 16, 17, 50],
}


def graph_of(lists, n):
    rows = [lists.get(x, []) for x in range(n)]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return ForwardGraph(indptr, np.array([t for row in rows for t in row], dtype=np.uint32))


@kernel
def _put(code, out, value, k):
    if code == 0:
        return put_unary(out, np.uint64(0), np.uint64(value), True)
    if code == 1:
        return put_gamma(out, np.uint64(0), np.uint64(value), True)
    return put_zeta(out, np.uint64(0), np.uint64(value), np.uint64(k), True)


def written(code, value, k=3):
    out = np.zeros(16, dtype=np.uint8)
    end = int(_put(code, out, value, k))
    return "".join(f"{byte:08b}" for byte in out)[:end]


@kernel
def _put_lists(refs, graph, work, out):
    end = np.uint64(0)
    for x in range(len(refs)):
        end = _put_list(np.uint64(x), np.uint64(refs[x]), graph, work, out, end, True)
    return end


def referring(lists, n, refs, options):
    """The lists of *n* nodes, written with the references given instead of the shortest."""
    graph = graph_of(lists, n)
    work = Work(options.parameters(), *(np.empty(99, dtype=np.uint64) for _ in range(4)))
    forward = Forward(graph.indptr, graph.indices, np.zeros(n, dtype=np.uint8))
    out = np.zeros(4_000, dtype=np.uint8)
    end = _put_lists(np.array([refs.get(x, 0) for x in range(n)]), forward, work, out)
    return out[: -(-int(end) // 8)].tobytes()


def test_codes():
    """The numbers 1 to 8 of Boldi and Vigna, codes for the web, table 1, which are 0 to 7 here."""
    assert [written(0, n) for n in range(4)] == ["1", "01", "001", "0001"]
    gamma = ["1", "010", "011", "00100", "00101", "00110", "00111", "0001000"]
    assert [written(1, n) for n in range(8)] == gamma
    assert [written(2, n, 1) for n in range(8)] == gamma
    zeta_2 = ["10", "110", "111", "01000", "01001", "01010", "01011", "011000"]
    assert [written(2, n, 2) for n in range(8)] == zeta_2
    zeta_3 = ["100", "1010", "1011", "1100", "1101", "1110", "1111", "0100000"]
    assert [written(2, n, 3) for n in range(8)] == zeta_3


@given(st.integers(0, 2**33), st.integers(1, 6))
def test_codes_read_as_defined(value, k):
    content = [int(written(code, value, k).ljust(128, "0")[:128], 2) for code in (1, 2)]
    gamma, zeta = (Bits(number.to_bytes(16, "big")) for number in content)
    assert (gamma.gamma(), zeta.zeta(k)) == (value, value)


def test_the_published_example():
    """Tables 4 and 5: copy blocks, intervals, residuals. Residuals of a node begin with its own number.

    The first residual is folded as table 2 folds the first gap (13 - 15 gives 3, 50 - 18 gives 64).
    """
    options = BvOptions(window=3, min_interval=2)
    lists, told = read_slowly(referring(EXAMPLE, 19, {16: 1, 18: 3}, options), 19, options)
    assert {x: lists[x] for x in EXAMPLE} == EXAMPLE
    assert told[15] == {
        "degree": 11,
        "reference": 0,
        "lefts": [0, 2],
        "lengths": [3, 0],
        "residuals": [3, 189, 111, 718],
    }
    assert told[16] == {
        "degree": 10,
        "reference": 1,
        "blocks": [0, 0, 2, 1, 1, 0, 0],
        "lefts": [600],
        "lengths": [0],
        "residuals": [12, 3018],
    }
    assert told[17] == {"degree": 0}
    assert told[18] == {
        "degree": 5,
        "reference": 3,
        "blocks": [4],
        "lefts": [],
        "lengths": [],
        "residuals": [64],
    }


# zom.wtf/posts/webgraph-bvgraph: a file of nine nodes, byte by byte; the bits and the numbers of each
PUBLISHED_FILE = bytes.fromhex("7dc5ea64a7277297a9e0")
PUBLISHED_BITS = (12, 9, 6, 13, 18, 9, 6, 1, 1)
PUBLISHED_NUMBERS = ["20020", "1004", "110", "30120", "300201", "1004", "110", "0", "0"]
PUBLISHED_LISTS = [[1, 2], [3], [3], [4, 5, 6], [5, 6, 8], [7], [7], [], []]


def numbers_in_order(told):
    """What `read_slowly` tells of a node, one behind the other."""
    found = [told["degree"], *([told["reference"]] if "reference" in told else [])]
    if "blocks" in told:
        found += [len(told["blocks"]), *told["blocks"]]
    if "lefts" in told:
        found.append(len(told["lefts"]))
        for pair in zip(told["lefts"], told["lengths"], strict=True):
            found += pair
    return "".join(map(str, found + told.get("residuals", [])))


def test_a_published_file(tmp_path):
    options = BvOptions(window=7, max_ref=3, min_interval=3, zeta_k=3)
    lists, told = read_slowly(PUBLISHED_FILE, 9, options)
    assert [numbers_in_order(numbers) for numbers in told] == PUBLISHED_NUMBERS
    assert lists == PUBLISHED_LISTS
    write_bv(graph_of(dict(enumerate(PUBLISHED_LISTS)), 9), tmp_path / "g", options)
    assert (tmp_path / "g.graph").read_bytes() == PUBLISHED_FILE
    offsets = Bits((tmp_path / "g.offsets").read_bytes())
    assert tuple(offsets.gamma() for _ in range(10)) == (0, *PUBLISHED_BITS)


OPTIONS = st.builds(
    BvOptions,
    window=st.integers(0, 7),
    max_ref=st.integers(0, 4),
    min_interval=st.sampled_from([0, 2, 3, 4]),
    zeta_k=st.integers(1, 5),
)
GRAPHS = st.integers(1, 24).flatmap(
    lambda n: st.lists(st.frozensets(st.integers(0, n - 1)).map(sorted), min_size=n, max_size=n)
)


@settings(max_examples=60)
@given(GRAPHS, OPTIONS, st.sampled_from([1, 3, 2**18]))
def test_graphs_come_back(tmp_path_factory, lists, options, chunk_arcs):
    basename = tmp_path_factory.mktemp("bv") / "g"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bv_graph, "CHUNK_ARCS", chunk_arcs)
        write_bv(graph_of(dict(enumerate(lists)), len(lists)), basename, options)
    content = basename.with_name("g.graph").read_bytes()
    found, told = read_slowly(content, len(lists), options)
    assert found == lists
    offsets = Bits(basename.with_name("g.offsets").read_bytes())
    assert 0 <= 8 * len(content) - sum(offsets.gamma() for _ in range(len(lists) + 1)) < 8
    chain = []
    for x, numbers in enumerate(told):
        ref = numbers.get("reference", 0)
        chain.append(chain[x - ref] + 1 if ref else 0)
        assert ref <= options.window
    assert max(chain) <= options.max_ref


def test_offsets_and_properties(tmp_path):
    write_bv(graph_of({0: [1, 2], 2: [0, 1, 2]}, 3), tmp_path / "g")
    bits, offsets = (Bits((tmp_path / f"g.{end}").read_bytes()) for end in ("graph", "offsets"))
    sizes = [offsets.gamma() for _ in range(4)]
    assert sizes[0] == 0
    assert 0 <= len(bits.bits) - sum(sizes) < 8
    text = (tmp_path / "g.properties").read_text()
    assert "graphclass=it.unimi.dsi.webgraph.BVGraph\n" in text
    assert "windowsize=7\nmaxrefcount=3\nminintervallength=4\nzetak=3\n" in text
    assert "nodes=3\narcs=5\n" in text


def test_similar_lists_are_copied(tmp_path):
    """Pages with 40 scattered links in common: a copied list costs a few bits."""
    menu = list(range(3, 1000, 25))
    graph = graph_of({x: sorted({*menu, x}) for x in range(1000)}, 1000)
    sizes = []
    for options in (BvOptions(), BvOptions(window=0)):
        files = write_bv(graph, tmp_path / "g", options)
        sizes.append(8 * files[0].stat().st_size / len(graph.indices))
    assert sizes[0] < 2.5
    assert sizes[1] > 6


def test_graph_without_nodes(tmp_path):
    write_bv(graph_of({}, 0), tmp_path / "g")
    assert (tmp_path / "g.graph").read_bytes() == b""


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"window": -1}, "window must be 0 to 65535, got -1"),
        ({"max_ref": 255}, "max_ref must be 0 to 254, got 255"),
        ({"min_interval": 1}, "min_interval must be 0 or 2 and more, got 1"),
        ({"zeta_k": 0}, "zeta_k must be 1 to 16, got 0"),
    ],
)
def test_wrong_options(options, error):
    with pytest.raises(ValueError, match=error):
        BvOptions(**options)
