"""What a word is. Nothing else in Winnow splits text.

Six units, one function each, for the published methods count in different ones:

================== ============================================================ ==================
``density_tokens``  whitespace runs that hold a letter or digit                  Kohlschütter 2011
``ws_tokens``       whitespace runs                                              boilerpipe, jusText
``alpha_words``     runs of letters; an inner hyphen joins two                   stop-word density
``corpus_tokens``   URLs, e-mails, numbers, words, single other characters       Pomikálek 2011, 3.6
``evaluation_words`` runs of word characters, lower-cased if not told otherwise   Gottron 2008, scores
``search_words``    the same, marks with their letters, lower-cased, no strokes  ours
================== ============================================================ ==================

Letter and digit mean Unicode categories L* and N*; the no-break spaces are whitespace. A mark (M*) belongs to the
letter before it, a joiner (U+200C, U+200D) to those around it: without their vowel signs the words of Hindi, Tamil or
pointed Hebrew would fall apart. In ``evaluation_words`` they do, as they do for all who score.

Scripts that are written without spaces (deviation; the papers know English and German only) have a unit of their own
in ``density_tokens``: a run of Han, Kana or Bopomofo is cut into units of 2 characters, one of Thai, Lao, Khmer or
Burmese into units of 5, the last one as long as what is left. That is about a word of running text (Chinese 1.6,
Japanese 2.2, Thai 4.6 characters), so that thresholds keep their meaning. To ``evaluation_words`` each is one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from crawler.page.inner_signs import COLON, HEBREW_GERESH, HEBREW_GERSHAYIM

if TYPE_CHECKING:
    from collections.abc import Iterator

# Letters, marks and digits of the scripts, as ranges of a character class. Unicode 16, blocks of the same names;
# iteration marks and ideographic zero with Han; half-width Katakana with Kana.
HAN_KANA = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u312f"
    "\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f"
    "\U00020000-\U000323af"
)
SOUTH_EAST_ASIAN = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e80-\u0eff\u1000-\u109f\u1780-\u17dd\u17e0-\u17f9\uaa60-\uaa7f"

HAN_KANA_UNIT_CHARS = 2
SOUTH_EAST_ASIAN_UNIT_CHARS = 5

# Control characters that are no whitespace, and noncharacters.
DROPPED_CLASS = "\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufdd0-\ufdef" + "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
)
_DROPPED = re.compile(f"[{DROPPED_CLASS}]")
# What only says where a line may be broken, and where not: soft hyphen, word joiner, and the mark of a
# file's beginning, which once was that. The zero width space is none of them: it divides words.
BREAKS_CLASS = "\u00ad\u2060\ufeff"
_BREAKS = re.compile(f"[{BREAKS_CLASS}]")
# What has no width and is no part of a word: marks of direction (UAX #9), the zero width space, signs of formulas that
# are not seen.
_NO_WIDTH = f"\u061c\u200b\u200e\u200f\u202a-\u202e\u2061-\u206f{BREAKS_CLASS}"
_NOTHING_JOINED = rf"\s\0-\u036f\u1e00-\u1eff\u2000-\u206f{_NO_WIDTH}"
# The joiners are parts of words in Persian and Hindi, and of pictures; beside spaces, Latin letters and punctuation
# they join nothing.
IDLE_JOINER = rf"(?<![^{_NOTHING_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![^{_NOTHING_JOINED}])"
_IDLE_JOINER = re.compile(IDLE_JOINER)
_UNSEEN = re.compile(f"[{_NO_WIDTH}]|{IDLE_JOINER}")
# The tatweel draws out words of Arabic script: it is no letter.
_STROKES = "\u0640\u200c\u200d"

GRAPHEME_JOINER = "\u034f"
# Combining marks are neither letters nor digits nor spaces; signs are taken in with them.
_LONG_MARKS = re.compile(r"[^\w\s\0-\u02ff]{30}")

_SPACELESS = re.compile(f"[{HAN_KANA}{SOUTH_EAST_ASIAN}]")
_HAN_KANA = re.compile(f"[{HAN_KANA}]")
_UNITS = re.compile(
    f"[{HAN_KANA}]{{1,{HAN_KANA_UNIT_CHARS}}}"
    f"|[{SOUTH_EAST_ASIAN}]{{1,{SOUTH_EAST_ASIAN_UNIT_CHARS}}}"
    rf"|[^\s{HAN_KANA}{SOUTH_EAST_ASIAN}]+"
)
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
# Runs of letters with their marks, where "%" stands for the marks. Repeated groups stand in atomic ones: Python 3.11
# loses its place after "(...)*+" (CPython issue 106052).
_LETTERS = r"[^\W\d_]++(?>(?:(?:[%]++[\u200c\u200d]*+|[\u200c\u200d]++(?=[^\W\d_]))[^\W\d_]*+)*)"
# Pomikálek 2011, 2.7.2, and its footnote on the hyphen. The apostrophe is no letter: "don't" is two words.
_ALPHA = rf"{_LETTERS}(?>(?:-{_LETTERS})*)"
_CHARACTERS = r"[^%][%]*+|[%]++"
_ALPHA_ASCII = re.compile("[A-Za-z]+(?:-[A-Za-z]+)*")
# Pomikálek 2011, 3.6: URL, e-mail, number, word, any other character, in this order. Each alternative takes a run in one
# go, so that the cost stays linear. Signs for numbers begin no word ("½-inch", as "3-inch"), but stand in some: "m²".
_NUMBERS = "[²³¹¼-¾\u2070\u2074-\u2079\u2080-\u2089\u2150-\u2182\u2185-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]"
_CORPUS = (
    r"https?://[^\s<>\"]++"
    r"|(?<![\w.+\-])[\w.+\-]{1,64}@[\w\-]{1,63}(?:\.[\w\-]{1,63})+"
    rf"|[0-9]++(?:[.,:][0-9]++)*{_NUMBERS}*+|{_NUMBERS}++"
    rf"|{_LETTERS}(?>(?:(?:['’\-{HEBREW_GERESH}]|{HEBREW_GERSHAYIM}|{COLON}){_LETTERS})*){HEBREW_GERESH}?"
    r"|\S"
)
_EVALUATION = re.compile(
    rf"[{HAN_KANA}{SOUTH_EAST_ASIAN}]|(?:(?![{HAN_KANA}{SOUTH_EAST_ASIAN}])\w)+"
)
_SEARCH = (
    rf"[{HAN_KANA}{SOUTH_EAST_ASIAN}]"
    rf"|(?![{HAN_KANA}{SOUTH_EAST_ASIAN}])\w(?>(?:(?![{HAN_KANA}{SOUTH_EAST_ASIAN}])[\w%\u200c\u200d])*)"
)
# Latin to Armenian and punctuation, without marks and joiners: there the words are runs, which are found twice as fast.
_PLAIN = re.compile(r"[\0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u200b\u200e-\u20cf]*+")
_RUNS = re.compile(r"\w+")


@cache
def _with_marks(pattern: str) -> re.Pattern[str]:
    """Return *pattern* with the combining marks in place of "%"; compiled when asked for, as it takes a while."""
    # Marks lie in the first two planes, and variation selectors here.
    points = (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0))
    marks = [point for point in points if unicodedata.category(chr(point))[0] == "M"]
    firsts = sorted(set(marks) - {point + 1 for point in marks})
    lasts = sorted(set(marks) - {point - 1 for point in marks})
    ranges = "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(firsts, lasts, strict=True))
    return re.compile(pattern.replace("%", ranges))


def collapsed(text: str) -> str:
    """Return *text* in NFC, whitespace runs as one space, none at the ends, no control characters."""
    text = " ".join(text.split())
    if not text.isprintable():
        text = " ".join(_DROPPED.sub("", text).split())
    return text if text.isascii() else nfc(text)


def as_shown(text: str) -> str:
    """Return *text* collapsed, as a reader sees it: without what only says where a line may be broken.

    >>> as_shown("ex\N{SOFT HYPHEN}am\N{SOFT HYPHEN}ple ")
    'example'
    """
    return collapsed(text if text.isascii() else _BREAKS.sub("", text))


def as_value(text: str) -> str:
    """Return *text* collapsed, as a title or a name is shown and compared: without what is not seen.

    >>> as_value("\N{RIGHT-TO-LEFT MARK}ex\N{SOFT HYPHEN}am\N{ZERO WIDTH SPACE}ple\N{ZERO WIDTH JOINER}")
    'example'
    """
    return collapsed(text if text.isascii() else _UNSEEN.sub("", text))


def nfc(text: str) -> str:
    """Return *text* in NFC, with at most 30 combining marks in a row kept together.

    Normalisation sorts each row of marks, which takes quadratic time; as in Unicode's stream-safe
    text format (UAX #15, section 13) a row that is longer is divided by U+034F.
    """
    if _LONG_MARKS.search(text):
        text = _LONG_MARKS.sub(_divided, text)
    return unicodedata.normalize("NFC", text)


def _divided(marks: re.Match[str]) -> str:
    is_row = all(map(unicodedata.combining, marks[0]))
    return marks[0] + GRAPHEME_JOINER if is_row else marks[0]


def density_tokens(text: str) -> list[str]:
    """Return the words of *text* that text density counts.

    >>> density_tokens("Hello, world - 42 times")
    ['Hello,', 'world', '42', 'times']
    >>> density_tokens("数据科学 iPhone手机。")
    ['数据', '科学', 'iPhone', '手机']
    """
    return _units(text) if has_spaceless_script(text) else _words(text.split())


def block_words(source: str) -> tuple[str, list[str], bool]:
    """Return *source* collapsed, its density tokens, and whether some may be full-width.

    One split does for both; ``density_tokens`` of the text gives the same words.
    """
    runs = source.split()
    text = " ".join(runs)
    if text.isascii():
        return text, _words(runs), False
    text = nfc(text)
    if _SPACELESS.search(text):
        return text, _units(text), True
    return text, _words(text.split()), False


def has_spaceless_script(text: str) -> bool:
    """Tell whether *text* holds a character of a script that is written without spaces."""
    return not text.isascii() and _SPACELESS.search(text) is not None


def _words(runs: list[str]) -> list[str]:
    return [run for run in runs if run.isalnum() or _LETTER_OR_DIGIT.search(run)]


def _units(text: str) -> list[str]:
    return [unit for unit in _UNITS.findall(text) if _LETTER_OR_DIGIT.search(unit)]


def columns(token: str) -> int:
    """Return the columns that *token* fills in a line: two for a unit of Han or Kana characters."""
    return 2 * len(token) if _HAN_KANA.match(token) else len(token)


def ws_tokens(text: str) -> list[str]:
    """Return the maximal runs of non-whitespace, as ``wc -w`` counts them."""
    return text.split()


def alpha_words(text: str) -> list[str]:
    """Return the runs of letters; an inner hyphen joins two.

    >>> alpha_words("well-known, don't 3D")
    ['well-known', 'don', 't', 'D']
    """
    return (_ALPHA_ASCII if text.isascii() else _with_marks(_ALPHA)).findall(text)


def corpus_tokens(text: str) -> list[str]:
    """Return URLs, e-mail addresses, numbers, words and single other characters, in order.

    >>> corpus_tokens("It's 3.5 km, ask me@example.com")
    ["It's", '3.5', 'km', ',', 'ask', 'me@example.com']
    """
    return _with_marks(_CORPUS).findall(text)


def evaluation_words(text: str, *, keep_case: bool = False) -> list[str]:
    """Return the words that extraction scores compare, lower-cased unless *keep_case*.

    >>> evaluation_words("Hello, World_1 数据!")
    ['hello', 'world_1', '数', '据']
    """
    return _EVALUATION.findall(text if keep_case else text.lower())


def search_words(text: str) -> list[str]:
    """Return the words of *text* that a search finds.

    >>> search_words("Hello, World_1 数据 हिन्दी!")
    ['hello', 'world_1', '数', '据', 'हिन्दी']
    """
    words = _search_pattern(text).findall(small_letters(text))
    return list(map(without_strokes, words)) if has_strokes(text) else words


def has_strokes(text: str) -> bool:
    """Tell whether *text* holds what `without_strokes` may leave out."""
    return not text.isascii() and any(map(text.__contains__, _STROKES))


def without_strokes(text: str) -> str:
    """Return *text* without tatweels, and joiners that join nothing, but for one that is nothing else.

    >>> without_strokes("ك\N{ARABIC TATWEEL}تاب Auf\N{ZERO WIDTH NON-JOINER}lage")
    'كتاب Auflage'
    """
    if not has_strokes(text):
        return text
    return _IDLE_JOINER.sub("", text.replace(_STROKES[0], "")) or text


def small_letters(text: str) -> str:
    """Return *text* in small letters, the Turkish capital of i as an i.

    Unicode's small letter of it is an i with one dot more, so that no word of Turkish would be the same at the
    beginning of a sentence. That I is the capital of another letter there, without a dot, only a Turkish text knows.

    >>> small_letters("İyi Işık")
    'iyi işık'
    """
    return text.replace("İ", "i").lower()


def search_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where in *text* each of its :func:`search_words` begins and ends."""
    return (found.span() for found in _search_pattern(text).finditer(text))


def _search_pattern(text: str) -> re.Pattern[str]:
    return _RUNS if text.isascii() or _PLAIN.fullmatch(text) else _with_marks(_SEARCH)


def characters_with_marks(text: str) -> list[str]:
    """Return the characters of *text*, with each the marks that belong to it.

    >>> characters_with_marks("हिन्दी")
    ['हि', 'न्', 'दी']
    """
    return _with_marks(_CHARACTERS).findall(text)
