"""The compiled loop of Block Fusion; what it computes is told by `pipelines.segmentation.block_fusion`.

A compound block is known by its first atomic block. Compounds form a chain (*following*,
*preceding*); what was absorbed by its predecessor is marked. In a sweep only those blocks are looked
at of whose decision something changed since it was made: the block itself, its predecessor or its
successor. All others would decide as they did. A fusion makes two blocks be looked at in the next
sweep, the compound and its predecessor, and one more in this one, so all sweeps together
take O(n).

The options stand in one integer array, since numba looks at every argument of every call; the working
space comes from outside, since kernels allocate nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

# Of int64: products of densities must stay below it when they are multiplied by theta's denominator.
THETA_DENOMINATOR = 10_000
_MAX_PRODUCT = (2**63 - 1) // THETA_DENOMINATOR
# Kohlschütter 2011, section 4.2.4, footnote 6: the density up to which neighbours count as equal.
RELAXED_DENSITY = 5
# Places of the options array, uint64[8]: theta as a fraction, masks of tags (0: no rules), switches.
NUMERATOR, DENOMINATOR, FORCE, NO_GAP, SMOOTHING, ADDITIVE, GUARDED, MAX_SWEEPS = range(8)
NOT_SMOOTHED, SMOOTHED, RELAXED = range(3)


class _Compounds(NamedTuple):
    """The compound blocks, at the place of their first atomic block.

    Density: full by n_full if n_full is not 0, else last. *last*: words of the last line, *n_full*:
    lines before it, *full*: words of those. Additive compounds have no last line.
    """

    full: npt.NDArray[np.int64]
    n_full: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    following: npt.NDArray[np.int64]
    preceding: npt.NDArray[np.int64]
    absorbed: npt.NDArray[np.int64]
    gap: npt.NDArray[np.uint64]
    options: npt.NDArray[np.uint64]


@part
def _words(compounds: _Compounds, x: int) -> int:
    """Return the numerator of the density of *x*."""
    return int(compounds.full[x] if compounds.n_full[x] > 0 else compounds.last[x])


@part
def _lines(compounds: _Compounds, x: int) -> int:
    """Return the denominator of the density of *x*."""
    return max(int(compounds.n_full[x]), 1)


@part
def _is_forced(compounds: _Compounds, x: int) -> bool:
    return bool(compounds.gap[x] & compounds.options[FORCE] != 0)


@part
def _is_dent(compounds: _Compounds, p: int, c: int, n: int) -> bool:
    """Tell whether *c* is less dense than its neighbours *p* and *n*, which count as equally dense."""
    smoothing = compounds.options[SMOOTHING]
    if smoothing == NOT_SMOOTHED:
        return False
    words, lines = _words(compounds, p), _lines(compounds, p)
    n_words, n_lines = _words(compounds, n), _lines(compounds, n)
    if smoothing == SMOOTHED and words * n_lines != n_words * lines:
        return False
    if smoothing == RELAXED and (
        words > RELAXED_DENSITY * lines or n_words > RELAXED_DENSITY * n_lines
    ):
        return False
    if _words(compounds, c) * lines >= words * _lines(compounds, c):
        return False
    if compounds.options[GUARDED] == 0:
        return True
    return not (_is_forced(compounds, c) or _is_forced(compounds, n))


@part
def _is_fusable(compounds: _Compounds, p: int, c: int) -> bool:
    options = compounds.options
    if _is_forced(compounds, c):
        return False
    if options[NO_GAP] != 0 and compounds.gap[c] & ~options[NO_GAP] == 0:
        return True
    # delta <= theta, both densities multiplied by both numbers of lines.
    first = _words(compounds, p) * _lines(compounds, c)
    second = _words(compounds, c) * _lines(compounds, p)
    difference = abs(first - second) * np.int64(options[DENOMINATOR])
    return bool(difference <= np.int64(options[NUMERATOR]) * max(first, second))


@part
def _absorb(compounds: _Compounds, p: int, c: int) -> int:
    """Join *c*, which follows *p*, to it; return the block that follows now."""
    compounds.full[p] += compounds.last[p] + compounds.full[c]
    compounds.n_full[p] += compounds.n_full[c]
    if compounds.options[ADDITIVE] == 0:
        compounds.n_full[p] += 1
    compounds.last[p] = compounds.last[c]
    compounds.absorbed[c] = 1
    n = compounds.following[c]
    compounds.following[p] = n
    if n < len(compounds.full):
        compounds.preceding[n] = p
    return int(n)


@part
def _sweep(
    compounds: _Compounds, todo: npt.NDArray[np.int64], n_todo: int, again: npt.NDArray[np.int64]
) -> int:
    """Look at the first *n_todo* blocks of *todo*, in page order; write what the next sweep has to.

    Return the number of those.
    """
    n_blocks = len(compounds.full)
    n_again = 0
    reached = 0
    for place in range(n_todo):
        c = todo[place]
        if compounds.absorbed[c] != 0 or c <= reached:
            continue
        p = compounds.preceding[c]
        n_fused = 0
        while c < n_blocks:
            n = compounds.following[c]
            if n < n_blocks and _is_dent(compounds, p, c, n):
                c = _absorb(compounds, p, c)
            elif not _is_fusable(compounds, p, c):
                break
            c = _absorb(compounds, p, c)
            n_fused += 1
        reached = c
        if n_fused and p > 0:
            before = compounds.preceding[p]
            last = again[n_again - 1] if n_again else 0
            if before > last:
                again[n_again] = before
                n_again += 1
            if p > last:
                again[n_again] = p
                n_again += 1
    return n_again


@part
def _fill(
    compounds: _Compounds,
    n_tokens: npt.NDArray[np.uint32],
    n_lines: npt.NDArray[np.uint32],
    last_line_tokens: npt.NDArray[np.uint32],
) -> bool:
    """Make a compound of each block; tell whether no product of densities can overflow."""
    full, n_full, last, n_blocks = compounds.full, compounds.n_full, compounds.last, len(n_tokens)
    additive = compounds.options[ADDITIVE] != 0
    words, lines = 0, 0
    for x in range(n_blocks):
        n_full[x] = max(int(n_lines[x]), 1) - 1
        last[x] = last_line_tokens[x]
        full[x] = int(n_tokens[x]) - int(last_line_tokens[x])
        words += int(n_tokens[x])
        lines += int(n_full[x]) + 1
        if additive:
            full[x] = _words(compounds, x)
            n_full[x] = _lines(compounds, x)
            last[x] = 0
        compounds.following[x] = x + 1
        compounds.preceding[x] = x - 1
        compounds.absorbed[x] = 0
    return words == 0 or lines <= _MAX_PRODUCT // words


@kernel
def number_segments(  # noqa: PLR0913, PLR0917  columns of the blocks, and what to write to
    n_tokens: npt.NDArray[np.uint32],
    n_lines: npt.NDArray[np.uint32],
    last_line_tokens: npt.NDArray[np.uint32],
    gap_mask: npt.NDArray[np.uint64],
    options: npt.NDArray[np.uint64],
    space: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.uint32],
) -> bool:
    """Write the number of the segment of each of n blocks to *numbers*, uint32[n].

    *options*: uint64[8]; *space*: int64[8, n], of any content. False, and nothing is written, when
    densities may overflow.
    """
    n_blocks = len(n_tokens)
    compounds = _Compounds(
        space[0], space[1], space[2], space[3], space[4], space[5], gap_mask, options
    )
    if not _fill(compounds, n_tokens, n_lines, last_line_tokens):
        return False
    todo, again = space[6], space[7]
    for x in range(n_blocks):
        todo[x] = x
    n_todo = n_blocks
    n_sweeps = np.uint64(0)
    while n_todo > 0 and n_sweeps < options[MAX_SWEEPS]:
        n_todo = _sweep(compounds, todo, n_todo, again)
        todo, again = again, todo
        n_sweeps += np.uint64(1)
    number = -1
    for x in range(n_blocks):
        number += 1 - int(compounds.absorbed[x])
        numbers[x] = number
    return True
