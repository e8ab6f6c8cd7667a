"""Fingerprints of domains and addresses, on which all shards of a crawl agree."""

from __future__ import annotations

import socket

import numpy as np
from xxhash import xxh3_64_intdigest

from crawler.urls import domain_key
from crawler.webgraph.prints.text_prints import text_prints
from crawler.webgraph.texts import Texts

# What the fingerprint of a domain is hashed with, and that of an address.
DOMAIN, ADDRESS = 1, 2


def domain_print(host_key: str) -> int:
    """Return the fingerprint of the domain of *host_key*."""
    raw = np.frombuffer(domain_key(host_key).encode("utf-8", "surrogatepass"), dtype=np.uint8)
    bounds = np.array([0, raw.size], dtype=np.int64)
    domain = Texts(raw, bounds[:1], bounds[1:])
    return int(text_prints(domain, np.array([DOMAIN], dtype=np.uint32))[0])


def address_print(address: str) -> int:
    """Return the fingerprint of *address*, of an IPv6 one that of its first 64 bits."""
    return xxh3_64_intdigest(_network(address), ADDRESS) | 1


def _network(address: str) -> bytes:
    """Return the bytes of *address*, the first eight of an IPv6 one."""
    if ":" not in address:
        return socket.inet_pton(socket.AF_INET, address)
    return socket.inet_pton(socket.AF_INET6, address.partition("%")[0])[:8]
