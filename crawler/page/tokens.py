"""The tokens of HTML source: tags, comments, declarations, and where raw text ends.

It follows the HTML standard's tokenizer (section 13.2.5) but for sources that are cut short or
broken, where the standard may drop all that follows and we do not: a tag ends at the next ``<``
outside of quotes, too; one that reaches the end of the source within quotes ends at its first ``>``;
a comment without an end is ended by ``>``.

Cost: O(n) in all. The expressions are possessive, and no construct is searched to its end twice:
what has no end is known not to have one.
"""

from __future__ import annotations

import re

# Group 1: the tag's name, with the slash of an end tag; none for a comment or declaration. Between
# name and end of the match: the attributes. A quote opens a value only after "=". Whitespace behind
# a token belongs to it, as most tags are followed by an indented line.
TOKEN = re.compile(
    r"""<(?:(/?[A-Za-z][^\s/><]*+)(?:[^>"'=<]++|=\s*+(?:"[^"]*+"|'[^']*+')?+|["'])*+(?:>|(?=<)|\Z)"""
    r"""|!--(?:-?>|.*?--!?>)|[!?/][^>]*+(?:>|\Z))\s*+""",
    re.DOTALL,
)
# For what follows a tag whose quotes do not close before the end of the source.
PLAIN_TOKEN = re.compile(r"<(?:(/?[A-Za-z][^\s/><]*+)[^<>]*+>?|[!?/][^<>]*+>?)\s*+")

# Elements that are skipped whole, tags and links too, and those of which only the text is dropped.
SKIPPED = ("script", "style", "template", "iframe", "noembed", "textarea", "xmp")
MUTED = ("noscript", "object", "applet", "select", "datalist", "svg", "canvas", "audio", "video")
_END_TAGS = {
    name: re.compile("</" + "".join(f"[{c}{c.upper()}]" for c in name) + r"(?=[\s/>])")
    for name in (*SKIPPED, *MUTED, "title")
}
_BODY = re.compile(r"</head[\s>]|<body[\s>]", re.IGNORECASE)


def with_ended_comments(text: str) -> str:
    """Return *text* with comments that have no end turned into declarations, which end at ``>``."""
    last_end = max(text.rfind("-->"), 0)
    if text.find("<!--", last_end) < 0:
        return text
    return text[:last_end] + text[last_end:].replace("<!--", "<!")


class RawText:
    """Finds where the raw text of an element ends; positions must be asked for in order."""

    __slots__ = ("endless", "found", "text")

    def __init__(self, text: str):
        self.text = text
        self.endless: set[str] = set()
        self.found: dict[str, int] = {}  # so that start tags before one end tag share its search

    def end(self, name: str, position: int) -> int | None:
        """Return the position of the next end tag of *name*, None when there is none."""
        if name in self.endless:
            return None
        if self.found.get(name, -1) >= position:
            return self.found[name]
        match = _END_TAGS[name].search(self.text, position)
        if match is None:
            self.endless.add(name)
            return None
        self.found[name] = match.start()
        return match.start()

    def body(self, position: int) -> int:
        """Return where the head ends or the body begins after *position*, else the text's end."""
        match = _BODY.search(self.text, position)
        return len(self.text) if match is None else match.start()
