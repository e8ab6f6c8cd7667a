"""The tokens of HTML source, slow and obvious: what the compiled scan must agree with."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from crawler.page.tags import SKIPPED, SKIPPED_IN_LINE
from crawler.page.words import density_tokens

_BLANK = " \\t\\n\\f\\r"
_NAME = re.compile(rf"[A-Za-z][^{_BLANK}/><]*+")
_ATTRIBUTE = re.compile(
    rf"""([^{_BLANK}/><][^{_BLANK}/><=]*+)[{_BLANK}]*+"""
    rf"""(?:=[{_BLANK}]*+(?:"([^"]*+)"|'([^']*+)'|([^{_BLANK}><]*+)))?"""
)
_BETWEEN = re.compile(rf"[{_BLANK}/]*+")
_COMMENT = re.compile(r"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_BODY = re.compile(rf"</head[{_BLANK}>]|<body[{_BLANK}>]", re.IGNORECASE)
TITLE_SLACK = 8


class Token(NamedTuple):
    """A tag: its name with the slash of an end tag, attributes, and its places in the text.

    *end* is where the text behind it begins: raw text lies between *tag_end* and it.
    """

    name: str
    attributes: dict[str, str]
    start: int
    tag_end: int
    end: int
    is_closed: bool
    is_raw: bool = False


def small(text: str) -> str:
    """Return *text* with A to Z as small letters."""
    return re.sub("[A-Z]+", lambda match: match[0].lower(), text)


class Reader:
    """Reads the tokens of *text*; comments and declarations have no name."""

    def __init__(self, text: str, *, is_xml: bool, max_title: int, shadow_roots: bool):
        self.text = text
        self.is_xml = is_xml
        self.max_title = max_title
        self.shadow_roots = shadow_roots
        self.plain = False

    def tokens(self) -> list[Token]:
        found = []
        position = 0
        while (start := self.text.find("<", position)) >= 0:
            token = self._token(start)
            if token is not None:
                found.append(token)
            position = start + 1 if token is None else token.end
        return found

    def _token(self, start: int) -> Token | None:
        slash = self.text[start + 1 : start + 2] == "/"
        name = _NAME.match(self.text, start + 1 + slash)
        if name is not None:
            return self._tag(start, "/" * slash + small(name[0]), name.end())
        if self.text[start + 1 : start + 2] in {"!", "?", "/"}:
            end = self._declaration(start)
            return Token("", {}, start, end, end, False)
        return None

    def _declaration(self, start: int) -> int:
        if self.plain:
            return self._plain_end(start)
        comment = _COMMENT.match(self.text, start)
        if comment:
            return comment.end()
        end = self.text.find(">", start + 2)
        return len(self.text) if end < 0 else end + 1

    def _plain_end(self, start: int) -> int:
        end = re.compile("[<>]|$(?![\n])", re.DOTALL).search(self.text, start + 1)
        stop = len(self.text) if end is None else end.start()
        return stop + (self.text[stop : stop + 1] == ">")

    def _tag(self, start: int, name: str, name_end: int) -> Token:
        end = None
        attributes: dict[str, str] = {}
        if not self.plain:
            attributes, end = self._attributes(name_end, len(self.text))
            if end is None:
                self.plain = self.text.find(">", name_end) >= 0
                if self.plain:
                    end = self.text.find(">", name_end) + 1
                    attributes, _ = self._attributes(name_end, end)
        else:
            end = self._plain_end(start)
            attributes, _ = self._attributes(name_end, end)
        if end is None or (end == len(self.text) and self.text[-1] != ">"):
            return Token("", {}, start, len(self.text), len(self.text), False)
        closed = (self.is_xml or name == "svg") and self.text[:end].endswith("/>")
        token = Token(name, attributes, start, end, end, closed)
        mode = small(attributes.get("shadowrootmode", ""))
        shown = name == "template" and mode in {"open", "closed"}
        raw_end = None if closed or (shown and self.shadow_roots) else self._raw_end(name, end)
        return token if raw_end is None else token._replace(end=raw_end, is_raw=True)

    def _attributes(self, start: int, limit: int) -> tuple[dict[str, str], int | None]:
        text = self.text[:limit]
        found: dict[str, str] = {}
        position = start
        while True:
            position = _BETWEEN.match(text, position).end()
            match = _ATTRIBUTE.match(text, position)
            if match is None:
                break
            name, double, single, bare = match.groups()
            found.setdefault(small(name), double or single or bare or "")
            position = match.end()
        if position >= limit:
            return found, None
        return found, position + (text[position] == ">")

    def _raw_end(self, name: str, start: int) -> int | None:
        in_line = SKIPPED_IN_LINE if self.shadow_roots else ()
        if name not in {*SKIPPED, "title", *in_line}:
            return None
        end = end_tag(self.text, name, start)
        if name == "title":
            if end is None or len(self.text[start:end].encode()) > self.max_title:
                end = self.text.find("<", start)
                return len(self.text) if end < 0 else end
        elif end is None and name in {"script", "style"}:
            body = _BODY.search(self.text, start)
            return len(self.text) if body is None else body.start()
        elif name == "template" and end is not None:
            return self._nested_end(start)
        return end

    def _nested_end(self, start: int) -> int:
        depth, last = 1, start
        for match in re.compile(rf"<(/?)template(?=[{_BLANK}/>])", re.IGNORECASE).finditer(
            self.text, start
        ):
            depth += -1 if match[1] else 1
            if match[1]:
                last = match.start()
            if not depth:
                break
        return last


def end_tag(text: str, name: str, start: int) -> int | None:
    """Return the place of the next end tag of *name*, None when there is none."""
    match = re.compile(rf"</{name}(?=[{_BLANK}/>])", re.IGNORECASE).search(text, start)
    return None if match is None else match.start()


def composed(characters: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Return *characters* in NFC; what a mark is composed with is linked as its letter is."""
    found: list[tuple[str, bool]] = []
    for character, is_linked in characters:
        letter, letter_is_linked = found[-1] if found else ("", False)
        together = unicodedata.normalize("NFC", letter + character)
        if letter and (unicodedata.combining(character) or len(together) <= len(letter)):
            found[-1] = (together, letter_is_linked)
        else:
            found.append((character, is_linked))
    return [(c, is_linked) for letters, is_linked in found for c in letters]


def n_linked(characters: list[tuple[str, bool]]) -> int:
    """Count the words whose first letter or digit is linked; each word is found in its place."""
    together = composed(characters)
    text = "".join(c for c, _ in together)
    n_words, position = 0, 0
    for word in density_tokens(text):
        start = text.index(word, position)
        first = next(i for i, c in enumerate(word) if re.match(r"[^\W_]", c))
        n_words += together[start + first][1]
        position = start + len(word)
    return n_words
