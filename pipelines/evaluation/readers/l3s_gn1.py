"""L3S-GN1: 621 news articles of 408 sites, annotated in the browser.

*On disk*: ``original/ID.html``, the page as served; ``annotated/ID.html``, the same with
``<span class="x-nc-selN">`` around annotated text; and, if it is there, ``url-mapping.txt`` with lines
``<urn:uuid:ID> URL``. N is 0 not content, 1 headline, 2 full text, 3 supplemental, 4 related content,
5 user comments; of nested spans the innermost holds; text outside of all is not content.

Content are classes 1 to 5, in both theses: *Kohlschütter 2011, section 4.4.2; Pomikálek 2011, section
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
from pipelines.evaluation.readers.files import old_text, page_bytes, site_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

HEADLINE, FULL_TEXT, SUPPLEMENTAL, RELATED, COMMENTS = "12345"
CONTENT = frozenset({HEADLINE, FULL_TEXT, SUPPLEMENTAL, RELATED, COMMENTS})
_CLASS = re.compile(r"(?:^|\s)x-nc-sel([0-5])(?=\s|$)")
_SPAN = re.compile(rb"<(/?)span\b[^>]*>", re.IGNORECASE)
_MARK = b"x-nc-sel"
_URL_LINE = re.compile(r"<(?:urn:uuid:)?([^<>\s]+)>\s+(\S+)")


def is_layout(path: Path) -> bool:
    """Tell whether the folder *path* has the two folders."""
    return (path / "original").is_dir() and (path / "annotated").is_dir()


def read(
    path: Path, *, content: Collection[str] = CONTENT, served: bool = False
) -> Iterator[GoldPage]:
    """Give the pages in the folder *path*; *content*: the classes of the gold text.

    *served*: the pages as they were served, in place of the annotated ones.
    """
    files = sorted((path / "annotated").glob("*.html")) if is_layout(path) else []
    if not files:
        raise InputError(f"{path} holds no annotated/*.html beside original; give the set's folder")
    urls = _urls(path / "url-mapping.txt")
    pages = (_page(path, file, urls, content) for file in files)
    if not served:
        return pages
    folder = path / "original"
    return (replace(page, body=page_bytes(folder / f"{page.page_id}.html")) for page in pages)


def _page(folder: Path, file: Path, urls: dict[str, str], content: Collection[str]) -> GoldPage:
    annotated = page_bytes(file)
    nodes = list(annotated_nodes(annotated, _class_of))
    gold = text_of((node, node.annotation in content) for node in nodes)
    labels = [
        NodeLabel(
            collapsed(node.text),
            GOOD if node.annotation in content else BAD,
            part=PARTS[int(node.annotation or 0)],
        )
        for node in nodes
    ]
    url = urls.get(file.stem, "")
    return GoldPage(
        dataset=folder.resolve().name,
        page_id=file.stem,
        body=_without_marks(annotated),
        url=url,
        gold=gold,
        full_gold=gold if COMMENTS in content else None,
        node_labels=tuple(labels),
        language="en",
        page_type="article",
        site=site_of(url),
    )


def _without_marks(annotated: bytes) -> bytes:
    """Return a page without the spans that bear its annotation."""
    kept, end = [], 0
    open_marks: list[bool] = []
    for tag in _SPAN.finditer(annotated):
        if not tag[1]:
            open_marks.append(_MARK in tag[0])
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
