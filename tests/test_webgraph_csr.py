"""The host graph in arrays, against dictionaries of sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.webgraph.csr import CHUNK_ARCS, HostGraph
from crawler.webgraph.page_numbers import bases_of, numbers_of, page_numbers
from tests.traced_memory import least_traced


def pack(host: int, local: int) -> int:
    return host << 32 | local


def build(pages: list[int], arcs: list[tuple[int, int]]) -> HostGraph:
    sources = np.array([s for s, _ in arcs], dtype=np.uint64)
    targets = np.array([t for _, t in arcs], dtype=np.uint64)
    return HostGraph.from_arcs(np.array(pages, dtype=np.uint64), sources, targets)


def arcs_of(graph: HostGraph) -> list[tuple[int, int]]:
    sources, targets = graph.arcs()
    packed = graph.packed
    return [(int(packed[s]), int(packed[t])) for s, t in zip(sources, targets, strict=True)]


A0, A1, B0, B7 = pack(3, 0), pack(3, 1), pack(9, 0), pack(9, 7)


def test_pages_are_numbered_host_by_host():
    graph = build([B7, A1, B0, A0, A1], [(A0, A1), (B7, A0), (B7, B0), (B7, A0), (A1, A1)])
    assert graph.packed.tolist() == [A0, A1, B0, B7]
    assert graph.host_ids.tolist() == [3, 9]
    assert graph.host_ptr.tolist() == [0, 2, 4]
    assert graph.local_ids.tolist() == [0, 1, 0, 7]
    assert graph.host_of_page.tolist() == [0, 0, 1, 1]
    assert graph.indptr.tolist() == [0, 1, 3, 4, 4]
    assert graph.indices.tolist() == [3, 0, 1, 3]  # by target; sources ascending
    assert graph.out_degree.tolist() == [1, 1, 0, 2]
    assert (graph.n_pages, graph.n_hosts, graph.n_arcs) == (4, 2, 4)
    dtypes = [graph.host_ids.dtype, graph.host_ptr.dtype, graph.local_ids.dtype, graph.indptr.dtype,
              graph.indices.dtype, graph.out_degree.dtype]  # fmt: skip
    assert dtypes == ["uint32", "int64", "uint32", "int64", "uint32", "uint32"]


def test_graph_without_pages_and_page_without_arcs():
    empty = build([], [])
    assert (empty.n_pages, empty.n_hosts, empty.n_arcs, empty.host_ptr.tolist()) == (0, 0, 0, [0])
    one = build([pack(2**32 - 1, 2**32 - 1)], [])
    assert (one.n_pages, one.n_hosts, one.n_arcs, one.host_ptr.tolist()) == (1, 1, 0, [0, 1])
    assert one.packed.tolist() == [2**64 - 1]


@pytest.mark.parametrize("page", [pack(3, 2), pack(4, 0), pack(0, 0), pack(10, 0), pack(9, 1)])
def test_arc_to_a_page_that_is_not_there_is_refused(page):
    with pytest.raises(ValueError, match=f"page {page >> 32}:{page & 0xFFFFFFFF} is not among"):
        build([A0, A1, B0, B7], [(A0, A1), (A0, page)])
    with pytest.raises(ValueError, match="is not among"):
        build([], [(page, page)])


def test_arrays_of_different_length_are_refused():
    with pytest.raises(ValueError, match="1 sources, but 0 targets"):
        HostGraph.from_arcs(*(np.zeros(n, dtype=np.uint64) for n in (1, 1, 0)))


def test_pages_given_are_left_as_they_are():
    pages = np.array([B0, A0], dtype=np.uint64)
    HostGraph.from_arcs(pages, pages[:1], pages[1:])
    assert pages.tolist() == [B0, A0]


def test_self_links_where_dangling():
    graph = build([A0, A1, B0], [(A0, A1), (A0, A0), (A0, B0)])
    closed = graph.with_self_links_where_dangling()
    assert sorted(arcs_of(closed)) == sorted([*arcs_of(graph), (A1, A1), (B0, B0)])
    assert closed.out_degree.tolist() == [3, 1, 1]
    assert closed.with_self_links_where_dangling() is closed


page_ids = st.builds(pack, st.integers(0, 5), st.integers(0, 6))


@given(st.lists(page_ids, min_size=1, max_size=20).flatmap(
    lambda pages: st.tuples(st.just(pages), st.lists(
        st.tuples(st.sampled_from(pages), st.sampled_from(pages)), max_size=40))))  # fmt: skip
def test_arcs_are_kept_once_each(pages_and_arcs):
    pages, arcs = pages_and_arcs
    graph = build(pages, arcs)
    assert graph.packed.tolist() == sorted(set(pages))
    assert arcs_of(graph) == sorted(set(arcs), key=lambda arc: (arc[1], arc[0]))
    assert graph.out_degree.tolist() == [
        len({t for s, t in arcs if s == page}) for page in sorted(set(pages))
    ]
    assert graph.numbers(np.array(pages, dtype=np.uint64)).tolist() == [
        sorted(set(pages)).index(page) for page in pages
    ]


def test_self_links_stand_in_order():
    """Page 1 dangles: its own number goes between those of its other sources."""
    graph = build([A0, A1, B0], [(A0, A1), (B0, A1)]).with_self_links_where_dangling()
    assert graph.indices.tolist() == [0, 1, 2]
    assert graph.indptr.tolist() == [0, 0, 3, 3]


@given(st.lists(page_ids, min_size=1, max_size=12))
def test_bases_of_hosts(pages):
    """They are given where LocalIDs count up, and lead to the numbers of the pages."""
    found = page_numbers(np.array(pages, dtype=np.uint64))
    bases = bases_of(found)
    whole = all(page & 0xFFFFFFFF == 0 or page - 1 in pages for page in pages)
    assert (bases is not None) == whole
    if bases is not None:
        ids = np.array(pages, dtype=np.uint64)
        numbers = bases[(ids >> np.uint64(32)).astype(np.int64)] + (ids & np.uint64(0xFFFFFFFF))
        assert numbers.tolist() == numbers_of(ids, found).tolist()


def test_far_apart_hosts_have_no_bases():
    assert bases_of(page_numbers(np.array([0, 2**63], dtype=np.uint64))) is None
    assert bases_of(page_numbers(np.zeros(0, dtype=np.uint64))) is None


def test_bytes_of_a_graph():
    """The figures of the module, on hosts of 100 pages whose LocalIDs count up."""
    rng = np.random.default_rng(1)
    hosts, locals_ = np.divmod(np.arange(20_000, dtype=np.uint64), np.uint64(100))
    pages = hosts << np.uint64(32) | locals_
    sources, targets = pages[rng.integers(0, len(pages), (2, 400_000))]
    graph, kept, most = least_traced(lambda: HostGraph.from_arcs(pages, sources, targets))
    stated = 4 * graph.n_arcs + 16 * graph.n_pages + 12 * graph.n_hosts
    assert kept < 1.01 * stated
    building = 8 * graph.n_pages + 24 * CHUNK_ARCS
    assert most < stated + building + 4 * (400_000 - graph.n_arcs) + 500_000
