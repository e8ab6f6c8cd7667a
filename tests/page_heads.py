"""The heads of pages (`crawler.durable.page_state`), put together and taken apart by their fields."""

from __future__ import annotations

from typing import NamedTuple


class PageHead(NamedTuple):
    """State, links from a seed, redirects in a row."""

    state: int
    depth: int
    hops: int


def pack_head(state, depth, hops):
    return depth << 7 | hops << 3 | state


def unpack_head(head):
    return PageHead(head & 0b111, head >> 7, head >> 3 & 0b1111)
