"""The pushes of all blocks of a page at once: summed up, ordered and told as those of one block and feature."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.reasons.feature_words import ABOUT
from pipelines.boilerplate.winnow.reasons.push_words import (
    DOUBT,
    SUBJECTS,
    words_of,
    words_of_pushes,
)
from pipelines.boilerplate.winnow.reasons.reasons import _by_subject, _order
from pipelines.boilerplate.winnow.reasons.wording import about


def test_subjects_are_told_by_the_feature_that_is_strongest_in_their_direction():
    """Against one block and feature at a time; pushes that are equal, and none, are among them."""
    n_features, n_blocks = len(FEATURE_NAMES), 40
    pushed = np.random.default_rng(5).integers(-3, 4, (n_features, n_blocks)).astype(np.float32)
    pushed[:, 0] = 0
    sums, strongest = _by_subject(pushed)
    for subject, name in enumerate(ABOUT):
        features = [k for k in range(n_features) if about(FEATURE_NAMES[k]) == name]
        for block in range(n_blocks):
            amounts = [float(pushed[k, block]) for k in features]
            assert sums[subject, block] == sum(amounts)
            expected = [features[amounts.index(f(amounts))] for f in (min, max)]
            assert strongest[subject, :, block].tolist() == expected
    assert not sums[-1].any()


def in_order(amounts, is_chosen):
    """The subjects of a block as they are read: the strongest two for its label, one against it, the rest."""
    sign = 1 if is_chosen else -1
    order = sorted(range(len(amounts)), key=lambda k: -abs(amounts[k]))
    strong = [k for k in order if abs(amounts[k]) >= 0.2 and SUBJECTS[k] != DOUBT]
    first = [k for k in strong if amounts[k] * sign > 0][:2]
    first += [k for k in strong if amounts[k] * sign < 0 and SUBJECTS[k] != "the page"][:1]
    rest = [k for k in order if k not in first and amounts[k]]
    return first + sorted(rest, key=lambda k: SUBJECTS[k] in {"the page", DOUBT})


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_pushes_of_all_blocks_are_ordered_as_those_of_one(seed, n_blocks):
    random = np.random.default_rng(seed)
    amounts = random.normal(scale=0.4, size=(n_blocks, len(SUBJECTS))).round(1)
    chosen = random.random(n_blocks) < 0.5
    order, n_told = _order(amounts, chosen)
    for i in range(n_blocks):
        assert order[i, : n_told[i]].tolist() == in_order(amounts[i].tolist(), chosen[i])


def test_words_of_all_blocks_are_those_of_each():
    # As many values as make some blocks alike, in features of all subjects.
    random = np.random.default_rng(7)
    shape = (len(FEATURE_NAMES), 60)
    x = random.integers(0, 3, shape).astype(np.float32)
    pushed = (random.integers(-1, 2, shape) * (random.random((shape[0], 1)) < 0.1)).astype(
        np.float32
    )
    pushed[[name.endswith("same path") for name in FEATURE_NAMES]] *= 9
    sums, strongest = _by_subject(pushed)
    words = words_of_pushes(sums, strongest, pushed, x, manual=False)
    for subject, name in enumerate(SUBJECTS[:-1]):
        for i in range(shape[1]):
            amounts = [
                pushed[k, i] if about(FEATURE_NAMES[k]) == name else 0 for k in range(shape[0])
            ]
            total = sum(amounts)
            assert sums[subject, i] == total
            if total:
                strongest_of = max(range(shape[0]), key=lambda k: np.sign(total) * amounts[k])
                assert words[subject, i] == words_of(strongest_of, pushed[:, i], x[:, i])
    assert set(words[-1]) <= {"the page names itself an article", "not within <main> or <article>"}
    assert any("by tag path: " in said for said in words[SUBJECTS.index("elements like its own")])
