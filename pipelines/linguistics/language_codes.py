"""The codes by which options ask for documents of some languages."""

from __future__ import annotations

import re

from crawler.errors import InputError

# Of a text whose language was not looked for, or cannot be told: a document has none then.
UNDETERMINED = "und"
_CODE = re.compile("[a-z]{2}|und")


def codes_asked(given: str | None) -> tuple[str, ...]:
    """Return the codes in *given*, the value of ``--language``, parted by commas; none for None or "".

    Raises `InputError` for what is no code of ISO 639-1, nor `UNDETERMINED`.
    """
    codes = tuple(map(str.strip, given.split(","))) if given else ()
    for code in codes:
        if not _CODE.fullmatch(code):
            raise InputError(f"--language takes codes of ISO 639-1 such as de,en, not {code!r}")
    return codes
