"""Shivakumar and Garcia-Molina's fingerprints: 32-bit hashes of groups of lines.

*Source:* Shivakumar and Garcia-Molina 1998, section 4, with two and with four lines a chunk;
Pomikálek 2011, 3.2.4. Lines are those with a letter or digit, whitespace collapsed, lower-cased
(none of it is published). Chunks do not overlap; ``sliding`` takes one at every line.

Shapes: fingerprint ``uint32[m]``, ascending, each once; compare by
:func:`pipelines.duplicates.shingles.resemblance` of it as uint64. A text of fewer lines is one chunk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import xxhash

from crawler.page.words import density_tokens

if TYPE_CHECKING:
    import numpy.typing as npt

N_LINES = 4


def line_fingerprint(
    text: str, n_lines: int = N_LINES, *, sliding: bool = False
) -> npt.NDArray[np.uint32]:
    """Return the hashes of the chunks of *n_lines* lines of *text*; ValueError when below 1."""
    if n_lines < 1:
        raise ValueError(f"a chunk needs at least 1 line, got {n_lines}")
    lines = [" ".join(line.lower().split()) for line in text.splitlines() if density_tokens(line)]
    last = max(len(lines) - n_lines, 0) if sliding else max(len(lines) - 1, 0)
    starts = range(0, last + 1, 1 if sliding else n_lines) if lines else ()
    chunks = ("\n".join(lines[start : start + n_lines]) for start in starts)
    hashes = {xxhash.xxh32_intdigest(chunk.encode("utf-8", "surrogatepass")) for chunk in chunks}
    return np.array(sorted(hashes), dtype=np.uint32)
