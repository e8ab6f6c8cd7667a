"""The densitometric diagram of a page of a corpus, from the rows of its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.boilerplate.renderers.density_diagram import Density, Group, density_diagram

if TYPE_CHECKING:
    from collections.abc import Sequence

# In the colours of the list of blocks.
GROUPS = (
    Group("kept", is_kept=True, css_class="kept"),
    Group("boilerplate", is_kept=False, css_class="cut"),
    Group("other text that is not kept", is_kept=False, css_class="other"),
)
_KEPT, _CUT, _OTHER = range(len(GROUPS))
# More than what a density may be off as float32.
_ROUNDING = 1e-4


def page_diagram(blocks: Sequence[dict[str, Any]]) -> str:
    """Return the diagram of *blocks*, rows as of ``documents.blocks``; "" when none of them has a text density.

    The corpus has words and words a line, not lines. These are their quotient, rounded up: one less than there are
    where the last line is longer than the mean of the others.
    """
    if all(block["text_density"] is None for block in blocks):
        return ""
    density = np.array([block["text_density"] or 0.0 for block in blocks], dtype=np.float64)
    words = np.array([block["words"] or 0 for block in blocks], dtype=np.float64)
    lines = np.ceil(words / np.where(density > 0, density, np.inf) - _ROUNDING)
    segments = [block["segment"] for block in blocks]
    return density_diagram(
        Density(
            n_lines=lines.astype(np.int64),
            density=density,
            group=np.array([_group(block) for block in blocks], dtype=np.int64),
            segment=None if None in segments else np.array(segments, dtype=np.int64),
        ),
        GROUPS,
    )


def _group(block: dict[str, Any]) -> int:
    if block["kept"]:
        return _KEPT
    return _CUT if block["label"] == "boilerplate" else _OTHER
