"""Hosts that a crawl of search results leaves out."""

from __future__ import annotations

import pytest

from crawler.errors import InputError
from crawler.seeds.excluded_hosts import excluded_names, is_excluded


@pytest.mark.parametrize(
    ("text", "excluded", "others"),
    [
        ("Bücher.de", ("http://bücher.de/a", "https://www.xn--bcher-kva.de/"), ("http://cher.de/",)),
        ("пример.рф", ("http://xn--e1afmkfd.xn--p1ai/",), ("http://рф/",)),
        ("a.org, .b.org", ("http://a.org:8080/", "http://x.b.org/"), ("http://aa.org/", "mailto:b")),
        ("a.org:8080", ("http://a.org:8080/",), ("http://a.org/", "http://a.org:80/")),
        ("a.org:80,[::1]", ("https://a.org:8443/", "http://[::1]:90/"), ("http://[::2]/",)),
        ("", (), ("http://a.org/",)),
    ],
)  # fmt: skip
def test_pages_are_excluded_by_what_their_urls_mean(text, excluded, others):
    """An international name excluded none of its pages, a name without a port none on another."""
    names = excluded_names(text)
    assert all(is_excluded(url, names) for url in excluded)
    assert not any(is_excluded(url, names) for url in others)


@pytest.mark.parametrize("text", ["a b", "a.org/x", "a.org?x", "a.org,,b.org", "*.a.org", "http://a.org"])  # fmt: skip
def test_what_is_no_host_is_told(text):
    with pytest.raises(InputError, match="which is no host; give names such as"):
        excluded_names(text)
