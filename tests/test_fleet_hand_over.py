from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.journal import Journal
from crawler.durable.records import unpack_record
from crawler.errors import FormatError
from crawler.fleet.hand_over import (
    Links,
    delete_out,
    last_out,
    last_taken,
    pack_links,
    put_out,
    put_taken,
    read_out,
)
from crawler.fleet.hand_over import (
    links_of as links_in,
)
from crawler.urls import PageKey

KEYS = st.builds(
    PageKey,
    st.sampled_from(["com.a", "com.b", "org.ü", "org.\udc80"]),
    st.text(max_size=5).map(lambda text: f"0/{text}"),
)
COUNTS = st.lists(st.integers(0, 4), min_size=1, max_size=5)


def links_of(counts, keys, *, priorities, categories=None):
    n = len(keys)
    return Links(
        np.arange(len(counts), dtype=np.uint64) << np.uint64(32),
        np.arange(len(counts), dtype=np.int64) - 1,
        np.array(counts, dtype=np.uint32),
        keys,
        np.arange(n, dtype=np.uint16),
        np.arange(n, dtype=np.uint8),
        np.arange(n, dtype=np.float32) if priorities else None,
        categories or {},
    )


@given(COUNTS, st.data(), st.booleans())
def test_links_come_back(counts, data, priorities):
    n = sum(counts)
    categories = data.draw(
        st.sampled_from([{}, {"org.\udc80": ["Top/Ü", "Top/B"], "com.a": ["T"]}])
    )
    keys = data.draw(st.lists(KEYS, min_size=n, max_size=n))
    links = links_of(counts, keys, priorities=priorities, categories=categories)
    again = links_in(unpack_record(pack_links(links)))
    assert again.categories == categories
    for ours, its in zip(links, again, strict=True):
        assert its is None or list(ours) == list(its)
    assert (again.priorities is None) == (not priorities or n < 2)  # without any but 0


def test_damaged_links():
    record = pack_links(
        links_of([2, 0], [PageKey("com.a", "0/"), PageKey("com.b", "0/")], priorities=True)
    )
    whole = unpack_record(record)
    for name, value in (
        ("wishes", b"\0\0"),
        ("counts", whole["counts"][:4]),
        ("host_of", b"\7\0\0\0\0\0\0\0"),
        ("locals", b"0/\xff"),
        ("locals", b"0/\xc3\xff\xa9\xff"),
        ("sources", b"\0"),
        ("priorities", b"\0\0\0\0"),
        ("categories", [b"com.a"]),
        ("categories", [["com.a", [b"Top"]]]),
        ("categories", [[b"com.a", [b"\xc3"]]]),
    ):
        with pytest.raises(FormatError, match="handed over are damaged"):
            links_in({**whole, name: value})
    del whole["flags"]
    with pytest.raises(FormatError, match="handed over are damaged"):
        links_in(whole)


def test_the_tables_of_the_journal(tmp_path):
    journal = Journal.open_writer(tmp_path)

    def work(txn):
        for owner, record in ((2, b"a"), (3, b"b"), (2, b"c"), (2, b"d")):
            put_out(txn, owner, record)
        delete_out(txn, 2, 2)
        put_taken(txn, 9, 41)

    journal.write(work)
    with journal.read() as txn:
        assert list(read_out(txn, 2, 0)) == [(3, b"d")]
        assert list(read_out(txn, 3, 0)) == [(1, b"b")]
        assert list(read_out(txn, 3, 2)) == []
        assert (last_out(txn, 2), last_out(txn, 4)) == (3, 0)
        assert (last_taken(txn, 9), last_taken(txn, 8)) == (41, 0)
    journal.close()
