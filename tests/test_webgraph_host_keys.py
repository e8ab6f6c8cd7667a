"""Host keys by place, beside a list."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.webgraph.address_space import release, reserve
from crawler.webgraph.hosts import keys as host_keys
from crawler.webgraph.hosts.keys import BLOCK_KEYS, HostKeys
from crawler.webgraph.hosts.names import HostNames
from crawler.webgraph.texts import texts_of

KEYS = [f"com.example{number % 701}.{'ü' * (number % 5)}{number}.www" for number in range(9_000)]


def strings(texts):
    return [texts.text(place) for place in range(len(texts))]


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.integers(0, 700), st.integers(0, 90), st.booleans()), min_size=1, max_size=12
    )
)
def test_as_a_list(steps):
    """Transactions that add keys, of which some are taken back and the others settled."""
    keys, model, unsettled = HostKeys(), [], 0
    for n_added, n_undone, is_settled in steps:
        batch = KEYS[len(model) : len(model) + n_added]
        keys.append(texts_of(batch))
        model += batch
        kept = max(unsettled, len(model) - n_undone)
        keys.truncate(kept)
        del model[kept:]
        if is_settled:
            keys.settle()
            unsettled = len(model)
        assert keys.n == len(model)
        for first in {0, len(model) // 2, unsettled, len(model)}:
            assert strings(keys.texts(first)) == model[first:]
    assert [keys.key(place) for place in range(len(model))] == model
    order = np.random.default_rng(len(model)).permutation(len(model)).astype(np.int64)
    assert strings(keys.gather(order)) == [model[place] for place in order.tolist()]


def test_packed_keys(monkeypatch):
    """What was packed takes half of its bytes, and is found beside what is plain, cached or not."""
    monkeypatch.setattr(host_keys, "_CACHED_BLOCKS", 3)
    keys = HostKeys()
    keys.append(texts_of(KEYS))
    plain = keys.n_bytes
    keys.settle()
    assert keys.n_bytes < plain / 2
    keys.append(texts_of(["ü", "", "com." + "x" * 70_000]))
    rng = np.random.default_rng(1)
    for place in rng.integers(0, len(KEYS), 2_000).tolist():
        assert keys.key(place) == KEYS[place]
    assert [keys.key(len(KEYS) + place) for place in range(2)] == ["ü", ""]
    first = BLOCK_KEYS * 7 + 5
    assert strings(keys.texts(first))[: len(KEYS) - first] == KEYS[first:]


def test_hosts_that_are_packed():
    hosts = HostNames()
    assert hosts.add(KEYS) == list(range(len(KEYS)))
    hosts.settle()
    assert hosts.add(["org.a", *KEYS[:3], "org.b"]) == [len(KEYS), 0, 1, 2, len(KEYS) + 1]
    hosts.truncate(len(KEYS))
    assert hosts.find("org.a") is None
    assert hosts.add(["org.b"]) == [len(KEYS)]
    assert [hosts.key(place) for place in (0, 77, len(KEYS))] == [KEYS[0], KEYS[77], "org.b"]
    assert hosts.ids(texts_of(KEYS)).tolist() == list(range(len(KEYS)))


def test_memory_is_given_back():
    array = reserve(2**20, np.uint32)
    array[:] = 7
    release(array, 3_000)
    assert (array[:3_000] == 7).all()
    assert not array[4_096:].any()


def test_many_keys_at_once():
    hosts = HostNames()
    ids = hosts.add(KEYS)
    hosts.settle()
    wanted = [*ids[:200], *ids[5000:9000:7], ids[3], ids[-1], ids[-1]]
    hosts.adopt("org.elsewhere", 123_456)
    wanted.insert(7, 123_456)
    keys = {**dict(enumerate(KEYS)), 123_456: "org.elsewhere"}
    assert hosts.keys(wanted) == [keys[number] for number in wanted]
    assert strings(hosts.gather(np.array(wanted))) == [keys[number] for number in wanted]
    assert hosts.keys([]) == []
    for at_hand in (wanted, wanted[:150], ids[-3:]):  # all of them, some, and one or none
        found = hosts.gather(np.array(at_hand), again=True)
        assert strings(found) == [keys[number] for number in at_hand]
        assert strings(hosts.gather(np.array(wanted))) == [keys[number] for number in wanted]
    assert strings(hosts.gather(np.array([], dtype=np.int64))) == []


def test_keys_at_hand_are_forgotten_with_their_hosts():
    hosts = HostNames()
    hosts.add(KEYS[:3])
    hosts.settle()
    hosts.add(["org.a"])
    hosts.gather(np.array([2, 3]), again=True)
    hosts.truncate(3)
    hosts.add(["org.b"])
    assert strings(hosts.gather(np.array([3, 2]))) == ["org.b", KEYS[2]]
