"""Signs that stand within words: of Hebrew, as in Unicode's word boundaries (UAX #29), and the colon before an ending.

Finnish and Swedish put endings of abbreviations behind a colon (*EU:n*, *BBC:s*), and so do Swedish contractions
(*s:t*) and German words for women and men (*Lehrer:innen*, *jede:r*).
"""

from __future__ import annotations

import re

# Geresh stands also at the end; for gershayim, in acronyms, most write a quotation mark.
HEBREW_GERESH = "\u05f3"
HEBREW_GERSHAYIM = '\u05f4|(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])'
_GERSHAYIM = re.compile(HEBREW_GERSHAYIM)

# The endings of cases of Finnish, of Swedish and of German. Behind other colons without a blank stands a word.
_ENDINGS = (
    *(
        "n",
        "a",
        "ä",
        "t",
        "ta",
        "tä",
        "tta",
        "ttä",
        "ssa",
        "ssä",
        "sta",
        "stä",
        "lla",
        "llä",
        "lta",
        "ltä",
    ),
    *("lle", "na", "nä", "ksi", "en", "in", "hun", "hin", "iin", "ien", "ia", "iä", "ita", "itä"),
    *("s", "e", "r", "ar", "er", "are", "ns"),
    *("innen", "m", "es"),
)
COLON = rf"(?<=[^\W\d_]):(?=(?:{'|'.join(_ENDINGS)})(?!\w|:\w))"


def with_gershayim(text: str) -> str:
    """Return *text* with gershayim within words of Hebrew, where most write a quotation mark.

    >>> with_gershayim('ארה"ב, "שלום"')
    'ארה״ב, "שלום"'
    """
    return text if text.isascii() or '"' not in text else _GERSHAYIM.sub("\u05f4", text)
