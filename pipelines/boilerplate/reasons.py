"""Why a cleaner labelled the blocks of a page as it did, in words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Push(NamedTuple):
    """What things of one kind add to the log odds of a block: *about* what, how much, what is *said* of the block."""

    about: str
    amount: float
    said: str


class Reason(NamedTuple):
    """Why a block has its label, *said* in words.

    Of a method that tells the *chance* of main text they say only where something else than that decided; the log
    odds of the chance are *start*, those of any block, and all *pushes*, what is best read first before the others.
    """

    said: str
    chance: float | None = None
    start: float = 0.0
    pushes: Sequence[Push] = ()


class Reasons(NamedTuple):
    """What was decided of the *page* as a whole, a sentence each, and of its *blocks*, if there is more to say."""

    page: list[str]
    blocks: Sequence[Reason] = ()


def rounded(value: float, decimals: int = 2) -> str:
    """Return *value* with so many *decimals* at most, a minus being one.

    >>> rounded(16.0), rounded(0.125), rounded(-0.5), rounded(-0.001)
    ('16', '0.12', '−0.5', '0')
    """
    shown = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown.replace("-", "−")


def apart(value: float, limit: float) -> tuple[str, str]:
    """Return both rounded, with as many decimals as tell which is the larger.

    >>> apart(1 / 3, 0.4), apart(1 / 3, 0.333333), apart(0.35, 0.35)
    (('0.33', '0.4'), ('0.33333333', '0.333333'), ('0.35', '0.35'))
    """
    decimals = 2
    while value != limit and rounded(value, decimals) == rounded(limit, decimals) and decimals < 16:
        decimals += 2
    return rounded(value, decimals), rounded(limit, decimals)


def comparisons(
    name: str, values: Iterable[float], limit: float, *, or_equal: bool = False
) -> list[str]:
    """Return for each of *values*, which are of *name*, whether it is above *limit* or, with *or_equal*, at it.

    >>> comparisons("words", [9, 10], 10), comparisons("words", [9, 10], 10, or_equal=True)
    (['words 9 ≤ 10', 'words 10 ≤ 10'], ['words 9 < 10', 'words 10 ≥ 10'])
    """
    below, above = ("<", "≥") if or_equal else ("≤", ">")
    told = []
    for value in values:
        is_above = value >= limit if or_equal else value > limit
        shown, bound = apart(value, limit)
        told.append(f"{name} {shown} {above if is_above else below} {bound}")
    return told


def of_blocks(note: str, told: Iterable[str]) -> Reasons:
    """Return the reasons that are a *note* on the page and one text *told* of each block."""
    return Reasons([note], [Reason(said) for said in told])


def percentage(share: float) -> str:
    """Return *share*, from 0 to 1, in percent; what is not quite nothing or all is not shown as that.

    >>> percentage(0.004), percentage(0.5), percentage(0.999), percentage(1), percentage(2)
    ('<1%', '50%', '>99%', '100%', '>100%')
    """
    if share > 1.005:
        return ">100%"
    if 0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1 else f"{share:.0%}"


def signed(amount: float) -> str:
    """Return *amount* with its sign, a minus being one.

    >>> signed(1.25), signed(-0.04), signed(-0.5)
    ('+1.2', '0.0', '−0.5')
    """
    rounded = f"{amount:+.1f}"
    return "0.0" if float(rounded) == 0 else rounded.replace("-", "−")
