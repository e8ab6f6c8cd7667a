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
    key = [_KEY] if any(reason.pushes for reason in reasons.blocks) else []
    return f'<p class="notes">{escape(" ".join((*reasons.page, *key)))}</p>'


def why(reason: Reason) -> str:
    """Return why a block has its label, as HTML."""
    if reason.chance is None:
        return f'<p class="why">{escape(reason.said)}</p>'
    return f'<p class="why">{_chance(reason, reason.chance)}</p>'


def _chance(reason: Reason, chance: float) -> str:
    """Return the *chance* of a block and what pushed it most, and on demand what else makes its log odds."""
    decided = f"<em>{escape(reason.said)}</em>" if reason.said else ""
    first = "".join(map(_pushed, reason.pushes[:_N_FIRST]))
    others = [push for push in reason.pushes[_N_FIRST:] if abs(push.amount) >= _LEAST]
    rest = (*others, Push("any block", reason.start, ""))
    log_odds = reason.start + sum(push.amount for push in reason.pushes)
    return (
        f'<span class="r"><i style="--s:{100 * chance:.0f}"></i>{escape(percentage(chance))}</span>{decided}{first}'
        f'<span class="rest">{"".join(map(_pushed, rest))}<span>in all {signed(log_odds)}</span></span>'
    )


def _pushed(push: Push) -> str:
    direction = "for" if push.amount > 0 else "against"
    words = f": {escape(push.said)}" if push.said else ""
    return (
        f'<span><b class="{direction}">{signed(push.amount)}</b> {escape(push.about)}{words}</span>'
    )
