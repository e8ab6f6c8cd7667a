"""Hosts that are plain names go a short way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.urls.hosts import host_key

SCHEMES = st.sampled_from(["http", "https"])
labels = st.one_of(
    st.text("aZ09-_", max_size=4),
    st.sampled_from(
        ["com", "0x1f", "1", "xn--a", "\u212a", "\u0130", "é", "%41", "a" * 63, "a" * 64]
    ),
)
authorities = st.one_of(
    st.lists(labels, max_size=6).map(".".join),
    st.builds(
        "{}{}".format, st.lists(labels).map(".".join), st.sampled_from([":80", ":", ":x", "."])
    ),
    st.text(max_size=10),
)


@given(SCHEMES, authorities)
def test_the_short_way_leads_where_the_long_one_does(scheme, authority):
    # Credentials are dropped; only the long way knows of them.
    assert host_key(scheme, authority) == host_key(scheme, f"u@{authority}")


@pytest.mark.parametrize("zone", ["%25eth0", "%eth0", "%é", "% "])
def test_no_address_has_a_zone(zone):
    assert host_key("http", f"[fe80::1{zone}]") is None
    assert host_key("http", "[FE80::1]:8080") == "[fe80::1]:8080"


@pytest.mark.parametrize(
    ("authority", "key"),
    [
        ("a.com:000080", "com.a"),
        ("a.com:0008080", "com.a:8080"),
        ("a.com:000", None),
        ("a.com:65536", None),
        ("WWW.Example.com", "com.example.www"),
        ("localhost", "localhost"),
        ("a_b.x-y.c1", "c1.x-y.a_b"),
        (".".join(["a" * 63] * 3 + ["b" * 61]), ".".join(["b" * 61] + ["a" * 63] * 3)),
        (".".join(["a" * 63] * 3 + ["b" * 62]), None),  # 254 characters
        ("a..b", None),
        ("a.1b", None),
    ],
)
def test_names_and_ports(authority, key):
    assert host_key("http", authority) == key
