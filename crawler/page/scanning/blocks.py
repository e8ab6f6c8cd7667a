"""The ends of atomic blocks, and the tag paths that they stand under."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.hiding import is_hidden
from crawler.page.scanning.state import (
    AFTER_A,
    B_GAP,
    B_HIDDEN,
    B_PATH,
    BLOCK_ENDS,
    BLOCK_RUN,
    BLOCK_START,
    CUT_BLOCKS,
    CUTS,
    DEPTH,
    DROPS_HIDDEN,
    E_NAME,
    E_PATH,
    GAP,
    HAS_TEXT,
    HAS_WORD,
    IN_SPACE,
    IS_MARKED,
    MAX_BLOCKS,
    N_BLOCKS,
    N_PATH_NAMES,
    N_PATHS,
    N_RUNS,
    P_DEPTH,
    P_START,
    PATH_SLOTS,
    PENDING_A,
    S_NUMBER,
    S_PATH,
    TEXT_END,
    Elements,
    Found,
)

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64


@cold_part
def end_block(state: I64, elements: Elements, found: Found) -> None:
    """End the block at hand; the gap after it begins. Without a word it is none."""
    block = state[N_BLOCKS]
    if state[HAS_WORD] and block < state[MAX_BLOCKS]:
        found.text[state[TEXT_END]] = BLOCK_ENDS
        state[TEXT_END] += 1
        found.blocks[B_GAP, block] = state[GAP]
        found.blocks[B_PATH, block] = _path(state, elements, found)
        # Where hidden text is dropped, what is open may hide what follows alone.
        is_kept = state[DROPS_HIDDEN] == 0
        found.blocks[B_HIDDEN, block] = is_kept and is_hidden(state, elements)
        state[N_BLOCKS] = block + 1
        state[BLOCK_START] = state[TEXT_END]
        state[BLOCK_RUN] = state[N_RUNS]
        state[GAP] = 0
    else:
        if state[HAS_WORD]:
            state[CUTS] |= CUT_BLOCKS
        state[TEXT_END] = state[BLOCK_START]
        state[N_RUNS] = state[BLOCK_RUN]
    state[GAP] |= state[PENDING_A]
    state[PENDING_A] = 0
    state[HAS_TEXT] = 0
    state[HAS_WORD] = 0
    state[IN_SPACE] = 0
    state[IS_MARKED] = 0
    state[AFTER_A] = 0


@part
def _path(state: I64, elements: Elements, found: Found) -> int:
    """Return the number of the path at hand; a path may have several numbers, not the reverse."""
    depth = state[DEPTH]
    mixed = elements.levels[depth, E_PATH]
    slot = mixed & PATH_SLOTS - 1
    known = elements.path_slots[slot, S_NUMBER]
    if elements.path_slots[slot, S_PATH] == mixed and _is_path(depth, known, elements, found):
        return known
    path = state[N_PATHS]
    start = state[N_PATH_NAMES]
    for level in range(depth):
        found.path_names[start + level] = elements.levels[level + 1, E_NAME]
    found.paths[path, P_START] = start
    found.paths[path, P_DEPTH] = depth
    state[N_PATH_NAMES] = start + depth
    state[N_PATHS] = path + 1
    elements.path_slots[slot, S_PATH] = mixed
    elements.path_slots[slot, S_NUMBER] = path
    return path


@part
def _is_path(depth: int, path: int, elements: Elements, found: Found) -> bool:
    if np.int64(found.paths[path, P_DEPTH]) != depth:
        return False
    start = np.int64(found.paths[path, P_START])
    for level in range(depth):
        if np.int64(found.path_names[start + level]) != elements.levels[level + 1, E_NAME]:
            return False
    return True
