from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.records import pack_record
from crawler.errors import FormatError
from crawler.page.links import LinkKind
from crawler.webgraph.arcs import arc_flags, pack_arcs, page_arcs, unpack_arcs
from crawler.webgraph.segments import latest_arcs

LINKS = st.lists(st.tuples(st.integers(0, 2**64 - 1) | st.integers(0, 3), st.integers(0, 31)))


def arcs_of(source, links):
    targets = np.array([target for target, _ in links], dtype=np.uint64)
    return page_arcs(source, targets, np.array([flag for _, flag in links], dtype=np.uint8))


def test_flags():
    kind = np.array([LinkKind.A, LinkKind.FEED, LinkKind.REDIRECT], dtype=np.uint8)
    flags = arc_flags(kind, np.array([True, False, False]))
    assert flags.tolist() == [1, LinkKind.FEED << 1, LinkKind.REDIRECT << 1]
    assert flags.dtype == np.uint8
    with pytest.raises(ValueError, match="kind must be at most 15, got 16"):
        arc_flags(np.array([16], dtype=np.uint8), np.array([False]))


@given(LINKS)
def test_a_page_s_arcs_are_a_set(links):
    arcs = arcs_of(7, links)
    assert list(zip(arcs.targets.tolist(), arcs.flags.tolist(), strict=True)) == sorted(set(links))


@given(st.lists(LINKS, min_size=1, max_size=5))
def test_a_record_comes_back(pages):
    batch = unpack_arcs(pack_arcs([arcs_of(source, page) for source, page in enumerate(pages)]))
    assert batch.sources.tolist() == list(range(len(pages)))
    assert batch.counts.tolist() == [len(set(page)) for page in pages]
    assert list(zip(batch.targets.tolist(), batch.flags.tolist(), strict=True)) == [
        arc for page in pages for arc in sorted(set(page))
    ]


@given(st.lists(st.lists(st.tuples(st.integers(0, 4), LINKS), min_size=1), max_size=5))
def test_the_latest_capture_counts(records):
    model = {source: sorted(set(links)) for record in records for source, links in record}
    batch = latest_arcs(
        [unpack_arcs(pack_arcs([arcs_of(*capture) for capture in record])) for record in records]
    )
    found, start = {}, 0
    for source, count in zip(batch.sources.tolist(), batch.counts.tolist(), strict=True):
        stop = start + count
        pairs = zip(
            batch.targets[start:stop].tolist(), batch.flags[start:stop].tolist(), strict=True
        )
        found[source], start = list(pairs), stop
    assert found == model


@pytest.mark.parametrize(
    "value",
    [
        {"sources": b"12345678"},
        {"sources": b"1", "counts": b"", "targets": b"", "flags": b""},
        {"sources": bytes(8), "counts": b"\1\0\0\0", "targets": b"", "flags": b""},
        ["not a map"],
    ],
)
def test_damage_is_named(value):
    with pytest.raises(FormatError, match="damaged"):
        unpack_arcs(pack_record(value, 1))
