"""From the bytes of an answer to the page model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.blocks import BlockBuilder
from crawler.page.encoding import Decoded, decode
from crawler.page.limits import PageLimits
from crawler.page.links import Links, build_links
from crawler.page.model import PageModel
from crawler.page.scan import Scan
from crawler.page.tags import GAP_BITS
from crawler.urls import canonical_url, resolve

if TYPE_CHECKING:
    from crawler.page.blocks import Blocks

_HTML = "text/html"
_XHTML = "application/xhtml+xml"
_PLAIN = "text/plain"
# What files of other types begin with, though they are sent as a page or without a type: PDF, PNG,
# JPEG, GIF, ZIP, gzip, ELF, PostScript (their formats' own specifications).
_MAGIC = (
    *(b"%PDF-", b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"PK\x03\x04"),
    *(b"\x1f\x8b\x08", b"\x7fELF", b"%!PS-"),
)
_TAG = re.compile(rb"<(?:[!?/]?[A-Za-z]|!--)")
# Bytes searched for a tag when an answer names no type (MIME sniffing standard, section 7).
_SNIFFED_BYTES = 1445
# Words outside of noscript below which a page is read as without scripts. Measured on the 594
# wcxb-dev pages: forum software that serves its text in noscript shows none outside of it.
MIN_SCRIPTED_WORDS = 25
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_DEFAULT_LIMITS = PageLimits()


def build_page(
    body: bytes,
    *,
    url: str,
    content_type: str | None,
    limits: PageLimits = _DEFAULT_LIMITS,
) -> PageModel:
    """Return the model of the page that *url* answered with *body*.

    *content_type* is the HTTP header, None when there was none. Never raises on any bytes.

    >>> model = build_page(b"<p>Hello <a href=/x>world</a>", url="http://a.com/", content_type=None)
    >>> model.blocks.text, model.links.url
    (['Hello world'], ['http://a.com/x'])
    """
    media_type = _media_type(body, content_type)
    if media_type is None:
        return _rejected(url)
    cut = len(body) > limits.max_bytes
    body = body[: limits.max_bytes]
    decoded = decode(body, content_type=content_type, is_html=media_type != _PLAIN)
    # The bytes are quicker to search than the text.
    if b"\0" in body:
        decoded = decoded._replace(text=decoded.text.replace("\0", ""))
    build = _plain_page if media_type == _PLAIN else _html_page
    model = build(decoded, url, limits, is_xml=media_type == _XHTML)
    if cut:
        model.cuts = (*model.cuts, "bytes")
    return model


def _media_type(body: bytes, content_type: str | None) -> str | None:
    """Return which of the three types *body* is read as, None for any other."""
    if body.startswith(_MAGIC):
        return None
    named = (content_type or "").partition(";")[0].strip().lower()
    if named:
        return named if named in {_HTML, _XHTML, _PLAIN} else None
    return _HTML if _TAG.search(body[:_SNIFFED_BYTES].replace(b"\0", b"")) else _PLAIN


def _rejected(url: str) -> PageModel:
    return PageModel(
        url=url,
        base_url=url,
        charset=None,
        charset_source=None,
        replacement_share=0.0,
        reject="content_type",
        title=None,
        title_source=None,
        declared_language=None,
        description=None,
        canonical=None,
        noindex=False,
        nofollow=False,
        blocks=BlockBuilder(1).blocks(),
        links=_no_links(url),
    )


def _no_links(url: str) -> Links:
    return build_links([], url, charset="utf-8", max_url_chars=1, nofollow=False)


def _html_page(decoded: Decoded, url: str, limits: PageLimits, *, is_xml: bool) -> PageModel:
    scan = _scan(decoded.text, limits, is_xml=is_xml)
    blocks, head = scan.builder.blocks(), scan.head
    base = (resolve(url, head.base) if head.base is not None else None) or url
    links = build_links(
        scan.references.found,
        base,
        charset=decoded.charset,
        max_url_chars=limits.max_url_chars,
        nofollow=head.nofollow,
    )
    canonical = resolve(base, head.canonical) if head.canonical is not None else None
    model = _model(decoded, url, blocks, links)
    model.base_url = base
    model.title, model.title_source = head.title(_headings(blocks))
    model.declared_language = head.language
    model.description = head.description
    model.canonical = canonical_url(canonical) if canonical is not None else None
    model.noindex, model.nofollow = head.noindex, head.nofollow
    model.cuts = tuple(sorted(scan.cuts | _cut_head(model, limits)))
    return model


def _scan(text: str, limits: PageLimits, *, is_xml: bool) -> Scan:
    scan = Scan(text, limits, is_xml=is_xml)
    scan.run()
    if scan.has_noscript and sum(scan.builder.counts[::4]) < MIN_SCRIPTED_WORDS:
        scan = Scan(text, limits, is_xml=is_xml, scripting=False)
        scan.run()
    return scan


def _model(decoded: Decoded, url: str, blocks: Blocks, links: Links) -> PageModel:
    model = _rejected(url)
    model.charset, model.charset_source = decoded.charset, decoded.source
    model.replacement_share = decoded.replacement_share
    model.blocks, model.links = blocks, links
    model.reject = None if blocks.text else "empty"
    return model


def _headings(blocks: Blocks) -> list[str]:
    for text, kind in zip(blocks.text, blocks.kind, strict=True):
        if kind == "heading1":
            return [text]
    return []


def _cut_head(model: PageModel, limits: PageLimits) -> set[str]:
    """Shorten title and description to what *limits* allow."""
    size = limits.max_head_chars
    texts = (model.title or "", model.description or "")
    if max(map(len, texts)) <= size:
        return set()
    model.title = texts[0][:size].rstrip() or None
    model.description = texts[1][:size].rstrip() or None
    return {"head"}


def _plain_page(decoded: Decoded, url: str, limits: PageLimits, *, is_xml: bool) -> PageModel:  # noqa: ARG001  one signature for both
    """Make blocks of the paragraphs between blank lines; the gaps count as those of ``p``."""
    builder = BlockBuilder(limits.max_blocks)
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    for paragraph in _BLANK_LINES.split(text):
        builder.gap |= GAP_BITS["p"]
        builder.parts.append(paragraph)
        builder.flags.append(False)
        builder.end_block("body")
    model = _model(decoded, url, builder.blocks(), _no_links(url))
    model.cuts = ("blocks",) if builder.cut else ()
    return model
