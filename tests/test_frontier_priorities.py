"""Wishes and priorities of the frontier."""

from __future__ import annotations

import random

import numpy as np
import pytest

from crawler.durable.page_state import PageState
from crawler.frontier.hosts.ranked import RankedHosts
from crawler.frontier.leases import batches as lease_batches
from crawler.frontier.policy import FrontierPolicy
from crawler.frontier.priorities import ZERO_LEVEL, priority_levels
from crawler.frontier.wishes import settle, wish_heads
from crawler.urls import PageKey, page_key
from crawler.webgraph.pages.memory import PageMemory
from crawler.webgraph.texts import texts_of
from tests.page_heads import PageHead, pack_head, unpack_head
from tests.toy_crawl import Arrays, answer, crawl, open_store
from tests.toy_store import A, B, C, StoreMaker, fetch, recount


@pytest.fixture
def new_store(tmp_path):
    maker = StoreMaker(tmp_path / "corpus")
    yield maker
    maker.leave()


# --- wishes -------------------------------------------------------------------------------------


def slow_answer(head, depth, hops, follow, policy):
    """The rules of the module, one by one; None when nothing changes."""
    state = head.state
    if not follow:
        return None
    if policy.max_depth and depth > policy.max_depth:
        better = head.depth == 0 or depth < head.depth
        return PageHead(PageState.KNOWN, depth, hops) if state == 0 and better else None
    if hops > policy.max_redirects:
        never = state == PageState.KNOWN and head.depth == 0
        return PageHead(PageState.REFUSED, depth, hops) if never else None
    if state in (PageState.QUEUED, PageState.LATE):
        return PageHead(state, depth, hops) if depth < head.depth else None
    too_far = state == PageState.REFUSED and head.hops > policy.max_redirects
    return PageHead(PageState.QUEUED, depth, hops) if state == 0 or too_far else None


def test_depths_and_redirects_beyond_their_field_are_its_largest():
    wishes = np.array([10**6, 1]), np.array([1, 10**3]), np.ones(2, dtype=bool)
    found = wish_heads(*wishes, FrontierPolicy(max_depth=0, max_redirects=5))
    assert [unpack_head(head) for head in found.tolist()] == [
        PageHead(PageState.QUEUED, 2**9 - 1, 1),
        PageHead(PageState.REFUSED, 1, 2**4 - 1),
    ]


@pytest.mark.parametrize("max_depth", [0, 3])
def test_wishes_against_an_obvious_version(max_depth):
    rng, policy = random.Random(8), FrontierPolicy(max_depth=max_depth, max_redirects=2)
    memory = PageMemory()
    n = 60
    ids, _ = memory.give(np.zeros(n, dtype=np.uint32), texts_of([f"0/{i}" for i in range(n)]))
    heads = [
        PageHead(rng.choice(list(PageState)), rng.randrange(1, 6), rng.randrange(5))
        for _ in range(n)
    ]
    memory.heads.set(ids, np.array([pack_head(*head) for head in heads], dtype=np.uint16))
    places = [rng.randrange(n) for _ in range(2_000)]
    wishes = [(rng.randrange(6), rng.randrange(5), rng.random() < 0.7) for _ in places]
    counts, queued = [0] * 8, []
    for place, (depth, hops, follow) in zip(places, wishes, strict=True):
        new = slow_answer(heads[place], depth, hops, follow, policy)
        if new is not None:
            counts[heads[place].state] -= 1
            counts[new.state] += 1
            if new.state == PageState.QUEUED != heads[place].state:
                queued.append(place)
            heads[place] = new
    depths, hops, follow = map(np.array, zip(*wishes, strict=True))
    settled = settle(memory, ids[places], wish_heads(depths, hops, follow, policy), policy)
    assert [unpack_head(head) for head in memory.heads.get(ids).tolist()] == heads
    assert settled.counts.tolist() == counts
    assert settled.queued.tolist() == queued
    memory.undo()
    assert memory.heads.get(ids).tolist() == [0] * n  # and the pages are forgotten


# --- priorities ---------------------------------------------------------------------------------


def test_levels_keep_the_order():
    values = np.array([-1e9, -300, -2, -0.5, -1e-9, 0, 1e-9, 0.1, 0.12, 1, 1.2, 77, 300, 1e9])
    levels = priority_levels(values.astype(np.float32)).tolist()
    assert levels == sorted(levels)
    assert levels[5] == ZERO_LEVEL
    assert len(set(levels)) == len(levels) - 2  # beyond 2^8 the ends count
    odd = np.array([np.nan, np.inf, -np.inf], dtype=np.float32)
    assert priority_levels(odd).tolist() == [ZERO_LEVEL, 255, 1]


def linked(keys, priorities):
    links = Arrays(keys)
    links.priority = np.array(priorities, dtype=np.float32)
    return links


def test_the_pages_of_a_host_by_priority(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, [])])
    keys = [PageKey("com.a", f"0/{number}") for number in range(6)]
    fetch(store, 0.0, links=linked(keys, [0, 0.5, -1, 0.5, 0, 3]))
    recount(store)
    first = [fetch(store, 0.0) for _ in range(2)]
    store = new_store(host_delay_secs=0)  # priorities outlive a crash
    rest = [fetch(store, 0.0) for _ in range(4)]
    assert [url[-1] for url in first + rest] == ["5", "1", "3", "0", "4", "2"]
    assert fetch(store, 0.0) is None
    recount(store)


def test_a_later_link_raises_a_priority(new_store):
    store = new_store(host_delay_secs=0)
    store.add_seeds([(A, []), (PageKey("com.a", "0/z"), [])])
    fetch(store, 0.0, links=linked([B, C], [1, 1]))
    fetch(store, 0.0, links=linked([B, C, C], [0.5, 0, 2]))
    assert [fetch(store, 0.0)[-1] for _ in range(2)] == ["c", "z"]
    assert not store.has_pending()


def test_hosts_that_are_due_by_priority(new_store):
    store = new_store(host_delay_secs=1.0)
    hosts = [PageKey(f"com.h{number}", "0/") for number in range(4)]
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=linked(hosts, [0, 1, 0, 9]))
    assert [fetch(store, 0.5) for _ in range(4)] == [
        f"http://h{number}.com/" for number in (3, 1, 0, 2)
    ]
    assert store.next_due(0.5) is None


def test_a_host_whose_better_page_is_found_while_it_waits_comes_up(new_store):
    store = new_store(host_delay_secs=0)
    hosts = [PageKey(f"com.h{number}", "0/") for number in range(4)]
    store.add_seeds([(A, [])])
    fetch(store, 0.0, links=linked(hosts, [0.4, 0.1, 0.3, 0.2]))
    better = [
        PageKey("com.h1", "0/x"),
        PageKey("com.h2", "0/"),
    ]  # a new page, and one that is queued
    assert fetch(store, 1.0, links=linked(better, [0.9, 2])) == "http://h0.com/"
    done = PageKey("com.h0", "0/")  # what is fetched makes no host come up
    assert fetch(store, 1.0, links=linked([done, hosts[3]], [9, 0.15])) == "http://h2.com/"
    rest = [fetch(store, 1.0) for _ in range(3)]
    assert rest == ["http://h1.com/x", "http://h3.com/", "http://h1.com/"]
    assert not store.has_pending()
    recount(store)


def test_hosts_come_in_the_order_of_their_best_pages():
    """Against the obvious: at each turn the host whose level is highest, the first of equals."""
    rng, ranked, slow = random.Random(3), RankedHosts(), {}
    for turn in range(3_000):
        host, level = rng.randrange(60), rng.randrange(1, 256)
        if rng.random() < 0.7:
            if host not in slow or level > slow[host][0]:
                ranked.put(host, level)
                slow[host] = (level, turn)
        elif slow:
            first = min(slow, key=lambda each: (-slow[each][0], slow[each][1]))
            assert ranked.first == ranked.pop() == first
            del slow[first]
        assert bool(ranked) == bool(slow)
        assert ranked.level(host) == (slow[host][0] if host in slow else None)


class BestFirst:
    """What a crawl has found and not leased, and when hosts are free: the obvious way."""

    def __init__(self):
        self.levels, self.waiting, self.free_at, self.leased = {}, {}, {}, set()

    def learn(self, captures):
        for capture in captures:
            levels = priority_levels(capture.links.priority).tolist()
            for key, level in zip(capture.links.key, levels, strict=True):
                if key not in self.leased:
                    self.levels[key] = max(level, self.levels.get(key, 0))
                    self.waiting.setdefault(key.host, set()).add(key)

    def best(self, now):
        """The highest level of a page whose host is free, 0 when there is none."""
        free = [host for host in self.waiting if self.free_at.get(host, 0.0) <= now]
        return max((self.levels[key] for host in free for key in self.waiting[host]), default=0)

    def lease(self, key):
        self.waiting[key.host].discard(key)
        self.leased.add(key)
        self.free_at[key.host] = float("inf")


@pytest.mark.parametrize("policy", [{}, {"domain_delay_secs": 0.2}, {"pages_per_host": 12}])
def test_hosts_that_fall_due_together_or_one_by_one(tmp_path, monkeypatch, policy):
    answers = []
    for min_hosts in (1, 10**9):
        maker = StoreMaker(tmp_path / str(min_hosts))
        store = maker(group_pages=50, host_delay_secs=0.5, **policy)
        keys = [
            PageKey(f"com.d{number % 30}.h{number % 60}", f"0/{number}") for number in range(900)
        ]
        rng, urls, now = random.Random(7), [], 1.0
        store.add_seeds([(A, [])])
        fetch(store, 0.0, links=linked(keys, [rng.randrange(-9, 9) for _ in keys]))
        batch = store.frontier.batch
        for _ in range(40):
            now += rng.random() * 0.4
            monkeypatch.setattr(lease_batches, "MIN_HOSTS", min_hosts)
            batch._rank_due(now)
            monkeypatch.setattr(lease_batches, "MIN_HOSTS", 10**9)  # of leases there are no batches
            urls.append([fetch(store, now) for _ in range(rng.randrange(20))])
        recount(store)
        answers.append(urls)
        maker.leave()
    assert answers[0] == answers[1]


@pytest.mark.parametrize("min_hosts", [1, 10**9])
def test_the_best_page_of_all_hosts_comes_first(new_store, monkeypatch, min_hosts):
    """In batches or one by one, while hosts fall due and better pages are found."""
    monkeypatch.setattr(lease_batches, "MIN_HOSTS", min_hosts)
    monkeypatch.setattr(lease_batches, "HOSTS_PER_LEASE", 1)
    store, model, rng = (
        new_store(group_pages=15, host_delay_secs=0.5),
        BestFirst(),
        random.Random(2),
    )
    keys = [PageKey(f"com.h{number % 40}", f"0/{number}") for number in range(600)]
    store.on_commit.append(model.learn)
    store.add_seeds([(A, [])])
    model.leased.add(A)
    some = keys[:300]
    fetch(store, 0.0, links=linked(some, [rng.randrange(-9, 9) for _ in some]))
    store.flush()
    now, out, n_in_batches = 1.0, [], 0
    for _ in range(400):
        now += rng.random() * 0.05
        for _ in range(rng.randrange(9)):
            best, lease = model.best(now), store.next_page(now)
            if lease is None:
                assert not best
                break
            n_in_batches += len(store.frontier.batch) > 0
            key = page_key(lease.url)
            assert model.levels[key] == best
            model.lease(key)
            out.append((lease, key))
        for lease, key in [out.pop(0) for _ in range(rng.randrange(len(out) + 1))]:
            capture = store.open_capture(lease)
            some = rng.sample(keys, rng.choice([0, 0, 0, 4]))
            capture.links = linked(some, [rng.randrange(-9, 9) for _ in some])
            model.free_at[key.host] = now + 0.5
            store.finish(capture, now)
    store.flush()
    recount(store)
    assert len(model.leased) > 350
    assert n_in_batches > 100 if min_hosts == 1 else n_in_batches == 0


def test_a_crawl_with_priorities_fetches_the_same(tmp_path):
    rng = random.Random(1)

    def web(key):
        toy = answer(key)
        if toy.links is not None:
            toy.links.priority = np.array([rng.random() for _ in toy.links.key], dtype=np.float32)
        return toy

    urls = []
    for folder, pages in (("plain", answer), ("ranked", web)):
        store = open_store(tmp_path / folder)
        store.add_seeds([(PageKey("com.toy.h1", "0/p0"), [])])
        urls.append(crawl(store, web=pages))
        recount(store)
        store.close()
    assert sorted(urls[0]) == sorted(urls[1])
    assert urls[0] != urls[1]
