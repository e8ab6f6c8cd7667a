"""The tags that the page model knows: bits of a gap, void elements, kinds of block.

A gap between two blocks is the set of the names of all its tags, opening and closing alike, as bits
of one uint64. Bit 63 stands for every tag that has no bit of its own.

*Source: Kohlschütter 2011, section 4.2.1 and table of rules in 4.2.3* for FORCE_GAP and NO_GAP.
"""

from __future__ import annotations

_NO_GAP_NAMES = ("a", "b", "br", "em", "font", "i", "s", "span", "strong", "sub", "sup", "u", "tt")
_FORCE_GAP_NAMES = (
    *("h1", "h2", "h3", "h4", "h5", "h6", "ul", "dl", "ol", "hr", "table", "address", "img"),
    "script",
)
# Neutral tags that a segmenter or cleaner may ask for; the order is part of no file format.
_NEUTRAL_NAMES = (
    *("p", "div", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "caption"),
    *("form", "input", "button", "select", "option", "textarea", "label", "fieldset", "iframe"),
    *("section", "article", "header", "footer", "nav", "aside", "main", "figure", "figcaption"),
    *("blockquote", "pre", "code", "center", "style", "noscript"),
)
GAP_NAMES = _NO_GAP_NAMES + _FORCE_GAP_NAMES + _NEUTRAL_NAMES


def names(text: str) -> frozenset[str]:
    """Return the set of the names in *text*, apart by spaces."""
    return frozenset(text.split())


OTHER_BIT = 1 << 63
GAP_BITS: dict[str, int] = {name: 1 << place for place, name in enumerate(GAP_NAMES)}
FORCE_GAP = sum(GAP_BITS[name] for name in _FORCE_GAP_NAMES)
NO_GAP = sum(GAP_BITS[name] for name in _NO_GAP_NAMES)

VOID = names(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr"
)

# Every path begins at the body; these are never on the stack.
ROOTS = frozenset({"html", "head", "body"})

# HTML standard, "optional tags": opening the first closes an open one of the second, looked for up
# to the third.
_LIST = frozenset({"ul", "ol", "menu", "dir"})
_TABLE = frozenset({"table"})
_CELL = frozenset({"td", "th", "table"})
CLOSED_BY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), _LIST | _CELL),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"}) | _CELL),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"}) | _CELL),
    "td": (frozenset({"td", "th"}), _TABLE),
    "th": (frozenset({"td", "th"}), _TABLE),
    "tr": (frozenset({"tr", "td", "th"}), _TABLE),
    "tbody": (frozenset({"thead", "tbody", "tfoot", "tr", "td", "th"}), _TABLE),
    "option": (frozenset({"option"}), frozenset({"select", "datalist"})),
    **{
        name: (frozenset({"p"}), _CELL | {"button", "li"})
        for name in names(
            "address article aside blockquote center details dialog dir div dl fieldset figcaption "
            "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search "
            "section summary table ul"
        )
    },
}
# What ends an <a> that was never closed: the end of a box that it was opened in.
ENDS_ANCHOR = names("td th tr table li ul ol dl body html")

KIND_OF_TAG = {
    **{f"h{level}": f"heading{level}" for level in range(1, 7)},
    **dict.fromkeys(("li", "dt", "dd"), "item"),
    **dict.fromkeys(("td", "th"), "cell"),
    **dict.fromkeys(("pre", "xmp", "listing", "plaintext"), "code"),
    "blockquote": "quote",
}
# By number.
KINDS = ("paragraph", *dict.fromkeys(KIND_OF_TAG.values()))


# Elements that are skipped whole, tags and links too, and those of which only the text is dropped.
SKIPPED = ("script", "style", "template", "iframe", "noembed", "textarea", "xmp")
MUTED = ("noscript", "object", "applet", "select", "datalist", "svg", "canvas", "audio", "video")
# The readings of characters, which stand above or beside the line; they end with their ruby at the latest, for their
# own end tags may be left out.
READINGS = ("rp", "rt", "rtc")
# Within a line, with the source of a formula; what it means to programs, in tags of its own.
MUTED_IN_LINE = ("annotation", *READINGS)
SKIPPED_IN_LINE = ("annotation-xml",)

# The inline elements of the program that Kohlschütter released: like "a", no gap, as an option.
TRANSPARENT = names("abbr acronym b code em font i span strike strong sub sup tt u var")
# The others that stand within a line of text, by HTML's content model; and those of formulas.
PHRASING = names(
    "annotation annotation-xml bdi bdo big cite data del dfn ins kbd mark nobr q rb rp rt rtc ruby s samp small time wbr "
    "img picture source svg "
    "maction math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow "
    "ms mspace msqrt mstyle msub msubsup msup mtext munder munderover none semantics"
)
# As these: what has a prefix, such as Word's "st1:place" around the names of places, and "o:p".
PREFIXED = ":"

KNOWN_NAMES = (
    frozenset((*GAP_NAMES, *CLOSED_BY, *KIND_OF_TAG, *SKIPPED, *MUTED, "title"))
    | VOID
    | ROOTS
    | TRANSPARENT
)


def kind_of(path: str) -> str:
    """Return the kind of a block from its tag path, by the innermost tag that says one.

    >>> kind_of("body/ul/li/p"), kind_of("body/table/tr/td/p"), kind_of("body/div")
    ('item', 'paragraph', 'paragraph')
    """
    in_paragraph = False
    for name in reversed(path.split("/")):
        kind = KIND_OF_TAG.get(name)
        # A cell with paragraphs is layout; its paragraphs are paragraphs.
        if kind is not None and not (in_paragraph and kind == "cell"):
            return kind
        in_paragraph = in_paragraph or name == "p"
    return "paragraph"
