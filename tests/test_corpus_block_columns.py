"""Blocks as columns: the same Arrow array, and the same dicts, as block by block."""

from __future__ import annotations

import dataclasses
import random
from datetime import UTC, datetime
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.records import pack_record, unpack_record
from crawler.items import Page
from crawler.page import build_page
from crawler.page.numbered_labels import NumberedLabels
from pipelines.boilerplate.labels import labels_of
from pipelines.corpus.block_columns import BLOCKS, block_array, pack_blocks, unpack_blocks
from pipelines.corpus.rows import block_rows

PARTS = st.lists(
    st.sampled_from(
        ["<p>Ein Satz.", "<h2>Größe", "<li>a <a href=/x>link</a>", "<td>日本語 text", "<pre>a\nb\n"]
    ),
    max_size=6,
)


def cleaned(parts, rng):
    """(blocks, kept, labels, segments) of the page of *parts*, with labels and segments made up."""
    blocks = build_page(
        "".join(parts).encode(), url="http://a.com/", content_type="text/html"
    ).blocks
    n = len(blocks)
    kept = np.array([rng.random() < 0.5 for _ in range(n)], dtype=np.bool_)
    labels = [rng.choice(["content", "boilerplate", "near good"]) for _ in range(n)]
    segments = np.array([rng.randrange(5) for _ in range(n)], dtype=np.uint32)
    return blocks, kept, labels, segments if rng.random() < 0.5 else None


@given(pages=st.lists(PARTS, max_size=4), rng=st.randoms())
def test_columns_hold_what_dicts_hold(pages, rng):
    found = [cleaned(parts, rng) for parts in pages]
    expected = pa.array([block_rows(*page) for page in found], BLOCKS)
    packed = unpack_record(pack_record([pack_blocks(*page) for page in found], len(found)))
    assert block_array(packed).equals(expected)
    assert [unpack_blocks(columns) for columns in packed] == expected.to_pylist()
    mixed = [*packed, None, *expected.to_pylist()]
    assert block_array(mixed).to_pylist() == [*expected.to_pylist(), None, *expected.to_pylist()]


def test_rows_as_earlier_releases_packed_them():
    parts = ["<p>one", "<ul><li>two<li>three</ul>", "<h2>four</h2>", "<p>five"]
    blocks, kept, labels, segments = cleaned(parts, random.Random(1))
    packed = pack_blocks(blocks, kept, labels, segments)
    earlier = {**packed, "paths": blocks.paths.strings, "kinds": blocks.paths.kinds}
    del earlier["kind"]
    assert earlier["kinds"] != packed["kinds"]
    assert block_array([earlier, packed, earlier]).equals(block_array([packed] * 3))


@pytest.mark.parametrize("damage", [{"text": b"one\n"}, {"text": b"a\nb\nc\nd"}, {"paths": b""}])
def test_texts_of_a_damaged_number_are_told(damage):
    blocks = build_page(b"<p>one<p>two", url="http://a.com/", content_type="text/html").blocks
    packed = pack_blocks(blocks, np.ones(2, dtype=np.bool_), ["content"] * 2)
    with pytest.raises(ValueError, match="lines of"):
        block_array([{**packed, **damage}])


@given(st.lists(st.integers(0, 2), max_size=9))
def test_labels_by_number_are_a_list_of_labels(numbers):
    names = ("boilerplate", "content", "comment")
    listed = [names[number] for number in numbers]
    labels = NumberedLabels(names, np.array(numbers, np.uint8))
    assert labels == listed
    assert repr(labels) == repr(listed)
    assert labels[1:] == listed[1:]
    assert [*labels, *labels[-1:]] == [*listed, *listed[-1:]]
    body = "".join(f"<p>{number}" for number in numbers).encode()
    blocks = build_page(body, url="http://a.com/", content_type="text/html").blocks
    kept = np.zeros(len(blocks), dtype=np.bool_)
    packed = [pack_blocks(blocks, kept, of) for of in (labels, listed)]
    assert block_array(packed[:1]).equals(block_array(packed[1:]))


def test_labels_stay_what_they_were_when_blocks_are_left_out():
    kept = np.array([True, False])
    labels = labels_of(kept)
    kept[0] = False
    assert labels.label == ["content", "boilerplate"]


def test_lengths_must_agree():
    blocks = build_page(b"<p>one<p>two", url="http://a.com/", content_type="text/html").blocks
    with pytest.raises(ValueError, match="2 blocks, 1 kept or not"):
        pack_blocks(blocks, np.ones(1, dtype=np.bool_), ["content"] * 2)


def test_blocks_of_an_item_are_made_once_when_asked_for():
    page = Page(1, 2, "http://a.com/", "a.com", datetime(2026, 1, 1, tzinfo=UTC), 200)
    made = []
    page.make_blocks(partial(made.append, 1))
    assert made == []
    page.make_blocks(lambda: made.append(1) or [{"text": "a"}])
    assert page.blocks is page.blocks
    assert made == [1]
    assert dataclasses.asdict(page)["blocks"] == [{"text": "a"}]
    with pytest.raises(AttributeError, match="nonsense"):
        _ = page.nonsense
