"""Winnow's reasons in words: what was decided of a page, and what pushed each block to its label.

What features add (``explain.py``) is summed up by what they are about, and told by the strongest (``push_words.py``).
What code has of the text before it and the doubt are pushes of their own. Blocks that were judged as main text or
comment are told by the trees for both.

Invariant: the start and the pushes of a block are the log odds of its chance. Cost: O(features) a block.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, overload

import numpy as np
from scipy.special import logit

from pipelines.boilerplate.reasons import Push, Reason, Reasons, percentage, signed
from pipelines.boilerplate.winnow.decision import Course
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.manuals import with_code
from pipelines.boilerplate.winnow.reasons.explain import pushes, start
from pipelines.boilerplate.winnow.reasons.feature_words import ABOUT, PAGE
from pipelines.boilerplate.winnow.reasons.page_notes import page_notes
from pipelines.boilerplate.winnow.reasons.push_words import (
    CODE,
    DOUBT,
    SUBJECTS,
    words_of,
    words_of_pushes,
)
from pipelines.boilerplate.winnow.reasons.wording import about

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.decision import Bools, Decision
    from pipelines.boilerplate.winnow.model_file import Model
    from pipelines.boilerplate.winnow.reasons.page_notes import Options
    from pipelines.boilerplate.winnow.reasons.push_words import F64, Numbers, Words
    from pipelines.boilerplate.winnow.trees import F32

# A push less strong is not among the first.
_LEAST_PUSH = 0.2
_TOWARDS, _AGAINST = 2, 1
# Where other trees judge what may be comments.
_APART = {Course.TOGETHER, Course.BESIDE}
_AT_PAGE, _AT_CODE, _AT_DOUBT = (SUBJECTS.index(subject) for subject in (PAGE, CODE, DOUBT))


def reasons_of(
    model: Model, x: F32, decision: Decision, doubt: float | F64, options: Options
) -> Reasons:
    """Return the reasons of a page whose blocks have the features *x* and were labelled by *decision*.

    *doubt* was taken off their log odds.
    """
    starts, pushed = _judged(model, x, decision)
    sums, strongest = _by_subject(pushed)
    sums[_AT_CODE] = _of_code(starts + sums.sum(axis=0), decision, x)
    sums[_AT_DOUBT] -= doubt
    chance = 1 / (1 + np.exp(-starts - sums.sum(axis=0)))
    chosen = decision.kept if decision.comments is None else decision.kept | decision.comments
    choices = _choices(chance, chosen, decision)
    said = words_of_pushes(sums, strongest, pushed, x, manual=decision.manual)
    told = zip(choices, chance.tolist(), starts.tolist(), strict=True)
    blocks = _BlockReasons(list(told), *_in_order(sums, said, chosen))
    least = _least(chance, decision.kept, decision)
    notes = page_notes(model, x, decision, least, options)
    return Reasons([*notes, *_page_said(sums, pushed, x)], blocks)


def _judged(model: Model, x: F32, decision: Decision) -> tuple[F64, F32]:
    """Return the start of each block, float64[n], and its pushes, by the trees that judged it."""
    starts = np.full(x.shape[1], start(model.main))
    pushed = pushes(model.main, x)
    places = decision.places
    if decision.course in _APART and places is not None:
        starts[places] = start(model.full)
        pushed[:, places] = pushes(model.full, x[:, places])
    return starts, pushed


def _of_code(log_odds: F64, decision: Decision, x: F32) -> F64:
    """Return what is added to the *log_odds* of each block, which are those of its trees, for it is code."""
    asked = np.ones(len(log_odds), np.bool_)
    if decision.notices is not None:
        asked &= ~decision.notices
    # Comments and other text go with their own.
    places = decision.places if decision.course in _APART else None
    added = np.zeros(len(log_odds))
    for group in (asked,) if places is None else (asked & places, asked & ~places):
        chance = np.where(group, 1 / (1 + np.exp(-log_odds)), 0.0)
        raised = with_code(chance, x)
        is_raised = raised > chance
        added[is_raised] = logit(raised[is_raised]) - log_odds[is_raised]
    return added


@cache
def _features_of() -> list[Numbers]:
    """Return for each subject of `ABOUT` the numbers of its features."""
    numbers = np.array([ABOUT.index(about(name)) for name in FEATURE_NAMES])
    return [np.flatnonzero(numbers == subject) for subject in range(len(ABOUT))]


def _by_subject(pushed: F32) -> tuple[F64, Numbers]:
    """Return what each subject adds to each block, float64[subjects, n], and its features that take off and add most.

    The features are [subjects, 2, n]. The last subjects, code and the doubt, have none and add 0.
    """
    n_blocks = pushed.shape[1]
    sums = np.zeros((len(SUBJECTS), n_blocks))
    strongest = np.zeros((len(SUBJECTS), 2, n_blocks), np.intp)
    for subject, features in enumerate(_features_of()):
        strongest[subject] = features[0]
        extremes = pushed[features[0]] * np.array([[-1], [1]], np.float32)
        for feature in features:
            amounts = pushed[feature]
            sums[subject] += amounts
            for sign, most, its in zip((-1, 1), extremes, strongest[subject], strict=True):
                signed_amounts = amounts if sign > 0 else -amounts
                is_more = signed_amounts > most
                np.copyto(most, signed_amounts, where=is_more)
                np.copyto(its, feature, where=is_more)
    return sums, strongest


class _BlockReasons(Sequence[Reason]):
    """The reasons of blocks, each made when it is asked for: those of 100,000 blocks hold 900,000 pushes.

    *told*: what is said of each block, its chance and its start. *pushes*: subjects, amounts and words of all, those of
    a block up to its number of *ends*.
    """

    def __init__(
        self,
        told: Sequence[tuple[str, float, float]],
        ends: Sequence[int],
        pushes: tuple[list[str], list[float], list[str]],
    ):
        self._told = told
        self._ends = (0, *ends)
        self._pushes = pushes

    def __len__(self) -> int:
        return len(self._told)

    @overload
    def __getitem__(self, place: int) -> Reason: ...
    @overload
    def __getitem__(self, place: slice) -> list[Reason]: ...
    def __getitem__(self, place: int | slice) -> Reason | list[Reason]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        number = range(len(self))[place]
        its = slice(self._ends[number], self._ends[number + 1])
        subjects, amounts, words = self._pushes
        pushes = zip(subjects[its], amounts[its], words[its], strict=True)
        return Reason(*self._told[number], list(map(Push._make, pushes)))


def _in_order(
    sums: F64, words: Words, chosen: Bools
) -> tuple[list[int], tuple[list[str], list[float], list[str]]]:
    """Return where the pushes of each block end, and the subject, amount and words of all, in the order to be read."""
    order, n_told = _order(sums.T, chosen)
    subject = order[np.arange(len(SUBJECTS)) < n_told[:, None]]
    block = np.repeat(np.arange(len(order)), n_told)
    about = np.array(SUBJECTS, object)[subject].tolist()
    return n_told.cumsum().tolist(), (
        about,
        sums[subject, block].tolist(),
        words[subject, block].tolist(),
    )


def _order(amounts: F64, chosen: Bools) -> tuple[Numbers, Numbers]:
    """Return the subjects of each block in the order to be read, intp[n, subjects], and how many add something.

    The strongest two for the label, one against it, the rest, those that add nothing; *amounts*: float64[n, subjects].
    """
    order = np.argsort(-np.abs(amounts), axis=1, kind="stable")
    ordered = np.take_along_axis(amounts, order, 1)
    of_label = np.where(chosen, 1, -1)[:, None] * ordered
    # The doubt is much the same for all blocks, and what the page adds, too.
    is_strong = (np.abs(ordered) >= _LEAST_PUSH) & (order != _AT_DOUBT)
    towards, against = is_strong & (of_label > 0), is_strong & (of_label < 0) & (order != _AT_PAGE)
    towards &= towards.cumsum(axis=1) <= _TOWARDS
    against &= against.cumsum(axis=1) <= _AGAINST
    is_last = (order == _AT_PAGE) | (order == _AT_DOUBT)
    turn = np.select([towards, against, ordered == 0, is_last], [0, 1, 4, 3], 2)
    by_turn = np.argsort(turn, axis=1, kind="stable")
    return np.take_along_axis(order, by_turn, 1), np.count_nonzero(ordered, axis=1)


def _page_said(sums: F64, pushed: F32, x: F32) -> list[str]:
    """Return what the page as a whole added to its blocks."""
    if not x.shape[1]:
        return []
    mean = float(sums[_AT_PAGE].mean())
    pushes_of_all = pushed.mean(axis=1)
    _, strongest = _by_subject(pushes_of_all[:, None])
    why = words_of(int(strongest[_AT_PAGE, int(mean > 0), 0]), pushes_of_all, x[:, 0])
    return [f"The page itself adds {signed(mean)} to a block in the mean ({why})."]


def _least(chance: F64, chosen: Bools, decision: Decision) -> float | None:
    """Return the smallest chance of the *chosen* blocks that were chosen by it."""
    by_chance = chosen.copy()
    for others in (decision.alike, decision.closed):
        if others is not None:
            by_chance &= ~others
    return float(chance[by_chance].min()) if by_chance.any() else None


def _choices(chance: F64, chosen: Bools, decision: Decision) -> list[str]:
    """Return what the choice over the whole page did with each block, where its chance does not say it."""
    said_of = np.full(len(chance), "", object)
    comments = decision.comments
    # Comments and other text are chosen by themselves.
    groups = (
        [decision.places, ~decision.places]
        if decision.course is Course.BESIDE and decision.places is not None
        else [np.ones(len(chance), np.bool_)]
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
    if decision.copies is not None:
        said_of[decision.copies & ~chosen] = "a copy, left out: a likelier block has this text"
    if decision.notices is not None:
        said_of[decision.notices] = "left out: a notice of cookies"
    if decision.forms is not None:
        said_of[decision.forms & (chance >= 0.5)] = "left out: of the form for a comment"
    if decision.closed is not None:
        said_of[decision.closed] = "kept: it stands in a short gap or a table of which half is kept"
    if decision.alike is not None:
        said_of[decision.alike] += " like others of its tags"
    return said_of.tolist()
