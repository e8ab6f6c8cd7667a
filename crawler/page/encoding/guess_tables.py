"""What the guess of an encoding weighs by: costs of letters, signs and places, built once.

A cost is a negative natural logarithm. The costs of letter pairs are counted
(:mod:`crawler.page.encoding.letter_pairs`); those of signs and places, and the priors, are estimates, set by
hand while reading pages of 1997, translations of Django, and some of the texts of `bench_encoding`.
"""

from __future__ import annotations

import base64
import unicodedata
import zlib
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.encoding.charsets import Charset, charset_of
from crawler.page.encoding.decoders import characters_of
from crawler.page.encoding.letter_pairs import SCRIPTS

if TYPE_CHECKING:
    import numpy.typing as npt

# By how much an encoding is rarer than windows-1252 on pages that do not declare theirs.
_PRIORS = {
    "latin": {
        "windows-1252": 0.0,
        "windows-1250": 4.0,
        "iso-8859-2": 4.0,
        "windows-1254": 4.0,
        "windows-1257": 5.0,
        "iso-8859-15": 6.0,
        "windows-1258": 6.0,
        "iso-8859-13": 8.0,
        "macintosh": 8.0,
        "iso-8859-3": 5.5,
        "iso-8859-4": 9.0,
        "iso-8859-16": 3.5,
        "iso-8859-10": 10.0,
        "iso-8859-14": 10.0,
    },
    "cyrillic": {
        "windows-1251": 2.0,
        "koi8-r": 4.0,
        "koi8-u": 5.0,
        "iso-8859-5": 7.0,
        "ibm866": 8.0,
        "x-mac-cyrillic": 9.0,
    },
    "greek": {"windows-1253": 3.0, "iso-8859-7": 3.5},
    "hebrew": {"windows-1255": 3.0, "iso-8859-8": 4.0},
    "arabic": {"windows-1256": 3.0, "iso-8859-6": 5.0},
    "thai": {"windows-874": 3.0},
}
LATIN = frozenset(_PRIORS["latin"])
# Signs of pages, the common ones first.
_SIGNS = (
    (2.0, "’"),
    (3.0, "\xa0"),
    (3.5, "“”–،؛؟\u200c№"),
    (4.0, "«»…—©•„¡¿"),
    (4.5, "²"),
    (5.0, "°®™‘€·ـ๐๑๒๓๔๕๖๗๘๙"),
    (5.5, "´¢µ"),
    (6.0, "£½±×³ºª§¼¾‹›‚\xad\u200d\u200e\u200f¹¶¬"),
)
_RARE_SIGN, _BOX, _NO_CHARACTER = 8.5, 11.0, 14.0
_OPENING, _CLOSING = "“‘«„‚¿¡‹", "”»…™®›°²³º"
# Letters beyond ASCII that are words of Latin script (counted in the UDHR and in messages of GTK),
# and the cost of another letter with none beside it: most such bytes are signs, as before prices.
_WORDS_OF_A_LETTER = "àáâäåæçèéêíîòóôöøýįổở"
_LONE_LETTER = 8.0
# The classes of characters.
SPACE, DIGIT, SMALL, CAPITAL, OWN_SMALL, OWN_CAPITAL, UNCASED = range(7)
OPEN, CLOSE, APOSTROPHE, FREE, RARE, BAD = range(7, 13)
_SHARE_OF_LETTERS, _SHARE_OF_SIGNS = 0.8, 0.2
# A pair of letters that a language was not seen to have, and its least cost.
_UNSEEN_SHARE, _MAX_COST = 0.02, 16.0


class ByteReadings(NamedTuple):
    """The encodings of one byte a character: n of them, the *n_latin* of Latin script first.

    *codes*: intp[n, 256], index of the letter in its script, 0 for what is none; *n_letters*:
    intp[n], of its script; *classes*: uint8[n, 256]; *is_letter*: bool[n, 256]; *sign_costs*:
    float32[n, 256]; *place_costs*: float32[n, 13, 13] by the classes of left and right;
    *lone_costs*: float32[n_latin, 256], of characters without a letter beside them.

    Costs of pairs of letters: in Latin script *latin_pair_costs*, float32[n_letters**2 + 1,
    n_languages], whose last row is the cost of a pair without letters, 0; *latin_shares*:
    float32[n_languages], of letters that are not ASCII among all letters. In other scripts
    *pair_costs*, float32, the languages one after the other; each (encoding, language) of
    *encodings* begins at its place of *starts*, and at 0 stands the cost of no letters, 0.
    """

    charsets: tuple[Charset, ...]
    n_latin: int
    priors: npt.NDArray[np.float32]
    codes: npt.NDArray[np.intp]
    n_letters: npt.NDArray[np.intp]
    classes: npt.NDArray[np.uint8]
    is_letter: npt.NDArray[np.bool_]
    sign_costs: npt.NDArray[np.float32]
    place_costs: npt.NDArray[np.float32]
    lone_costs: npt.NDArray[np.float32]
    latin_pair_costs: npt.NDArray[np.float32]
    latin_shares: npt.NDArray[np.float32]
    pair_costs: npt.NDArray[np.float32]
    encodings: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]


@cache
def byte_readings() -> ByteReadings:
    """Return the encodings of one byte a character."""
    rows = [
        _Row(known(name), prior, script)
        for script, priors in _PRIORS.items()
        for name, prior in priors.items()
    ]
    costs = {script: _letter_costs(script) for script in _PRIORS}
    places = {script: _place_costs(is_latin=script == "latin") for script in _PRIORS}
    codes = [row.codes() for row in rows]
    classes = np.array([row.classes() for row in rows], np.uint8)
    is_letter = (classes >= OWN_SMALL) & (classes <= UNCASED)
    latin = costs["latin"]
    pair_costs, encodings, starts = _one_after_the_other(rows, costs)
    return ByteReadings(
        charsets=tuple(row.charset for row in rows),
        n_latin=len(_PRIORS["latin"]),
        priors=np.array([row.prior for row in rows], np.float32),
        codes=np.array(codes, np.intp),
        n_letters=np.array([len(SCRIPTS[row.script].letters) for row in rows], np.intp),
        classes=classes,
        is_letter=is_letter,
        sign_costs=np.array([row.sign_costs() for row in rows], np.float32),
        place_costs=np.array([places[row.script] for row in rows], np.float32),
        lone_costs=np.array(
            [row.lone_costs() for row in rows[: len(_PRIORS["latin"])]], np.float32
        ),
        latin_pair_costs=np.vstack([latin.T, np.zeros(len(latin))]).astype(np.float32),
        latin_shares=np.array(list(SCRIPTS["latin"].languages.values()), np.float32),
        pair_costs=pair_costs,
        encodings=encodings,
        starts=starts,
    )


def _one_after_the_other(
    rows: list[_Row], costs: dict[str, npt.NDArray[np.float64]]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    pieces, encodings, starts = [np.zeros(1)], [], []
    start = 1
    for script, by_language in costs.items():
        if script == "latin":
            continue
        own = [i for i, row in enumerate(rows) if row.script == script]
        for language in by_language:
            encodings += own
            starts += [start] * len(own)
            pieces.append(language)
            start += language.size
    flat = np.concatenate(pieces).astype(np.float32)
    return flat, np.array(encodings, np.intp), np.array(starts, np.intp)


def known(name: str) -> Charset:
    """Return the encoding of the standard that is called *name*."""
    charset = charset_of(name)
    assert charset is not None  # the tables above name encodings of the standard
    return charset


class _Row(NamedTuple):
    charset: Charset
    prior: float
    script: str

    def codes(self) -> list[int]:
        index = {letter: code for code, letter in enumerate(SCRIPTS[self.script].letters)}
        return [index.get(_small(c), 0) for c in characters_of(self.charset)]

    def classes(self) -> list[int]:
        return [_class(c, SCRIPTS[self.script].letters) for c in characters_of(self.charset)]

    def lone_costs(self) -> list[float]:
        letters = SCRIPTS[self.script].letters
        return [_lone_cost(c, letters) for c in characters_of(self.charset)]

    def sign_costs(self) -> list[float]:
        return [_sign_cost(c, SCRIPTS[self.script].letters) for c in characters_of(self.charset)]


def _small(character: str) -> str:
    return "ı" if character == "İ" else character.lower()


def _class(character: str, letters: str) -> int:
    small = _small(character)
    if character < "\x80":
        if character.isdigit():
            return DIGIT
        return (SMALL if character == small else CAPITAL) if character.isalpha() else SPACE
    if small in letters:
        if character.upper() == small.lower() and small == character:
            return UNCASED
        return OWN_SMALL if character == small else OWN_CAPITAL
    if _is_no_character(character):
        return BAD
    for kind, signs in ((OPEN, _OPENING), (CLOSE, _CLOSING), (APOSTROPHE, "’")):
        if character in signs:
            return kind
    return FREE if any(character in signs for _, signs in _SIGNS) else RARE


def _is_no_character(character: str) -> bool:
    return character == "\ufffd" or unicodedata.category(character) in {"Cc", "Co", "Cn"}


def _sign_cost(character: str, letters: str) -> float:
    if character < "\x80" or _small(character) in letters:
        return 0.0
    if _is_no_character(character):
        return _NO_CHARACTER
    for cost, signs in _SIGNS:
        if character in signs:
            return cost
    return _BOX if "\u2500" <= character <= "\u25a0" else _RARE_SIGN


def _lone_cost(character: str, letters: str) -> float:
    is_own = character >= "\x80" and _small(character) in letters
    return _LONE_LETTER * (is_own and character not in _WORDS_OF_A_LETTER)


def _place_costs(*, is_latin: bool) -> npt.NDArray[np.float32]:
    costs = np.zeros((13, 13), np.float32)
    own, ascii_letters = [OWN_SMALL, OWN_CAPITAL, UNCASED], [SMALL, CAPITAL]
    letters, signs = own + ascii_letters, [OPEN, CLOSE, APOSTROPHE, FREE, RARE, BAD]
    for left in range(13):
        for right in range(13):
            pair = {left, right}
            cost = -np.log(_SHARE_OF_SIGNS if pair & set(signs) else _SHARE_OF_LETTERS)
            if pair & set(own) and pair & set(ascii_letters) and not is_latin:
                cost += 8.0
            if pair & set(signs):
                cost += 2.5 * bool(pair & set(ascii_letters)) + 1.0 * bool(pair & set(own))
                cost += 0.7 * (SPACE in pair) + 1.5 * (DIGIT in pair)
                cost += 3.0 * (bool(pair & {RARE}) and bool(pair & set(letters)))
            cost += 3.0 * (DIGIT in pair and bool(pair & set(own)))
            cost += 4.0 * (
                (left in letters and right == OPEN)
                or (left == CLOSE and right in letters)
                or (left == SPACE and right == APOSTROPHE)
            )
            cost += _case_cost(left, right)
            costs[left, right] = cost
    return costs


def _case_cost(left: int, right: int) -> float:
    if right in {CAPITAL, OWN_CAPITAL}:
        if left in {SMALL, OWN_SMALL}:
            return 7.0
        return 1.5 if left in {CAPITAL, OWN_CAPITAL} else 0.7 * (right == OWN_CAPITAL)
    return 0.3 * (left in {CAPITAL, OWN_CAPITAL})


def _letter_costs(name: str) -> npt.NDArray[np.float64]:
    """Return the costs of the pairs of letters, float64[n_languages, n_letters**2]."""
    script = SCRIPTS[name]
    n = len(script.letters)
    packed = np.frombuffer(zlib.decompress(base64.b85decode(script.pairs)), np.uint8)
    seen = packed.reshape(-1, n, n).astype(np.float64)
    shares = np.where(seen > 0, np.exp((1.0 - seen) / 4.0), 0.0)
    single = shares.sum(axis=1) + shares.sum(axis=2)
    single /= single.sum(axis=1, keepdims=True)
    unseen = single[:, :, None] * single[:, None, :]
    costs: npt.NDArray[np.float64] = -np.log(
        (1 - _UNSEEN_SHARE) * shares + _UNSEEN_SHARE * unseen + np.exp(-_MAX_COST)
    )
    return costs.reshape(len(seen), n * n)
