"""Winnow's reasons in words: what was decided of a page, and what pushed each block to its label.

What features add (``explain.py``) is summed up by what they are about; the feature that is strongest in the direction
of a sum says what it saw. Where that is a vote, it is said what the blocks are like that voted. The doubt is a push
of its own. Blocks that were judged as main text or comment are told by the trees for both.

Invariant: the start and the pushes of a block are the log odds of its chance. Cost: O(features) a block.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.reasons import Push, Reason, Reasons, percentage, signed
from pipelines.boilerplate.winnow.decision import Course
from pipelines.boilerplate.winnow.explain import pushes, start
from pipelines.boilerplate.winnow.feature_words import ABOUT, PAGE, VOTES
from pipelines.boilerplate.winnow.features import FEATURE_NAMES
from pipelines.boilerplate.winnow.page_notes import doubt_words, page_notes
from pipelines.boilerplate.winnow.wording import about, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from pipelines.boilerplate.winnow.decision import Bools, Decision
    from pipelines.boilerplate.winnow.model_file import Model
    from pipelines.boilerplate.winnow.page_notes import Options
    from pipelines.boilerplate.winnow.trees import F32

    F64 = npt.NDArray[np.float64]

DOUBT = "doubt"
_SUBJECTS = (*ABOUT, DOUBT)
# A push less strong is not among the first.
_LEAST_PUSH = 0.2
_TOWARDS, _AGAINST = 2, 1
_BLOCKS = "blocks"
_OF_VOTE = ("words", "link share", "good share", "of the good", "spread")
_VOTE_OF = {f"{name} of same {vote}": vote for vote in VOTES for name in (_BLOCKS, *_OF_VOTE)}
_AT = {name: place for place, name in enumerate(FEATURE_NAMES)}
_FEATURES_OF_VOTE = {vote: [_AT[f"{name} of same {vote}"] for name in _OF_VOTE] for vote in VOTES}
# So many columns are turned into rows at a time.
_BLOCKS_AT_ONCE = 1024


def reasons_of(
    model: Model, x: F32, decision: Decision, doubt: float | F64, options: Options
) -> Reasons:
    """Return the reasons of a page whose blocks have the features *x* and were labelled by *decision*.

    *doubt* was taken off their log odds.
    """
    starts, pushed = _judged(model, x, decision)
    sums, strongest = _by_subject(pushed)
    sums[-1] -= doubt
    chance = 1 / (1 + np.exp(-starts - sums.sum(axis=0)))
    chosen = decision.kept if decision.comments is None else decision.kept | decision.comments
    choices = _choices(chance, chosen, decision)
    blocks = []
    of_blocks = zip(chosen.tolist(), sums.T.tolist(), strongest.T.tolist(), strict=True)
    rows = zip(_rows_of_blocks(pushed), _rows_of_blocks(x), strict=True)
    for i, ((is_chosen, amounts, features), row) in enumerate(zip(of_blocks, rows, strict=True)):
        told = [
            Push(_SUBJECTS[k], amounts[k], _said(k, features[amounts[k] > 0][k], *row))
            for k in _order(amounts, is_chosen)
        ]
        blocks.append(Reason(choices[i], float(chance[i]), float(starts[i]), told))
    least = _least(chance, decision.kept, decision)
    notes = page_notes(model, x, decision, least, options)
    return Reasons([*notes, *_page_said(sums, pushed, x)], blocks)


def _judged(model: Model, x: F32, decision: Decision) -> tuple[F64, F32]:
    """Return the start of each block, float64[n], and its pushes, by the trees that judged it."""
    starts = np.full(x.shape[1], start(model.main))
    pushed = pushes(model.main, x)
    places = decision.places
    if decision.course in {Course.TOGETHER, Course.BESIDE} and places is not None:
        starts[places] = start(model.full)
        pushed[:, places] = pushes(model.full, x[:, places])
    return starts, pushed


@cache
def _features_of() -> list[npt.NDArray[np.intp]]:
    """Return for each subject of `ABOUT` the numbers of its features."""
    numbers = np.array([ABOUT.index(about(name)) for name in FEATURE_NAMES])
    return [np.flatnonzero(numbers == subject) for subject in range(len(ABOUT))]


def _by_subject(pushed: F32) -> tuple[F64, npt.NDArray[np.intp]]:
    """Return what each subject adds to each block, float64[subjects, n], and its features that take off and add most.

    The features are [subjects, 2, n]. The last subject, the doubt, has none and adds 0.
    """
    n_blocks = pushed.shape[1]
    sums = np.zeros((len(_SUBJECTS), n_blocks))
    strongest = np.zeros((len(_SUBJECTS), 2, n_blocks), np.intp)
    for subject, features in enumerate(_features_of()):
        amounts = pushed[features]
        sums[subject] = amounts.sum(axis=0, dtype=np.float64)
        strongest[subject] = features[[amounts.argmin(axis=0), amounts.argmax(axis=0)]]
    return sums, strongest


def _rows_of_blocks(values: F32) -> Iterator[F32]:
    """Yield for each block its column of *values*, as it lies in memory."""
    for begin in range(0, values.shape[1], _BLOCKS_AT_ONCE):
        yield from np.ascontiguousarray(values[:, begin : begin + _BLOCKS_AT_ONCE].T)


def _order(amounts: Sequence[float], is_chosen: bool) -> list[int]:
    """Return the pushes in the order to be read: the strongest two for the label, one against it, the rest."""
    sign = 1 if is_chosen else -1
    order = sorted(range(len(amounts)), key=lambda k: -abs(amounts[k]))
    # The doubt is much the same for all blocks, and what the page adds, too.
    strong = [k for k in order if abs(amounts[k]) >= _LEAST_PUSH and _SUBJECTS[k] != DOUBT]
    first = [k for k in strong if amounts[k] * sign > 0][:_TOWARDS]
    first += [k for k in strong if amounts[k] * sign < 0 and _SUBJECTS[k] != PAGE][:_AGAINST]
    rest = [k for k in order if k not in first and amounts[k]]
    return first + sorted(rest, key=lambda k: _SUBJECTS[k] in {PAGE, DOUBT})


def _said(subject: int, feature: int, pushed: F32, x: F32) -> str:
    """Return what *feature*, the strongest of all that are about *subject*, saw of a block."""
    if _SUBJECTS[subject] == DOUBT:
        return doubt_words(x)
    name = FEATURE_NAMES[feature]
    vote = _VOTE_OF.get(name)
    if vote is None:
        return said(name, float(x[feature]))
    return _vote_said(vote, 1 if pushed[feature] > 0 else -1, pushed, x)


def _page_said(sums: F64, pushed: F32, x: F32) -> list[str]:
    """Return what the page as a whole added to its blocks."""
    if not x.shape[1]:
        return []
    added = sums[_SUBJECTS.index(PAGE)]
    mean = float(added.mean())
    pushes_of_all = pushed.mean(axis=1)
    page = _SUBJECTS.index(PAGE)
    _, strongest = _by_subject(pushes_of_all[:, None])
    feature = int(strongest[page, int(mean > 0), 0])
    why = _said(page, feature, pushes_of_all, x[:, 0])
    return [f"The page itself adds {signed(mean)} to a block in the mean ({why})."]


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
    n_blocks = round(float(x[_AT[f"{_BLOCKS} of same {vote}"]]))
    if n_blocks == 1:
        counted = [words for words in counted if not words.startswith("spread")]
    like = f"{n_blocks:,} {VOTES[vote]}" if n_blocks > 1 else f"none other {VOTES[vote]}"
    return f"{like}: {', '.join(counted[:2])}" if counted else like


def _least(chance: F64, chosen: Bools, decision: Decision) -> float | None:
    """Return the smallest chance of the *chosen* blocks that were chosen by it."""
    by_chance = chosen if decision.alike is None else chosen & ~decision.alike
    return float(chance[by_chance].min()) if by_chance.any() else None


def _choices(chance: F64, chosen: Bools, decision: Decision) -> list[str]:
    """Return what the choice over the whole page did with each block, where its chance does not say it."""
    said_of = np.full(len(chance), "", object)
    comments = decision.comments
    # Comments and other text are chosen by themselves.
    groups = (
        [np.ones(len(chance), np.bool_)]
        if comments is None or decision.places is None
        else [decision.places, ~decision.places]
    )
    for group in groups:
        limit = _least(chance, group & chosen, decision)
        above, below = group & ~chosen & (chance >= 0.5), group & chosen & (chance < 0.5)
        why = "nothing is" if limit is None else f"the limit of this page is {percentage(limit)}"
        said_of[above] = f"left out all the same: {why}"
        said_of[below] = f"taken all the same: {why}"
    if comments is not None:
        said_of[comments & decision.kept] = "a comment, kept"
        said_of[comments & ~decision.kept] = "a comment, left out"
    if decision.alike is not None:
        said_of[decision.alike] += " like others of its tags"
    return said_of.tolist()
