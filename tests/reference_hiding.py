"""What a tag says of whether its element is shown, slow and obvious: what the compiled scan must agree with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.folded import is_folded

if TYPE_CHECKING:
    from tests.reference_tokens import Token

_BLANKS = r"[ \t\n\f\r]*"
_DECLARATION = re.compile(
    rf"{_BLANKS}(display|visibility){_BLANKS}:{_BLANKS}([a-z-]+){_BLANKS}(!{_BLANKS}important{_BLANKS})?",
    re.IGNORECASE | re.ASCII,
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


def hides(token: Token, text: str, *, drops: bool) -> bool:
    """Whether a tag hides; *drops*: also one that a script, or its reader, opens."""
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
    hidden |= display == "none" or style.get("visibility") == "hidden"
    if hidden and not is_folded(text[token.start + 1 + len(token.name) : token.tag_end].encode()):
        return True
    if not drops or display is not None:
        return False
    return "open" not in values if token.name == "dialog" else "popover" in values
