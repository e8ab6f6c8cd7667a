"""Which encoding a page is in that declares none: the one that reads its bytes most plausibly.

Every encoding of the web is a candidate reading. A reading costs, on average over the sampled pairs
of neighbouring bytes that are not both ASCII, the negative logarithm of how likely such a pair is:

- letters: the share of this pair of letters among all such pairs of a language, for the language
  that fits the whole sample best (:mod:`crawler.page.encoding.letter_pairs`);
- in Latin script also by how many letters of the language are not ASCII: a long page with one such
  byte is not Polish;
- other characters: by how common they are in pages, and whether they may stand there (an opening
  quote within a word may not);
- in Latin script also by what stands alone: a byte without a letter beside it, as before the digits of
  a price, is a sign, and no letter but those few that are words;
- case: a capital letter after a small one, or a word of capitals, costs more; so do letters of two
  scripts in one word; bytes without a character cost most;
- Chinese, Japanese, Korean: by the rank of the character in its language.

A pair counts ``1 + ln(times seen)``, so that no phrase of a site's frame outvotes the text. How
rare an encoding is on the web is added as a prior cost, divided by the number of pairs: few bytes
leave it at windows-1252, many overrule it.

Cost: O(sample), the first 64 kB from the first byte that is not ASCII, and of these 2,048 pairs;
0.3 ms (`bench_encoding`), and 30 ms once to unpack the tables. Does not handle: code pages that the
WHATWG standard lacks (IBM852, VISCII ...); Romanian in windows-1250 and ISO-8859-2 is the same bytes
as in ISO-8859-16, and is read so, with commas below its letters and no cedillas.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.encoding.charsets import GB_18030, WINDOWS_1252, Charset
from crawler.page.encoding.guess_tables import LATIN, byte_readings
from crawler.page.encoding.guess_wide import wide_cost, wide_readings

if TYPE_CHECKING:
    import numpy.typing as npt

# Bytes looked at, from the first one on that is not ASCII; fewer if they hold this many pairs of
# neighbouring bytes that are not both ASCII.
SAMPLE_BYTES, DENSE_SAMPLE_BYTES, MAX_PAIRS_SEEN = 1 << 16, 1 << 14, 6000
# Pairs counted, and different ones weighed (the most frequent).
MAX_PAIRS = 2048
MAX_DISTINCT_PAIRS = 200
# Bytes that encodings of two bytes a character are tried on.
MAX_WIDE_BYTES = 512
# Shares of the pairs that are two high bytes. Measured on texts of 200 characters: at most 0.25 in
# Latin script (windows-1258), and at least 0.49 in the others (Big5), gb18030 of four bytes apart.
MAX_LATIN_SHARE, MIN_OTHER_SHARE = 0.6, 0.1
# Below this a reading that is not Latin is right, and no other is tried. Measured on the same texts:
# Latin script read so by mistake costs 8.0 and more.
PLAIN_COST = 7.0
# A declared encoding of several bytes a character is doubted above this cost, from this many bytes
# on. Measured on the UDHR, messages of GTK and pages: text of one such encoding costs 8.3 and more
# in another, and at most 7.9 in its own, traditional Chinese in GBK 8.2.
DOUBTED_COST, MIN_DOUBTED_BYTES = 8.0, 20
# Characters of four bytes, the second and last of them digits: gb18030. The least share of the pairs
# that digits after high bytes have, and digits before them; and how many different ones there are.
FOUR_BYTE_SHARE, MIN_FOUR_BYTE_PAIRS = 0.25, 6
# In Latin script, how many bytes of markup and script a page has at most for each letter of text,
# and the cost of having e times fewer letters than that beyond ASCII.
MARKUP_BYTES = 10
SCARCITY_COST = 3.0
# What the best reading of real text costs at most; above it the bytes are none. Measured on the
# pages of `bench_encoding`.
MAX_PLAUSIBLE_COST = 10.5

# Bytes beyond ASCII in a row that no word of Latin script has, and how many such rows, none like another, are text: a page
# may have lines drawn of signs.
_ROW = re.compile(rb"[\x80-\xff]{5}")
MIN_ROWS = 8
_MAY_BE_LETTER = np.array([byte >= 0x80 or chr(byte).isalpha() for byte in range(256)])


class Guess(NamedTuple):
    """*cost* is the mean cost of a pair, the prior included."""

    charset: Charset
    cost: float


def guess(body: bytes) -> Guess:
    """Return the most plausible encoding of *body*, which is neither ASCII nor UTF-8 nor UTF-16."""
    sample = _sample(body)
    at = _pairs_beyond_ascii(sample[:DENSE_SAMPLE_BYTES])
    if at.size < MAX_PAIRS_SEEN:
        at = _pairs_beyond_ascii(sample)
    else:
        sample = sample[:DENSE_SAMPLE_BYTES]
    if not at.size:
        return Guess(WINDOWS_1252, 0.0)
    pairs = _pairs(sample, _some(sample, at))
    is_both = (pairs.left & pairs.right) >= 0x80
    share = float(pairs.weights[is_both].sum() / pairs.weights.sum())
    best = Guess(WINDOWS_1252, np.inf)
    if _has_four_bytes(pairs):
        return Guess(GB_18030, 0.0)
    if share >= MIN_OTHER_SHARE:
        wide = sample[at[:MAX_WIDE_BYTES] + 1].tobytes()
        found = [Guess(one.charset, wide_cost(one, wide)) for one in wide_readings()]
        best = min(_best_of_other_scripts(pairs), *found, key=_cost)
    if share <= MAX_LATIN_SHARE and best.cost > PLAIN_COST:
        best = min(best, _best_of_latin(pairs, at.size / sample.size), key=_cost)
    return best


def other_script(body: bytes, declared: Charset) -> Charset | None:
    """Return the encoding that *body* is in for certain if that is not *declared*; or None.

    *declared* is doubted if it is of Latin script, or takes several bytes a character.
    """
    is_doubtful = _has_rows if declared.name in LATIN else _is_implausible
    if not is_doubtful(body, declared):
        return None
    found = guess(body)
    is_other = found.charset.name not in LATIN and found.charset.codec != declared.codec
    return found.charset if is_other and found.cost <= PLAIN_COST else None


def _has_rows(body: bytes, _: Charset) -> bool:
    return len({row[0] for row in islice(_ROW.finditer(body), MAX_PAIRS)}) >= MIN_ROWS


def _is_implausible(body: bytes, declared: Charset) -> bool:
    own = [one for one in wide_readings() if one.charset.codec == declared.codec]
    if not own:
        return False
    sample = _sample(body)[:DENSE_SAMPLE_BYTES]
    at = _pairs_beyond_ascii(sample)
    if at.size < MIN_DOUBTED_BYTES:
        return False
    return wide_cost(own[0], sample[at[:MAX_WIDE_BYTES] + 1].tobytes()) > DOUBTED_COST


def _has_four_bytes(pairs: _WeighedPairs) -> bool:
    least = FOUR_BYTE_SHARE * float(pairs.weights.sum())
    after = pairs.weights[_is_digit(pairs.right)]
    before = pairs.weights[_is_digit(pairs.left)]
    return min(after.size, before.size) >= MIN_FOUR_BYTE_PAIRS and least <= min(
        float(after.sum()), float(before.sum())
    )


def _is_digit(bytes_: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    return (bytes_ >= 0x30) & (bytes_ <= 0x39)


def _cost(found: Guess) -> float:
    return found.cost


def _sample(body: bytes) -> npt.NDArray[np.uint8]:
    """Return the sampled bytes, with a space before and after."""
    everything = np.frombuffer(body, np.uint8)
    start = _first_high(everything)
    sample = np.full(min(SAMPLE_BYTES, len(body) - start + 1) + 2, 0x20, np.uint8)
    taken = everything[max(start - 1, 0) : max(start - 1, 0) + SAMPLE_BYTES]
    sample[1 : 1 + taken.size] = taken
    return sample


def _first_high(everything: npt.NDArray[np.uint8]) -> int:
    for start in range(0, everything.size, SAMPLE_BYTES):
        block = everything[start : start + SAMPLE_BYTES] >= 0x80
        first = int(block.argmax())
        if block[first]:
            return start + first
    return everything.size


def _pairs_beyond_ascii(sample: npt.NDArray[np.uint8]) -> npt.NDArray[np.intp]:
    is_high = sample >= 0x80
    return np.flatnonzero(is_high[:-1] | is_high[1:])


def _some(sample: npt.NDArray[np.uint8], at: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return at most about MAX_PAIRS of *at*, from all over the sample and one of each byte."""
    if at.size <= MAX_PAIRS:
        return at
    # Two encodings may differ in one rare byte.
    first = np.full(256, -1, np.intp)
    first[sample[at[::-1]]] = at[::-1]
    return np.concatenate([at[:: -(-at.size // MAX_PAIRS)], first[first >= 0]])


class _WeighedPairs(NamedTuple):
    """*lone*: float32[256], the weight of each byte beyond ASCII with neither a letter nor another one beside it."""

    left: npt.NDArray[np.intp]
    right: npt.NDArray[np.intp]
    weights: npt.NDArray[np.float32]
    lone: npt.NDArray[np.float32]


def _pairs(sample: npt.NDArray[np.uint8], at: npt.NDArray[np.intp]) -> _WeighedPairs:
    codes = sample[at].astype(np.uint16) << 8 | sample[at + 1]
    # A stable sort of 16-bit numbers is a radix sort.
    codes.sort(kind="stable")
    starts = np.append(0, np.flatnonzero(codes[1:] != codes[:-1]) + 1)
    counts = np.diff(starts, append=codes.size)
    distinct = codes[starts].astype(np.intp)
    if distinct.size > MAX_DISTINCT_PAIRS:
        kept = _weightiest(distinct >> 8, counts)
        distinct, counts = distinct[kept], counts[kept]
    weights = (1 + np.log(counts)).astype(np.float32)
    return _WeighedPairs(distinct >> 8, distinct & 0xFF, weights, _lone(sample, at))


def _lone(sample: npt.NDArray[np.uint8], at: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
    at = at[sample[at] >= 0x80]
    is_beside_letter = _MAY_BE_LETTER[sample[at - 1]] | _MAY_BE_LETTER[sample[at + 1]]
    counts = np.bincount(sample[at[~is_beside_letter]], minlength=256)
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0)
    return weights.astype(np.float32)


def _weightiest(left: npt.NDArray[np.intp], counts: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    by_count = np.argsort(-counts, kind="stable")
    kept = np.zeros(left.size, np.bool_)
    kept[by_count[:MAX_DISTINCT_PAIRS]] = True
    # Each byte keeps its most frequent pair.
    most_frequent = np.zeros(256, np.intp)
    most_frequent[left[by_count[::-1]]] = by_count[::-1]
    kept[most_frequent] = True
    return kept


def _best_of_latin(pairs: _WeighedPairs, density: float) -> Guess:
    readings, (left, right, weights, _) = byte_readings(), pairs
    some = slice(0, readings.n_latin)
    n = int(readings.n_letters[0])
    is_letter = readings.is_letter[some, left] | readings.is_letter[some, right]
    codes = readings.codes[some, left] * n + readings.codes[some, right]
    by_language = weights @ readings.latin_pair_costs[np.where(is_letter, codes, n * n)]
    # A letter is in two pairs.
    scarcity = np.log(np.maximum(readings.latin_shares * (2 / MARKUP_BYTES) / density, 1))
    by_language += SCARCITY_COST * scarcity
    costs = _sign_and_place_costs(pairs, some) + by_language.min(axis=1)
    costs += readings.lone_costs @ pairs.lone
    # Signs stand in rows, as spaces do: the second one costs nothing.
    costs -= readings.sign_costs[some, left] @ np.where(left == right, weights, 0)
    return _cheapest(np.arange(readings.n_latin), costs, weights)


def _best_of_other_scripts(pairs: _WeighedPairs) -> Guess:
    readings, (left, right, weights, _) = byte_readings(), pairs
    some = slice(readings.n_latin, None)
    signs = _sign_and_place_costs(pairs, some)
    is_letter = readings.is_letter[some, left] | readings.is_letter[some, right]
    within = readings.codes[some, left] * readings.n_letters[some, None]
    within += readings.codes[some, right]
    row = readings.encodings - readings.n_latin
    cells = np.where(is_letter[row], within[row] + readings.starts[:, None], 0)
    return _cheapest(readings.encodings, signs[row] + readings.pair_costs[cells] @ weights, weights)


def _sign_and_place_costs(pairs: _WeighedPairs, some: slice) -> npt.NDArray[np.float32]:
    readings, (left, right, weights, _) = byte_readings(), pairs
    classes = readings.classes[some]
    rows = np.arange(len(classes))[:, None]
    costs = readings.place_costs[some][rows, classes[:, left], classes[:, right]]
    costs += readings.sign_costs[some, left]
    costs += readings.sign_costs[some, right]
    return costs @ weights + readings.priors[some]


def _cheapest(
    encodings: npt.NDArray[np.intp],
    costs: npt.NDArray[np.float32],
    weights: npt.NDArray[np.float32],
) -> Guess:
    i = int(costs.argmin())
    return Guess(byte_readings().charsets[encodings[i]], float(costs[i] / weights.sum()))
