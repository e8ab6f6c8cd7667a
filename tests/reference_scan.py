"""The scan of a page, slow and obvious: what the compiled one must agree with.

It works on strings and keeps every character with its state; nothing is fast here.
"""

from __future__ import annotations

import re

from crawler.page.attributes import decoded, decoded_value
from crawler.page.links import LinkKind
from crawler.page.tags import (
    CLOSED_BY,
    ENDS_ANCHOR,
    GAP_BITS,
    MUTED,
    MUTED_IN_LINE,
    NO_GAP,
    OTHER_BIT,
    PHRASING,
    READINGS,
    ROOTS,
    TRANSPARENT,
    VOID,
)
from crawler.page.words import BREAKS_CLASS, DROPPED_CLASS, block_words
from tests.reference_elements import Node
from tests.reference_hiding import Sight
from tests.reference_tokens import TITLE_SLACK, Reader, Token, end_tag, n_linked
from tests.wrapped_lines import wrap_counts

_DIVIDES = GAP_BITS["br"] | ~NO_GAP
_VALUED = re.compile(
    r"(?<![^ \t\n\f\r,])(?:max-(?:snip|imag|vide)|unavaila)[^ \t\n\f\r,]*"
    r"(?:(?<=:)|[ \t\n\f\r]*:)[ \t\n\f\r]*[^ \t\n\f\r,]*"
)
_NO_GAPS = {"gap": (), "transparent": TRANSPARENT, "phrasing": TRANSPARENT | PHRASING}
# Between which a drawing divides: the scan has only bytes of what stands before it.
_WORD, _BEFORE = re.compile(r"[^\W_]"), re.compile(r"[^\0-/:-@[-`{-\x7f]\Z")
_FEED = re.compile("application/(?:rss|atom|rdf|feed)", re.IGNORECASE)
_HEAD = ("description", "og:description", "og:title", "content-language", "og:locale", "language")
_HEAD += ("dc.language",)


class ReferenceScan:
    """Scans *text* at once; the results are its attributes."""

    def __init__(self, text, limits, rules, *, is_xml=False, scripting=True):
        self.text, self.limits, self.rules, self.scripting = text, limits, rules, scripting
        self.root = Node("body")
        self.stack = [self.root]
        self.n_deeper = 0
        self.sight = Sight(self.stack, text, drops=rules.hidden == "drop")
        self.blocks: list[tuple] = []
        self.links: list[list] = []  # href, anchor, kind, nofollow, block
        self.head: dict[str, str] = {}
        self.robots: set[str] = set()
        self.characters: list[tuple[str, bool]] = []  # of the block at hand, and if linked
        self.gap, self.pending = 0, 0
        self.linked, self.after_a, self.a_depth = False, False, 0
        self.anchor: list | None = None
        self.anchor_text = ""
        self.muted, self.drawn, self.after_drawing = 0, 0, False
        self.has_noscript = False
        self.in_lines = rules.inline == "phrasing"
        self.dropped = re.compile(f"[{DROPPED_CLASS}{BREAKS_CLASS if self.in_lines else ''}]")
        max_title = TITLE_SLACK * limits.max_head_chars
        reader = Reader(text, is_xml=is_xml, max_title=max_title, shadow_roots=self.in_lines)
        last = 0
        for token in reader.tokens():
            self.take_text(last, token.start)
            last = token.end
            if token.name:
                self.take(token)
        self.take_text(last, len(text))
        self.end_block()
        self.end_anchor()

    def take_text(self, start: int, end: int) -> None:
        if not end > start >= self.muted:
            return
        if self.rules.hidden == "drop" and self.sight.is_hidden():
            return
        if self.after_drawing and self.is_next_link():
            self.end_block()
        read = decoded(self.text[start:end])
        text = self.dropped.sub("", read)
        before = "".join(c for c, _ in self.characters)
        has_text = bool(before.strip())
        if read.strip(" \t\n\f\r"):
            if self.after_drawing and has_text and _WORD.match(read) and _BEFORE.search(before):
                text = f" {text}"
            self.after_drawing = False
        if text.strip():
            if not has_text and self.gap & _DIVIDES and self.anchor is not None:
                self.anchor_text += " "
            self.pending, self.after_a = 0, False
        self.characters += [(character, self.linked) for character in text]
        if self.anchor is not None:
            self.anchor_text += text

    def is_next_link(self) -> bool:
        before = [linked for character, linked in self.characters if not character.isspace()]
        return self.linked and before[-1:] == [True] and self.pending & GAP_BITS["a"] != 0

    def take(self, token: Token) -> None:
        name = token.name.removeprefix("/")
        bit = GAP_BITS.get(name, OTHER_BIT)
        is_prefixed = self.in_lines and ":" in name
        if name == "a" or name in _NO_GAPS[self.rules.inline] or is_prefixed:
            if "".join(c for c, _ in self.characters).strip():
                self.pending |= bit
            else:
                self.gap |= bit
            own = ":" if is_prefixed else name
            if name not in VOID and self.sight.take(own, token, in_lines=self.in_lines):
                self.characters.append((" ", self.linked))
                self.anchor_text += " "
            if name == "a":
                self.take_a(token)
            elif token.name == name:
                self.special(name, token)
            return
        if token.start < self.drawn and name not in CLOSED_BY:
            if token.name == name:
                self.special(name, token)
        else:
            self.take_gap(name, bit, token)

    def take_gap(self, name: str, bit: int, token: Token) -> None:
        self.end_block()
        self.gap |= bit
        if token.name != name:
            self.close(name)
            if self.linked and name in ENDS_ANCHOR and len(self.stack) - 1 < self.a_depth:
                self.linked = False
                self.end_anchor()
            return
        self.special(name, token)
        if not token.is_raw:
            self.open(name, token)

    def take_a(self, token: Token) -> None:
        self.linked = False
        self.end_anchor()
        if token.name == "/a":
            self.after_a = True
            return
        if token.is_closed:
            return
        if self.after_a:
            self.characters.append((" ", False))
            self.after_a = False
        values = token.attributes
        self.linked = "href" in values or "name" not in values
        self.a_depth = len(self.stack) - 1
        if "href" not in values:
            return
        rel = values.get("rel", "").lower().split()
        kind = LinkKind.NEXT if "next" in rel else LinkKind.A
        if self.link(values["href"], kind, rel):
            self.stack[-1].hyperlinks += 1
            self.anchor, self.anchor_text = self.links[-1], ""

    def link(self, href: str, kind: LinkKind, rel: list[str]) -> bool:
        href = re.sub(r"[\t\n\r]", "", decoded_value(href)).strip("".join(map(chr, range(33))))
        if href.startswith("#") or len(self.links) >= self.limits.max_links:
            return False
        nofollow = not {"nofollow", "ugc", "sponsored"}.isdisjoint(rel)
        self.stack[-1].links.append(len(self.links))
        self.links.append([href, "", kind, nofollow, len(self.blocks)])
        return True

    def end_anchor(self) -> None:
        if self.anchor is not None:
            text = " ".join(self.dropped.sub("", self.anchor_text).split())
            self.anchor[1] = text[: self.limits.max_anchor_chars].rstrip()
        self.anchor = None

    def special(self, name: str, token: Token) -> None:
        values = token.attributes
        self.after_drawing |= name in {"img", "svg"}
        if name == "img" and "alt" in values and self.anchor is not None:
            self.anchor_text += f" {decoded_value(values['alt'])} "
        elif name in {"area", "frame", "iframe"}:
            href = values.get("href" if name == "area" else "src")
            kind = LinkKind[name.upper()]
            if href is not None and self.link(href, kind, values.get("rel", "").lower().split()):
                self.stack[-1].hyperlinks += name == "area"
                self.embedded(decoded_value(values.get("alt", "")))
        elif name == "link":
            self.link_tag(values)
        elif name == "meta":
            self.meta(values)
        elif name in {"html", "body", "base", "title"}:
            self.say(name, token)
        elif name == "option":
            self.muted = max(self.muted, token.tag_end + 1)
        elif name in MUTED or (self.in_lines and name in MUTED_IN_LINE):
            self.mute(name, token)

    def say(self, name: str, token: Token) -> None:
        values = token.attributes
        if name == "base":
            self.note("base", values.get("href"))
        elif name != "title":
            self.note("lang", values.get("lang") or values.get("xml:lang"))
        elif token.tag_end >= self.muted and re.search("[^\0-\x20]", self.raw(token)):
            self.note("title", self.raw(token))

    def raw(self, token: Token) -> str:
        return self.text[token.tag_end : token.end]

    def embedded(self, alt: str) -> None:
        self.end_anchor()
        self.anchor, self.anchor_text = self.links[-1], alt
        self.end_anchor()

    def note(self, name: str, value: str | None) -> None:
        if value:
            self.head.setdefault(name, value)

    def link_tag(self, values: dict[str, str]) -> None:
        rel, href = values.get("rel", "").lower().split(), values.get("href")
        if not href:
            return
        kind = LinkKind.NEXT if "next" in rel else None
        if not kind and "alternate" in rel and _FEED.match(values.get("type", "")):
            kind = LinkKind.FEED
        if kind and self.link(href, kind, []):
            self.embedded("")
        if "canonical" in rel:
            self.note("canonical", href)

    def meta(self, values: dict[str, str]) -> None:
        if "content" not in values:
            return
        labels = [values.get(key, "").strip().lower() for key in ("http-equiv", "name", "property")]
        known = [label for label in labels if label in {*_HEAD, "robots", "refresh"}]
        if not known:
            return
        if known[0] == "refresh":
            if labels[0] == "refresh" and self.link(values["content"], LinkKind.REFRESH, []):
                self.embedded("")
        elif known[0] == "robots":
            said = _VALUED.sub(" ", values["content"].lower())
            self.robots.update(said.replace(",", " ").split())
        else:
            self.note(known[0], values["content"])

    def mute(self, name: str, token: Token) -> None:
        self.has_noscript |= name == "noscript"
        if name == "noscript" and not self.scripting:
            return
        if token.tag_end >= self.muted and not token.is_closed:
            names = (name, "ruby") if name in READINGS else (name,)
            ends = [end_tag(self.text, each, token.tag_end) for each in names]
            end = min((end for end in ends if end), default=0)
            self.muted = max(self.muted, end)
            if name == "svg" and self.in_lines:
                self.drawn = end

    def open(self, name: str, token: Token) -> None:
        if name in CLOSED_BY:
            closed, bounds = CLOSED_BY[name]
            first = len(self.stack)
            for place in range(len(self.stack) - 1, 0, -1):
                if self.stack[place].name in closed:
                    first = place
                elif self.stack[place].name in bounds:
                    break
            del self.stack[first:]
        if name in VOID | ROOTS or token.is_closed:
            return
        if len(self.stack) > self.limits.max_depth:
            self.n_deeper += 1
            return
        self.stack.append(self.sight.node(name, token))
        self.stack[-2].children.append(self.stack[-1])

    def close(self, name: str) -> None:
        if self.n_deeper:
            self.n_deeper -= 1
        elif name in [node.name for node in self.stack[1:]]:
            while self.stack.pop().name != name:
                pass

    def end_block(self) -> None:
        text, words, _ = block_words("".join(c for c, _ in self.characters))
        if words and len(self.blocks) < self.limits.max_blocks:
            path = "/".join(node.name for node in self.stack)
            lines = wrap_counts(words)
            hidden = self.rules.hidden == "keep" and self.sight.is_hidden()
            self.stack[-1].blocks.append(len(self.blocks))
            row = (text, len(words), n_linked(self.characters), *lines, self.gap, path, hidden)
            self.blocks.append(row)
            self.gap = 0
        self.gap |= self.pending
        self.pending, self.characters, self.after_a = 0, [], False
