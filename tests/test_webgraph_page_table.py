from __future__ import annotations

import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.durable.journal import Journal, next_number
from crawler.urls import PageKey
from crawler.webgraph.hosts.rows import HostBatch, read_categories, scan_hosts
from crawler.webgraph.pages.sealer import PageSealer
from crawler.webgraph.pages.snapshot import FILE
from crawler.webgraph.pages.table import PageTable, page_memory
from crawler.webgraph.prints.audit import AUDIT_EVERY
from crawler.webgraph.prints.text_prints import text_prints
from crawler.webgraph.texts import texts_of
from tests.benchmarks.made_urls import MadeWeb
from tests.conftest import start_python

KEYS = st.builds(
    PageKey,
    st.sampled_from(["com.a", "com.b", "org.c:8080", "127.0.0.1"]) | st.text("xy.", min_size=1),
    st.text(max_size=3).map(lambda text: f"0/{text}"),
)


def add(journal, keys):
    def work(txn):
        hosts = HostBatch(txn)
        table = PageTable(txn, hosts)
        ids, is_new = table.ids(keys)
        table.write_log(next_number(txn, "sequence"))
        hosts.write()
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


def check(folder, model):
    """Compare the table of *folder*, loaded anew, with *model*."""
    journal = Journal.open_reader(folder)
    with journal.read() as txn:
        table = PageTable(txn)
        keys = [*model.ids, PageKey("never", "0/seen"), PageKey("com.a", "0/never seen")]
        found = table.find(keys)
        assert found.known.tolist() == [True] * len(model.ids) + [False] * 2
        assert found.ids.tolist()[:-2] == list(model.ids.values())
        assert [table.find_one(key) for key in keys] == [*model.ids.values(), None, None]
        ids = np.array(list(model.ids.values()), dtype=np.uint64)
        assert table.keys_of(ids) == list(model.ids)
        order = np.random.default_rng(len(ids)).permutation(len(ids))
        with journal.read() as again:
            texts = table.memory.gather(again, ids[order])
        names = table.memory.hosts.gather((ids[order] >> np.uint64(32)).astype(np.int64))
        there = list(
            zip(map(names.text, range(len(ids))), map(texts.text, range(len(ids))), strict=True)
        )
        assert there == [list(model.ids)[place] for place in order.tolist()]
        assert {key: number for number, key in scan_hosts(txn)} == {
            host: number for host, (number, _) in model.hosts.items()
        }
    journal.close()


@given(
    st.lists(st.lists(KEYS, max_size=12), max_size=6), st.integers(1, 30), st.sampled_from([1, 99])
)
def test_as_a_dict(tmp_path_factory, batches, seal_pages, thread_pages):
    folder = tmp_path_factory.mktemp("journal")
    journal, model = Journal.open_writer(folder), Model()
    sealer = PageSealer(journal, n_pages=seal_pages, snapshot_pages=5, thread_pages=thread_pages)
    for batch in batches:
        assert list(add(journal, batch)) == model.add(batch)
        sealer(journal)
    journal.close()
    check(folder, model)
    (folder / FILE).unlink(missing_ok=True)
    check(folder, model)


@pytest.mark.parametrize("thread_pages", [1, 99])
def test_a_reader_keeps_up(tmp_path, thread_pages):
    """A table in another process is brought up to date, over seals too."""
    code = (
        "import sys; from pathlib import Path; from crawler.durable.journal import Journal\n"
        "from crawler.urls import PageKey; from crawler.webgraph.pages.table import PageTable\n"
        "journal = Journal.open_reader(Path(sys.argv[1]))\n"
        "for line in sys.stdin:\n"
        "    with journal.read() as txn:\n"
        "        print(PageTable(txn).find_one(PageKey('com.a', '0/' + line.strip())), flush=True)\n"
    )
    journal = Journal.open_writer(tmp_path)
    sealer = PageSealer(journal, n_pages=2, snapshot_pages=4, thread_pages=thread_pages)
    with start_python("-c", code, tmp_path) as reader:
        for number in range(9):
            add(journal, [PageKey("com.a", f"0/{number}")])
            sealer(journal)
            if number % 3 != 1:
                reader.stdin.write(f"{number}\n")
                reader.stdin.flush()
                assert int(reader.stdout.readline()) == number
        reader.stdin.close()
    journal.close()


def test_pages_found_while_a_run_is_packed(tmp_path):
    """They and their hosts stay in the log, and are in the next run."""
    web, journal, model = MadeWeb(50), Journal.open_writer(tmp_path), Model()
    sealer = PageSealer(journal, n_pages=500, snapshot_pages=10**6, thread_pages=1)
    for _ in range(3):
        keys = web.new_keys(700)
        model.add(keys)
        add(journal, keys)
        sealer(journal)
        later = [*web.new_keys(200), PageKey(f"org.{len(model.ids)}", "0/")]
        model.add(later)
        add(journal, later)
        sealer(journal, force=True)
        with journal.read() as txn:
            memory = page_memory(txn)
            assert memory.n_pages == len(model.ids)
            assert txn.n_rows("disc") == (memory.tail.n > 0)
        check(tmp_path, model)
    assert len(memory.runs) >= 3
    journal.close()
    check(tmp_path, model)


@pytest.mark.parametrize("damage", [b"", b"\xff" * 100, None], ids=["empty", "cut", "none"])
def test_a_snapshot_only_saves_time(tmp_path, damage):
    journal, model = Journal.open_writer(tmp_path), Model()
    sealer = PageSealer(journal, n_pages=30, snapshot_pages=40, thread_pages=99)
    for number in range(50):
        batch = [PageKey(f"com.h{number % 7}", f"0/{number * 2 + k}") for k in range(2)]
        assert list(add(journal, batch)) == model.add(batch)
        sealer(journal)
    journal.close()
    file = tmp_path / FILE
    assert file.exists()
    if damage is not None:
        file.write_bytes(damage if not damage else file.read_bytes()[:-200] + damage)
    journal = Journal.open_writer(tmp_path)
    with journal.read() as txn:
        assert page_memory(txn).is_of_snapshot == (damage is None)
    more = [PageKey("com.h3", "0/more"), PageKey("com.new", "0/")]
    assert list(add(journal, more)) == model.add(more)
    journal.close()
    check(tmp_path, model)


def test_a_snapshot_of_an_older_journal_is_not_taken(tmp_path):
    journal, model = Journal.open_writer(tmp_path / "a"), Model()
    batch = [PageKey("com.a", f"0/{number}") for number in range(9)]
    assert list(add(journal, batch)) == model.add(batch)
    (tmp_path / "b").mkdir()
    journal.copy(tmp_path / "b")
    add(journal, [PageKey("com.a", f"0/{number}") for number in range(20)])
    PageSealer(journal, n_pages=99, snapshot_pages=1, thread_pages=99)(journal)
    journal.close()
    shutil.copy(tmp_path / "a" / FILE, tmp_path / "b" / FILE)
    check(tmp_path / "b", model)


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


def test_categories_are_united(tmp_path):
    journal = Journal.open_writer(tmp_path)

    def work(txn, *categories):
        hosts = HostBatch(txn)
        hosts.add_categories(0, set(categories))
        hosts.write()

    journal.write(lambda txn: work(txn, "Top/B", "Top/A"))
    journal.write(lambda txn: work(txn, "Top/C"))
    with journal.read() as txn:
        assert read_categories(txn, 0) == ("Top/A", "Top/B", "Top/C")
        assert read_categories(txn, 1) == ()
    journal.close()


def test_bytes_of_a_page(tmp_path):
    """What the benchmark measures at size, at a small one: memory, the log, and sealed runs."""
    journal, web = Journal.open_writer(tmp_path), MadeWeb(400)
    sealer = PageSealer(journal, n_pages=20_000, snapshot_pages=10**9, thread_pages=10**9)
    for _ in range(8):
        add(journal, web.new_keys(5_000))
        sealer(journal)
    with journal.read() as txn:
        memory = page_memory(txn)
        assert (memory.runs.n_pages, memory.tail.n) == (40_000, 0)
        assert memory.n_bytes / memory.n_pages < 25
        assert sum(txn.n_bytes(table) for table in ("disc", "runs", "texts")) / 40_000 < 32
    journal.close()


def test_hits_are_held_against_the_text(tmp_path):
    """A key whose fingerprint leads to another page is found out; so are keys that come by."""
    journal = Journal.open_writer(tmp_path)
    first, other = PageKey("com.a", "0/first"), PageKey("com.a", "0/other")
    add(journal, [first])
    with journal.read() as txn:
        table = PageTable(txn)
        prints = text_prints(texts_of([other.local]), np.zeros(1, dtype=np.uint32))
        table.memory.table.put(prints, np.zeros(1, dtype=np.uint32))
        assert table.audit([first, other, PageKey("com.a", "0/new")]) == [other]
        audit = table.memory.audit
        assert (audit.n_checked, audit.n_wrong) == (2, 1)
    for _ in range(AUDIT_EVERY):
        add(journal, [first, other])
    assert (audit.n_checked, audit.n_wrong) == (4, 2)
    journal.close()
