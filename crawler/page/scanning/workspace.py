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
    MAX_HIDERS,
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

    I64 = npt.NDArray[np.int64]

    from crawler.page.limits import PageLimits

# Workspaces for pages beyond are not kept.
_MAX_KEPT_BYTES = 8 * 2**20
_MIN_BYTES = 2**20
_kept = threading.local()
# Sizes of the state, the head, and the memories of the open elements.
_FORGOTTEN = (
    *(N_STATE, 2 * len(HEAD), FIRST_MADE_UP + MAX_MADE_UP, 2 * MAX_MADE_UP, 2 * PATH_SLOTS),
    len(RAW_NAMES) + 1,
)


class Workspace(NamedTuple):
    """Arrays for pages of up to *n_bytes* under the limits of *key*.

    *forgotten* is all of those that begin with zeros, in one piece.
    """

    n_bytes: int
    key: tuple[int, int, int]
    forgotten: I64
    state: I64
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
    forgotten = np.zeros(sum(_FORGOTTEN), np.int64)
    state, head, *rest = np.split(forgotten, np.cumsum(_FORGOTTEN)[:-1])
    found = Found(
        text=np.empty(n_text, np.uint8),
        anchors=np.empty(n_text, np.uint8),
        hrefs=np.empty(n_text, np.uint8),
        blocks=np.empty((3, n_blocks), np.int64),
        runs=np.empty((n_bytes // 2 + 1, 3), np.uint32),
        paths=np.empty((n_blocks, 2), np.uint32),
        path_names=np.empty(n_blocks * max_depth, np.uint16),
        links=np.empty((3, n_links), np.uint32),
        pagelets=np.empty((n_blocks + n_links + 1, 4), np.uint32),
        tags=np.empty((n_bytes // 3 + 1, 3), np.uint32),
        head=head,
    )
    return Workspace(
        n_bytes,
        key,
        forgotten,
        state,
        Tokens(
            np.zeros((TOKENS_AT_ONCE, 7), np.int64), np.zeros((ATTRIBUTES_AT_ONCE, 3), np.int64)
        ),
        _elements(max_depth, *rest),
        found,
        np.empty(n_text, np.uint8),
        np.empty((4, n_blocks), np.uint32),
    )


def _elements(
    max_depth: int, n_open: I64, made_up_slots: I64, path_slots: I64, raw_found: I64
) -> Elements:
    levels = np.zeros((max_depth + 1, 10), np.int64)
    levels[0, E_PATH] = 1
    return Elements(
        levels=levels,
        hiders=np.zeros((MAX_HIDERS, 4), np.int64),
        n_open=n_open,
        made_up=np.zeros((MAX_MADE_UP, 2), np.int64),
        made_up_slots=made_up_slots,
        path_slots=path_slots.reshape(PATH_SLOTS, 2),
        raw_found=raw_found,
    )


def _clear(space: Workspace) -> None:
    """Forget the page before."""
    space.forgotten.fill(0)
    levels = space.elements.levels
    levels[0, E_N_LINKS] = levels[0, E_IS_SPLIT] = 0
