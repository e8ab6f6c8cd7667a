r"""Mixtures of rank vectors: the rank for several topics at once, without computing it.

*Source: Kohlschütter 2011, section 3.1, equation 3.6, and 3.4.3*: ``r = sum over f of w_f r_f``, with weights
given for each dimension of facets, and facets of one dimension weighing alike.

PageRank is linear in its preference, so such a sum is the rank of a mixed preference. Of which one
depends on the policy for dangling pages. Under ``drop`` and ``self`` it is ``sum of w_f v_f``. Under
``redistribute`` what dangling pages lose goes to each topic's own pages, so the share of v_f grows with
what it loses, and the sum is the rank of ``sum of (w_f / kept_f) v_f``, scaled, where ``kept_f`` is the mean of y
(`crawler.ranking.topics.topics.TopicRanks`). `mixture_weights` gives the weights of ranks for wanted
weights of preferences; with them mixtures are exact under each policy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt


def mixed_rank(ranks: npt.NDArray[np.floating], weights: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the sum of *ranks* (k rows) by *weights* (k numbers of at least 0), which are scaled to sum 1.

    Raises :exc:`ValueError` for weights of another length, below 0, or 0 only.
    """
    scaled = _scaled(weights)
    if len(scaled) != len(ranks):
        raise ValueError(f"{len(scaled)} weights, but {len(ranks)} rank vectors")
    mixed: npt.NDArray[np.float64] = scaled @ np.asarray(ranks, dtype=np.float64)
    return mixed


def mixture_weights(weights: npt.ArrayLike, kept: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the weights of ranks that make the rank of the preferences mixed by *weights*.

    *kept*: of each topic, for the policy ``redistribute``; see the module.
    """
    return _scaled(_scaled(weights) * np.asarray(kept, dtype=np.float64))


def facet_weights(
    dimensions: Sequence[str], dimension_weights: Mapping[str, float] | None = None
) -> npt.NDArray[np.float64]:
    """Return the weights of chosen facets, given the dimension of each: equal within a dimension.

    *dimension_weights*: of dimensions, 1 where not named.

    >>> facet_weights(["topic", "topic", "origin"], {"origin": 0.5}).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    given = dimension_weights or {}
    sizes = {name: dimensions.count(name) for name in dimensions}
    return _scaled([given.get(name, 1.0) / sizes[name] for name in dimensions])


def _scaled(weights: npt.ArrayLike) -> npt.NDArray[np.float64]:
    vector = np.asarray(weights, dtype=np.float64)
    if vector.ndim != 1 or not np.isfinite(vector).all() or (vector < 0).any():
        raise ValueError("weights must be numbers of at least 0")
    total = vector.sum()
    if not total > 0:
        raise ValueError("weights must be above 0 for a topic, got zeros only")
    scaled: npt.NDArray[np.float64] = vector / total
    return scaled
