"""The names of elements that the reading of the markup knows, in tables for its kernel."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.page.scanning.names import TAG_NAMES
from pipelines.boilerplate.winnow.features.keywords import SYMBOL_BITS, automaton

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]

# Names that features ask for, by number; 0 is any other.
NAMES = (
    *("", "p", "div", "li", "td", "th", "tr", "table", "tbody", "ul", "ol", "dl", "dt", "dd"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "header", "footer", "nav", "aside"),
    *("main", "figure", "figcaption", "blockquote", "pre", "form", "button", "select", "option"),
    *("label", "center", "noscript", "fieldset", "details", "summary", "address", "body", "html"),
    *("head", "title", "caption", "iframe", "textarea", "template", "object", "video"),
)
NAME_ID = {name: number for number, name in enumerate(NAMES)}
_INLINE = (
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike "
    "strong sub sup time tt u var"
)
_VOID = (
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track "
    "wbr path use circle rect"
)
_RAW = "script style svg"
_CLOSES_ITSELF = "p li dd dt tr td th option"
IS_INLINE, IS_VOID, IS_RAW, CLOSES_ITSELF = 1, 2, 4, 8
NAME_SLOTS = 512
MAX_NAME_BYTES = 12


class Tables(NamedTuple):
    """Open addressing by the key of a name: key, number and kind; the same by the scan's number of a name;
    and the keywords' automaton, a state being told by where its row of steps begins.
    """

    key: U64
    number: U8
    kind: U8
    tag_key: U64
    tag_number: U8
    tag_kind: U8
    step: U16
    found: U32


def name_key(name: str) -> int:
    """Return the number that stands for the first twelve letters and digits of *name*, up to any other sign."""
    key = 0
    for letter in name.partition("-")[0][:MAX_NAME_BYTES]:
        key = key * 37 + _code(letter)
    return key


def _code(letter: str) -> int:
    if letter.isdigit():
        return ord(letter) - ord("0") + 27
    return ord(letter) - ord("a") + 1


@cache
def tables() -> Tables:
    """Return the tables of all known names."""
    key = np.zeros(NAME_SLOTS, np.uint64)
    number, kind = np.zeros(NAME_SLOTS, np.uint8), np.zeros(NAME_SLOTS, np.uint8)
    kinds: dict[str, int] = dict.fromkeys(NAMES[1:], 0)
    for names, bit in ((_INLINE, IS_INLINE), (_VOID, IS_VOID), (_RAW, IS_RAW)):
        kinds |= dict.fromkeys(names.split(), bit)
    for name in _CLOSES_ITSELF.split():
        kinds[name] |= CLOSES_ITSELF
    for name, bit in kinds.items():
        slot = name_key(name) % NAME_SLOTS
        while key[slot]:
            slot = (slot + 1) % NAME_SLOTS
        key[slot], number[slot], kind[slot] = name_key(name), NAME_ID.get(name, 0), bit
    tag_key = np.array([name_key(name) for name in TAG_NAMES], np.uint64)
    tag_number = np.array([NAME_ID.get(name, 0) for name in TAG_NAMES], np.uint8)
    tag_kind = np.array([kinds.get(name, 0) for name in TAG_NAMES], np.uint8)
    step, found = automaton()
    rows = step.astype(np.uint32).ravel() << SYMBOL_BITS
    # As small as they can be: all that is looked at while a value is read is to fit the nearest cache.
    smallest: Any = np.min_scalar_type(rows.max())
    return Tables(key, number, kind, tag_key, tag_number, tag_kind, rows.astype(smallest), found)
