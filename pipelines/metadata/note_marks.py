"""Letters of notes that stand raised behind names in a byline: of a block's text alone they cannot be told from these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.shown_text import text_of
from crawler.page.words import as_value
from pipelines.metadata.behind_names import is_raised

if TYPE_CHECKING:
    from crawler.page import PageModel

# A byline has no more.
_MAX_RUNS = 40
_MARK = r"(?:[a-z]|\d{1,2}|[*∗†‡§¶#])"
_MARKS = re.compile(rf"\s*{_MARK}(?:[\s,]+{_MARK})*\s*")
# Behind a name; a raised letter within one, or before it, belongs to it: McDonald, Mme.
_BEHIND_NAME = re.compile(r"\s*(?:[,;|&·•–—(、，]|\d|\Z)|\s+(?:and|und|et|y|e|og|och|en)\s")


def without_notes(page: PageModel, place: int, text: str) -> str:
    """Return *text*, that of the block at *place*, without the raised letters that mark notes of names."""
    first, last = page.found_runs[:, 2].searchsorted(np.array([place, place + 1], np.uint32))
    rows = page.found_runs[first : min(last, first + _MAX_RUNS)].tolist()
    raised = [is_raised(page.source, start) for start, _, _ in rows]
    if not any(raised):
        return text
    parts = [text_of(page.source[start:end], verbatim=False) for start, end, _ in rows]
    if as_value("".join(parts)) != as_value(text):  # cut, or of elements that part words
        return text
    behind = ["".join(parts[number + 1 :]) for number in range(len(parts))]
    return "".join(
        part
        for part, is_mark, rest in zip(parts, raised, behind, strict=True)
        if not (is_mark and _MARKS.fullmatch(part) and _BEHIND_NAME.match(rest))
    )
