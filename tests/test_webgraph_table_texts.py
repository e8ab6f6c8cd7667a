"""Hosts, texts, blocks and records of the page table, each beside an obvious version."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.page_state import PageState
from crawler.errors import FormatError
from crawler.webgraph.block_texts import block_rows, gather_texts
from crawler.webgraph.hosts.names import UNKNOWN_HOST, HostNames
from crawler.webgraph.pages.blocks import (
    BLOCK_PAGES,
    GROUP_BLOCKS,
    GROUP_PAGES,
    block_frames,
    pack_groups,
    read_block,
    read_group,
)
from crawler.webgraph.pages.discoveries import (
    Discoveries,
    id_runs,
    pack_discoveries,
    run_ids,
    unpack_discoveries,
)
from crawler.webgraph.pages.tail import PageTail
from crawler.webgraph.prints.kernels import FAR
from crawler.webgraph.prints.table import PrintTable
from crawler.webgraph.prints.text_prints import fill_prints, text_prints
from crawler.webgraph.texts import (
    concatenated,
    joined_texts,
    split_texts,
    text_at,
    texts_of,
    texts_of_pairs,
)

TEXT = st.text(max_size=8) | st.text("\ud800\udfffa/é", max_size=4)


def u64(values):
    return np.array(list(values), dtype=np.uint64)


# --- hosts, texts -------------------------------------------------------------------------------


def test_hosts():
    hosts = HostNames()
    assert hosts.ids(texts_of(["com.a", "com.b", "com.a", "com.a"]), add=True).tolist() == [
        0,
        1,
        0,
        0,
    ]
    assert hosts.find("com.c") is None
    assert hosts.ids(texts_of(["com.b", "com.b", "com.c"])).tolist() == [1, 1, UNKNOWN_HOST]
    assert hosts.ids(texts_of(["com.ü", "com.b"]), add=True).tolist() == [2, 1]
    assert [hosts.key(number) for number in range(3)] == ["com.a", "com.b", "com.ü"]
    hosts.truncate(1)
    assert (len(hosts), hosts.find("com.b"), hosts.find("com.a")) == (1, None, 0)
    assert hosts.add(["com.c"]) == [1]
    with pytest.raises(KeyError):
        hosts.key(2)


@given(st.lists(st.lists(st.sampled_from(["", "com.a", "com.b", "com.a.www", "ÿ"]) | TEXT)))
def test_host_ids_as_a_dict(batches):
    hosts, model = HostNames(), {}
    for number, batch in enumerate(batches):
        texts = texts_of(batch)
        assert hosts.ids(texts).tolist() == [model.get(key, UNKNOWN_HOST) for key in batch]
        if number % 2:
            for key in batch:
                model.setdefault(key, len(model))
            assert hosts.ids(texts, add=True).tolist() == [model[key] for key in batch]
        assert {key: hosts.find(key) for key in batch} == {key: model.get(key) for key in batch}


def test_hosts_with_numbers_beyond_the_slots():
    table, prints = PrintTable(), text_prints(texts_of(["a", "b"]), np.zeros(2, dtype=np.uint32))
    table.put(prints, np.array([7, FAR + 5], dtype=np.uint32))
    assert table.find_texts(texts_of(["a", "a", "b", "b", "c"])).tolist() == [
        7,
        7,
        *[FAR + 5] * 2,
        -1,
    ]


@given(st.lists(st.tuples(TEXT | st.sampled_from(["", "ÿ", "é"]), TEXT)))
def test_pairs_come_back(pairs):
    firsts, seconds = texts_of_pairs(pairs)
    assert [firsts.text(i) for i in range(len(firsts))] == [first for first, _ in pairs]
    assert [seconds.text(i) for i in range(len(seconds))] == [second for _, second in pairs]


@given(st.lists(TEXT), st.data())
def test_texts_come_back(strings, data):
    texts = texts_of(strings)
    assert [texts.text(i) for i in range(len(texts))] == strings == texts.strings()
    order = data.draw(st.permutations(range(len(strings))))
    joined = joined_texts(texts, np.array(order, dtype=np.int64))
    split = split_texts(joined)
    assert [split.text(i) for i in range(len(split))] == [strings[i] for i in order]
    assert split.strings() == [strings[i] for i in order]
    seeds, prints = np.arange(len(split), dtype=np.uint32), np.zeros(len(split), dtype=np.uint64)
    assert fill_prints(joined + b"more", seeds, prints) == len(split)
    assert prints.tolist() == text_prints(split, seeds).tolist()
    assert fill_prints(joined, seeds[:1], prints[:1]) == len(split)
    assert [text_at(joined, i) for i in range(len(split))] == joined.split(b"\xff")[:-1]
    with pytest.raises(IndexError):
        text_at(joined + b"more", len(split))
    both = concatenated([texts, split])
    assert [both.text(i) for i in range(len(both))] == [*strings, *(strings[i] for i in order)]


@pytest.mark.parametrize("n", [1, BLOCK_PAGES, BLOCK_PAGES + 1, GROUP_PAGES + 130])
def test_blocks(n):
    strings = [f"0/page/{number}" * (number % 3) for number in range(n)]
    groups = pack_groups(texts_of(strings), np.arange(n))
    assert len(groups) == -(-n // GROUP_PAGES)
    plain = [split_texts(read_group(group)) for group in groups]
    assert [part.text(i) for part in plain for i in range(len(part))] == strings
    for number in {0, n // 2, n - 1}:
        raw = read_block(groups[number // GROUP_PAGES], number % GROUP_PAGES // BLOCK_PAGES)
        block = raw.split(b"\xff")
        assert block[number % BLOCK_PAGES] == strings[number].encode()
    numbers = np.arange(n - 1, -1, -BLOCK_PAGES)
    blocks, rows = block_rows(numbers, BLOCK_PAGES)
    frames = block_frames(groups, blocks // GROUP_BLOCKS, blocks % GROUP_BLOCKS)
    texts = gather_texts(frames, rows)
    assert [texts.text(i) for i in range(len(texts))] == [strings[i] for i in numbers.tolist()]


@pytest.mark.parametrize("damage", [lambda g: g[:5], lambda g: g[:-9], lambda g: g[:-1] + b"?"])
def test_a_damaged_block(damage):
    group = damage(pack_groups(texts_of(["0/a", "0/b"] * 99), np.arange(198))[0])
    with pytest.raises(FormatError, match="is damaged"):
        read_group(group)


@pytest.mark.parametrize("damage", [lambda g: g[:5], lambda g: g[:-9], lambda g: g[:8] + bytes(99)])
def test_a_damaged_block_among_others(damage):
    whole = pack_groups(texts_of(["0/a", "0/b"] * 99), np.arange(198))[0]
    wanted = np.array([0, 1]), np.array([1, 1])
    with pytest.raises(FormatError, match="lengths"):
        block_frames([whole, damage(whole)], *wanted)
    with pytest.raises(FormatError, match="lengths"):
        block_frames([whole, whole], np.array([0, 1]), np.array([1, 2]))


def test_the_tail():
    rng, tail, model = random.Random(6), PageTail(), {}
    for _ in range(30):
        new = {rng.randrange(2**40): f"0/{rng.randrange(99)}" for _ in range(rng.randrange(9))}
        new = {page_id: text for page_id, text in new.items() if page_id not in model}
        tail.add(
            u64(new), split_texts(joined_texts(texts_of(list(new.values())), np.arange(len(new))))
        )
        model |= new
        assert tail.find(u64([*model, 2**50])).tolist() == [*range(len(model)), -1]
        for page_id, text in model.items():
            assert tail.text(tail.find_one(page_id)) == text
        if rng.random() < 0.3:
            n = rng.randrange(len(model) + 1)
            tail.drop(n)
            model = dict(list(model.items())[n:])
    assert tail.find_one(2**50) == -1


# --- records ------------------------------------------------------------------------------------


@given(st.sets(st.integers(0, 2**40) | st.integers(0, 50)))
def test_runs_of_ids(ids):
    ordered = u64(sorted(ids))
    runs = id_runs(ordered)
    assert run_ids(runs).tolist() == ordered.tolist()
    assert int(runs[2].sum()) == len(ids)


@given(st.sets(st.integers(0, 2**40)), st.booleans(), st.lists(TEXT))
def test_discoveries_come_back(ids, levels, hosts):
    ordered = u64(sorted(ids))
    texts = [f"0/{number}" for number in range(len(ids))]
    found = Discoveries(
        np.arange(7, 7 + len(hosts), dtype=np.uint32)[::-1],
        texts_of(hosts),
        ordered,
        id_runs(ordered),
        (ordered % np.uint64(2**16)).astype(np.uint16),
        (ordered % np.uint64(256)).astype(np.uint8) if levels else None,
        split_texts(joined_texts(texts_of(texts), np.arange(len(texts)))),
    )
    again, last = unpack_discoveries(pack_discoveries(found))
    assert (last, again.host_ids.tolist()) == (0, found.host_ids.tolist())
    assert [again.hosts.text(i) for i in range(len(hosts))] == hosts
    assert [again.locals.text(i) for i in range(len(texts))] == texts
    assert again.ids.tolist() == ordered.tolist()
    assert again.heads.tolist() == found.heads.tolist()
    assert again.runs.tolist() == found.runs.tolist()
    assert (again.levels is not None) == levels
    sealed, last = unpack_discoveries(pack_discoveries(found, last=9))
    assert (last, len(sealed.locals), len(sealed.ids)) == (9, 0, len(ids))


def test_states_fit_their_bits():
    assert max(PageState) < 2**3
