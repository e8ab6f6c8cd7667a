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
    of_pushes: dict[tuple[str, str, str], int] = {}
    rows = [_row(reason, places, of_pushes) for reason in reasons.blocks]
    data = {"first": _N_FIRST, "said": list(places), "rows": rows}
    # As a script element may hold it: HTML standard, section 4.12.1.3.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _row(
    reason: Reason, places: dict[str, int], of_pushes: dict[tuple[str, str, str], int]
) -> list[int]:
    """Return the places of the texts of *reason* among *places*.

    *of_pushes*: those of pushes, by their rounded amounts, subjects and words; of a million most are like others.
    """
    if reason.chance is None:
        return [_place(reason.said, places)]
    row = [_place(percentage(reason.chance), places), _place(reason.said, places)]
    shown = [
        push
        for number, push in enumerate(reason.pushes)
        if number < _N_FIRST or abs(push.amount) >= _LEAST
    ]
    for about, amount, said in (*shown, Push("any block", reason.start, "")):
        key = (f"{amount:+.1f}", about, said)
        place = of_pushes.get(key)
        if place is None:
            words = f": {said}" if said else ""
            place = _place(f"{signed(amount)} {about}{words}", places)
            of_pushes[key] = place
        row.append(place)
    log_odds = reason.start + sum([push.amount for push in reason.pushes])
    row.append(_place(f"in all {signed(log_odds)}", places))
    return row


def _place(text: str, places: dict[str, int]) -> int:
    return places.setdefault(text, len(places))
