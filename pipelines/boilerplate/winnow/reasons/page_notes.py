"""What winnow decided of a page as a whole, in words: the limit, the doubt, the kind of page, its comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.boilerplate.reasons import percentage
from pipelines.boilerplate.winnow.comments import KIND_NAMES
from pipelines.boilerplate.winnow.decision import Course
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.reasons.explain import pushes
from pipelines.boilerplate.winnow.reasons.wording import said

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.decision import Decision
    from pipelines.boilerplate.winnow.model_file import Model
    from pipelines.boilerplate.winnow.trees import F32

_NAMES_ITSELF = [k for k, name in enumerate(FEATURE_NAMES) if name.startswith("page is ")]
_NAMED_ARTICLE = FEATURE_NAMES.index("page is article")
# As of good words, in ``features/measures.py``.
_RUNNING_TEXT = "Running text is that of blocks of ten words or more, with sentences and few links."


class Options(NamedTuple):
    """The options of the method that labelled the page."""

    preset: str | float
    comments: str
    least: float


def page_notes(
    model: Model, x: F32, decision: Decision, least: float | None, options: Options
) -> list[str]:
    """Return what was decided of a page whose blocks have the features *x*, a sentence each.

    *least* is the smallest chance of what is kept.
    """
    if not x.shape[1]:
        return []
    notes = [_limit(decision, least, options)]
    named = [said(FEATURE_NAMES[k], 1.0) for k in _NAMES_ITSELF if x[k, 0]]
    if named:
        notes.append(f"The page {', '.join(named)}.")
    notes.append(_doubt(x, decision))
    comments = _comments(model, decision, options)
    if comments:
        notes.append(comments)
    if decision.course in {Course.TOGETHER, Course.BESIDE}:
        notes.append("Where comments may stand, a chance is that of main text or a comment.")
    return [*notes, _RUNNING_TEXT]


def doubt_words(x: F32, *, manual: bool) -> str:
    """Return why blocks of a page are doubted, or less than others are; *x*: the features of its blocks."""
    if manual:
        return "the page is a manual"
    return (
        "the page names itself an article"
        if x[_NAMED_ARTICLE, 0]
        else "not within <main> or <article>"
    )


def _doubt(x: F32, decision: Decision) -> str:
    if decision.manual:
        closed = "" if decision.closed is None else ", and short gaps and tables closed"
        return f"Chances are raised{closed}: the page is a manual, by its program or its code."
    if x[_NAMED_ARTICLE, 0]:
        return "Chances are lowered: the page names itself an article."
    return "Chances outside of <main> and <article> are lowered."


def _limit(decision: Decision, least: float | None, options: Options) -> str:
    preset = f"Preset {options.preset}"
    if decision.course in {Course.FEW_LINKS, Course.MESSAGE, Course.FORM}:
        return f"{preset}: nothing is kept; {decision.course.value}."
    if least is None:
        return f"{preset}: nothing is kept; no choice of blocks promises an F of {options.least:g} (least)."
    return f"{preset}: kept are the blocks with a chance of {percentage(least)} and more."


def _comments(model: Model, decision: Decision, options: Options) -> str:
    """Return what was decided of comments; nothing where none can be."""
    if decision.kind is None:
        return ""
    is_forum = decision.forum >= 0.5
    strength = pushes(model.forum, decision.kind)[:, 0] * (1 if is_forum else -1)
    strongest = int(strength.argmax())
    why = said(KIND_NAMES[strongest], float(decision.kind[strongest, 0]))
    kind = f"Taken for {'a' if is_forum else 'no'} forum ({percentage(decision.forum)}; {why})"
    option = f"comments={options.comments}"
    if decision.course is Course.TOGETHER:
        if options.comments == "cut":
            return f"{kind}: what may be comments stands for the main text, of which there is hardly any else."
        return f"{kind}: comments are main text ({option})."
    if decision.course is Course.SHORT:
        return f"{kind}: beside a short main text, what may be comments is left out ({option})."
    if decision.course is Course.TEXT:
        return f"{kind}: hardly any main text stands beside what may be comments; all is judged as main text."
    has_comments = decision.comments is not None and bool(np.any(decision.comments))
    if not has_comments:
        return f"{kind}: no comments found beside the main text."
    kept = "kept" if options.comments == "keep" else "left out"
    return f"{kind}: comments beside the main text are {kept} ({option})."
