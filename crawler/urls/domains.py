"""Registrable domains by the Public Suffix List that tldextract brings along; no network."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tldextract import TLDExtract


@lru_cache(maxsize=1 << 16)
def registrable_domain(host_name: str) -> str:
    """Return the domain that *host_name* (with or without port) was registered under.

    Public suffixes by the list's ICANN section; the default rule ``*`` makes the last label of an
    unknown suffix one. Addresses, and names that are a suffix themselves, are their own domain.

    >>> registrable_domain("www.bbc.co.uk"), registrable_domain("a.b.news.gazet:8080")
    ('bbc.co.uk', 'news.gazet')
    """
    if host_name.startswith("["):
        return host_name.partition("]")[0] + "]"
    name = host_name.partition(":")[0]
    found = _extractor()(name)
    if found.suffix:
        return f"{found.domain}.{found.suffix}" if found.domain else name
    return name if name[-1:].isdigit() else ".".join(name.split(".")[-2:])


def domain_key(host_key: str) -> str:
    """Return the host key of the domain that the host of *host_key* was registered under, no port.

    It names the same domain as :func:`registrable_domain` of the host's name, in a tenth of the time.

    >>> domain_key("uk.co.bbc.www"), domain_key("gazet.news.b.a:8080"), domain_key("127.0.0.1:80")
    ('uk.co.bbc', 'gazet.news', '127.0.0.1')
    """
    if host_key[:1] == "[":
        return host_key.partition("]")[0] + "]"
    name = host_key.partition(":")[0]
    if name[:1].isdigit():
        return name
    labels = name.split(".")
    return ".".join(labels[: _suffix_labels(labels, suffix_rules()) + 1])


def _suffix_labels(labels: list[str], suffixes: SuffixRules) -> int:
    """Return how many of the first *labels* are the public suffix; 1 by the default rule."""
    found, part = 0, ""
    for n, label in enumerate(labels, 1):
        above, part = part, f"{part}.{label}" if part else label
        if part not in suffixes.parts:
            if above in suffixes.above_any:
                return n - 1 if part in suffixes.exceptions else n
            break
        if part in suffixes.whole:
            found = n
    return found or 1


class SuffixRules(NamedTuple):
    """Reversed suffixes in ASCII: *whole*, their beginnings, those with any label below, and exceptions."""

    whole: frozenset[str]
    parts: frozenset[str]
    above_any: frozenset[str]
    exceptions: frozenset[str]


@cache
def suffix_rules() -> SuffixRules:
    """Return the rules of the list's ICANN section."""
    rules = [rule.split(".")[::-1] for rule in _extractor().tlds]
    plain = [[_ascii(label) for label in rule] for rule in rules if rule[-1][:1] not in {"*", "!"}]
    above_any = [list(map(_ascii, rule[:-1])) for rule in rules if rule[-1] == "*"]
    exceptions = [
        list(map(_ascii, [*rule[:-1], rule[-1][1:]])) for rule in rules if rule[-1][0] == "!"
    ]
    parts = {".".join(rule[:n]) for rule in (*plain, *above_any) for n in range(1, len(rule) + 1)}
    whole, wild, kept = (frozenset(map(".".join, part)) for part in (plain, above_any, exceptions))
    return SuffixRules(whole, frozenset(parts), wild, kept)


def _ascii(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode()


@cache
def _extractor() -> TLDExtract:
    # Its import takes a tenth of a second, and most commands ask for no domain.
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=())
