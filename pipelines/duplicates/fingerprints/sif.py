"""Manber's sif: the hashes of 50-byte windows whose lowest eight bits are 0.

*Source:* Manber 1994, section 3; Pomikálek 2011, 3.2.4. Every window of a text's UTF-8 is hashed to
30 bits (a rolling hash), and about one of 256 is kept: the same windows in every text, whatever
stands around them. The text is lower-cased, whitespace collapsed.

Shapes: fingerprint ``uint64[m]``, ascending, each once. Texts of under about 300 bytes often have
none: such are not comparable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.duplicates.fingerprints.rolling import window_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

WINDOW_BYTES = 50
_HASH_BITS = 30
MODULUS = 256


def sif_fingerprint(text: str, *, window: int = WINDOW_BYTES) -> npt.NDArray[np.uint64]:
    """Return the kept hashes of the windows of *text*."""
    data = " ".join(text.lower().split()).encode("utf-8", "surrogatepass")
    hashes = window_hashes(np.frombuffer(data, dtype=np.uint8).astype(np.uint32), window)
    hashes &= np.uint64(2**_HASH_BITS - 1)
    return np.unique(hashes[hashes % np.uint64(MODULUS) == 0])
