"""Arcs of files and records as a host graph, against the arcs read one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import FormatError
from crawler.webgraph import loading
from crawler.webgraph.arcs import files as arc_files
from crawler.webgraph.arcs import units as arc_units
from crawler.webgraph.arcs.blocks import latest_arcs
from crawler.webgraph.arcs.files import read_arcs, write_arcs
from crawler.webgraph.arcs.records import NOFOLLOW, pack_arcs, unpack_arcs
from crawler.webgraph.csr import HostGraph
from crawler.webgraph.loading import load_host_graph
from tests.test_webgraph_arcs import arcs_of, batch_of

SIZES = (5, 1, 9, 3)
PAGES = [host << 32 | local for host, size in enumerate(SIZES) for local in range(size)]
LINKS = st.lists(st.tuples(st.sampled_from(PAGES), st.sampled_from([0, 1, 14])), max_size=12)
PART = st.dictionaries(st.sampled_from(PAGES), LINKS, min_size=1, max_size=10)


def slowly(pages, parts, *, nofollow):
    """All parts unpacked, and the last capture of each page taken."""
    batch = latest_arcs([read_arcs(p) if hasattr(p, "name") else unpack_arcs(p) for p in parts])
    sources, targets = np.repeat(batch.sources, batch.counts), batch.targets
    if not nofollow:
        followed = (batch.flags & NOFOLLOW) == 0
        sources, targets = sources[followed], targets[followed]
    return HostGraph.from_arcs(pages, sources, targets)


def assert_equal(graph, expected):
    for name in ("host_ids", "host_ptr", "local_ids", "indptr", "indices", "out_degree"):
        assert getattr(graph, name).tolist() == getattr(expected, name).tolist(), name
        assert getattr(graph, name).dtype == getattr(expected, name).dtype


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.lists(PART, max_size=3),
    st.lists(PART, max_size=2),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0, 9, 2**27]),
    st.sampled_from([2, 2**16]),
)
def test_as_read_slowly(  # noqa: PLR0917  hypothesis gives them
    tmp_path_factory, in_files, in_records, nofollow, gaps, max_kept, block_arcs
):
    folder = tmp_path_factory.mktemp("arcs")
    files = [folder / f"{number}" for number in range(len(in_files))]
    for path, part in zip(files, in_files, strict=True):
        with pytest.MonkeyPatch.context() as patch:  # many units, or one a file
            patch.setattr(arc_files, "BLOCK_ARCS", block_arcs)
            patch.setattr(arc_files, "GROUP_ROWS", 1)
            write_arcs(path, [batch_of(part)])
    records = [pack_arcs([arcs_of(*page) for page in part.items()]) for part in in_records]
    # With a page far away LocalIDs do not count up: the arcs are then numbered one by one.
    pages = np.array([*PAGES, *([3 << 32 | 1_000] if gaps else [])], dtype=np.uint64)
    with pytest.MonkeyPatch.context() as patch:  # none, some, or all of it are decoded twice
        patch.setattr(loading, "MAX_KEPT_ARCS", max_kept)
        patch.setattr(arc_units, "UNIT_RECORDS", 1)
        graph = load_host_graph(pages, files, records, nofollow=nofollow)
    assert_equal(graph, slowly(pages, [*files, *records], nofollow=nofollow))


def test_blocks_larger_than_their_room(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "ROOM_ARCS", 2)
    write_arcs(tmp_path / "a", [batch_of({PAGES[0]: [(page, 0) for page in PAGES]})])
    pages = np.array(PAGES, dtype=np.uint64)
    graph = load_host_graph(pages, [tmp_path / "a"])
    assert_equal(graph, slowly(pages, [tmp_path / "a"], nofollow=True))


def test_arcs_to_pages_that_are_not_there(tmp_path):
    write_arcs(tmp_path / "a", [batch_of({PAGES[0]: [(9 << 32 | 4, 0)]})])
    with pytest.raises(ValueError, match="page 9:4 is not among the pages of the graph"):
        load_host_graph(np.array(PAGES, dtype=np.uint64), [tmp_path / "a"])
    write_arcs(tmp_path / "b", [batch_of({8 << 32: []})])
    with pytest.raises(ValueError, match="page 8:0 is not among"):
        load_host_graph(np.array(PAGES, dtype=np.uint64), [tmp_path / "b"])


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "a"
    write_arcs(path, [batch_of({page: [(page, 0)] for page in PAGES})])
    content = bytearray(path.read_bytes())
    content[30] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(FormatError, match="damaged"):
        load_host_graph(np.array(PAGES, dtype=np.uint64), [path])


def test_arrays_come_from_where_they_are_wanted(tmp_path):
    """Also for sources that do not ascend from file to file, so that rows are sorted."""
    made = []

    def room(n, dtype):
        made.append(np.full(n, 7, dtype=dtype))
        return made[-1]

    parts = [{PAGES[9]: [(page, 0) for page in PAGES]}, {PAGES[2]: [(page, 0) for page in PAGES]}]
    files = [tmp_path / "a", tmp_path / "b"]
    for path, part in zip(files, parts, strict=True):
        write_arcs(path, [batch_of(part)])
    graph = load_host_graph(np.array(PAGES, dtype=np.uint64), files, room=room)
    assert_equal(graph, slowly(np.array(PAGES, dtype=np.uint64), files, nofollow=True))
    arrays = [graph.local_ids, graph.indptr, graph.indices, graph.out_degree]
    assert all(any(array is one for one in made) for array in arrays)
