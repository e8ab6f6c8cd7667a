"""The 67 shallow text features: what a classifier may know of a block, its neighbours and its text.

Of each atomic block 23 *local* features, in this order (``LOCAL``):

==  ======================  ===========================================================================
1   h1 ... h6, p, div, a    (9) the tag encloses the block; ``a``: all words of the block are linked
10  word_length             characters of words, a word
11  sentence_length         words a sentence; sentences end in ``. ? ! ;``
12  words                   words
13  position                blocks before this one
14  relative_position       the same as a share of all blocks
15  capitalised             words that begin with an upper-case letter
16  upper_case              words all of whose letters with case are upper-case
17  capitalised_share       the same two, a word
18  upper_case_share
19  full_stop_share         full stops a word
20  dates                   date and time tokens
21  bars                    vertical bars
22  link_density            linked words a word
23  text_density            words a full wrapped line
==  ======================  ===========================================================================

and two *quotients*, of words and of text density, this block's by that of the block before.

*Source: Kohlschütter 2011, section 4.4.2, table 4.9.* The text names the features, the table counts them:
23 of the current block, 25 with the quotients, 64 of previous, current and next block, 67 with the
frequency of the text in the crawl. What the 64 are is not said; as the previous and the next block have
the same features, an even number must be the current block's alone. Here (decision) they are the 21
features without the positions, three times, and the relative position, which the text ranks among the
best; ``NEIGHBOURS`` names them. Enclosed is taken over all ancestors. "Date/time-related tokens" are
clock times, numeric dates, years from 1900 to 2099, names and common short forms of months and
weekdays, and am and pm. "Words" are whitespace runs with a letter or digit for features of case and
length; of scripts without spaces, the units that ``n_words`` counts divide them (deviation).

Shapes: float64[n, f]. Beyond the ends of the page all features are 0, and a quotient by 0 is 0.
Cost: O(characters), by arrays over the characters of the whole page.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipelines.boilerplate.neighbours import following, previous

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from crawler.page.blocks import Blocks

ENCLOSING = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div")
LOCAL = (
    *ENCLOSING,
    *("a", "word_length", "sentence_length", "words", "position", "relative_position"),
    *("capitalised", "upper_case", "capitalised_share", "upper_case_share", "full_stop_share"),
    *("dates", "bars", "link_density", "text_density"),
)
QUOTIENTS = ("words_quotient", "text_density_quotient")
_OF_EACH = tuple(name for name in LOCAL if not name.endswith("position"))
NEIGHBOURS = (
    *(f"previous.{name}" for name in _OF_EACH),
    *(*_OF_EACH, "relative_position"),
    *(f"next.{name}" for name in _OF_EACH),
)
FREQUENCIES = ("previous.frequency", "frequency", "next.frequency")
ALL = NEIGHBOURS + FREQUENCIES

FULL_STOPS = ".\u3002\uff0e"
SENTENCE_ENDS = FULL_STOPS + "?!;\uff1f\uff01\uff1b"
_MONTHS = "jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?"
_DAYS = "mon(?:day)? tue(?:s(?:day)?)? wed(?:nesday)? thu(?:rs(?:day)?)? fri(?:day)? sat(?:urday)? sun(?:day)?"
DATES = re.compile(
    r"\b(?:\d{1,2}:\d\d(?::\d\d)?(?:[ap]m)?|\d{1,2}[ap]m|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?"
    rf"|(?:19|20)\d\d|may|{'|'.join([*_MONTHS.split(), *_DAYS.split()])}|[ap]m)\b",
    re.IGNORECASE | re.ASCII,
)


class _Characters(NamedTuple):
    """What each code point is; bool[0x110000]."""

    is_space: npt.NDArray[np.bool_]
    is_word: npt.NDArray[np.bool_]
    is_upper: npt.NDArray[np.bool_]
    is_lower: npt.NDArray[np.bool_]


def feature_columns(
    blocks: Blocks, frequencies: Mapping[str, int] | None = None
) -> dict[str, npt.NDArray[np.float64]]:
    """Return all features of *blocks* by name: float64[n] each.

    *frequencies*: how often each block text is in the crawl, ``{}`` and None for 0.
    """
    columns = _local(blocks)
    n, density = columns["words"], columns["text_density"]
    columns["words_quotient"] = _quotient(n, previous(n))
    columns["text_density_quotient"] = _quotient(density, previous(density))
    frequencies = frequencies or {}
    columns["frequency"] = np.array(
        [frequencies.get(text, 0) for text in blocks.text], dtype=np.float64
    )
    for name in (*_OF_EACH, "frequency"):
        columns[f"previous.{name}"] = previous(columns[name])
        columns[f"next.{name}"] = following(columns[name])
    return columns


def shallow_features(
    blocks: Blocks,
    names: Sequence[str] = ALL,
    frequencies: Mapping[str, int] | None = None,
) -> npt.NDArray[np.float64]:
    """Return the features called *names* of *blocks*: float64[n, f].

    Raises ValueError for an unknown name.
    """
    columns = feature_columns(blocks, frequencies)
    unknown = [name for name in names if name not in columns]
    if unknown:
        raise ValueError(f"unknown feature {unknown[0]!r}; known are {', '.join(columns)}")
    matrix = np.empty((len(blocks), len(names)), dtype=np.float64)
    for place, name in enumerate(names):
        matrix[:, place] = columns[name]
    return matrix


def _local(blocks: Blocks) -> dict[str, npt.NDArray[np.float64]]:
    n_blocks = len(blocks)
    position = np.arange(n_blocks, dtype=np.float64)
    of_text = _text_features(blocks.text, blocks.n_words.astype(np.float64))
    columns = {
        **_enclosing(blocks),
        "a": (blocks.linked_words == blocks.n_words).astype(np.float64),
        "words": blocks.n_words.astype(np.float64),
        "position": position,
        "relative_position": position / max(n_blocks, 1),
        "link_density": blocks.link_density,
        "text_density": blocks.text_density,
        **of_text,
    }
    return {name: columns[name] for name in LOCAL}


def _enclosing(blocks: Blocks) -> dict[str, npt.NDArray[np.float64]]:
    paths = [frozenset(path.split("/")) for path in blocks.paths.strings]
    encloses = np.array([[tag in path for tag in ENCLOSING] for path in paths], dtype=np.float64)
    rows = encloses.reshape(-1, len(ENCLOSING))[blocks.path_number]
    return {tag: rows[:, place] for place, tag in enumerate(ENCLOSING)}


def _text_features(
    texts: Sequence[str], n_words: npt.NDArray[np.float64]
) -> dict[str, npt.NDArray[np.float64]]:
    """Return the features of the characters of *texts*, whose words are *n_words*."""
    # a block ends in a line break, which is in none
    text = "\n".join(texts) + "\n"
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ends = np.cumsum([len(text) + 1 for text in texts])

    def of_blocks(
        places: npt.NDArray[np.int64], amounts: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the sum of *amounts*, or the number, of the *places* in each block."""
        block = np.searchsorted(ends, places, side="right")
        sums = np.bincount(block, weights=amounts, minlength=len(texts))
        return sums[: len(texts)].astype(np.float64)

    words = _runs(codes)
    ends_of_sentences = of_blocks(_places(codes, SENTENCE_ENDS))
    dates = np.array([match.start() for match in DATES.finditer(text)], dtype=np.int64)
    capitalised = of_blocks(words.start[words.is_capitalised])
    upper_case = of_blocks(words.start[words.is_upper_case])
    n_words = np.maximum(n_words, 1)
    return {
        "word_length": of_blocks(words.start, words.length) / n_words,
        "sentence_length": n_words / np.maximum(ends_of_sentences, 1),
        "capitalised": capitalised,
        "upper_case": upper_case,
        "capitalised_share": capitalised / n_words,
        "upper_case_share": upper_case / n_words,
        "full_stop_share": of_blocks(_places(codes, FULL_STOPS)) / n_words,
        "dates": of_blocks(dates),
        "bars": of_blocks(_places(codes, "|")),
    }


class _Words(NamedTuple):
    """The whitespace runs with a letter or digit; one entry a run."""

    start: npt.NDArray[np.int64]
    length: npt.NDArray[np.int64]
    is_capitalised: npt.NDArray[np.bool_]
    is_upper_case: npt.NDArray[np.bool_]


def _runs(codes: npt.NDArray[np.uint32]) -> _Words:
    characters = _characters()
    edges = np.diff(characters.is_space[codes].astype(np.int8), prepend=1)
    # the last character is a space: each run ends
    start, end = np.flatnonzero(edges == -1), np.flatnonzero(edges == 1)

    def count(is_such: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        sums = np.concatenate(([0], np.cumsum(is_such[codes])))
        return sums[end] - sums[start]

    is_word = count(characters.is_word) > 0
    upper = count(characters.is_upper)
    is_upper_case = (upper > 0) & (count(characters.is_lower) == 0)
    return _Words(
        start[is_word],
        (end - start)[is_word],
        characters.is_upper[codes[start]][is_word],
        is_upper_case[is_word],
    )


@cache
def _characters() -> _Characters:
    every = [chr(code) for code in range(0x110000)]
    tests = (str.isspace, str.isalnum, str.isupper, str.islower)
    return _Characters(*(np.fromiter(map(test, every), np.bool_, len(every)) for test in tests))


def _places(codes: npt.NDArray[np.uint32], characters: str) -> npt.NDArray[np.int64]:
    is_such = codes == ord(characters[0])
    for character in characters[1:]:
        is_such |= codes == ord(character)
    return np.flatnonzero(is_such)


def _quotient(of: npt.NDArray[np.float64], by: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.divide(of, by, out=np.zeros_like(of), where=by > 0)
