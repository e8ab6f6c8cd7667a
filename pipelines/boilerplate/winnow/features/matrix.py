"""All features of the blocks of a page, as one matrix."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, with_first_types
from pipelines.boilerplate.winnow.features import context as context_features
from pipelines.boilerplate.winnow.features import local as local_features
from pipelines.boilerplate.winnow.features import page as page_features
from pipelines.boilerplate.winnow.features import structure as structure_features
from pipelines.boilerplate.winnow.features.context import N_KNOWN
from pipelines.boilerplate.winnow.features.kind_words import kinds_named
from pipelines.boilerplate.winnow.features.measures import measure
from pipelines.boilerplate.winnow.features.rings import N_COLUMNS, Rings, room_for_rings
from pipelines.boilerplate.winnow.features.votes import N_VOTES
from pipelines.boilerplate.winnow.features.windows import room_for_sums

if TYPE_CHECKING:
    from crawler.page import PageModel
    from pipelines.boilerplate.winnow.features.measures import F32, F64, U32, Measures

_GROUPS = (local_features, context_features, structure_features, page_features)
FEATURE_NAMES = tuple(name for group in _GROUPS for name in group.NAMES)
# Where the rows of a group begin.
_AT_CONTEXT = len(local_features.NAMES)
_AT_STRUCTURE = _AT_CONTEXT + len(context_features.NAMES)
_AT_PAGE = _AT_STRUCTURE + len(structure_features.NAMES)
# Room for more blocks than some 3,000 is not kept.
_MOST_KEPT = 1 << 20


class _Kept(threading.local):
    """Room for features that a thread has used before."""

    def __init__(self) -> None:
        self.numbers: F32 = np.empty(0, np.float32)
        self.columns: F32 = np.empty(0, np.float32)


_kept = _Kept()


class _Room(NamedTuple):
    """Arrays that features are made in, not filled in but for *table*: see those who take them."""

    least: F64
    known: F32
    wide: F64
    rings: Rings
    table: U32
    keys: U32
    votes: F64
    groups: U32
    ring: U32
    values: F32


class _Numbers(NamedTuple):
    """What is told of the whole page: bytes, words of the title, references."""

    n_source: int
    n_title: int
    n_references: int


def features(page: PageModel) -> F32:
    """Return the features of the blocks of *page*, float32[len(FEATURE_NAMES), n]."""
    return _filled(page, np.empty((len(FEATURE_NAMES), len(page.blocks)), np.float32))


def passing_features(page: PageModel) -> F32:
    """Return what :func:`features` does, in room that the next call in the same thread fills in again.

    Memory that is new to the process takes about as long as what is reckoned to be written to it.
    """
    n_numbers = len(FEATURE_NAMES) * len(page.blocks)
    if n_numbers > _MOST_KEPT:
        return features(page)
    if n_numbers > len(_kept.numbers):
        _kept.numbers = np.empty(n_numbers, np.float32)
    return _filled(page, _kept.numbers[:n_numbers].reshape(len(FEATURE_NAMES), len(page.blocks)))


def _filled(page: PageModel, x: F32) -> F32:
    if not len(page.blocks):
        return x
    m = measure(page)
    room = _room(len(m.n_words), len(m.elements.parent))
    kinds = np.array(kinds_named(page.source), np.float32)
    numbers = _Numbers(len(page.source), len((page.title or "").split()), len(page.references))
    _fill_rows(m, numbers, kinds, room, x)
    return x


def _room(n: int, n_elements: int) -> _Room:
    """Return the room for a page of *n* blocks and *n_elements* elements."""
    n_keys = max(n, n_elements) + 2
    groups, ring = np.empty((2, n), np.uint32)
    return _Room(
        np.empty((3, n)),
        np.empty((N_KNOWN, n), np.float32),
        room_for_sums(n),
        room_for_rings(n_elements, _columns(2 * n_elements * N_COLUMNS)),
        np.zeros(1 << (2 * n_keys).bit_length(), np.uint32),
        np.empty(n_keys, np.uint32),
        np.empty((N_VOTES, n_keys)),
        groups,
        ring,
        np.empty(len(page_features.NAMES), np.float32),
    )


def _columns(size: int) -> F32:
    """Return room for *size* numbers, that the next call in the same thread returns again."""
    if size > _MOST_KEPT:
        return np.empty(size, np.float32)
    if size > len(_kept.columns):
        _kept.columns = np.empty(size, np.float32)
    return _kept.columns[:size]


@lean_kernel
def _fill(m: Measures, numbers: _Numbers, kinds: F32, room: _Room, x: F32) -> None:
    local, context = x[:_AT_CONTEXT], x[_AT_CONTEXT:_AT_STRUCTURE]
    structure, whole = x[_AT_STRUCTURE:_AT_PAGE], x[_AT_PAGE:]
    local_features.local_features(m, numbers.n_source, room.least, local)
    context_features.context_features(
        m, numbers.n_title, numbers.n_source, room.known, room.wide, local, context
    )
    structure_features.structure_features(
        m, room.rings, room.table, room.keys, room.votes, room.groups, room.ring, structure
    )
    page_features.page_features(
        m, numbers.n_references, numbers.n_source, kinds, room.values, whole
    )


_fill_rows = with_first_types(_fill)
