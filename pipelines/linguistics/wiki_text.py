"""The running text of a page in MediaWiki's markup, for counting its words.

Left out: templates, tables, references, comments, formulas, code and galleries; links to files and categories, and to
other wikis (those whose name begins with that of a namespace, or with a language); addresses; soft hyphens. Of other
links the label stays, or the name of the page; of words in several variants of a language
(``-{zh-hans:A; zh-hant:B}-``) the first. What templates say is lost, as is text in markup that is broken. *Source:*
Pomikálek 2011, 1.3.3, whose lists of words are of Wikipedia's dumps; how their markup was taken out is not told.

Cost: O(n) for n characters but for what is nested, which is read once a level.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

# Names that every wiki knows beside its own.
NAMESPACES = frozenset({"file", "image", "media", "category", "template", "wikipedia", "special"})
_MOST_LEVELS = 20
_SILENT = "ref|math|chem|ce|score|timeline|gallery|syntaxhighlight|source|pre|code|imagemap|templatedata|graph|hiero"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_EMPTY = re.compile(rf"<(?:{_SILENT})\b[^<>]*/>", re.IGNORECASE)
_ELEMENT = re.compile(rf"<({_SILENT})\b[^<>]*>(?:(?!<\1\b).)*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_TEMPLATE = re.compile(r"\{\{(?:(?!\{\{|\}\}).)*\}\}", re.DOTALL)
_TABLE = re.compile(r"^[ :]*\{\|(?:(?!^[ :]*\{\|).)*?^[ ]*\|\}", re.DOTALL | re.MULTILINE)
# The innermost ones, which hold no other.
_LINK = re.compile(r"\[\[([^\[\]|]*)((?:\|[^\[\]]*)?)\]\]")
# A label ends with its line, as in MediaWiki, and with a bracket: else each of many that are open reads to the end.
_OUTWARD = re.compile(
    r"\[(?:https?:|ftp:|mailto:)?//[^\s\[\]]*+([^\[\]\n]*+)\]|https?://[^\s\]|}]+"
)
_BREAK = re.compile(r"</?(?:br|p|div|hr|li|t[drh]|blockquote)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LINE_MARKS = re.compile(
    r"^(?:[*#:;]+|=+|-{4,})|(?<!=)=++[ \t]*+$|__[^\W\d_]+__|'{2,}", re.MULTILINE
)
_LANGUAGE = re.compile("[a-z]{2,3}(?:-[a-z]+)*")
_VARIANTS = re.compile(r"-\{(?:([^{}|]*)\|)?([^{}]*)\}-")
_VARIANT = re.compile(rf"\s*{_LANGUAGE.pattern}\s*:([^;]*)")
# Rules that are no text where they stand: of the whole page, or of its title.
_HIDDEN_RULES = re.compile(r"\s*[HT\-]\s*")


def wiki_text(source: str, namespaces: Collection[str] = NAMESPACES) -> str:
    """Return the text of a page of *source*; *namespaces* are names in small letters.

    >>> wiki_text("'''A [[dog]]''' is {{a|{{b}}}}an [[Animal|animal]].<ref>x</ref>[[File:a.jpg|thumb|A [[cat]]]]")
    'A dog is an animal.'
    """
    text = _COMMENT.sub("", source)
    text = _ELEMENT.sub(" ", _EMPTY.sub("", text))
    for pattern in (_TEMPLATE, _TABLE):
        text = _without(pattern, text)
    for _ in range(_MOST_LEVELS):
        text, n_links = _LINK.subn(lambda link: _label(link, namespaces), text)
        if not n_links:
            break
    text = _VARIANTS.sub(_first_variant, text)
    text = _OUTWARD.sub(lambda link: link[1] or "", text)
    text = _LINE_MARKS.sub("", _TAG.sub("", _BREAK.sub(" ", text)))
    return html.unescape(text).replace("\xad", "").strip()


def _without(pattern: re.Pattern[str], text: str) -> str:
    """Return *text* without what *pattern* finds, from the innermost on."""
    for _ in range(_MOST_LEVELS):
        text, n_found = pattern.subn("", text)
        if not n_found:
            break
    return text


def _label(link: re.Match[str], namespaces: Collection[str]) -> str:
    """Return what a reader sees of a *link*, nothing of one to no page of this wiki."""
    name, colon, rest = link[1].strip().partition(":")
    prefix = name.strip().lower().replace("_", " ")
    is_language = _LANGUAGE.fullmatch(prefix) and not rest.startswith(" ")
    if colon and (prefix in namespaces or is_language):
        return ""
    label = link[2].rpartition("|")[2]
    return label or link[1].strip(" :").replace("_", " ")


def _first_variant(found: re.Match[str]) -> str:
    if found[1] and _HIDDEN_RULES.fullmatch(found[1]):
        return ""
    first = _VARIANT.match(found[2])
    return first[1].strip() if first else found[2]
