"""Registrable domains by the Public Suffix List with its default rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.urls import domain_key, host_name, registrable_domain
from crawler.urls.domain_kernels import domain_ends
from crawler.urls.domains import _extractor, suffix_rules
from crawler.urls.hosts import host_key
from crawler.webgraph.texts import texts_of


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("example.com", "example.com"),
        ("a.b.example.com:8080", "example.com"),
        ("www.bbc.co.uk", "bbc.co.uk"),
        ("co.uk", "co.uk"),  # a suffix itself
        ("localhost", "localhost"),
        ("www.paper.gazet", "paper.gazet"),  # default rule: the last label is the suffix
        ("gazet", "gazet"),
        ("user.github.io", "github.io"),  # private section not used
        ("xn--bcher-kva.example.xn--p1ai", "example.xn--p1ai"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
    ],
)
def test_registrable_domain(host, expected):
    assert registrable_domain(host) == expected


def test_the_key_of_a_domain_names_it():
    """Over every rule of the list, hosts at and below it; of rules of each kind, and of many, all that are near."""
    rules = sorted(_extractor().tlds)
    for number, rule in enumerate(rules):
        suffix = rule.lstrip("!*").lstrip(".")
        hosts = [f"x.{suffix}", f"a.b.{suffix}"]
        if suffix != rule or number % 20 == 0:
            belows = ("", "x.", "a.b.", "xn--bcher-kva.", "a.b.c.")
            ends = ("", ".zz", ":8080")
            hosts = [f"{below}{suffix}{end}" for below in belows for end in ends]
        for host in hosts:
            key = host_key("http", host)
            assert host_name(domain_key(key)) == registrable_domain(host_name(key)), key
    for key in ("gazet", "127.0.0.1:80", "[2001:db8::1]:80", "com.example:81"):
        assert host_name(domain_key(key)) == registrable_domain(host_name(key))


def domains(keys):
    texts = texts_of(keys)
    ends = domain_ends(texts.data, texts.starts, texts.ends).tolist()
    raw = texts.data.tobytes()
    return [raw[a:b].decode() for a, b in zip(texts.starts.tolist(), ends, strict=True)]


def test_many_keys_at_once():
    """Over every rule of the list and every beginning of one, and hosts below and beside them."""
    rules = suffix_rules()
    names = sorted(rules.whole | rules.parts | rules.above_any | rules.exceptions)
    ends = ("", ".x", ".x.y", ".x.y.z", ".x:8080", ":81")
    keys = [f"{name}{end}" for name in names for end in ends]
    keys += ["gazet", "127.0.0.1:80", "127.0.0.1", "[2001:db8::1]:80", "[::1]", "gazet.news.b:1"]
    assert domains(keys) == [domain_key(key) for key in keys]


@given(st.lists(st.from_regex(r"[a-z0-9][a-z0-9.:]{0,11}|\[[a-f0-9:]+\](:1)?", fullmatch=True)))
def test_odd_keys_at_once(keys):
    assert domains(keys) == [domain_key(key) for key in keys]
