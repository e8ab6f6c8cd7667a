"""What a tag says of whether its element is shown, slow and obvious: what the compiled scan must agree with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.folded import FOLDED, WITHHELD
from crawler.page.scanning.state import MAX_HIDERS
from tests.reference_elements import Node

if TYPE_CHECKING:
    from tests.reference_tokens import Token

_BLANKS = r"[ \t\n\f\r]*"
_DECLARATION = re.compile(
    rf"{_BLANKS}(display|visibility){_BLANKS}:{_BLANKS}([a-z-]+){_BLANKS}(!{_BLANKS}important{_BLANKS})?",
    re.IGNORECASE | re.ASCII,
)
_OWN_LINE = re.compile(
    "block|flow-root|list-item|flex|grid|table|-webkit-box|-webkit-flex|-ms-flexbox", re.IGNORECASE
)
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def _style(text: str) -> dict[str, str]:
    """What a style says of display and visibility: the last says it, but for one that is important."""
    found: dict[str, tuple[bool, str]] = {}
    for part in _CSS_COMMENT.sub(" ", text).split(";"):
        match = _DECLARATION.fullmatch(part)
        if match:
            name, value, important = match.groups()
            said = important is not None, value.lower()
            if said[0] >= found.get(name.lower(), said)[0]:
                found[name.lower()] = said
    return {name: value for name, (_, value) in found.items()}


def says(token: Token, text: str, *, drops: bool) -> set[str]:
    """Return what a tag says of its text: hidden, unseen, seen, own line; *drops*: hidden, too, if a script, or its
    reader, opens it.
    """
    values = token.attributes
    style = _style(values.get("style", ""))
    display = style.get("display")
    hidden = display is None and not values.get("hidden", "until-found").lower().startswith(
        "until-found"
    )
    # KaTeX's second writing of a formula.
    is_drawn = values.get("class", "").lower().startswith("katex-html")
    is_behind = text[max(0, token.start - 14) : token.start].lower() == "</math></span>"
    hidden |= is_drawn and is_behind and token.name == "span"
    hidden |= display == "none"
    visibility = style.get("visibility")
    found = {"hidden"} if hidden else set()
    found |= {"unseen"} if visibility == "hidden" else set()
    attributes = text[token.start + 1 + len(token.name) : token.tag_end].encode().lower()
    if any(map(attributes.__contains__, FOLDED)) and not any(
        map(attributes.__contains__, WITHHELD)
    ):
        found.clear()
    found |= {"own line"} if _OWN_LINE.match(display or "") else set()
    found |= {"seen"} if visibility in {"visible", "initial"} else set()
    if drops and display is None:
        waits = "open" not in values if token.name == "dialog" else "popover" in values
        found |= {"hidden"} if waits else set()
    return found


class Sight:
    """What hides the text at hand, of the page's *stack* of open elements and of tags that make no gap."""

    def __init__(self, stack: list[Node], text: str, *, drops: bool):
        self.stack, self.text, self.drops = stack, text, drops
        # Tags without a gap that say otherwise than what they stand in, or have a line of their own: name, number of
        # open ones, what is otherwise, where, and whether it has a line.
        self.hiders: list[list] = []

    def said_in_line(self) -> list[tuple[str, Node]]:
        """Return what tags without a gap say, and where; they do as long as the element around them is open."""
        return [(said, node) for _, _, said, node, _ in self.hiders if node in self.stack]

    def is_unseen(self) -> bool:
        told = [said for said, node in self.said_in_line() if node is self.stack[-1]]
        told = [said for said in told if said in {"seen", "unseen"}]
        return told[-1] == "unseen" if told else self.stack[-1].unseen

    def is_hidden(self) -> bool:
        is_boxless = any(said == "hidden" for said, _ in self.said_in_line())
        return is_boxless or any(node.hides for node in self.stack) or self.is_unseen()

    def node(self, name: str, token: Token) -> Node:
        """Return the element that *token* opens."""
        said = says(token, self.text, drops=self.drops)
        is_unseen = "unseen" in said or (self.is_unseen() and "seen" not in said)
        return Node(name, "hidden" in said, is_unseen)

    def take(self, name: str, token: Token, *, in_lines: bool) -> bool:
        """Take a tag that makes no gap; tell whether it divides words, *in_lines* of text."""
        divides = False
        self.hiders = [hider for hider in self.hiders if hider[3] in self.stack]
        is_end = token.name.startswith("/")
        last = self.hiders[-1] if self.hiders and self.hiders[-1][0] == name else None
        if last and (is_end or name == "a"):
            last[1] -= 1
            if not last[1]:
                divides = self.hiders.pop()[4]
            last = None
        if is_end or token.is_closed:
            return divides
        said = says(token, self.text, drops=self.drops)
        is_boxless = any(told == "hidden" for told, _ in self.said_in_line())
        has_line = in_lines and "own line" in said and not is_boxless
        if len(self.hiders) < MAX_HIDERS and (self.news(said) or has_line):
            self.hiders.append([name, 1, self.news(said), self.stack[-1], has_line])
        elif last:
            last[1] += 1
        return divides or has_line

    def news(self, said: set[str]) -> str:
        """Return what a tag says otherwise than what it stands in, or nothing."""
        is_boxless = any(told == "hidden" for told, _ in self.said_in_line())
        if not self.drops or is_boxless or len(self.hiders) == MAX_HIDERS:
            return ""
        if "hidden" in said:
            return "hidden"
        wanted = "seen" if self.is_unseen() else "unseen"
        return wanted if wanted in said else ""
