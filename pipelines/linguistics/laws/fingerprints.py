"""The fingerprint baseline: a segment that many pages repeat is a template.

The fingerprint of a segment is the SHA-1 of its text in a normal form: lower case; month and week
day names (long and of three letters), AM, PM and URLs taken out; all but letters to spaces, spaces
collapsed; then ``$DATE$`` when the text had a month or week day name, ``$URL$`` when it had a URL.
A fingerprint that at least 10 segments of the collection bear is a template.
*Source: Kohlschütter 2011, section 4.3.3* (after Gibson, Punera and Tomkins 2005).

Decisions. The indicators are taken from the original and put in after the letter filter, which would
take their signs. URLs go first: names inside them are no dates. AM and PM alone are no date. The
source keeps Latin letters only, by which all texts in another script become one: letters of any
script are kept here unless *latin_only* asks for the published form; for Latin text both are the
same. Text without letters is the empty string, as in the source. "may" and "sun" as words go too.

Memory: as `BoundedCounts` has it, and of each template the first 80 characters of its normal form.
Invariant: the fingerprint does not change with case, spacing, digits, punctuation, or the date named.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipelines.linguistics.bounded_counts import MAX_ENTRIES, BoundedCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

# Kohlschütter 2011, section 4.3.3
TEMPLATE_FREQUENCY = 10
DATE_MARK = "$DATE$"
URL_MARK = "$URL$"
SAMPLE_CHARS = 80

_MONTHS = "january february march april may june july august september october november december"
_WEEK_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_DATE_NAMES = frozenset(
    form for name in f"{_MONTHS} {_WEEK_DAYS}".split() for form in (name, name[:3])
)
_HALF_DAYS = frozenset({"am", "pm"})
# Words in small letters that the normal form of a text, with the signs around them, may be without.
NO_NORMAL_WORDS = _DATE_NAMES | _HALF_DAYS | {"www"}
_URL = re.compile(r"\b(?:https?://|ftp://|www\.)\S+")
# Fractions and raised digits are word characters to `re`, and no digits.
_LETTERS = re.compile(r"[^\W\d_¹²³¼½¾]+")
# The letters of Latin-1 Supplement, Latin Extended-A and -B, and Latin Extended Additional.
_LATIN_LETTERS = re.compile(r"[a-zªºß-öø-ÿ\u0100-\u024f\u1e00-\u1eff]+")


def normal_form(text: str, *, latin_only: bool = False) -> str:
    """Return what of *text* its fingerprint is made of.

    >>> normal_form("Posted Mon, 3 May 2010 at 5 PM: see http://a.com/may!")
    'posted at see $DATE$ $URL$'
    """
    words, has_date, has_url = normal_parts(text, latin_only=latin_only)
    return " ".join([*words, *marks(has_date=has_date, has_url=has_url)])


def normal_parts(text: str, *, latin_only: bool = False) -> tuple[list[str], bool, bool]:
    """Return the words of the normal form of *text*, and whether it has a date and a URL.

    No part goes beyond white space: those of a text are those of its runs of other characters.
    """
    lowered = text.lower()
    without_urls = _URL.sub(" ", lowered)
    words = (_LATIN_LETTERS if latin_only else _LETTERS).findall(without_urls)
    kept = [word for word in words if word not in _DATE_NAMES]
    has_date = len(kept) < len(words)
    return [word for word in kept if word not in _HALF_DAYS], has_date, without_urls != lowered


def marks(*, has_date: bool, has_url: bool) -> list[str]:
    """Return the indicators at the end of a normal form."""
    return [DATE_MARK] * has_date + [URL_MARK] * has_url


def fingerprint(text: str, *, latin_only: bool = False) -> bytes:
    """Return the fingerprint of *text*, the 20 bytes of a SHA-1 digest."""
    return _digest(normal_form(text, latin_only=latin_only))


def _digest(normal: str) -> bytes:
    data = normal.encode("utf-8", "surrogatepass")
    return hashlib.sha1(data, usedforsecurity=False).digest()


@dataclass(frozen=True, slots=True)
class Templates:
    """The fingerprints of at least *min_frequency* segments.

    *top*: the most frequent ones as (frequency, start of the normal form), by falling frequency, then text.
    *serials*: of all of them, ascending. *frequencies*: of all fingerprints, falling, int64[n].
    *max_missed*: by how much a frequency may fall short, 0 when nothing was forgotten.
    """

    n_templates: int
    top: list[tuple[int, str]]
    serials: npt.NDArray[np.int64]
    frequencies: npt.NDArray[np.int64]
    max_missed: int


class FingerprintCounts:
    """Counts the fingerprints of the segments of a collection."""

    def __init__(
        self,
        *,
        min_frequency: int = TEMPLATE_FREQUENCY,
        max_fingerprints: int = MAX_ENTRIES,
    ) -> None:
        if min_frequency < 2:
            raise ValueError(f"min_frequency must be at least 2, got {min_frequency}")
        self.min_frequency = min_frequency
        self.n_segments = 0
        self._counts: BoundedCounts[bytes] = BoundedCounts(max_entries=max_fingerprints)
        self._samples: dict[int, str] = {}

    def add_all(self, normals: Sequence[str]) -> npt.NDArray[np.int64]:
        """Count segments with the normal forms *normals*; return the serial numbers, int64[n]."""
        places: dict[str, int] = {}
        numbers = np.array([places.setdefault(each, len(places)) for each in normals], np.int64)
        keys = [_digest(normal) for normal in places]
        if len(normals) > 1 and not self._counts.fits(keys):
            # What is forgotten, and when, is not to depend on how many come at once.
            half = len(normals) // 2
            return np.append(self.add_all(normals[:half]), self.add_all(normals[half:]))
        self.n_segments += len(normals)
        found = np.bincount(numbers, minlength=len(keys))
        serials, counts = self._counts.add_all(keys, found[:, None])
        passed = (counts >= self.min_frequency) & (counts - found < self.min_frequency)
        named = list(places)
        for i in np.flatnonzero(passed).tolist():
            self._samples[int(serials[i])] = named[i][:SAMPLE_CHARS]
        return serials[numbers]

    @property
    def n_fingerprints(self) -> int:
        """Number of fingerprints that are counted at the moment."""
        return len(self._counts)

    @property
    def n_forgotten(self) -> int:
        """Number of entries that were forgotten for want of room."""
        return self._counts.n_forgotten

    def templates(self, n_top: int = 20) -> Templates:
        """Return the templates, the *n_top* most frequent ones with their text."""
        counts = self._counts.counts[:, 0]
        rows = np.flatnonzero(counts >= self.min_frequency)
        serials = self._counts.serials[rows]
        named = [
            (count, self._samples[serial])
            for count, serial in zip(counts[rows].tolist(), serials.tolist(), strict=True)
        ]
        return Templates(
            n_templates=len(rows),
            top=sorted(named, key=lambda pair: (-pair[0], pair[1]))[:n_top],
            serials=serials,
            frequencies=np.sort(counts)[::-1],
            max_missed=self._counts.max_missed,
        )
