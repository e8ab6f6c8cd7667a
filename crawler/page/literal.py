"""Text that ``xmp`` shows as it is written, tags and all, as ``pre`` shows it.

HTML has dropped the element; pages of old and programs that draw Markdown in the browser have it still.

Cost: O(n). Needed for pages on which the scan has met such an element alone.
"""

from __future__ import annotations

import re

_END = re.compile(rb"</xmp(?=[\s/>])[^<>]*+>?", re.IGNORECASE)
# Comments and scripts may name it; one that never ends is an element like others.
_MARKUP = re.compile(
    rb"<!--(?:[^-]++|-(?!->))*+|<(?P<raw>script|style|textarea|title)\b(?:[^<]++|<(?!/(?P=raw)))*+"
    rb"|<xmp(?P<attributes>(?:\s[^<>]*+)?)>(?P<text>(?:[^<]++|<(?!/xmp[\s/>]))*+)" + _END.pattern,
    re.IGNORECASE,
)


def with_literal_text(source: bytes) -> bytes:
    r"""Return *source* with what ``xmp`` shows in ``pre``.

    >>> with_literal_text(b"<xmp><b>1 &lt; 2</b></xmp>")
    b'<pre>&lt;b>1 &amp;lt; 2&lt;/b></pre>'
    """
    end = max((match.end() for match in _END.finditer(source)), default=0)
    # Behind the last end tag each of them would be looked for to the end of the page.
    return _MARKUP.sub(_shown, source[:end]) + source[end:]


def _shown(match: re.Match[bytes]) -> bytes:
    text = match["text"]
    if text is None:
        return match[0]
    text = text.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
    return b"<pre%b>%b</pre>" % (match["attributes"], text)
