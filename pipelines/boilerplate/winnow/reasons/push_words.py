"""What the features that pushed blocks saw of them, in words.

The feature that is strongest in the direction of a sum of pushes says what it saw. Where that is a vote, it is said
what the blocks are like that voted. Blocks of which the same features saw the same are told of once, for a page of a
hundred thousand blocks has but some thousand such sights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.reasons.feature_words import ABOUT, VOTES
from pipelines.boilerplate.winnow.reasons.page_notes import doubt_words
from pipelines.boilerplate.winnow.reasons.wording import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.boilerplate.winnow.trees import F32

    F64 = npt.NDArray[np.float64]
    Numbers = npt.NDArray[np.intp]
    Words = npt.NDArray[np.object_]

CODE, DOUBT = "code", "doubt"
# What code has of the text before it and the doubt are no sums of features, but push, too.
SUBJECTS = (*ABOUT, CODE, DOUBT)
_BLOCKS = "blocks"
_OF_VOTE = ("words", "link share", "good share", "of the good", "spread")
_AT = {name: place for place, name in enumerate(FEATURE_NAMES)}
_BLOCKS_OF_VOTE = {vote: _AT[f"{_BLOCKS} of same {vote}"] for vote in VOTES}
_FEATURES_OF_VOTE = {vote: [_AT[f"{name} of same {vote}"] for name in _OF_VOTE] for vote in VOTES}
_VOTE_OF = {
    feature: vote for vote in VOTES for feature in (_BLOCKS_OF_VOTE[vote], *_FEATURES_OF_VOTE[vote])
}
# 0 where there is none, else its place among them from 1 on.
_NUMBER_OF_VOTE = np.zeros(len(FEATURE_NAMES), np.int8)
for _feature, _vote in _VOTE_OF.items():
    _NUMBER_OF_VOTE[_feature] = 1 + list(VOTES).index(_vote)


def words_of_pushes(sums: F64, strongest: Numbers, pushed: F32, x: F32, *, manual: bool) -> Words:
    """Return what is said of what each subject pushed of each block, object[subjects, n].

    *sums*: float64[subjects, n]; *strongest*: the features that take off and add most, intp[subjects, 2, n];
    *pushed* and *x*: pushes and values of the features, float32[features, n].
    """
    n_blocks = x.shape[1]
    words = np.empty((len(SUBJECTS), n_blocks), object)
    every = np.arange(n_blocks)
    for subject in range(len(ABOUT)):
        features = np.where(sums[subject] > 0, strongest[subject, 1], strongest[subject, 0])
        numbers = np.where(sums[subject] != 0, _NUMBER_OF_VOTE[features], -1)
        for number, vote in enumerate((None, *VOTES)):
            its = every[numbers == number]
            if len(its):
                words[subject, its] = _words_of(vote, its, features[its], pushed, x)
    if n_blocks:
        words[-2:] = [["code goes with the text before it"], [doubt_words(x, manual=manual)]]
    return words


def _words_of(vote: str | None, blocks: Numbers, features: Numbers, pushed: F32, x: F32) -> Words:
    """Return what *features* saw of *blocks*, one of each; all features are of *vote*, or of none."""
    seen: list[npt.NDArray[np.generic]] = [features]
    if vote is None:
        seen.append(x[features, blocks])
    else:
        of_vote = np.array(_FEATURES_OF_VOTE[vote])[:, None]
        is_added = pushed[features, blocks] > 0
        towards = np.where(is_added, 1, -1) * pushed[of_vote, blocks]
        order = np.argsort(-towards, axis=0, kind="stable")
        seen += [is_added, (towards > 0).sum(axis=0)]
        seen += [np.ravel_multi_index(tuple(order), (len(order),) * len(order))]
        seen += [*x[of_vote, blocks], x[_BLOCKS_OF_VOTE[vote], blocks]]
    first, group = _groups(seen)
    told = [words_of(int(features[i]), pushed[:, blocks[i]], x[:, blocks[i]]) for i in first]
    return np.array(told, object)[group]


def _groups(seen: Sequence[npt.NDArray[np.generic]]) -> tuple[Numbers, Numbers]:
    """Return the first block of each group that is the same in all of *seen*, and the group of each block."""
    order = np.lexsort(seen)
    is_first = np.zeros(len(order), np.bool_)
    is_first[:1] = True
    for column in seen:
        ordered = column[order]
        is_first[1:] |= ordered[1:] != ordered[:-1]
    group = np.empty(len(order), np.intp)
    group[order] = is_first.cumsum() - 1
    return order[is_first], group


def words_of(feature: int, pushed: F32, x: F32) -> str:
    """Return what *feature* saw of a block of which the features are *x*, and pushed so much each."""
    vote = _VOTE_OF.get(feature)
    if vote is None:
        return said(FEATURE_NAMES[feature], float(x[feature]))
    return _vote_said(vote, 1 if pushed[feature] > 0 else -1, pushed, x)


def _vote_said(vote: str, sign: int, pushed: F32, x: F32) -> str:
    """Return what the blocks are like that voted, first what counted most in the direction of *sign*."""
    features = sorted(_FEATURES_OF_VOTE[vote], key=lambda feature: -sign * pushed[feature])
    # Two of them may say the same: that there is no running text.
    counted = list(
        dict.fromkeys(
            said(FEATURE_NAMES[feature], float(x[feature]))
            for feature in features
            if sign * pushed[feature] > 0
        )
    )
    n_blocks = round(float(x[_BLOCKS_OF_VOTE[vote]]))
    if n_blocks == 1:
        counted = [words for words in counted if not words.startswith("spread")]
    like = f"{n_blocks:,} {VOTES[vote]}" if n_blocks > 1 else f"none other {VOTES[vote]}"
    return f"{like}: {', '.join(counted[:2])}" if counted else like
