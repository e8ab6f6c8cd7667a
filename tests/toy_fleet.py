"""A fleet on the toy web in one process, without network: shards whose records go by a wire that fails."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from crawler.durable.journals import open_readers
from crawler.durable.page_state import PageState
from crawler.durable.sealing import BacklogMeter
from crawler.fleet.owners import HOST, Owners
from crawler.frontier.policy import CommitPolicy, FrontierPolicy
from crawler.frontier.shards.moves import moved_hosts
from crawler.frontier.shards.store_hand_overs import Membership
from crawler.frontier.store.crawl_store import CrawlStore
from crawler.urls import page_key
from crawler.webgraph.graph import Graph
from crawler.webgraph.pages.table import PageTable
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.shards import LOG, ShardSealer
from tests.toy_crawl import SEEDS, answer, fill


class Blocks:
    """Leases of HostIDs, shared by all shards."""

    def __init__(self):
        self.owners = []

    def of(self, shard):
        return _BlocksOf(self, shard)


class _BlocksOf:
    def __init__(self, all_blocks, shard):
        self.all, self.shard = all_blocks, shard

    def blocks(self):
        return [block for block, owner in enumerate(self.all.owners) if owner == self.shard]

    def lease(self):
        self.all.owners.append(self.shard)
        return len(self.all.owners) - 1


class Wire:
    """Carries records between shards; loses and doubles some, as *rng* has it."""

    def __init__(self, rng=None):
        self.rng = rng
        self.records, self.acks, self.lost = defaultdict(list), defaultdict(dict), defaultdict(set)

    def of(self, shard):
        return _WireOf(self, shard)


class _WireOf:
    def __init__(self, wire, shard):
        self.wire, self.shard = wire, shard

    def send(self, sent):
        rng = self.wire.rng
        if rng is not None and rng.random() < 0.2:
            self.wire.lost[self.shard].add(sent.owner)
            return
        twice = rng is not None and rng.random() < 0.2
        self.wire.records[sent.owner] += [sent] * (1 + twice)

    def has_news(self):
        return any(
            self.shard in each for each in (self.wire.records, self.wire.acks, self.wire.lost)
        )

    def received(self):
        return self.wire.records.pop(self.shard, [])

    def acknowledge(self, source, number):
        if self.wire.rng is not None and self.wire.rng.random() < 0.2:
            self.wire.lost[source].add(self.shard)
            return
        acks = self.wire.acks[source]
        acks[self.shard] = max(number, acks.get(self.shard, 0))

    def acknowledged(self):
        return self.wire.acks.pop(self.shard, {})

    def was_lost(self):
        return self.wire.lost.pop(self.shard, set())


class ToyFleet:
    """The stores of *n* shards into one folder."""

    def __init__(self, folder, n, *, rng=None, **policy):
        self.folder, self.n, self.policy = Path(folder), n, policy
        self.blocks, self.wire = Blocks(), Wire(rng)
        self.stores = {}
        self.gone = set()
        self.awaited = {}  # of shards that come late, or of all once one is lost
        for shard in range(n):
            self.open(shard)

    @property
    def shards(self):
        return [shard for shard in range(self.n) if shard not in self.gone]

    def open(self, shard):
        """Open a store, which may have been left as a crash would leave it."""
        if shard in self.stores:
            self.stores[shard].journal.close()
            for other in self.shards:
                self.wire.lost[other].add(shard)
            self.wire.records.pop(shard, None)
            self.wire.acks.pop(shard, None)
        member = Membership(
            Owners(shard, self.shards, divide_by=HOST),  # the toy web is one domain
            self.blocks.of(shard),
            self.wire.of(shard),
            self.awaited.get(shard, ()),
        )
        commit = CommitPolicy(
            group_pages=7, seal_rows=1, seal_bytes=2000, seal_pages=40, snapshot_pages=60
        )
        policy = FrontierPolicy(**{"host_delay_secs": 0.5, **self.policy})
        store = CrawlStore(self.folder, policy=policy, commit=commit, member=member)
        store.sealers.append(ShardSealer(self.folder, rows=20, n_bytes=2**20))
        self.stores[shard] = store
        store.hand_overs.send()
        return store

    def seed(self, seeds=tuple(SEEDS)):
        for store in self.stores.values():
            store.add_seeds(seeds)

    def crawl(self, *, web=answer, crash=lambda leased: None, max_steps=100_000):
        """Crawl until no shard has anything to do; return the URLs in the order of leases."""
        now, leased = 0.0, []
        for _ in range(max_steps):
            worked = False
            for shard in self.shards:
                if shard in self.gone:
                    continue  # since the last page
                store = self.stores[shard]
                store.tick(now)
                lease = store.next_page(now)
                if lease is not None:
                    worked = True
                    leased.append(lease.url)
                    capture = store.open_capture(lease)
                    fill(capture, web(page_key(lease.url)))
                    store.finish(capture, now)
                    if (dead := crash(leased)) is not None:
                        self.open(dead)
            if worked:
                continue
            for store in self.stores.values():
                store.flush()
            waits = [store.next_due(now) for store in self.stores.values()]
            waits = [wait for wait in waits if wait is not None]
            if not waits:
                if any(store.hand_overs.n_out for store in self.stores.values()):
                    continue
                return leased
            now += min(waits) + 1e-6
        raise AssertionError("the crawl has no end")

    def close(self):
        for store in self.stores.values():
            store.close()


def fleet_picture(folder):
    """Return what the corpus in *folder* holds, by URL, as `tests.toy_crawl.picture` does."""
    corpus = Corpus.open(folder)
    with Graph.open(folder) as graph:
        ids = graph.pages()
        urls = dict(zip(ids.tolist(), graph.urls(ids), strict=True))
        assert len(set(urls)) == len(urls) == len(set(urls.values()))
        sources, targets, flags = (row.tolist() for row in graph.arcs())
        arcs = Counter(
            (urls[source], urls[target], flag)
            for source, target, flag in zip(sources, targets, flags, strict=True)
        )
        captured = sorted(urls[source] for source in graph.captured().tolist())
        host_graph = graph.host_graph()
        pairs = {
            (urls[source], urls[target]) for source, target in zip(sources, targets, strict=True)
        }
        from_numbers, to_numbers = host_graph.arcs()
        packed = host_graph.packed
        assert pairs == {
            (urls[source], urls[target])
            for source, target in zip(
                packed[from_numbers].tolist(), packed[to_numbers].tolist(), strict=True
            )
        }
        degrees = Counter(source for source, _ in pairs)
        assert host_graph.out_degree.tolist() == [degrees[urls[page]] for page in packed.tolist()]
    return {
        "arcs": arcs,
        "captured": captured,
        "states": page_states(folder, list(urls.values())),
        "documents": Counter((row["url"], row["text"]) for row in corpus.documents()),
        "rejected": Counter((row["url"], row["reason"]) for row in corpus.rejected()),
    }


def waiting_rows(folder):
    """Return the rows that wait in each journal of *folder* to be sealed."""
    rows = []
    with open_readers(Path(folder)) as journals:
        for journal in journals:
            with journal.read() as txn:
                rows.append(BacklogMeter(LOG).measure(txn).rows)
    return rows


def page_states(folder, urls):
    """Return the names of the states of *urls*, each known to one journal alone."""
    states = {}
    with open_readers(Path(folder)) as journals:
        for journal in journals:
            with journal.read() as txn:
                found = PageTable(txn).find([page_key(url) for url in urls])
                gone = moved_hosts(txn)
            for url, known, page_id, state in zip(
                urls, found.known, found.ids, found.states, strict=True
            ):
                if known and int(page_id) >> 32 not in gone:
                    assert url not in states
                    states[url] = PageState(int(state)).name
    return states
