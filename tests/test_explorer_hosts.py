"""Which names of the machine the explorer answers to; over the wire in tests/test_explorer.py."""

from __future__ import annotations

import socket

import pytest

from crawler.explorer.hosts import names_machine, names_of


@pytest.mark.parametrize(
    ("header", "is_answered"),
    [
        *(("LOCALHOST", True), ("192.0.2.7:80", True), ("[2001:db8::1]:8000", True)),
        *(("seen.example:", True), ("unseen.example", False), ("localhost.evil.example", False)),
        *(("", False), ("[::1", False), ("127.0.0.1.evil.example", False), ("a:b:c", False)),
    ],
)
def test_names_that_are_answered(header, is_answered):
    assert names_machine(header, {"localhost", "seen.example"}) is is_answered


def test_a_server_for_others_answers_to_the_name_of_the_machine():
    assert names_of("127.0.0.1") == ["localhost", "127.0.0.1"]
    assert names_of("localhost") == ["localhost", "localhost"]
    for host in ("0.0.0.0", "::", "seen.example"):
        assert names_of(host) == ["localhost", host, socket.gethostname()]
