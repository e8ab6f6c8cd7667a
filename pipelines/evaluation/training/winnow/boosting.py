"""Forests by gradient boosting with lightgbm, and as winnow's kernels read them.

Blocks of little weight are sampled: one of weight w is taken with probability min(1, w / w0), and then
weighs max(w, w0). One thread and a seed: the same data make the same bytes.

Where a standard gives segments only, few blocks of a page are labelled. Of main text a first forest labels the others,
by the choice that winnow makes, and the forest that is returned learns from these labels, too. For comments such
labels were no better.
*Source: Scudder 1965, "Probability of error of some adaptive pattern-recognition machines"* (self-training).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import InputError
from pipelines.boilerplate.winnow.choice import best_blocks
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.method import LEAST_EXPECTED, probabilities
from pipelines.boilerplate.winnow.trees import MAX_LEAVES, Forest, forest_of
from pipelines.evaluation.training.winnow.pages import PAGE_WEIGHT, Target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from pipelines.evaluation.training.winnow.pages import TrainingPage

# Copies of a page under other session ids differ in the lengths of their addresses; their labels must
# not. What counts bytes of markup is kept from the trees.
_UNUSED = [
    place
    for place, name in enumerate(FEATURE_NAMES)
    if "bytes" in name or name.startswith(("markup in", "page markup"))
]
# What a block that a forest is sure of weighs of one that is labelled.
MOST_SURENESS = 0.7


@dataclass(frozen=True, slots=True)
class Settings:
    """What a forest is trained with; the names are lightgbm's but for the first three."""

    n_trees: int = 120
    seed: int = 4
    sampled_weight: float = 0.25
    num_leaves: int = 31
    learning_rate: float = 0.1
    min_data_in_leaf: int = 30
    feature_fraction: float = 0.25
    bagging_fraction: float = 0.6
    bagging_freq: int = 1
    lambda_l2: float = 5.0
    max_bin: int = 63


def train_forest(pages: Sequence[TrainingPage], target: str, settings: Settings) -> Forest:
    """Return the forest that tells the *target* of *pages*, ``main`` or ``full``."""
    aims: list[Target] = [getattr(page, target) for page in pages]
    forest = boosted(*_sampled(pages, aims, settings), settings)
    if target == "full" or all(page.gold is not None for page in pages):
        return forest
    told = [
        aim if page.gold is not None else _completed(page, aim, forest)
        for page, aim in zip(pages, aims, strict=True)
    ]
    return boosted(*_sampled(pages, told, settings), settings)


def _completed(page: TrainingPage, aim: Target, forest: Forest) -> Target:
    """Label the blocks of *page* that its segments say nothing of as *forest* does, by how sure it is."""
    probability = probabilities(forest, page.x)
    kept = best_blocks(probability, page.n_words, least=LEAST_EXPECTED)
    sizes = page.n_words + 1
    weight = sizes / sizes.sum() * PAGE_WEIGHT
    sureness = MOST_SURENESS * np.abs(2 * probability - 1)
    known = aim.weight > 0
    return Target(
        np.where(known, aim.wanted, kept),
        np.where(known, np.maximum(aim.weight, weight), weight * sureness),
    )


def boosted(
    x: npt.NDArray[np.float32],
    wanted: npt.NDArray[np.float32],
    weight: npt.NDArray[np.float64],
    settings: Settings,
    more: Mapping[str, Any] | None = None,
) -> Forest:
    """Return the forest for the rows *x* with the options of *settings* and *more* of lightgbm's."""
    try:
        import lightgbm
    except ImportError as error:
        raise InputError("training needs lightgbm; pip install 'winnow-crawler[train]'") from error
    except OSError as error:  # of a library of the system that it needs
        raise InputError(f"lightgbm cannot be loaded ({error}); install what it names") from error
    options: dict[str, Any] = asdict(settings)
    for name in ("n_trees", "sampled_weight"):
        del options[name]
    options |= {
        "objective": "binary",
        "num_threads": 1,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
        **(more or {}),
    }
    data = lightgbm.Dataset(x, wanted, weight=weight, params=options)
    return exported(lightgbm.train(options, data, settings.n_trees))


def _sampled(
    pages: Sequence[TrainingPage], aims: Sequence[Target], settings: Settings
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    random = np.random.default_rng(settings.seed)
    least = settings.sampled_weight
    rows, wanted, weights = [], [], []
    for page, aim in zip(pages, aims, strict=True):
        taken = random.random(len(aim.weight)) * least < aim.weight
        rows.append(page.x[:, taken].T)
        wanted.append(aim.wanted[taken])
        weights.append(np.maximum(aim.weight[taken], least))
    x = np.concatenate(rows, dtype=np.float32)
    x[:, _UNUSED] = 0
    return (
        x,
        np.concatenate(wanted, dtype=np.float32, casting="unsafe"),
        np.concatenate(weights),
    )


def exported(booster: Any) -> Forest:
    """Return lightgbm's *booster* as a forest of the same decisions; without one, no trees."""
    first, nodes, leaves = [0], [], []
    for tree in booster.dump_model()["tree_info"] if booster else ():
        values: list[float] = []
        tree_nodes: list[tuple[int, float, int, int, float]] = []
        _walk(tree["tree_structure"], tree_nodes, values)
        nodes += tree_nodes
        first.append(len(nodes))
        leaves.append([*values, *[0.0] * (MAX_LEAVES - len(values))])
    feature, threshold, left, right, mean = zip(*nodes, strict=True) if nodes else ((),) * 5
    return forest_of(
        np.array(first, np.uint32),
        np.array(feature, np.uint32),
        _at_most(np.array(threshold, np.float64)),
        np.array(left, np.int8),
        np.array(right, np.int8),
        np.array(mean, np.float32),
        np.array(leaves, np.float32).reshape(-1, MAX_LEAVES),
    )


def _walk(
    node: dict[str, Any], nodes: list[tuple[int, float, int, int, float]], values: list[float]
) -> int:
    """Add *node* and all below; return its place, or that of a leaf as ~number."""
    if "split_index" not in node:
        values.append(node["leaf_value"])
        return ~(len(values) - 1)
    place = len(nodes)
    nodes.append((0, 0.0, 0, 0, 0.0))
    left = _walk(node["left_child"], nodes, values)
    right = _walk(node["right_child"], nodes, values)
    nodes[place] = (node["split_feature"], node["threshold"], left, right, node["internal_value"])
    return place


def _at_most(threshold: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Return the largest float32 that is not above each threshold: x <= t decides the same."""
    rounded = threshold.astype(np.float32)
    lower = np.nextafter(rounded, np.float32(-np.inf))
    return np.where(rounded.astype(np.float64) > threshold, lower, rounded)
