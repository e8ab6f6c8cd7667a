"""The memory of the scan: made once a thread, used for page after page."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.scanning.names import FIRST_MADE_UP, RAW_NAMES
from crawler.page.scanning.state import (
    ATTRIBUTES_AT_ONCE,
    E_IS_SPLIT,
    E_N_LINKS,
    E_PATH,
    HEAD,
    MAX_MADE_UP,
    N_STATE,
    PATH_SLOTS,
    TOKENS_AT_ONCE,
    Elements,
    Found,
    Tokens,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.limits import PageLimits

# Workspaces for pages beyond are not kept.
_MAX_KEPT_BYTES = 8 * 2**20
_MIN_BYTES = 2**20
_kept = threading.local()


class Workspace(NamedTuple):
    """Arrays for pages of up to *n_bytes* under the limits of *key*."""

    n_bytes: int
    key: tuple[int, int, int]
    state: npt.NDArray[np.int64]
    tokens: Tokens
    elements: Elements
    found: Found
    clean_text: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.uint32]


def workspace(n_bytes: int, limits: PageLimits) -> Workspace:
    """Return this thread's workspace, fresh for a page of *n_bytes*."""
    key = (limits.max_blocks, limits.max_links, limits.max_depth)
    space: Workspace | None = getattr(_kept, "space", None)
    if space is None or space.n_bytes < n_bytes or space.key != key:
        size = max(_MIN_BYTES, 1 << (n_bytes - 1).bit_length() if n_bytes else 1)
        space = _made(size, key)
        _kept.space = space if size <= _MAX_KEPT_BYTES else None
    _clear(space)
    return space


def _made(n_bytes: int, key: tuple[int, int, int]) -> Workspace:
    max_blocks, max_links, max_depth = key
    # A block takes a letter and a tag, a link a tag; a reference can be longer than what it is
    # written as by a fifth, and a link of one byte takes three in its buffers.
    n_blocks = min(max_blocks, n_bytes // 4 + 1)
    n_links = min(max_links, n_bytes // 4 + 1)
    n_text = n_bytes + n_bytes // 4 + 64
    found = Found(
        text=np.empty(n_text, np.uint8),
        anchors=np.empty(n_text, np.uint8),
        hrefs=np.empty(n_text, np.uint8),
        blocks=np.empty((n_blocks, 3), np.int64),
        runs=np.empty((n_bytes // 2 + 1, 3), np.uint32),
        paths=np.empty((n_blocks, 2), np.uint32),
        path_names=np.empty(n_blocks * max_depth, np.uint16),
        links=np.empty((n_links, 3), np.uint32),
        pagelets=np.empty((n_blocks + n_links + 1, 4), np.uint32),
        head=np.empty(2 * len(HEAD), np.int64),
    )
    return Workspace(
        n_bytes,
        key,
        np.zeros(N_STATE, np.int64),
        Tokens(
            np.zeros((TOKENS_AT_ONCE, 7), np.int64), np.zeros((ATTRIBUTES_AT_ONCE, 3), np.int64)
        ),
        _elements(max_depth + 1),
        found,
        np.empty(n_text, np.uint8),
        np.empty((n_blocks, 4), np.uint32),
    )


def _elements(n_levels: int) -> Elements:
    elements = Elements(
        levels=np.zeros((n_levels, 9), np.int64),
        n_open=np.zeros(FIRST_MADE_UP + MAX_MADE_UP, np.int64),
        made_up=np.zeros((MAX_MADE_UP, 2), np.int64),
        made_up_slots=np.zeros(2 * MAX_MADE_UP, np.int64),
        path_slots=np.zeros((PATH_SLOTS, 2), np.int64),
        raw_found=np.zeros(len(RAW_NAMES) + 1, np.int64),
    )
    elements.levels[0, E_PATH] = 1
    return elements


def _clear(space: Workspace) -> None:
    """Forget the page before."""
    space.state[:] = 0
    space.found.head[:] = 0
    elements = space.elements
    elements.n_open[:] = 0
    elements.made_up_slots[:] = 0
    elements.path_slots[:] = 0
    elements.raw_found[:] = -1
    elements.levels[0, E_N_LINKS] = 0
    elements.levels[0, E_IS_SPLIT] = 0
