"""Values of metadata in which a page wrote tags, where text alone should stand."""

from __future__ import annotations

import re

# An end tag, a line break or the first tag of a text. A page on tags names them with blanks or a colon beside them.
_IS_MARKUP = re.compile(
    r"</[a-z][a-z0-9]*+>|(?<=\S)<br\s*+/?>|\A\s*+<(?:p|div)(?:\s[^<>]*+)?>[^\s:]", re.IGNORECASE
)
_TAG = re.compile(r"<(/?[a-z][a-z0-9]*+)(?:[\s/][^<>]*+)?>", re.IGNORECASE)
# What a cut text ends in.
_CUT_TAG = re.compile(r"<[a-z][a-z0-9]*+\s[^<>]*+\Z", re.IGNORECASE)
_LINK = re.compile(r"(?<=\w)(?=<a\s)", re.IGNORECASE)
_PARTS = frozenset({"p", "br", "div", "li", "ul", "ol", "h1", "h2", "h3", "td", "tr"})


def without_tags(text: str) -> str:
    """Return *text* without its tags, if it is markup.

    >>> without_tags("<p>The <b>rain</b>, again.</p>"), without_tags("The <table> element")
    ('The rain, again.', 'The <table> element')
    """
    if "<" not in text or _IS_MARKUP.search(text) is None:
        return text
    shown = _TAG.sub(_blank, _LINK.sub(" ", _CUT_TAG.sub("", text)))
    return " ".join(shown.split())


def _blank(tag: re.Match[str]) -> str:
    return " " if tag[1].lstrip("/").lower() in _PARTS else ""
