"""URLs written by a kernel, beside those of one key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.frontier.leases.urls import write_urls
from crawler.urls import PageKey, host_name, page_url
from crawler.webgraph.texts import texts_of

HOSTS = st.sampled_from(["com.example.www:8080", "127.0.0.1:80", "[::1]:8080", "gazet", "a.b.c"])
KEYS = st.builds(
    PageKey,
    HOSTS
    | st.from_regex(r"[a-z][a-z0-9-]{0,5}(\.[a-z0-9_-]{1,4}){0,4}(:[0-9]{1,5})?", fullmatch=True),
    st.from_regex(r"[01]/[!-~]{0,20}", fullmatch=True) | st.text(max_size=5).map("1/{}".format),
)


def written(keys):
    return write_urls(texts_of([key.host for key in keys]), texts_of([key.local for key in keys]))


@pytest.mark.parametrize(
    ("key", "url", "host"),
    [
        (PageKey("com.example.www", "0/a?x=1"), "http://www.example.com/a?x=1", "www.example.com"),
        (PageKey("com.example:8080", "1/"), "https://example.com:8080/", "example.com:8080"),
        (PageKey("[::1]:81", "0/b"), "http://[::1]:81/b", "[::1]:81"),
        (PageKey("10.0.0.1", "1/"), "https://10.0.0.1/", "10.0.0.1"),
    ],
)
def test_worked_keys(key, url, host):
    assert written([key]) == ([url], [host])


@given(st.lists(KEYS, max_size=20))
def test_as_one_by_one(keys):
    assert written(keys) == ([page_url(key) for key in keys], [host_name(key.host) for key in keys])
