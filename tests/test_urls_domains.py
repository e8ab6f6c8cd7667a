"""Registrable domains by the Public Suffix List with its default rule."""

from __future__ import annotations

import pytest

from crawler.urls import domain_key, host_name, registrable_domain
from crawler.urls.domains import _extractor
from crawler.urls.hosts import host_key


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
    """Over every rule of the list, and hosts above, at and below it."""
    for rule in sorted(_extractor().tlds):
        suffix = rule.lstrip("!*").lstrip(".")
        for below in ("", "x.", "a.b.", "xn--bcher-kva.", "a.b.c."):
            for end in ("", ".zz", ":8080"):
                key = host_key("http", f"{below}{suffix}{end}")
                assert host_name(domain_key(key)) == registrable_domain(host_name(key)), key
    for key in ("gazet", "127.0.0.1:80", "[2001:db8::1]:80", "com.example:81"):
        assert host_name(domain_key(key)) == registrable_domain(host_name(key))
