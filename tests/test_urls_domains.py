"""Registrable domains by the Public Suffix List with its default rule."""

from __future__ import annotations

import pytest

from crawler.urls import registrable_domain


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
