"""What every page model must hold, whatever the bytes it was built from."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from crawler.page import LinkKind, PageLimits, build_page
from crawler.page.limits import PageRules
from crawler.page.lines import W_MAX
from crawler.page.tags import GAP_BITS, OTHER_BIT, kind_of
from crawler.page.words import columns, density_tokens

if TYPE_CHECKING:
    from crawler.page import Blocks, Links, PageModel

DEFAULT_LIMITS = PageLimits()
DEFAULT_RULES = PageRules()
URL = "http://a.sample/dir/page.html"
ALL_BITS = sum(GAP_BITS.values()) | OTHER_BIT
SOURCES = {"bom", "header", "meta", "guess", "default"}
CUTS = {"bytes", "blocks", "links", "depth", "anchors", "head", "names"}
BLOCK_COLUMNS = ("n_words", "linked_words", "n_tokens", "n_lines", "last_line_tokens", "gap_mask")


def page(
    body: bytes,
    content_type: str | None = "text/html",
    rules: PageRules = DEFAULT_RULES,
    **limits: int,
) -> PageModel:
    """Build the model of a page."""
    return build_page(
        body, url=URL, content_type=content_type, limits=PageLimits(**limits), rules=rules
    )


def check(model: PageModel, limits: PageLimits = DEFAULT_LIMITS) -> None:
    """Assert what holds for every model; *limits* are those that it was built under."""
    if model.reject == "content_type":
        assert model.charset is None
        assert len(model.blocks) == len(model.links) == 0
        return
    assert model.charset_source in SOURCES
    assert 0 <= model.replacement_share <= 1
    assert model.reject == (None if model.blocks.text else "empty")
    assert len(model.cuts) == len(set(model.cuts))
    assert set(model.cuts) <= CUTS
    for text in (model.title, model.description):
        assert text is None or 1 <= len(text) <= limits.max_head_chars
        check_text(text or "")
    check_text(model.declared_language or "")
    for url in (model.canonical, model.base_url):
        assert url is None or url.encode()
    check_blocks(model.blocks, limits)
    check_references(model, limits)
    check_parts(model)
    check_links(model.links, len(model.references), limits)


def check_text(text: str) -> None:
    """Assert that *text* is fit for files, terminals and XML: collapsed, in NFC, no controls."""
    text.encode()  # no lone surrogates
    assert text == " ".join(text.split())
    assert unicodedata.is_normalized("NFC", text)
    bad = [c for c in text if unicodedata.category(c) == "Cc" or ord(c) & 0xFFFE == 0xFFFE]
    assert not bad, bad[:5]


def check_blocks(blocks: Blocks, limits: PageLimits) -> None:
    """Assert the invariants of blocks: counts are those of the texts, gaps and paths make sense."""
    n = len(blocks.text)
    assert n <= limits.max_blocks
    assert {len(getattr(blocks, name)) for name in BLOCK_COLUMNS} == {n}
    assert len(blocks.kind) == len(blocks.path) == n
    for text in blocks.text:
        check_text(text)
    assert blocks.n_words.tolist() == [len(density_tokens(text)) for text in blocks.text]
    assert blocks.n_tokens.tolist() == blocks.n_words.tolist()
    lines = [wrapped(text) for text in blocks.text]
    assert blocks.n_lines.tolist() == [n_lines for n_lines, _ in lines]
    assert blocks.last_line_tokens.tolist() == [n_last for _, n_last in lines]
    assert (blocks.n_words >= 1).all()
    assert (blocks.linked_words <= blocks.n_words).all()
    assert ((blocks.n_lines >= 1) & (blocks.n_lines <= blocks.n_tokens)).all()
    is_one_line = blocks.n_lines == 1
    assert ((blocks.last_line_tokens == blocks.n_tokens) == is_one_line).all()
    assert (blocks.text_density > 0).all()
    # Between two blocks there is at least one tag that is no a.
    gaps = [int(mask) for mask in blocks.gap_mask]
    assert all(mask & ~ALL_BITS == 0 for mask in gaps)
    assert all(mask & ~GAP_BITS["a"] for mask in gaps[1:])
    for path, kind in zip(blocks.path, blocks.kind, strict=True):
        assert path.split("/")[0] == "body"
        assert path.count("/") <= limits.max_depth
        assert kind == kind_of(path)


def wrapped(text: str) -> tuple[int, int]:
    """Return the lines that the words of *text* fill, and the words of the last one: word by word."""
    n_lines = n_last = 0
    used = W_MAX
    for word in density_tokens(text):
        used += 1 + columns(word)
        if used > W_MAX:
            n_lines, n_last, used = n_lines + 1, 0, columns(word)
        n_last += 1
    return n_lines, n_last


def check_parts(model: PageModel) -> None:
    """Assert that runs and pagelets are parts of the page, in its order, and leave nothing out."""
    n_blocks, n_references = len(model.blocks), len(model.references)
    runs, pagelets = model.runs, model.pagelets  # runs are checked as they are made
    # The blocks of plain text have no runs.
    is_plain = set(model.blocks.gap_mask.tolist()) == {GAP_BITS["p"]} and not len(runs)
    assert sorted({*runs.block.tolist()}) == list(range(0 if is_plain else n_blocks))
    source = model.source
    for start, end in zip(runs.start.tolist(), runs.end.tolist(), strict=True):
        piece = source[start:end].decode()  # no character is cut
        assert piece.strip(), piece
    for first, end, size in (
        (pagelets.first_block, pagelets.end_block, n_blocks),
        (pagelets.first_link, pagelets.end_link, n_references),
    ):
        bounds = [0, *end.tolist()]
        assert first.tolist() == bounds[:-1]
        assert bounds[-1] == size
        assert bounds == sorted(bounds)


def check_references(model: PageModel, limits: PageLimits) -> None:
    """Assert the invariants of references: in page order, within the page and within the limits."""
    references = model.references
    size = len(references)
    assert size <= limits.max_links
    columns_of = (references.anchor, references.kind, references.nofollow, references.block)
    assert {len(column) for column in columns_of} == {size}
    assert (references.block <= len(model.blocks)).all()
    assert (np.diff(references.block.astype(np.int64)) >= 0).all()
    for anchor, href in zip(references.anchor, references.href, strict=True):
        check_text(anchor)
        assert len(anchor) <= limits.max_anchor_chars
        assert "\n" not in href
        href.encode()


def check_links(links: Links, n_references: int, limits: PageLimits) -> None:
    """Assert the invariants of links, which are the usable references."""
    m = len(links)
    assert m + links.n_unusable == n_references
    columns_of = (links.kind, links.nofollow, links.block, links.anchor, links.follow)
    assert {len(column) for column in (*columns_of, links.priority, links.url)} == {m}
    assert np.isin(links.kind, [kind.value for kind in LinkKind]).all()
    assert not (links.follow & links.nofollow).any()
    for url in links.url:
        assert url.isascii()
        assert len(url) <= 3 * limits.max_url_chars


def outcome(model: PageModel) -> tuple[object, ...]:
    """Return all that *model* says, to be compared; it is the same for the same bytes."""
    return (
        *(model.base_url, model.charset, model.charset_source, model.replacement_share),
        *(model.reject, model.title, model.title_source, model.declared_language),
        *(model.description, model.canonical, model.noindex, model.nofollow, model.cuts),
        *outcome_of_blocks(model.blocks),
        *outcome_of_links(model.links),
    )


def outcome_of_blocks(blocks: Blocks) -> tuple[object, ...]:
    """Return all that *blocks* say."""
    columns = [getattr(blocks, name).tolist() for name in BLOCK_COLUMNS]
    return (blocks.text, blocks.kind, blocks.path, *columns)


def outcome_of_links(links: Links) -> tuple[object, ...]:
    """Return all that *links* say."""
    columns = (links.kind, links.nofollow, links.block, links.follow)
    return (links.url, links.anchor, links.n_unusable, *(column.tolist() for column in columns))
