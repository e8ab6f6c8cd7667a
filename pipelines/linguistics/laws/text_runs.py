"""What the laws of text ask of the words of many texts, each run of characters between white space looked at once.

No unit that is counted goes beyond white space: a full stop is within its word, a term, an address, a letter and the
parts of a normal form are too. So each different run is looked at once and numbered, and a text is the numbers of
its runs: what is counted in it is a sum over arrays.

Shapes: *runs* int64[n], the numbers of the runs of all texts, one after another; *ends* int64[m], where in *runs* each
text ends. Cost: O(characters) for the split, O(n log n) for the terms. Memory: 400 bytes, at most, a different run of
ordinary text; all are forgotten when there are more than `MAX_RUNS`, or `MAX_CHARS` characters in them.
Invariant: every figure is that of the function that takes the whole text.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.words import has_spaceless_script
from pipelines.linguistics.laws.fingerprints import NO_NORMAL_WORDS, marks, normal_parts
from pipelines.linguistics.laws.full_stop import ends_sentence, has_full_stop
from pipelines.linguistics.term_typicality import as_counted, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

MAX_RUNS = 1 << 17
MAX_CHARS = 1 << 22
# Around a word these are tokens by themselves: none of them makes it an address, a number or two words.
_PUNCTUATION = ".,;:!?()\"'’“”„«»…"
_STOP, _END, _DATE, _URL, _SPACELESS = 1, 2, 4, 8, 16


class _Numbers(dict[str, int]):
    """Numbers its keys in the order in which they are asked for first."""

    def __missing__(self, key: str) -> int:
        self[key] = number = len(self)
        return number


class TextRuns:
    """The runs seen so far; the numbers of one call of :meth:`number` are good until the next."""

    def __init__(self, *, latin_only: bool = False) -> None:
        self._latin_only = latin_only
        self._forget()

    def _forget(self) -> None:
        self._numbers = _Numbers()
        self._n_chars = 0
        self._flags = array("B")
        self._letters = array("q")
        # The words of the normal form, with a space after each.
        self._normal: list[str] = []
        self._term_numbers = _Numbers()
        self._terms = array("q")
        self._term_ends = array("q", [0])

    @property
    def term_names(self) -> list[str]:
        """The terms by their numbers."""
        return list(self._term_numbers)

    def number(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """Return *runs* and *ends* of *texts*."""
        if len(self._numbers) > MAX_RUNS or self._n_chars > MAX_CHARS:
            self._forget()
        numbers = self._numbers
        n_known = len(numbers)
        runs, ends = array("q"), []
        for text in texts:
            runs.extend(map(numbers.__getitem__, text.split()))
            ends.append(len(runs))
        for run in list(numbers)[n_known:]:
            self._look_at(run)
        return np.array(runs, dtype=np.int64), np.array(ends, dtype=np.int64)

    def _look_at(self, run: str) -> None:
        core = run.strip(_PUNCTUATION)
        flags = 0
        if len(core) < len(run) or not run.isalpha():
            flags = _STOP * has_full_stop(run) | _END * ends_sentence(run)
        if core.isascii() and core.isalpha() and core.lower() not in NO_NORMAL_WORDS:
            lowered = core.lower()
            found, n_letters, normal = [lowered], len(core), f"{lowered} "
        else:
            found = _terms_of(run, core)
            n_letters = len(core) if core.isalpha() else sum(map(str.isalnum, run))
            words, has_date, has_url = normal_parts(run, latin_only=self._latin_only)
            normal = "".join(f"{word} " for word in words)
            flags |= _DATE * has_date | _URL * has_url | _SPACELESS * has_spaceless_script(run)
        self._n_chars += len(run)
        self._flags.append(flags)
        self._letters.append(n_letters)
        self._normal.append(normal)
        self._terms.extend(map(self._term_numbers.__getitem__, found))
        self._term_ends.append(len(self._terms))

    def n_letters(self, runs: Ints, ends: Ints) -> Ints:
        """Return the letters and digits of each text."""
        return _sums(_column(self._letters)[runs], ends)

    def full_stops(self, runs: Ints, ends: Ints) -> npt.NDArray[np.bool_]:
        """Tell which texts hold a full stop."""
        return self._with(_STOP, runs, ends)

    def spaceless(self, runs: Ints, ends: Ints) -> npt.NDArray[np.bool_]:
        """Tell which texts hold a character of a script that is written without spaces."""
        return self._with(_SPACELESS, runs, ends)

    def _with(self, flag: int, runs: Ints, ends: Ints) -> npt.NDArray[np.bool_]:
        return _sums(_column(self._flags)[runs] & flag, ends) > 0

    def sentence_lengths(self, runs: Ints, ends: Ints, chosen: npt.NDArray[np.bool_]) -> Ints:
        """Return the words of each sentence of the *chosen* texts, which are written with spaces."""
        texts = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
        counted = chosen[texts] & (_column(self._letters)[runs] > 0)
        texts = texts[counted]
        is_last = _column(self._flags)[runs[counted]] & _END > 0
        is_last |= np.append(texts[1:], -1) != texts
        return np.diff(np.flatnonzero(is_last), prepend=-1)

    def normal_forms(self, runs: Ints, ends: Ints) -> list[str]:
        """Return the normal form of each text, of which its fingerprint is made."""
        words = list(map(self._normal.__getitem__, runs.tolist()))
        has_date, has_url = (self._with(flag, runs, ends).tolist() for flag in (_DATE, _URL))
        found, start = [], 0
        for end, date, url in zip(ends.tolist(), has_date, has_url, strict=True):
            # The mark, or nothing, for the space after the last word.
            found.append(
                ("".join(words[start:end]) + " ".join(marks(has_date=date, has_url=url))).rstrip()
            )
            start = end
        return found

    def terms(self, runs: Ints, groups: Ints) -> tuple[Ints, Ints]:
        """Return the groups and the numbers of the terms that each group of runs holds, sorted, each pair once.

        *groups*: int64[n], the number of the group of each of *runs*.
        """
        n_runs = max(len(self._flags), 1)
        pairs = _distinct(groups * n_runs + runs)
        groups, runs = pairs // n_runs, pairs % n_runs
        ends = _column(self._term_ends)
        sizes = ends[runs + 1] - ends[runs]
        # Term j of run i: what begins at the end of the run before it, and j on.
        steps = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        found = _column(self._terms)[np.repeat(ends[runs], sizes) + steps]
        n_terms = max(len(self._term_numbers), 1)
        pairs = _distinct(np.repeat(groups, sizes) * n_terms + found)
        return pairs // n_terms, pairs % n_terms


def _terms_of(run: str, core: str) -> list[str]:
    """Return the terms of *run*, which is *core* and punctuation around it."""
    if core.isalpha() and not has_spaceless_script(core):
        term = as_counted(core)
        if term.isalpha():
            return [term]
    return terms(run)


def _column(values: array[int]) -> Ints:
    # A copy: an array cannot grow while another looks into it.
    return np.array(values, dtype=np.int64)


def _distinct(values: Ints) -> Ints:
    # Sorted, not hashed as by `np.unique`: that takes ten times as long for millions of numbers.
    values = np.sort(values)
    return values[np.diff(values, prepend=-1) > 0]


def _sums(values: Ints, ends: Ints) -> Ints:
    return np.diff(np.append(0, np.cumsum(values))[ends], prepend=0)
