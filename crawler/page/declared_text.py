"""The text that a page declares in JSON-LD and does not show: that of pages which only their scripts make.

Such a page comes with a menu at most, but many tell search engines what it will show: the ``articleBody`` of an article,
the ``text`` of a posting, a question and its answers, the ``description`` of a product or job, the steps of a recipe
(schema.org). This text is put where the page's body begins::

    <body><div id=app></div>  ->  <body><json-ld><article><p>The text</p></article></json-ld><div id=app></div>

so that its blocks stand under ``body/json-ld``. Of the nodes with at least MIN_WORDS words the article counts, else the
product or the like, else the page; of several articles, or products, none, for they are a list. Several questions, or
reviews, are parts of what the page is about. *Not read*: data of scripts that no standard describes, such as
``__NEXT_DATA__``.

Cost: O(n). Needed for pages with fewer than MAX_SHOWN_WORDS words outside of links alone. Invariant: a page that shows
as many words as its JSON-LD has, or half of the text's runs of three words, stays as it is.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

from crawler.page.attributes import decoded
from crawler.page.json_ld import (
    ARTICLE,
    MAX_NODES,
    MAX_SCRIPT_BYTES,
    PAGE,
    WORK,
    WORKS,
    nodes_of,
    parsed,
    rank_of,
    text_of,
    type_of,
    unbroken,
)
from crawler.page.scanning.names import TAG_ID
from crawler.page.words import density_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crawler.page.blocks import Blocks
    from crawler.page.json_ld import Node
    from crawler.page.scanning.results import Scanned

# Words outside of links from which on a page is taken to show its text. Measured on the training pages that declare one:
# without their main text half of them show fewer.
MAX_SHOWN_WORDS = 300
MIN_WORDS = 50
# What a page shows of the runs of three words of a text that it shows at all.
_SHOWN_SHARE = 0.5
# What is the text of its page only where there is one.
_ALONE = ("Question", "Review")
# By which two nodes are known for one that is written twice, in HTML and without, or shortened.
_BEGINNING_WORDS = 20
_MAX_DEPTH = 6
_SCRIPT = re.compile(rb"<script\b(?=[^<>]*\bapplication/ld\+json\b)[^<>]*+>", re.IGNORECASE)
_BODY = TAG_ID["body"]
_BODIES = ("articleBody", "reviewBody", "text")
_PARTS = (
    *("recipeIngredient", "recipeInstructions", "step", "mainEntity", "acceptedAnswer"),
    "suggestedAnswer",
)
# Elsewhere these are something else: remarks of readers, lists of other pages.
_PARTS_OF = {
    "DiscussionForumPosting": ("comment",),
    "HowToSection": ("itemListElement",),
    "HowToStep": ("itemListElement",),
}
_DESCRIBED = WORKS | {"JobPosting"}
_NAMED = frozenset({"Question", "HowToSection"})
# Tags that a text has, those that begin a line first; all others are dropped.
_BEGINS_LINE = "p|div|br|li|h[1-6]|tr|blockquote|pre|section"
_OF_TEXT = f"{_BEGINS_LINE}|ul|ol|dl|dt|dd|table|tbody|td|th|a|b|i|em|strong|u|span|sub|sup|code|figcaption"
_LINE = re.compile(rf"<(?:{_BEGINS_LINE})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_OF_TEXT})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"<(?P<raw>script|style)\b(?:(?!</(?P=raw)).)*|<!--(?:(?!-->).)*(?:-->)?"
    rf"|</?(?!(?:{_OF_TEXT})(?=[\s/>]))[a-z!?][^<>]*+>?",
    re.IGNORECASE | re.DOTALL,
)
_ANY_TAG = re.compile(r"<[^<>]*>")
_BLANK_LINES = re.compile(r"\n\s*\n")


def with_declared_text(source: bytes, scanned: Scanned) -> bytes:
    """Return *source*, of which *scanned* was found, with the text that it declares and does not show."""
    # Most pages have none, and a pattern of either case is looked for slowly.
    text = _declared(source) if b"ld+json" in source else None
    if text is None:
        return source
    words = _words(text)
    if len(words) <= scanned.plain_words or _is_shown(words, scanned.blocks):
        return source
    is_body = scanned.tags[:, 2] == _BODY
    place = int(scanned.tags[is_body.argmax(), 1]) if is_body.any() else len(source)
    told = f"<json-ld><article>{text}</article></json-ld>".encode()
    return source[:place] + told + source[place:]


def _is_shown(words: list[str], blocks: Blocks) -> bool:
    shown = set(_runs(density_tokens(" ".join(blocks.text))))
    runs = list(_runs(words))
    return sum(run in shown for run in runs) >= _SHOWN_SHARE * len(runs)


def _runs(words: list[str]) -> Iterable[tuple[str, str, str]]:
    return zip(words, words[1:], words[2:], strict=False)


def _declared(source: bytes) -> str | None:
    """Return the text, as HTML, of the node that counts, None where none does."""
    nodes = _nodes(source)
    kinds = [type_of(node) for node in nodes]
    several = {kind for kind in _ALONE if kinds.count(kind) > 1}
    ranked = [
        (rank_of(node), node)
        for node, kind in zip(nodes, kinds, strict=True)
        if kind not in several
    ]
    for wanted in (ARTICLE, WORK, PAGE):
        found: dict[tuple[str, ...], str] = {}
        for rank, node in ranked:
            if rank == wanted:
                text = "".join(map(_markup, _texts(node, _MAX_DEPTH)))
                words = _words(text)
                if len(words) >= MIN_WORDS:
                    beginning = tuple(words[:_BEGINNING_WORDS])
                    found[beginning] = max(found.get(beginning, ""), text, key=len)
        if len(found) == 1:
            return next(iter(found.values()))
    return None


def _words(text: str) -> list[str]:
    return density_tokens(_ANY_TAG.sub(" ", text))


def _nodes(source: bytes) -> list[Node]:
    found: list[Node] = []
    match = _SCRIPT.search(source)
    while match is not None and len(found) < MAX_NODES:
        end = source.find(b"</script", match.end(), match.end() + MAX_SCRIPT_BYTES)
        if end < 0:
            break
        found += nodes_of(parsed(source[match.end() : end].decode("utf-8", "replace")))
        match = _SCRIPT.search(source, end)
    return found[:MAX_NODES]


def _texts(value: Any, depth: int) -> Iterator[str]:
    """Yield the texts of *value*: a text, a node with its parts, or a list of these."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth:
        for entry in value[:MAX_NODES]:
            yield from _texts(entry, depth - 1)
    elif isinstance(value, dict) and depth:
        kind = type_of(value)
        body = next((value[name] for name in _BODIES if text_of(value.get(name))), None)
        if body is None and kind in _DESCRIBED:
            body = value.get("description")
        name = text_of(value.get("name"))
        if name and (kind in _NAMED or (kind == "HowToStep" and body is None)):
            yield name
        if isinstance(body, str):
            yield body
        for part in (*_PARTS, *_PARTS_OF.get(kind or "", ())):
            yield from _texts(value.get(part), depth - 1)


def _markup(text: str) -> str:
    r"""Return *text*, which may be HTML, as HTML of a text alone.

    >>> _markup("a < b\n\nc"), _markup("&lt;p&gt;a &lt;b&gt;b&lt;/b&gt;")
    ('<p>a &lt; b</p><p>c</p>', '<div><p>a <b>b</b></div>')
    """
    text = unbroken(text).replace("\0", "")
    if "&" in text and not _TAG.search(text):
        text = decoded(text)
    if not _TAG.search(text):
        text = escape(text, quote=False)
    else:
        text = _NO_TEXT.sub(" ", text)
        if _LINE.search(text):
            return f"<div>{text}</div>"
    lines = _BLANK_LINES.split(text) if _BLANK_LINES.search(text) else text.split("\n")
    return "".join(f"<p>{line}</p>" for line in lines if line.strip())
