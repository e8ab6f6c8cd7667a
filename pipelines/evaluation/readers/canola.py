"""Canola: pages that students annotated in the KrdWrd system, text node by text node.

*On disk*: a folder of ``ID.html`` (or ``.html.gz``) in whose mark-up ``<kw class="krdwrd-tag-C-AR">``
stands around annotated text: C is 1 bad, 2 uncertain, 3 good, or ``mrgtie`` for a tie; AR the
annotators who agree, in percent, rounded to tens. Files of single votes (``.stat``) are not read.

The page to be cleaned is the annotated one without the ``kw`` tags, for scripts had changed it before
it was annotated. A page with a text node that nobody annotated is left out.
*Source: Pomikálek 2011, sections 2.8.2 and 2.9.* The gold text is that of the good nodes, the lenient
one that of the uncertain and tied ones, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.errors import InputError
from crawler.page.words import collapsed
from pipelines.evaluation.gold import BAD, GOOD, TIED, UNCERTAIN, GoldPage, NodeLabel
from pipelines.evaluation.readers.annotated_html import annotated_nodes, text_of
from pipelines.evaluation.readers.files import page_bytes, shown_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TAG = re.compile(r"(?:^|\s)krdwrd-tag-(?:([123])|(mrgtie))(?:-([0-9]{1,3}))?(?=\s|$)")
_KW = re.compile(rb"</?kw\b[^>]*>", re.IGNORECASE)
_MARK = b"krdwrd-tag-"
_LABELS = {"1": BAD, "2": UNCERTAIN, "3": GOOD}


def is_layout(path: Path) -> bool:
    """Tell whether a page in the folder *path* is annotated."""
    return path.is_dir() and any(_MARK in page_bytes(file) for file in _pages(path))


def read(path: Path) -> Iterator[GoldPage]:
    """Give the annotated pages in the folder *path*."""
    files = _pages(path) if path.is_dir() else []
    if not files:
        raise InputError(f"{path} holds no .html files; give the folder of the annotated pages")
    pages = (_page(path, file) for file in files)
    return (page for page in pages if page is not None)


def without_marks(body: bytes) -> bytes:
    """Return a page without KrdWrd's marks of text nodes, which no method is to see (Pomikálek 2011, section 2.9)."""
    return _KW.sub(b"", body)


def _pages(path: Path) -> list[Path]:
    """Return the files of the pages in *path*; of a page that is there packed, too, that one alone, as of uniform
    sets.
    """
    files = shown_files(path, "*.html", "*.html.gz")
    packed = {file.name.removesuffix(".gz") for file in files if file.suffix == ".gz"}
    return [file for file in files if file.name not in packed]


def _page(folder: Path, file: Path) -> GoldPage | None:
    body = page_bytes(file)
    nodes = list(annotated_nodes(body, _annotation))
    if any(node.annotation is None for node in nodes):
        return None
    labels = tuple(_label(node.text, node.annotation or "") for node in nodes)
    pairs = list(zip(nodes, labels, strict=True))
    return GoldPage(
        dataset=folder.resolve().name,
        page_id=file.name.removesuffix(".gz").removesuffix(".html"),
        body=without_marks(body),
        gold=text_of((node, label.label == GOOD) for node, label in pairs),
        lenient_gold=text_of((node, label.label != BAD) for node, label in pairs),
        node_labels=labels,
        language="en",
    )


def _annotation(classes: str) -> str | None:
    found = _TAG.search(classes)
    return found[0].strip() if found else None


def _label(text: str, annotation: str) -> NodeLabel:
    found = _TAG.search(annotation)
    assert found is not None  # annotations come from _annotation
    label = TIED if found[2] else _LABELS[found[1]]
    return NodeLabel(collapsed(text), label, int(found[3] or 100))
