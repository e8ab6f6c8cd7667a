"""Which feature by itself tells most of the class of a block.

With H the entropy of the class weights, in bits, W their sum and w_v what of it is in bin v of the feature::

    gain = H(all) - sum over v of w_v / W H(v)

*Source: Kohlschütter 2011, section 4.4.3 and figure 4.20*, by Weka, whose bins are not told: here (decision)
they are the leaves of a tree that has the one feature (:mod:`.decision_tree`), so that a feature of many values
gains nothing by that. Cost: a tree a feature. Invariant: 0 <= gain <= H(all).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.evaluation.training.classifiers import class_weights
from pipelines.evaluation.training.decision_tree import MIN_WEIGHT, DecisionTree, entropy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.evaluation.training.classifiers import Instances


def information_gains(
    instances: Instances, names: Sequence[str], *, min_weight: float = MIN_WEIGHT
) -> list[tuple[str, float]]:
    """Return the *names* of the features of *instances* with their gains in bits, the largest first.

    *min_weight*: of a bin, above 0.
    """
    whole = class_weights(instances)
    gains = []
    for place, name in enumerate(names):
        tree = DecisionTree(min_weight=min_weight, collapsed=False)
        tree.fit(instances._replace(features=instances.features[:, [place]]))
        leaves = np.array([leaf.weights for leaf in tree.root.leaves()])
        left = float((entropy(leaves) * leaves.sum(axis=1)).sum() / whole.sum())
        gains.append((name, max(float(entropy(whole)) - left, 0.0)))
    return sorted(gains, key=lambda each: (-each[1], each[0]))
