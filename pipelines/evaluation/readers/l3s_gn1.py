"""L3S-GN1: 621 news articles of 408 sites, annotated in the browser.

*On disk*: the WARC file of the set (:mod:`.l3s_gn1_archive`), or a folder with ``original/ID.html``, the page as
served; ``annotated/ID.html``, the same with ``<span class="x-nc-selN">`` around annotated text; and, if it is
there, ``url-mapping.txt`` with lines ``<urn:uuid:ID> URL``. N is 0 not content, 1 headline, 2 full text,
3 supplemental, 4 related content, 5 user comments; of nested spans the innermost holds; text outside of all is not
content.

Content are classes 1 to 5, in both theses: *Kohlschütter 2011, section 4.4.3; Pomikálek 2011, section
2.8.3.* The full gold text is the same; the gold text is it, too. The page to be cleaned is the annotated one
without the spans, which the annotators saw, as its author's blocks are those of it. Its licence allows
research use and no copies, so the project has none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.errors import InputError
from crawler.page.words import collapsed
from pipelines.evaluation.gold import BAD, GOOD, PARTS, GoldPage, NodeLabel
from pipelines.evaluation.readers.annotated_html import annotated_nodes, text_of
from pipelines.evaluation.readers.files import old_text, page_bytes, shown_files, site_of
from pipelines.evaluation.readers.l3s_gn1_archive import (
    ENDINGS,
    StoredPage,
    annotated_pages,
    served_bodies,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

HEADLINE, FULL_TEXT, SUPPLEMENTAL, RELATED, COMMENTS = "12345"
CONTENT = frozenset({HEADLINE, FULL_TEXT, SUPPLEMENTAL, RELATED, COMMENTS})
_CLASS = re.compile(r"(?:^|\s)x-nc-sel([0-5])(?=\s|$)")
_SPAN = re.compile(rb"<(/?)span\b[^>]*>", re.IGNORECASE)
# The program of the annotators set spans of other classes, too: x-nc-linearized, x-nc-invisible.
_MARK = re.compile(rb"""[\s"'=]x-nc-""")
_URL_LINE = re.compile(r"<(?:urn:uuid:)?([^<>\s]+)>\s+(\S+)")


def is_layout(path: Path) -> bool:
    """Tell whether *path* is a WARC file, or a folder with the two folders."""
    return _is_archive(path) or ((path / "original").is_dir() and (path / "annotated").is_dir())


def read(
    path: Path, *, content: Collection[str] = CONTENT, served: bool = False
) -> Iterator[GoldPage]:
    """Give the pages at *path*; *content*: the classes of the gold text.

    *served*: the pages as they were served, in place of the annotated ones.
    """
    if _is_archive(path):
        dataset = path.name.removesuffix(".gz").removesuffix(".warc")
        pages = (_page(dataset, page, content) for page in annotated_pages(path))
        return _as_served(pages, served_bodies(path)) if served else pages
    files = shown_files(path / "annotated", "*.html") if is_layout(path) else []
    if not files:
        raise InputError(
            f"{path} holds no annotated/*.html beside original; give the set's folder or WARC file"
        )
    urls = _urls(path / "url-mapping.txt")
    stored = (StoredPage(file.stem, urls.get(file.stem, ""), page_bytes(file)) for file in files)
    pages = (_page(path.resolve().name, page, content) for page in stored)
    if not served:
        return pages
    folder = path / "original"
    return (replace(page, body=page_bytes(folder / f"{page.page_id}.html")) for page in pages)


def _is_archive(path: Path) -> bool:
    return path.is_file() and path.name.endswith(ENDINGS)


def _as_served(pages: Iterator[GoldPage], bodies: dict[str, bytes]) -> Iterator[GoldPage]:
    for page in pages:
        if page.page_id not in bodies:
            raise InputError(f"page {page.page_id} is there only annotated; restore the WARC file")
        yield replace(page, body=bodies[page.page_id])


def _page(dataset: str, stored: StoredPage, content: Collection[str]) -> GoldPage:
    nodes = list(annotated_nodes(stored.body, _class_of))
    gold = text_of((node, node.annotation in content) for node in nodes)
    labels = [
        NodeLabel(
            collapsed(node.text),
            GOOD if node.annotation in content else BAD,
            part=PARTS[int(node.annotation or 0)],
        )
        for node in nodes
    ]
    return GoldPage(
        dataset=dataset,
        page_id=stored.page_id,
        body=_without_marks(stored.body),
        url=stored.url,
        gold=gold,
        full_gold=gold if COMMENTS in content else None,
        node_labels=tuple(labels),
        language="en",
        page_type="article",
        site=site_of(stored.url),
    )


def _without_marks(annotated: bytes) -> bytes:
    """Return a page without the spans that the annotators' program set."""
    kept, end = [], 0
    open_marks: list[bool] = []
    for tag in _SPAN.finditer(annotated):
        if not tag[1]:
            open_marks.append(_MARK.search(tag[0]) is not None)
            is_mark = open_marks[-1]
        else:
            is_mark = open_marks.pop() if open_marks else False
        if is_mark:
            kept.append(annotated[end : tag.start()])
            end = tag.end()
    return b"".join([*kept, annotated[end:]])


def _class_of(classes: str) -> str | None:
    found = _CLASS.search(classes)
    return found[1] if found else None


def _urls(file: Path) -> dict[str, str]:
    """Return the URL of each page by its id."""
    if not file.exists():
        return {}
    return dict(_URL_LINE.findall(old_text(page_bytes(file))))
