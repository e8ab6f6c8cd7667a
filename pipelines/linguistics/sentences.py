"""Where the sentences of a text end, by its signs alone.

- Full stops, question and exclamation marks and ellipses (those of Arabic, Urdu, Armenian and Ethiopic, too), with the
  quotes and brackets that close behind them, end a sentence when a blank follows, and what comes then, behind
  quotes, brackets and dashes that open, is neither a small letter nor a sign that goes on.
- A full stop behind a single letter, letters with points (*J.*, *z. B.*, *U.S.*) or a number of one or two digits
  (German *3. Oktober*) ends none; behind a longer number, which mostly is a year, it does.
- Full stops and marks of Chinese and Japanese, dandas of Indic scripts, and full stops of Burmese and Khmer end a
  sentence without a blank, too; not within 「」, where Japanese goes on with *to*.
- So does the end of a line. A no-break space ends nothing.

Not handled: abbreviations (*Dr. Who* are two), sentences that end with an initial (*vitamin C. The*) or begin with a
small letter, Thai and Lao, which have no signs for it, and quotes that hold several sentences.

Invariant: ends ascend, and lie within the text. Cost: linear in the text.
"""

from __future__ import annotations

import re

_SIGNS = ".!?…\u061f\u06d4\u0589\u1362\u1367"
_SPACELESS_SIGNS = "。！？｡\u0964\u0965\u104b\u17d4\u17d5"
_CLOSING = r"\"'”’»«›‹)\]}“‘"
_NO_BREAK = "\u00a0\u202f"
# The first alternative takes full stops that end nothing. Repeated groups stand in atomic ones: Python 3.11 loses its
# place after "(...)*+" (CPython issue 106052). A run of signs is looked at from its first alone: what stands behind it
# is the same for all of them, and a line of a hundred thousand full stops would be read as often.
_END = re.compile(
    rf"(?<![\w.])(?>(?:[^\W\d_]\.)+|\d{{1,2}}\.)(?![{_SIGNS}])"
    rf"|(?P<end>(?<![{_SIGNS}])[{_SIGNS}]++(?>(?:[{_NO_BREAK}]?[{_CLOSING}])*)(?=[^\S{_NO_BREAK}]))"
    rf"|(?P<spaceless>(?<![{_SPACELESS_SIGNS}])[{_SPACELESS_SIGNS}]++"
    rf"(?![」』])[{_CLOSING}）】》〉〕]*+(?![，、：；,{_SIGNS}]))"
    r"|(?P<line>\n)"
)
_OPENING = re.compile(r"[\s\"'“„‚«‹»›‘’(\[{¿¡—–\-]*+")
_GOES_ON = frozenset(",;:.!?…)]}")


def sentence_ends(text: str) -> list[int]:
    """Return where sentences of *text* end, the last one left out.

    >>> sentence_ends("So J. Doe said. Is it 3.5? 是。不是。")
    [15, 26, 29]
    """
    found = []
    for match in _END.finditer(text):
        is_end = match.lastgroup == "end" and _may_begin(text, match.end())
        if is_end or match.lastgroup in {"spaceless", "line"}:
            found.append(match.end())
    return found[:-1] if found and found[-1] == len(text) else found


def _may_begin(text: str, place: int) -> bool:
    """Tell whether a sentence may begin behind *place*."""
    opening = _OPENING.match(text, place)
    first = text[opening.end() : opening.end() + 1] if opening else ""
    return bool(first) and not first.islower() and first not in _GOES_ON
