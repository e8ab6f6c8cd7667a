"""The XPath expressions in the rules of elISA, and what their values depend on.

:func:`reads` tells the variables and attributes that an expression reads where it reads nothing else, so that
what it gives at one element it gives at each that has them the same. A path, a function of the context
(``position()``, ``string()``) or one that we do not know makes it one that may read all of the page.

Cost: O(length of the expression).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from lxml import etree

# Attributes of HTML may hold characters that XML has not (XML 1.0, production 2): XPath gives, but does not take them.
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# XPath 1.0, section 4: those that give what their arguments say, given at least one; and ours.
_FUNCTIONS = frozenset(
    {
        *(
            "boolean",
            "ceiling",
            "concat",
            "contains",
            "floor",
            "lc",
            "normalize-space",
            "not",
            "number",
        ),
        *("round", "starts-with", "string", "string-length", "substring", "substring-after"),
        *("substring-before", "translate"),
    }
)
_NAME = r"[^\W\d][\w.-]*+(?!:)"
# XPath 1.0, section 3.7. An asterisk is left out: it may stand for any name.
_TOKEN = re.compile(
    rf"""\s*+(?:
        (?P<value>"[^"]*"|'[^']*'|\d++(?:\.\d*+)?|\.\d++|\)|(?:true|false)\s*\(\s*\))
        |\$(?P<variable>{_NAME})
        |(?:\./)?@(?P<attribute>{_NAME})
        |(?P<operator>(?:and|or|div|mod)(?![\w.:-]))
        |(?P<function>{_NAME})\s*+\((?!\s*\))
        |[(,=!<>+-]
    )\s*+""",
    re.VERBOSE,
)
_VALUES = frozenset({"value", "variable", "attribute"})


class Reads(NamedTuple):
    """The names of the variables and of the attributes of an element that are read."""

    variables: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()


def reads(expression: str) -> Reads | None:
    """Return what *expression*, correct XPath, reads where this is only variables and attributes, else None.

    >>> reads("contains($Names, 'menu') or @id") == Reads(frozenset({"Names"}), frozenset({"id"}))
    True
    >>> reads("count(p) > 1"), reads("string() = ''"), reads("and = 1")
    (None, None, None)
    """
    found: dict[str, set[str]] = {"variable": set(), "attribute": set()}
    place, kind = 0, None
    while place < len(expression):
        match = _TOKEN.match(expression, place)
        # Where no value stands before it, `and` is the name of an element (XPath 1.0, section 3.7).
        if match is None or (match["operator"] and kind not in _VALUES):
            return None
        if match["function"] and match["function"] not in _FUNCTIONS:
            return None
        place, kind = match.end(), match.lastgroup
        if kind in found:
            found[kind].add(match[kind])
    return Reads(frozenset(found["variable"]), frozenset(found["attribute"]))


def compiled(expression: str) -> etree.XPath:
    """Return *expression*, which may use ``lc``; raises ``etree.XPathError`` for what is no XPath."""
    return etree.XPath(expression, extensions={(None, "lc"): _lower}, smart_strings=False)


def value(found: Any) -> Any:
    """Return what XPath found as it takes it back: attributes and texts as the first of them."""
    if isinstance(found, list):
        if not found:
            return ""
        if not isinstance(found[0], str):
            return found
        found = found[0]
    return _NOT_XML.sub("", found) if isinstance(found, str) else found


def _lower(_context: object, *values: object) -> str:
    if len(values) != 1:
        raise TypeError(f"lc takes one value, got {len(values)}")
    return str(value(values[0])).lower()
