"""Text that is shown as it is written, tags and all: that of ``xmp``, and CDATA sections of pages that are sent as XML.

HTML has dropped ``xmp``; pages of old and programs that draw Markdown in the browser have it still. It shows its text
as ``pre`` does. In HTML that is not sent as XML a CDATA section is a comment up to its first ``>``.

Cost: O(n). Needed for pages on which the scan has met such an element or section alone.
"""

from __future__ import annotations

import re

_END = re.compile(rb"</xmp(?=[\s/>])[^<>]*+>?", re.IGNORECASE)
# Comments and scripts may name it; one that never ends is an element like others.
_MARKUP = re.compile(
    rb"<!--(?>(?:[^-]++|-(?!->))*)|<(?P<raw>script|style|textarea|title)\b(?>(?:[^<]++|<(?!/(?P=raw)))*)"
    rb"|<xmp(?P<attributes>(?:\s[^<>]*+)?)>(?P<text>(?>(?:[^<]++|<(?!/xmp[\s/>]))*))"
    + _END.pattern,
    re.IGNORECASE,
)

_SECTION_END = b"]]>"
_SECTION = re.compile(
    rb"(?i:<!--(?>(?:[^-]++|-(?!->))*)"
    # In XML a tag may end its element.
    rb"|<(?P<raw>script|style|textarea|title)\b[^>]*+>(?:(?<=/>)|(?>(?:[^<]++|<(?!/(?P=raw)))*)))"
    rb"|<!\[CDATA\[(?P<text>(?>(?:[^\]]++|\](?!\]>))*))\]\]>"
)


def with_literal_text(source: bytes) -> bytes:
    r"""Return *source* with what ``xmp`` shows in ``pre``.

    >>> with_literal_text(b"<xmp><b>1 &lt; 2</b></xmp>")
    b'<pre>&lt;b>1 &amp;lt; 2&lt;/b></pre>'
    """
    end = max((match.end() for match in _END.finditer(source)), default=0)
    # Behind the last end tag each of them would be looked for to the end of the page.
    return _MARKUP.sub(_shown, source[:end]) + source[end:]


def with_character_data(source: bytes) -> bytes:
    r"""Return *source*, which is XML, with the text of its CDATA sections.

    >>> with_character_data(b"<p>if <![CDATA[a < b]]></p>")
    b'<p>if a &lt; b</p>'
    """
    # One that never ends is none.
    end = source.rfind(_SECTION_END) + len(_SECTION_END)
    return _SECTION.sub(_text, source[:end]) + source[end:]


def _shown(match: re.Match[bytes]) -> bytes:
    if match["text"] is None:
        return match[0]
    return b"<pre%b>%b</pre>" % (match["attributes"], _text(match))


def _text(match: re.Match[bytes]) -> bytes:
    text = match["text"]
    return match[0] if text is None else text.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
