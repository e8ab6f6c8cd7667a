"""Density template removal: sparse segments are templates, seen from the page alone.

A segment whose rounded density is at most 5 is taken for template text; nothing but the page is
needed for that. It is compared here with the fingerprint baseline (:mod:`.fingerprints`), which has
to see the whole collection. *Source: Kohlschütter 2011, sections 4.3.3 and 4.3.4*: sparse text 23 % of the
tokens, fingerprint templates 28 %; 47 % of the templates' tokens are sparse; sparse text is 84 % of the size
of the templates. The last one compares two sizes and is no overlap (the text can be misread).

Shapes: tokens int64[k, 2, 2] by rounded density 0..k-1, by template (no, yes) and by full stop (no,
yes). Shares of nothing are 0. Invariant: every share is in 0..1, the size ratio may exceed 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipelines.linguistics.laws.histograms import DENSITY_CLASSES

if TYPE_CHECKING:
    import numpy.typing as npt

# Kohlschütter 2011, section 4.3.4: remove all segments with a density of at most 5.
TEMPLATE_DENSITY = 5
# Kohlschütter 2011, section 4.3.3: the two starts of dense text that the shares are given for.
DENSE_FROM = (6, 9)


@dataclass(frozen=True, slots=True)
class TemplateOverlap:
    """Shares in tokens of a collection.

    *sparse*, *template*: of all tokens. *template_sparse*: of the templates' tokens, those that are
    sparse; *sparse_template*: the reverse. *size_ratio*: sparse tokens for one template token.
    *sparse_plain_template*: of the sparse tokens, those of templates without full stop.
    *dense_stop_template*: of the tokens from density 6 and from 9, those of templates with full stop.
    *template_plain*: of the templates' tokens, those without full stop.
    """

    n_tokens: int
    sparse: float
    template: float
    template_sparse: float
    sparse_template: float
    size_ratio: float
    sparse_plain_template: float
    dense_stop_template: tuple[float, ...]
    template_plain: float


def template_table(
    rounded: npt.NDArray[np.int64],
    n_tokens: npt.NDArray[np.int64],
    *,
    template: npt.NDArray[np.bool_],
    full_stop: npt.NDArray[np.bool_],
) -> npt.NDArray[np.int64]:
    """Return the tokens of segments by density, template and full stop."""
    cells = (rounded * 2 + template) * 2 + full_stop
    table = np.bincount(cells, n_tokens, minlength=DENSITY_CLASSES * 4)
    return np.rint(table).astype(np.int64).reshape(-1, 2, 2)


def template_overlap(
    tokens: npt.NDArray[np.int64], max_density: int = TEMPLATE_DENSITY
) -> TemplateOverlap:
    """Compare the removal of segments of at most *max_density* with the fingerprint templates.

    *tokens*: int64[k, 2, 2], by rounded density, whether they are of a template, and whether of a segment with full
    stop; ValueError for another shape.
    """
    if tokens.ndim != 3 or tokens.shape[1:] != (2, 2):
        raise ValueError(f"tokens must be of shape [k, 2, 2], got {tokens.shape}")
    total = int(tokens.sum())
    low = tokens[: max_density + 1]
    sparse, template = int(low.sum()), int(tokens[:, 1].sum())
    both = int(low[:, 1].sum())
    return TemplateOverlap(
        n_tokens=total,
        sparse=_share(sparse, total),
        template=_share(template, total),
        template_sparse=_share(both, template),
        sparse_template=_share(both, sparse),
        size_ratio=_share(sparse, template),
        sparse_plain_template=_share(int(low[:, 1, 0].sum()), sparse),
        dense_stop_template=tuple(
            _share(int(tokens[start:, 1, 1].sum()), int(tokens[start:].sum()))
            for start in DENSE_FROM
        ),
        template_plain=_share(int(tokens[:, 1, 0].sum()), template),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
