"""Fingerprints, their table and the heads of hosts, each beside an obvious version."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import xxhash

from crawler.errors import InputError
from crawler.webgraph.address_space import check_room, reserve
from crawler.webgraph.hosts.extents import HostExtents
from crawler.webgraph.prints.table import N_SUBTABLES, PrintTable
from crawler.webgraph.prints.text_prints import text_prints
from crawler.webgraph.texts import (
    Texts,
)

ROOT = Path(__file__).parent.parent


def u64(values):
    return np.array(list(values), dtype=np.uint64)


# --- fingerprints -------------------------------------------------------------------------------


def test_prints_are_xxh64():
    rng = random.Random(1)
    sizes = [*range(70), 200, 2_000]
    raw = [rng.randbytes(size) for size in sizes for _ in range(3)]
    seeds = np.array([rng.randrange(2**32) for _ in raw], dtype=np.uint32)
    ends = np.cumsum([len(text) for text in raw])
    data = np.frombuffer(b"".join(raw), dtype=np.uint8)
    texts = Texts(data, np.append(0, ends[:-1]), ends)
    expected = [
        xxhash.xxh64_intdigest(text, int(s)) or 1 for text, s in zip(raw, seeds, strict=True)
    ]
    assert text_prints(texts, seeds).tolist() == expected


# --- the table ----------------------------------------------------------------------------------

ANYWHERE = (1, 2**64 - 1)
ONE_SUBTABLE = (2**40, 2**40 + 5_000)  # all of one home place: the worst that an attacker can do


def assert_loads_and_replays(table, model, reserved):
    copy = PrintTable(reserved_slots=reserved)
    for sub in range(N_SUBTABLES):
        copy.load(sub, table.dump(sub))
    assert copy.find(u64(model)).tolist() == list(model.values())
    replayed = PrintTable(reserved_slots=reserved)
    replayed.expect(len(model) // 2)
    for part in (list(model)[::2], list(model)):
        was_there = replayed.find(u64(part)) >= 0
        is_new = replayed.put(u64(part), np.array([model[p] for p in part], dtype=np.uint32))
        assert (is_new == ~was_there).all()
    assert replayed.find(u64(model)).tolist() == list(model.values())
    with pytest.raises(ValueError, match="has another number"):
        replayed.put(u64(model)[:1], np.array([2**31], dtype=np.uint32))


@pytest.mark.parametrize("bounds", [ANYWHERE, ONE_SUBTABLE])
@pytest.mark.parametrize("reserved", [2**20, 40_000])
def test_as_a_dict(bounds, reserved):
    rng = np.random.default_rng(4)
    table, counters = PrintTable(reserved_slots=reserved), np.zeros(3, dtype=np.uint32)
    model, numbers = {}, [0, 0, 0]
    for _ in range(8):
        prints = rng.integers(*bounds, 300, dtype=np.uint64)
        prints = np.concatenate([prints, prints[:20], u64(list(model)[:50])])
        groups = rng.integers(0, 3, len(prints)).astype(np.uint32)
        found, is_new = table.number(prints, groups, counters)
        for print_, group, number, new in zip(
            prints.tolist(), groups.tolist(), found.tolist(), is_new.tolist(), strict=True
        ):
            assert new == (print_ not in model)
            if new:
                model[print_] = numbers[group]
                numbers[group] += 1
            assert number == model[print_]
        gone = u64(random.Random(len(model)).sample(sorted(model), len(model) // 4))
        table.remove(np.append(gone, np.uint64(2**63 + 12345)))
        for print_ in gone.tolist():
            del model[print_]
        assert (table.find(gone) == -1).all()
        assert table.find(u64(model)).tolist() == list(model.values())
        assert [table.find_one(print_) for print_ in list(model)[:9]] == list(model.values())[:9]
        assert len(table) == len(model)
    assert_loads_and_replays(table, model, reserved)
    table.clear()
    assert len(table) == 0
    assert (table.find(u64(model)) == -1).all()


def test_numbers_that_slots_do_not_hold():
    """From 2^24 - 1 on, one host's pages: found, given in one batch with old ones, and forgotten."""
    first = 2**24 - 3
    table, counter = PrintTable(), np.array([first], dtype=np.uint32)
    prints = np.random.default_rng(2).integers(1, 2**64 - 1, 40, dtype=np.uint64)
    both = np.concatenate([prints, prints[::-1]])
    found, is_new = table.number(both, np.zeros(80, dtype=np.uint32), counter)
    expected = [*range(first, first + 40)]
    assert found.tolist() == expected + expected[::-1]
    assert is_new.tolist() == [True] * 40 + [False] * 40
    assert table.find(both).tolist() == found.tolist()
    assert [table.find_one(print_) for print_ in prints.tolist()] == expected
    assert len(table.far) == 38
    table.put(prints, np.array(expected, dtype=np.uint32))
    with pytest.raises(ValueError, match="has another number"):
        table.put(prints[-1:], np.array([2**24], dtype=np.uint32))
    table.remove(prints[30:])
    assert table.find(prints).tolist() == expected[:30] + [-1] * 10
    assert (len(table), len(table.far)) == (30, 28)


def test_bytes_of_an_entry():
    table, counter = PrintTable(), np.zeros(1, dtype=np.uint32)
    prints = np.random.default_rng(1).integers(1, 2**64 - 1, 800_000, dtype=np.uint64)
    seen = []
    for part in np.array_split(prints, 40):
        table.number(part, np.zeros(len(part), dtype=np.uint32), counter)
        seen.append(table.n_bytes / len(table))
    assert max(seen[30:]) < 13.2  # 10 bytes over 0.78, and a little in small sub-tables
    assert np.mean(seen[30:]) < 12.4


def test_no_room(tmp_path):
    array = reserve(2**60, np.uint8)  # as much as there is
    assert len(array) < 2**60
    with pytest.raises(InputError, match="the page table is full"):
        check_room(array[:10], 11)


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.urls import PageKey
store = CrawlStore(sys.argv[1])
assert store.add_seeds((PageKey("com.a", f"0/{n}"), ()) for n in range(30_000)).new == 30_000
store.close()
"""


@pytest.mark.slow
def test_a_process_with_little_address_space(tmp_path):
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "corpus")]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0


# --- heads --------------------------------------------------------------------------------------


def test_extents_as_a_dict():
    rng, extents, sizes, model = random.Random(3), HostExtents(), {}, {}
    for _ in range(400):
        ids = []
        for _ in range(rng.randrange(30)):
            host = min(60, int(rng.paretovariate(0.6)))
            ids.append(host << 32 | sizes.get(host, 0))
            sizes[host] = sizes.get(host, 0) + 1
        new = u64(ids)
        extents.reach(new)
        values = [rng.randrange(2**16) for _ in ids]
        extents.set(new, np.array(values, dtype=np.uint16))
        model.update(zip(ids, values, strict=True))
        assert extents.get(u64(model)).tolist() == list(model.values())
    assert extents.n_bytes < 5 * len(model)
