"""Lists of keys beside lists of their tuples."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crawler.urls import KeyList, PageKey
from crawler.urls.key_list import joined_keys
from crawler.webgraph.texts import texts_of_pairs

texts = st.text(max_size=6)
pairs = st.lists(st.builds(PageKey, st.sampled_from(["", "com.a", "com.é"]), texts), max_size=6)


@given(pairs, st.data())
def test_equals_the_list_of_tuples(keys, data):
    found = KeyList.of(keys)
    assert (len(found), list(found), KeyList.of(found)) == (len(keys), keys, found)
    assert [found[place] for place in range(len(keys))] == keys
    start, stop = data.draw(st.tuples(st.integers(0, 6), st.integers(0, 6)))
    assert list(found[start:stop]) == keys[start:stop]
    mask = np.array([bool(len(key.local) % 2) for key in keys], dtype=np.bool_)
    assert list(found.take(mask)) == [
        key for key, is_kept in zip(keys, mask, strict=True) if is_kept
    ]


@given(st.lists(pairs))
def test_lists_join(parts):
    expected = [key for part in parts for key in part]
    lists = [part if place % 2 else KeyList.of(part) for place, part in enumerate(parts)]
    assert list(joined_keys(lists)) == expected


@given(pairs, pairs)
def test_come_to_the_page_table_as_the_tuples_do(first, second):
    keys = joined_keys([first, second])[1:]
    for of_list, of_tuples in zip(texts_of_pairs(keys), texts_of_pairs(list(keys)), strict=True):
        assert of_list.strings() == of_tuples.strings()


@given(pairs, st.sets(st.sampled_from(["", "com.a", "com.é"])))
def test_keys_of_hosts(keys, hosts):
    found = joined_keys([keys, KeyList.of(keys)]).of_hosts(hosts.__contains__)
    assert found.dtype == np.bool_
    assert found.tolist() == [key.host in hosts for key in [*keys, *keys]]
