"""What tells a sentence of running text, such as "By Jane Doe it was said.", from a byline: its small words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Small words within names of people, and of houses.
_PARTICLES = """
a aan aap ab abu af al ap av aw bar bat ben bin bint con d da dal dalla das de degli dei del dela della delle den der des
di dit do dos du e el en et fab ferch geb haf i ibn il in la las le les lo los mac mc mir nic née o och of og ould pour
san st t te ten ter the till til tot um und v van vande vanden vander ver vom von y z ze zu zum zur
"""
_OF_NAMES = frozenset(_PARTICLES.split())
# A name that as many small words follow, up to a full stop, begins a sentence.
_MIN_SMALL_WORDS = 4
_SENTENCE_END = re.compile(r"[.!?…]\W*\Z")


def has_verb(inner: Iterable[str]) -> bool:
    """Tell whether a small word that names do not have, mostly a verb, is among the *inner* words of one.

    >>> has_verb(["von", "der"]), has_verb(["Marx", "stammt", "das"])
    (False, True)
    """
    return any(word.islower() and word.strip(".'’") not in _OF_NAMES for word in inner)


def goes_on(name: str, rest: str) -> bool:
    """Tell whether *rest*, what follows *name*, makes a sentence of both.

    Behind a comma the name may say who that is, and with a number the rest is a date, or tells of one.

    >>> goes_on("Jean-Paul Sartre,", " il y a deux écoles."), goes_on("Jean-Paul Sartre", " le 5 mars.")
    (True, False)
    """
    if "," in name.rstrip(" ,") or not _SENTENCE_END.search(rest):
        return False
    words = rest.lstrip(" ,;").split()
    if not words or not words[0].islower() or any(map(str.isdigit, rest)):
        return False
    return sum(map(str.islower, words)) >= _MIN_SMALL_WORDS
