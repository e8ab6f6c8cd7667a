"""Hosts and domains that a user names, to leave them out or to give them a rule."""

from __future__ import annotations

import pytest

from crawler.errors import InputError
from crawler.urls.named_hosts import is_of_hosts, named_hosts


@pytest.mark.parametrize(
    ("names", "own", "others"),
    [
        ("Bücher.de", ("http://bücher.de/a", "https://www.xn--bcher-kva.de/"), ("http://cher.de/",)),
        ("пример.рф", ("http://xn--e1afmkfd.xn--p1ai/",), ("http://рф/",)),
        ("a.org .b.org", ("http://a.org:8080/", "http://x.b.org/"), ("http://aa.org/", "mailto:b")),
        ("a.org:8080", ("http://a.org:8080/",), ("http://a.org/", "http://a.org:80/")),
        ("a.org:80 [::1]", ("https://a.org:8443/", "http://[::1]:90/"), ("http://[::2]/",)),
        ("", (), ("http://a.org/",)),
    ],
)  # fmt: skip
def test_pages_are_of_hosts_by_what_their_urls_mean(names, own, others):
    """An international name excluded none of its pages, a name without a port none on another."""
    names = named_hosts(names.split(), "hosts")
    assert all(is_of_hosts(url, names) for url in own)
    assert not any(is_of_hosts(url, names) for url in others)


@pytest.mark.parametrize("name", ["a b", "a.org/x", "a.org?x", "", "*.a.org", "http://a.org"])  # fmt: skip
def test_what_is_no_host_is_told(name):
    with pytest.raises(InputError, match=r"^hosts has .* which is no host; give names such as"):
        named_hosts(["b.org", name], "hosts")
