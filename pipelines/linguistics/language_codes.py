"""The codes by which options ask for documents of some languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

# Of a text whose language was not looked for, or cannot be told: a document has none then.
UNDETERMINED = "und"
_CODE = re.compile("[a-z]{2}|und")
OTHER_CODES = {
    "nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro",
}  # fmt: skip
"""Codes of ISO 639-1, in use or replaced, and the code that documents of these languages have."""
# ISO 639-1, with bh and sh, which were withdrawn; those of three letters, of ISO 639-3, are thousands.
_OF_TWO_LETTERS = OTHER_CODES.keys() | {
    "aa", "ab", "ae", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bh", "bi", "bm",
    "bn", "bo", "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da", "de", "dv", "dz", "ee",
    "el", "en", "eo", "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr", "fy", "ga", "gd", "gl", "gn", "gu",
    "gv", "ha", "he", "hi", "ho", "hr", "ht", "hu", "hy", "hz", "ia", "id", "ie", "ig", "ii", "ik", "io", "is",
    "it", "iu", "ja", "jv", "ka", "kg", "ki", "kj", "kk", "kl", "km", "kn", "ko", "kr", "ks", "ku", "kv", "kw",
    "ky", "la", "lb", "lg", "li", "ln", "lo", "lt", "lu", "lv", "mg", "mh", "mi", "mk", "ml", "mn", "mr", "ms",
    "mt", "my", "na", "nb", "nd", "ne", "ng", "nl", "nn", "no", "nr", "nv", "ny", "oc", "oj", "om", "or", "os",
    "pa", "pi", "pl", "ps", "pt", "qu", "rm", "rn", "ro", "ru", "rw", "sa", "sc", "sd", "se", "sg", "sh", "si",
    "sk", "sl", "sm", "sn", "so", "sq", "sr", "ss", "st", "su", "sv", "sw", "ta", "te", "tg", "th", "ti", "tk",
    "tl", "tn", "to", "tr", "ts", "tt", "tw", "ty", "ug", "uk", "ur", "uz", "ve", "vi", "vo", "wa", "wo", "xh",
    "yi", "yo", "za", "zh", "zu",
}  # fmt: skip
_OF_THREE_LETTERS = re.compile("[a-z]{3}")

TOLD_CODES = frozenset([
    "af", "am", "an", "ar", "as", "az", "ba", "be", "bg", "bn", "br", "bs", "ca", "cs", "cy", "da", "de", "dv",
    "dz", "el", "en", "eo", "es", "et", "eu", "fa", "ff", "fi", "fo", "fr", "fy", "ga", "gd", "gl", "gn", "gu",
    "ha", "he", "hi", "hr", "ht", "hu", "hy", "id", "ig", "is", "it", "ja", "jv", "ka", "ki", "kk", "km", "kn",
    "ko", "ku", "ky", "la", "lb", "lg", "ln", "lo", "lt", "lv", "mg", "mk", "ml", "mn", "mr", "ms", "mt", "my",
    "ne", "nl", "no", "oc", "om", "or", "pa", "pl", "ps", "pt", "qu", "ro", "ru", "rw", "sa", "se", "si", "sk",
    "sl", "sn", "so", "sq", "sr", "st", "sv", "sw", "ta", "te", "tg", "th", "tk", "tl", "tr", "tt", "ug", "uk",
    "ur", "uz", "vi", "vo", "wa", "xh", "yo", "zh", "zu",
])  # fmt: skip
"""The codes that `pipelines.linguistics.language` may give a text."""


def codes_asked(given: str | None) -> tuple[str, ...]:
    """Return the codes in *given*, the value of ``--language``, parted by commas; none for None or "".

    Raises `InputError` for what is no code of ISO 639-1, nor `UNDETERMINED`, and for one of `OTHER_CODES`.
    """
    codes = tuple(map(str.strip, given.split(","))) if given else ()
    for code in codes:
        if not _CODE.fullmatch(code):
            raise InputError(f"--language takes codes of ISO 639-1 such as de,en, not {code!r}")
    check_codes("--language", codes)
    return codes


def check_codes(name: str, codes: Iterable[str]) -> None:
    """Raise `InputError` for the first of the *codes* of the option *name* that no document has, as it has another."""
    for code in codes:
        if code in OTHER_CODES:
            raise InputError(
                f"{name} has {code!r}, whose texts are {OTHER_CODES[code]!r} here; give that"
            )


def check_told(name: str, codes: Iterable[str]) -> None:
    """Raise `InputError` for the first of the *codes* of the option *name* that no text gets."""
    codes = list(codes)
    check_codes(name, codes)
    for code in codes:
        if code not in TOLD_CODES | {UNDETERMINED}:
            raise InputError(
                f"{name} has {code!r}, which no text gets; give one of {' '.join(sorted(TOLD_CODES))}, "
                "or for another language a LANGUAGE_MODEL"
            )


def check_gold_code(name: str, code: str | None) -> None:
    """Raise `InputError` where *code*, which *name* has, is no code of a language; of gold texts people know more of
    them.
    """
    if code and code not in _OF_TWO_LETTERS and not _OF_THREE_LETTERS.fullmatch(code):
        raise InputError(
            f"{name} is {code!r}; give a code of ISO 639-1 such as de, or of ISO 639-3"
        )
