from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.durable.journal import Journal, next_number
from crawler.durable.page_state import PageState, pack_head, split_id
from crawler.urls import PageKey
from crawler.webgraph.host_rows import HostBatch, add_categories, read_categories, scan_hosts
from crawler.webgraph.page_table import PageTable
from crawler.webgraph.segments import unpack_found

KEYS = st.builds(
    PageKey,
    st.sampled_from(["com.a", "com.b", "org.c:8080", "127.0.0.1"]) | st.text("xy.", min_size=1),
    st.text(max_size=3).map(lambda text: f"0/{text}"),
)


def add(journal, keys, heads=None):
    def work(txn):
        hosts = HostBatch(txn)
        table = PageTable(txn, hosts)
        ids, is_new = table.ids(keys, heads)
        hosts.write()
        table.write_log(next_number(txn, "sequence"))
        return ids.tolist(), is_new.tolist()

    return journal.write(work)


class Model:
    """The page table as two dicts."""

    def __init__(self):
        self.ids = {}
        self.hosts = {}

    def add(self, keys):
        answer = []
        for key in keys:
            is_new = key not in self.ids
            if is_new:
                pages = self.hosts.setdefault(key.host, (len(self.hosts), []))
                self.ids[key] = pages[0] << 32 | len(pages[1])
                pages[1].append(key)
            answer.append((self.ids[key], is_new))
        return [list(column) for column in zip(*answer, strict=True)] or [[], []]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(KEYS, max_size=12), max_size=6))
def test_as_a_dict(tmp_path_factory, batches):
    folder = tmp_path_factory.mktemp("journal")
    journal, model = Journal.open_writer(folder), Model()
    for batch in batches:
        assert list(add(journal, batch)) == model.add(batch)
    journal.close()
    journal = Journal.open_reader(folder)
    with journal.read() as txn:
        table = PageTable(txn)
        keys = [*model.ids, PageKey("never", "0/seen")]
        found = table.find(keys)
        assert found.known.tolist() == [True] * len(model.ids) + [False]
        assert found.ids.tolist()[:-1] == list(model.ids.values())
        assert [table.find_one(key) for key in keys] == [*model.ids.values(), None]
        assert [table.key_of(page_id) for page_id in model.ids.values()] == list(model.ids)
        assert {row.key: row.host_id for row in scan_hosts(txn)} == {
            host: number for host, (number, _) in model.hosts.items()
        }
        replayed = [unpack_found(record) for _, record in txn.scan("disc")]
    journal.close()
    names = {number: host for found in replayed for number, host in found["hosts"]}
    assert {
        PageKey(names[split_id(page_id)[0]], local): page_id
        for found in replayed
        for page_id, local in zip(found["ids"].tolist(), found["locals"], strict=True)
    } == model.ids


def test_a_cut_transaction_gives_no_ids(tmp_path):
    journal = Journal.open_writer(tmp_path)
    add(journal, [PageKey("com.a", "0/1")])

    def cut(txn):
        hosts = HostBatch(txn)
        PageTable(txn, hosts).ids([PageKey("com.a", "0/2"), PageKey("com.b", "0/1")])
        hosts.write()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        journal.write(cut)
    assert add(journal, [PageKey("com.b", "0/9"), PageKey("com.a", "0/3")]) == (
        [1 << 32, 1],
        [True, True],
    )
    journal.close()


def test_long_and_odd_hosts(tmp_path):
    journal = Journal.open_writer(tmp_path)
    keys = [PageKey(f"com.{'x' * 600}{end}", "0/") for end in "ab"] + [PageKey("com.ü", "0/é")]
    ids, _ = add(journal, keys)
    assert ids == [0, 1 << 32, 2 << 32]
    assert add(journal, keys) == (ids, [False] * 3)
    with journal.read() as txn:
        assert [PageTable(txn).key_of(page_id) for page_id in ids] == keys
        with pytest.raises(KeyError):
            PageTable(txn).key_of(3 << 32)
    journal.close()


def test_new_pages_begin_with_their_head(tmp_path):
    journal = Journal.open_writer(tmp_path)
    keys = [PageKey("com.a", f"0/{number}") for number in range(3)]
    add(journal, keys[:1])
    heads = [pack_head(PageState.QUEUED, 1, 0)] * 3
    add(journal, keys, heads)
    with journal.read() as txn:
        states = PageTable(txn).find(keys).states.tolist()
    assert states == [PageState.KNOWN, PageState.QUEUED, PageState.QUEUED]
    journal.close()


def test_categories_are_united(tmp_path):
    journal = Journal.open_writer(tmp_path)
    journal.write(lambda txn: add_categories(txn, 0, {"Top/B", "Top/A"}))
    journal.write(lambda txn: add_categories(txn, 0, {"Top/C"}))
    with journal.read() as txn:
        assert read_categories(txn, 0) == ("Top/A", "Top/B", "Top/C")
        assert read_categories(txn, 1) == ()
    journal.close()


def test_disk_bytes_of_a_page(tmp_path):
    """The figure of the module: LMDB's pages of all tables but `meta`, a page of the web each."""
    rng = random.Random(1)
    journal = Journal.open_writer(tmp_path)
    for _ in range(40):
        keys = [
            PageKey(f"com.site{rng.randrange(200)}", f"0/{rng.getrandbits(160):040x}")
            for _ in range(1_000)
        ]
        add(journal, keys)
    with journal.read() as txn:
        tables = ("ids", "pages", "disc", "hosts", "host_rows")
        n_bytes = sum(txn.n_bytes(table) for table in tables)
    journal.close()
    assert n_bytes / 40_000 < 220
