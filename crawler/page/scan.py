"""One pass over the source of a page: blocks, links and head, from tags as they are written.

No tree is built, so that tags which a parser would add or move make no gaps.

Text that is no text of the page: that of ``script``, ``style``, ``template``, ``iframe``,
``noembed``, ``textarea`` and ``xmp``, which are skipped whole, tags and links too; that of
``noscript``, ``object``, ``applet``, ``select``, ``option``, ``datalist``, ``svg``, ``canvas``,
``audio`` and ``video``, whose tags and links count. An element of these that is never closed is an
ordinary one; ``script`` and ``style`` then end where the body begins, or with the source. A page
that shows next to nothing without scripts is scanned again with ``noscript`` as text. Text hidden by style or attribute is text, and so is that of ``noframes``.

A word is linked inside an ``a``, but for an ``a`` with a name and no reference, which old pages do
not close (deviation: Kohlschütter counts any). One that is not closed ends with the cell, item or
list that it was opened in, or at the next ``a``. Where one ``a`` directly follows another, there is
a space (deviation: menus are set apart by style, and their words would run together). Anchor texts have the ``alt`` of images in them.

Cost: O(n) in characters. Memory: the text. Invariant: the blocks hold every word of the source
outside of tags and dropped text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.attributes import attributes_of, decoded
from crawler.page.blocks import BlockBuilder
from crawler.page.elements import OpenElements
from crawler.page.head import PageHead
from crawler.page.links import LinkKind
from crawler.page.references import References
from crawler.page.tags import (
    A_END,
    CLOSING_START,
    COMMENT,
    END,
    ENDS_ANCHOR,
    GAP_BITS,
    NO_BREAK,
    NO_GAP,
    START,
    TAGS,
    VOID_START,
    tag_of,
)
from crawler.page.tokens import MUTED, PLAIN_TOKEN, SKIPPED, TOKEN, RawText, with_ended_comments

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from crawler.page.limits import PageLimits

_DIVIDES = GAP_BITS["br"] | ~NO_GAP
# A title of more source than this many times its limit was not closed where it should be.
_TITLE_SLACK = 8


def _ordinary(_name: str, _match: re.Match[str]) -> None:
    pass


class Scan:
    """The state of one pass; its results are *builder*, *head*, *references* and *cuts*.

    *scripting* False reads ``noscript`` as an ordinary element; *has_noscript* says that there is one.
    """

    def __init__(
        self, text: str, limits: PageLimits, *, is_xml: bool = False, scripting: bool = True
    ):
        self.text = with_ended_comments(text)
        self.limits = limits
        self.is_xml = is_xml
        self.builder = BlockBuilder(limits.max_blocks)
        self.elements = OpenElements(limits.max_depth)
        self.head = PageHead()
        self.references = References(limits)
        self.has_noscript = False
        self._token = TOKEN
        self._raw = RawText(self.text)
        self._muted_until = 0
        self._linked = False
        self._a_depth = 0
        self._a_end: tuple[list[str], int] = ([], 0)
        self._special: dict[str, Callable[[str, re.Match[str]], int | None]] = {
            **dict.fromkeys(SKIPPED, self._skip),
            **dict.fromkeys(MUTED, self._mute),
            **dict.fromkeys(("html", "body"), self._language),
            **dict.fromkeys(("area", "frame"), self._embedded),
            "noscript": self._noscript if scripting else _ordinary,
            "title": self._title,
            "option": self._mute_option,
            "img": self._image,
            "base": self._base,
            "meta": self._meta,
            "link": self._link,
        }

    @property
    def cuts(self) -> set[str]:
        """The names of the limits that cut something."""
        cut = {"blocks": self.builder.cut, "depth": self.elements.cut}
        return self.references.cuts | {name for name, was_cut in cut.items() if was_cut}

    def run(self) -> None:
        """Scan the whole source."""
        position: int | None = 0
        while position is not None:
            position = self._tokens(position)
        if self.builder.has_text:
            self.builder.end_block(self.elements.path)

    def _tokens(self, position: int) -> int | None:
        """Take tokens from *position* on; return where to start again, or None at the end."""
        text, builder, elements = self.text, self.builder, self.elements
        start = last = position
        for match in self._token.finditer(text, position):
            start, end = match.span()
            if start > last >= self._muted_until:
                self._add_text(text[last:start])
            last = end
            name, bit, action = TAGS.get(match[1]) or tag_of(match[1])
            if action >= NO_BREAK:
                self._inline(action, match)
                continue
            if builder.has_text:
                builder.end_block(elements.path)
            builder.gap |= bit
            if action == END:
                self._end(name)
            elif action == START and not self.is_xml:
                elements.open(name)
            else:
                resume = self._start(name, action, match)
                if resume is not None:
                    return resume
        if last == len(text):
            return self._recovered(start)
        if last >= self._muted_until:
            self._add_text(text[last:])
        return None

    def _inline(self, action: int, match: re.Match[str]) -> None:
        """Take a token that makes no gap: an ``a``, a comment, a declaration."""
        if action != COMMENT:
            self._a(action, match)
        # The whitespace that the token took with it.
        end = match.end()
        if self.builder.has_text and self.text[end - 1].isspace() and end > self._muted_until:
            self._add_text(" ")

    def _recovered(self, start: int) -> int | None:
        """Return where to go on in a last tag at *start* that swallowed all the rest, if it did."""
        if self._token is PLAIN_TOKEN or self.text[start:].rstrip()[-1:] == ">":
            return None
        if TOKEN.match(self.text, start) is None:
            return None
        self._token = PLAIN_TOKEN
        end = self.text.find(">", start)
        return end + 1 if end >= 0 else None

    def _add_text(self, text: str) -> None:
        if "&" in text:
            text = decoded(text)
        builder = self.builder
        if not text.isspace():
            builder.has_text = True
            builder.pending_a = 0
        elif not builder.has_text:
            return
        builder.parts.append(text)
        builder.flags.append(self._linked)
        if self.references.anchor is not None:
            # A line break or box within an anchor divides its words, as it does on the screen.
            divided = len(builder.parts) == 1 and builder.gap & _DIVIDES
            self.references.add_text(f" {text}" if divided else text)

    def _end(self, name: str) -> None:
        self.elements.close(name)
        if self._linked and name in ENDS_ANCHOR and len(self.elements.names) < self._a_depth:
            self._linked, self.references.anchor = False, None

    def _a(self, action: int, match: re.Match[str]) -> None:
        builder = self.builder
        builder.add_a()
        self._linked, self.references.anchor = False, None
        if action == A_END:
            self._a_end = builder.parts, len(builder.parts)
        elif not self._is_closed(match):
            parts, n_parts = self._a_end
            if builder.has_text and parts is builder.parts and n_parts == len(parts):
                self._add_text(" ")
            attributes = self._attributes(match)
            self._linked = "href" in attributes or "name" not in attributes
            self._a_depth = len(self.elements.names)
            self.references.start_a(attributes, len(builder))

    def _start(self, name: str, action: int, match: re.Match[str]) -> int | None:
        """Take a start tag; return where to start again if what follows is skipped."""
        closed = self._is_closed(match)
        special = self._special.get(name)
        if special is not None and not (closed and name in SKIPPED):
            resume = special(name, match)
            if resume is not None:
                return resume
        if action == CLOSING_START:
            self.elements.close_implied(name)
        if action != VOID_START and not closed:
            self.elements.open(name)
        return None

    def _is_closed(self, match: re.Match[str]) -> bool:
        return self.is_xml and match[0].rstrip().endswith("/>")

    def _attributes(self, match: re.Match[str]) -> dict[str, str]:
        return attributes_of(self.text[match.end(1) : match.end()])

    def _skip(self, name: str, match: re.Match[str]) -> int | None:
        if name == "iframe":
            self._embedded(name, match)
        position = self._raw.end(name, match.end())
        if position is None and name in {"script", "style"}:
            return self._raw.body(match.end())
        return position

    def _mute(self, name: str, match: re.Match[str]) -> None:
        if match.end() >= self._muted_until:
            self._muted_until = self._raw.end(name, match.end()) or self._muted_until

    def _noscript(self, name: str, match: re.Match[str]) -> None:
        self.has_noscript = True
        self._mute(name, match)

    def _mute_option(self, _name: str, match: re.Match[str]) -> None:
        end = self.text.find("<", match.end())
        self._muted_until = max(self._muted_until, len(self.text) if end < 0 else end)

    def _title(self, _name: str, match: re.Match[str]) -> int | None:
        start = match.end()
        end = self._raw.end("title", start)
        if start < self._muted_until:
            return end  # the title of a drawing
        if end is None or end - start > _TITLE_SLACK * self.limits.max_head_chars:
            # Not closed, or only by that of a drawing further down.
            end = self.text.find("<", start)
        if end < 0:
            return None
        self.head.add_title(self.text[start:end])
        return end

    def _image(self, _name: str, match: re.Match[str]) -> None:
        if self.references.anchor is not None:
            self.references.add_text(self._attributes(match).get("alt", ""))

    def _language(self, _name: str, match: re.Match[str]) -> None:
        self.head.add_language(self._attributes(match))

    def _base(self, _name: str, match: re.Match[str]) -> None:
        href = self._attributes(match).get("href")
        if href and self.head.base is None:
            self.head.base = href

    def _meta(self, _name: str, match: re.Match[str]) -> None:
        target = self.head.add_meta(self._attributes(match))
        if target is not None:
            self.references.add(target, LinkKind.REFRESH, len(self.builder))

    def _link(self, _name: str, match: re.Match[str]) -> None:
        canonical = self.references.add_link_tag(self._attributes(match), len(self.builder))
        self.head.canonical = self.head.canonical or canonical

    def _embedded(self, name: str, match: re.Match[str]) -> None:
        self.references.add_embedded(name, self._attributes(match), len(self.builder))
