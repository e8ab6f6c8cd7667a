"""Winnowing: local fingerprints that are bound to meet in every long enough shared passage.

Of every window of t characters, all its t - k + 1 substrings of k characters are hashed, and the
lowest hash is kept, once a position; of equal ones the rightmost. Any t characters that two texts
share have a kept hash in common, and nothing shorter than k is found. With w = t - k + 1 hashes a
window, 2 / (w + 1) of the positions of random text are kept; Pomikálek prints 2 / (t - k + 1) =
2 / w, which simulation does not confirm.

*Source:* Schleimer, Wilkerson, Aiken 2003, sections 3 and 4; Pomikálek 2011, 3.2.4. A text of
fewer than t characters keeps the lowest hash of all, one of fewer than k none (not published).

Shapes: positions ``int64[m]``, ascending, hashes ``uint64[m]``. Cost: O(characters), by a queue of
rising minima.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import kernel
from pipelines.duplicates.fingerprints.rolling import code_points, window_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# About eight and four words.
GUARANTEE_CHARS = 50
NOISE_CHARS = 25


class Winnowed(NamedTuple):
    """Kept substrings: the place of their first character, and their hash."""

    positions: I64
    hashes: U64


def winnow(text: str, t: int = GUARANTEE_CHARS, k: int = NOISE_CHARS) -> Winnowed:
    """Return the kept substrings of *text*, as it is; ValueError unless 1 <= *k* <= *t*."""
    if not 1 <= k <= t:
        raise ValueError(f"k must be between 1 and t = {t}, got {k}")
    hashes = window_hashes(code_points(text), k)
    positions = lowest_of_windows(hashes, t - k + 1)
    return Winnowed(positions, hashes[positions])


def density(w: int) -> float:
    """Return the expected share of kept positions for windows of *w* hashes.

    >>> density(4)
    0.4
    """
    return 2 / (w + 1)


def lowest_of_windows(hashes: U64, w: int) -> I64:
    """Return the positions of the lowest of each *w* neighbouring hashes, the rightmost of equal ones."""
    if not hashes.size:
        return np.empty(0, dtype=np.int64)
    positions: I64 = _lowest(hashes, min(w, hashes.size))
    return positions


@kernel
def _lowest(hashes: U64, w: int) -> I64:
    # A ring of the positions whose hashes rise: its first is the lowest of the window.
    ring = np.empty(w + 1, dtype=np.int64)
    kept = np.empty(hashes.size, dtype=np.int64)
    head = tail = n_kept = 0
    for i in range(hashes.size):
        while tail > head and hashes[ring[(tail - 1) % (w + 1)]] >= hashes[i]:
            tail -= 1
        ring[tail % (w + 1)] = i
        tail += 1
        if ring[head % (w + 1)] <= i - w:
            head += 1
        lowest = ring[head % (w + 1)]
        if i >= w - 1 and (n_kept == 0 or kept[n_kept - 1] != lowest):
            kept[n_kept] = lowest
            n_kept += 1
    return kept[:n_kept].copy()
