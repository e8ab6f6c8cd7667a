"""What the value of a feature says of a block, in words for people (``feature_words.py``)."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pipelines.boilerplate.reasons import percentage
from pipelines.boilerplate.winnow.features.element_tables import NAMES as ELEMENTS
from pipelines.boilerplate.winnow.reasons.feature_words import CHARACTERS, NONE_AT, PARTS, SAID

if TYPE_CHECKING:
    from collections.abc import Callable

_PATTERNS = [(subject, pattern) for subject, phrases in SAID.items() for pattern in phrases]
_ONE = re.compile(r"(?<![\d.,])1 (\w+?)(?:(?<=x)e)?s\b")


class _Phrase(NamedTuple):
    """What a feature is about; what is said of its values, and of those at *none_at* and beyond.

    *places*: what stands in the words for the value.
    """

    about: str
    words: str
    none: str
    none_at: float
    places: tuple[str, ...]


def about(name: str) -> str:
    """Return what the feature *name* is about; KeyError when nothing is said of it."""
    return _phrase(name).about


def said(name: str, value: float) -> str:
    """Return what *value* of the feature *name* says, in words.

    >>> said("words", 1), said("link share of same path", 0.5), said("blocks to good", 999)
    ('1 word', '50% links', 'no running text after it')
    """
    _, words, none, none_at, places = _phrase(name)
    if none and (value >= none_at if none_at > 0 else value <= none_at):
        words = none
    else:
        for place in places:
            words = words.replace(place, _SHOWN[place](value))
    return _ONE.sub(r"1 \1", words) if "1 " in words else words


def _number(value: float) -> int:
    return abs(round(value))


def _out(value: float) -> str:
    return f"{_number(value)} boxes out" if _number(value) else "of its box"


def _element(value: float) -> str:
    tag = ELEMENTS[_number(value) % len(ELEMENTS)]
    return f"<{tag}>" if tag else "an inline or rare element"


# What stands in words for a value, and how it is shown there.
_SHOWN: dict[str, Callable[[float], str]] = {
    "{n}": lambda value: f"{_number(value):,}",
    "{p}": percentage,
    "{d}": lambda value: f"{value:.1f}".removesuffix(".0"),
    "{out}": _out,
    "{character}": lambda value: CHARACTERS[_number(value) % len(CHARACTERS)],
    "{element}": _element,
}


@cache
def _phrase(name: str) -> _Phrase:
    whole = [(subject, name) for subject, phrases in SAID.items() if name in phrases]
    # A name that stands there as it is comes before patterns that it fits, too.
    for subject, pattern in whole or _PATTERNS:
        match = re.fullmatch(pattern, name)
        if match:
            words = _filled(SAID[subject][pattern], match.groupdict())
            shown, _, none = words.partition(" | ")
            places = tuple(place for place in _SHOWN if place in shown)
            return _Phrase(subject, shown, none, _none_at(name), places)
    raise KeyError(f"nothing is said of the feature {name!r}")


def _filled(words: str, parts: dict[str, str]) -> str:
    for part, given in parts.items():
        written = PARTS.get(part, {}).get(given) or _written(part, given)
        words = words.replace(f"{{{part}}}", written)
    return words


def _written(part: str, given: str) -> str:
    if part == "tags":
        return " or ".join(f"<{tag}>" for tag in given.split())
    if part == "class":
        return f"“{given}”"
    return f"a {given}" if part == "kind" else given


def _none_at(name: str) -> float:
    fitting = (at for pattern, at in NONE_AT.items() if re.fullmatch(pattern, name))
    return next(fitting, 0.0)
