"""What the inspector shows of reasons: what was decided of the page, and what pushed each block."""

from __future__ import annotations

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
    return f'<p class="notes">{escape(" ".join((*reasons.page, _KEY)))}</p>'


def why(reason: Reason) -> str:
    """Return the chance of a block and what pushed it most, as HTML, and on demand what else makes its log odds."""
    choice = f'<em class="choice">{escape(reason.choice)}</em>' if reason.choice else ""
    first = "".join(map(_pushed, reason.pushes[:_N_FIRST]))
    others = [push for push in reason.pushes[_N_FIRST:] if abs(push.amount) >= _LEAST]
    rest = (*others, Push("any block", reason.start, ""))
    log_odds = reason.start + sum(push.amount for push in reason.pushes)
    return (
        f'<p class="why"><span class="r"><i style="--s:{100 * reason.chance:.0f}"></i>'
        f"{escape(percentage(reason.chance))}</span>{choice}{first}"
        f'<span class="rest">{"".join(map(_pushed, rest))}<span>in all {signed(log_odds)}</span></span></p>'
    )


def _pushed(push: Push) -> str:
    direction = "for" if push.amount > 0 else "against"
    words = f": {escape(push.said)}" if push.said else ""
    return (
        f'<span><b class="{direction}">{signed(push.amount)}</b> {escape(push.about)}{words}</span>'
    )
