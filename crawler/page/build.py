"""From the bytes of an answer to the page model."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.blocks import Blocks, TagPaths
from crawler.page.declared_text import MAX_SHOWN_WORDS, with_declared_text
from crawler.page.encoding.text import Decoded, decode
from crawler.page.formulas import with_formulas
from crawler.page.joined_texts import JoinedTexts
from crawler.page.limits import PageLimits, PageRules
from crawler.page.lines import line_counts
from crawler.page.literal import with_character_data, with_literal_text
from crawler.page.model import PageModel
from crawler.page.scanning.state import CHARACTER_DATA, FORMULAS, LITERAL_TEXT, SEGMENTS
from crawler.page.tags import GAP_BITS
from crawler.page.words import as_shown
from crawler.urls.join import base_key, resolve

if TYPE_CHECKING:
    from crawler.page.scanning.results import Scanned

_HTML = "text/html"
XHTML = "application/xhtml+xml"
# Types of XML of any kind, and how XHTML begins: by declarations and comments, then its root.
_XML = frozenset({"text/xml", "application/xml"})
_XHTML_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?>(?:<!--.*?-->\s*|<[!?][^>]*>\s*)*)"
    rb"<html\b[^>]*http://www\.w3\.org/1999/xhtml[\"']",
    re.DOTALL,
)
_PLAIN = "text/plain"
# What files of other types begin with, though they are sent as a page or without a type: PDF, PNG,
# JPEG, GIF, ZIP, gzip, ELF, PostScript (their formats' own specifications).
_MAGIC = (
    *(b"%PDF-", b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"PK\x03\x04"),
    *(b"\x1f\x8b\x08", b"\x7fELF", b"%!PS-"),
)
_TYPE = re.compile(r"\s*([^\s,;:/]+/[^\s,;:]+)")
# MIME sniffing standard, section 7: then the bytes tell.
_UNKNOWN = frozenset({"*/*", "unknown/unknown", "application/unknown"})
_TAG = re.compile(rb"<(?:[!?/]?[A-Za-z]|!--)")
# Bytes looked at when an answer names no type, and those among them that no text has (MIME sniffing
# standard, sections 3 and 7): one decides there; here more than one in so many, as old pages have some.
_SNIFFED_BYTES = 1445
_BINARY = re.compile(rb"[\x01-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_BYTES_A_BINARY = 50
# Words outside of noscript, and not hidden, below which a page is read as without scripts. Measured
# on the 594 wcxb-dev pages: forum software that serves its text in noscript shows none outside,
# or only hides there what it says of its own failures.
MIN_SCRIPTED_WORDS = 25
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_DEFAULT_LIMITS = PageLimits()
_DEFAULT_RULES = PageRules()


def build_page(
    body: bytes,
    *,
    url: str,
    content_type: str | None,
    limits: PageLimits = _DEFAULT_LIMITS,
    rules: PageRules = _DEFAULT_RULES,
) -> PageModel:
    """Return the model of the page that *url* answered with *body*.

    *content_type* is the HTTP header, None when there was none. Never raises on any bytes.

    >>> model = build_page(b"<p>Hello <a href=/x>world</a>", url="http://a.com/", content_type=None)
    >>> model.blocks.text, model.links.url
    (['Hello world'], ['http://a.com/x'])
    """
    named = _named_type(content_type)
    media_type = _media_type(body, named)
    if media_type is None:
        return _no_page(url, limits)
    cut = len(body) > limits.max_bytes
    body = body[: limits.max_bytes]
    decoded = decode(body, content_type=content_type, is_html=media_type != _PLAIN)
    source = decoded.utf8.replace(b"\0", b"") if b"\0" in decoded.utf8 else decoded.utf8
    if not named and _is_binary(source[:_SNIFFED_BYTES]):
        return _no_page(url, limits)
    if media_type == _PLAIN:
        model = _plain_page(source, url, limits)
    else:
        model = _html_page(source, url, limits, rules, is_xml=media_type == XHTML)
    _note_encoding(model, decoded)
    model.reject = None if model.blocks.text else "empty"
    if cut:
        model.cuts = (*model.cuts, "bytes")
    return model


def _media_type(body: bytes, named: str) -> str | None:
    """Return which of the three types *body* is read as, whose type is *named*; None for any other."""
    if body.startswith(_MAGIC):
        return None
    if named in _XML and _XHTML_ROOT.match(body[:_SNIFFED_BYTES]):
        return XHTML
    if named:
        return named if named in {_HTML, XHTML, _PLAIN} else None
    return _HTML if _TAG.search(body[:_SNIFFED_BYTES].replace(b"\0", b"")) else _PLAIN


def _named_type(content_type: str | None) -> str:
    """Return the first type that is named, whatever is missing behind it, "" for none or one that says nothing."""
    match = _TYPE.match(content_type or "")
    name = match[1].lower() if match else ""
    return "" if name in _UNKNOWN else name


def _is_binary(beginning: bytes) -> bool:
    return len(_BINARY.findall(beginning)) * _BYTES_A_BINARY > len(beginning)


def _no_page(url: str, limits: PageLimits) -> PageModel:
    return PageModel(url, url, limits, _plain_blocks([]), reject="content_type")


def _note_encoding(model: PageModel, decoded: Decoded) -> None:
    model.charset, model.charset_source = decoded.charset, decoded.source
    model.replacement_share = decoded.replacement_share


def _html_page(
    source: bytes, url: str, limits: PageLimits, rules: PageRules, *, is_xml: bool
) -> PageModel:
    source, scanned = _scan(source, limits, rules, is_xml=is_xml)
    head = scanned.head
    base = _base(url, head.base) if head.base else url
    title, title_source = head.title
    if title is None:
        title, title_source = _first_heading(scanned.blocks)
    model = PageModel(
        url,
        base,
        limits,
        scanned.blocks,
        source=source,
        is_xml=is_xml,
        title=title,
        title_source=title_source,
        declared_language=head.language,
        description=head.description,
        canonical_href=head.canonical,
        noindex=scanned.noindex,
        nofollow=scanned.nofollow,
        signals=scanned.signals,
        references=scanned.references,
        found_pagelets=scanned.pagelets,
        found_runs=scanned.runs,
        found_tags=scanned.tags,
    )
    model.cuts = tuple(sorted(scanned.cuts | _cut_head(model, limits)))
    return model


def _base(url: str, href: str) -> str:
    """Return what *href*, of a ``base``, means on the page *url*; that where it is none (HTML standard, 4.2.3)."""
    base = resolve(url, href)
    # Templates that were not filled in say "http://" or a host with signs.
    return url if base is None or base_key(base) is None else base


def _scan(
    source: bytes, limits: PageLimits, rules: PageRules, *, is_xml: bool
) -> tuple[bytes, Scanned]:
    """Return what was scanned, the source or what is read in its place, and what was found in it."""
    # Pages that are no HTML need no kernel.
    from crawler.page.scanning.results import scan_source

    scanned = scan_source(source, limits, rules, is_xml=is_xml)
    if scanned.rewrites and rules.inline == "phrasing":
        source, before = _rewritten(source, scanned.rewrites), source
        if source != before:
            scanned = scan_source(source, limits, rules, is_xml=is_xml)
    as_scripted = rules
    # A page that shows next to nothing is one that only its scripts make.
    if _is_bare(scanned.blocks) and (scanned.has_noscript or rules.hidden == "drop"):
        rules = replace(rules, hidden="keep")
        scanned = scan_source(source, limits, rules, is_xml=is_xml, scripting=False)
    if rules.inline == "phrasing" and scanned.plain_words < MAX_SHOWN_WORDS:
        told = with_declared_text(source, scanned)
        if told != source:
            return told, scan_source(told, limits, as_scripted, is_xml=is_xml)
    return source, scanned


def _is_bare(blocks: Blocks) -> bool:
    """Tell whether a page of these *blocks* shows next to nothing."""
    # No block is without a word.
    if len(blocks) - np.count_nonzero(blocks.hidden) >= MIN_SCRIPTED_WORDS:
        return False
    return int(blocks.n_words[~blocks.hidden].sum()) < MIN_SCRIPTED_WORDS


def _rewritten(source: bytes, rewrites: int) -> bytes:
    """Return *source* as it is to be read: with what is shown otherwise than it is written."""
    if rewrites & CHARACTER_DATA:
        source = with_character_data(source)
    if rewrites & LITERAL_TEXT:
        source = with_literal_text(source)
    if rewrites & SEGMENTS:
        # Few pages need its kernel.
        from crawler.page.streamed import in_place

        source = in_place(source)
    return with_formulas(source) if rewrites & FORMULAS else source


def _first_heading(blocks: Blocks) -> tuple[str | None, str | None]:
    for text, kind in zip(blocks.text, blocks.kind, strict=True):
        if kind == "heading1":
            return text, "h1"
    return None, None


def _cut_head(model: PageModel, limits: PageLimits) -> set[str]:
    """Shorten title and description to what *limits* allow."""
    size = limits.max_head_chars
    texts = (model.title or "", model.description or "")
    if max(map(len, texts)) <= size:
        return set()
    model.title = texts[0][:size].rstrip() or None
    model.description = texts[1][:size].rstrip() or None
    return {"head"}


def _plain_page(source: bytes, url: str, limits: PageLimits) -> PageModel:
    """Make blocks of the paragraphs between blank lines; the gaps count as those of ``p``."""
    text = source.decode().replace("\r\n", "\n").replace("\r", "\n")
    # The last part is all the rest.
    paragraphs = _BLANK_LINES.split(text, limits.max_blocks)
    blocks = _plain_blocks([as_shown(paragraph) for paragraph in paragraphs[: limits.max_blocks]])
    is_cut = len(paragraphs) > limits.max_blocks
    return PageModel(url, url, limits, blocks, source=source, cuts=("blocks",) if is_cut else ())


def _plain_blocks(texts: list[str]) -> Blocks:
    counts = line_counts(texts)
    kept = counts.n_tokens > 0
    n_blocks = int(kept.sum())
    return Blocks(
        text=JoinedTexts.of(list(compress(texts, kept.tolist()))),
        n_words=counts.n_tokens[kept],
        linked_words=np.zeros(n_blocks, dtype=np.uint32),
        n_lines=counts.n_lines[kept],
        last_line_tokens=counts.last_line_tokens[kept],
        gap_mask=np.full(n_blocks, GAP_BITS["p"], dtype=np.uint64),
        hidden=np.zeros(n_blocks, dtype=np.bool_),
        path_number=np.zeros(n_blocks, dtype=np.uint32),
        paths=TagPaths.of("body"),
    )
