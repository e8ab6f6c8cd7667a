"""What the inspector shows of reasons: what was decided of the page, and what pushed each block."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

from pipelines.boilerplate.reasons import Push, percentage, signed

if TYPE_CHECKING:
    from pipelines.boilerplate.reasons import Reason, Reasons

# More are shown on demand.
_N_FIRST = 3
# What is less would be shown as nothing.
_LEAST = 0.05
_KEY = (
    "Below a text stands its chance to be main text, and what pushed it most, in log odds: "
    "+ for main text, − against."
)


def notes(reasons: Reasons) -> str:
    """Return what was decided of the page, as HTML."""
    key = [_KEY] if any(reason.pushes for reason in reasons.blocks) else []
    return f'<p class="notes">{escape(" ".join((*reasons.page, *key)))}</p>'


def told(reasons: Reasons) -> str:
    """Return why each block has its label, as the JSON that the inspector's script shows below the texts.

    ``said`` holds each text once; ``rows`` has a list of places in it for each block. Of a reason without a chance
    that is the place of its words; else those of the chance, of its words, of the pushes, of what any block
    has, and of the log odds in all. The pushes but the ``first`` are shown on demand.
    """
    places: dict[str, int] = {}
    rows = [
        [places.setdefault(text, len(places)) for text in _texts(reason)]
        for reason in reasons.blocks
    ]
    data = {"first": _N_FIRST, "said": list(places), "rows": rows}
    # As a script element may hold it: HTML standard, section 4.12.1.3.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _texts(reason: Reason) -> list[str]:
    if reason.chance is None:
        return [reason.said]
    others = [push for push in reason.pushes[_N_FIRST:] if abs(push.amount) >= _LEAST]
    shown = (*reason.pushes[:_N_FIRST], *others, Push("any block", reason.start, ""))
    log_odds = reason.start + sum(push.amount for push in reason.pushes)
    return [
        percentage(reason.chance),
        reason.said,
        *map(_pushed, shown),
        f"in all {signed(log_odds)}",
    ]


def _pushed(push: Push) -> str:
    words = f": {push.said}" if push.said else ""
    return f"{signed(push.amount)} {push.about}{words}"
