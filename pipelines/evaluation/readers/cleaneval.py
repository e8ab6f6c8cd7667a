"""CleanEval 2007, as it is distributed.

*On disk*: a folder of pages and one of gold texts side by side, by one of the pairs of names in
``FOLDERS`` (the development sets in English and Chinese, the final test set). A page ``ID.html``,
or ``ID.htm``, in letters of either case, has the gold text ``ID.txt`` or ``ID-cleaned.txt``; pages without one are
left out.

A page is wrapped in ``<text id="URL" title="..." encoding="...">``, which is taken off. A gold text
begins with a line ``URL: ...`` and has ``<p>``, ``<h>`` or ``<l>`` before each paragraph, heading and
list item; text before the first mark is a paragraph. It is UTF-8, UTF-16 with a byte order mark, or else
Windows-1252.
*Source: Baroni et al. 2008.*

Of the final set Pomikálek (2011, section 2.9.7) left out the pages 103 and 250, whose gold texts he found wrong;
here they are in (``scrapy evaluate --without 103,250``).
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from crawler.errors import InputError
from crawler.page.words import collapsed
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.readers.files import old_text, page_bytes, shown_files, site_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDERS = (
    ("en_original", "en_cleaned"),
    ("en-original", "en-cleaned"),
    ("zh_original", "zh_cleaned"),
    ("zh-original", "zh-cleaned"),
    ("finalrun-input", "GoldStandard"),
    ("input", "GoldStandard"),
)
# The mark of UTF-8 before it is the page's. A title may have a > in its quotes, or quotes in them.
_WRAPPER = re.compile(
    rb"""\A(\xef\xbb\xbf)?\s*<text\b((?>(?:[^>"']|"[^"<\n]*"|'[^'<\n]*')*)|[^>]*)>\s*""",
    re.IGNORECASE,
)
_WRAPPER_END = re.compile(rb"\s*</text>\s*\Z", re.IGNORECASE)
_URL = re.compile(r"""\bid\s*=\s*["']?(https?://[^"'\s>]+)""", re.IGNORECASE)
_URL_LINE = re.compile(r"\A\s*URL:[^\r\n]*", re.IGNORECASE)
_MARK = re.compile(r"<([phl])>", re.IGNORECASE)
_END_MARK = re.compile(r"</[phl]>", re.IGNORECASE)


def is_layout(path: Path) -> bool:
    """Tell whether *path* has a pair of folders."""
    return bool(_pairs(path))


def read(path: Path) -> Iterator[GoldPage]:
    """Give the pages of all pairs of folders in *path* that have a gold text."""
    pairs = _pairs(path)
    if not pairs:
        names = ", ".join(f"{pages} and {gold}" for pages, gold in FOLDERS)
        raise InputError(f"{path} has no pair of folders {names}; give the folder they are in")
    found = [(page, gold) for pages, texts in pairs for page, gold in _matched(pages, texts)]
    if not found:
        raise InputError(
            f"{path} has no page N.html with its gold N.txt or N-cleaned.txt; add some"
        )
    return (_page(path, page, gold) for page, gold in found)


def _pairs(path: Path) -> list[tuple[Path, Path]]:
    pairs = [(path / pages, path / gold) for pages, gold in FOLDERS]
    return [(pages, gold) for pages, gold in pairs if pages.is_dir() and gold.is_dir()]


def _matched(pages: Path, texts: Path) -> list[tuple[Path, Path]]:
    found = []
    for page in shown_files(pages, "*.[hH][tT][mM]", "*.[hH][tT][mM][lL]"):
        names = (texts / f"{page.stem}.txt", texts / f"{page.stem}-cleaned.txt")
        found += [(page, gold) for gold in names if gold.is_file()][:1]
    return found


def _page(folder: Path, file: Path, gold_file: Path) -> GoldPage:
    body = page_bytes(file)
    url = ""
    if wrapper := _WRAPPER.search(body):
        found = _URL.search(old_text(wrapper[2]))
        url = unescape(found[1]) if found else ""
        body = (wrapper[1] or b"") + _WRAPPER_END.sub(b"", body[wrapper.end() :])
    segments = _segments(old_text(page_bytes(gold_file)))
    return GoldPage(
        dataset=f"{folder.resolve().name}/{file.parent.name}",
        page_id=file.stem,
        body=body,
        url=url,
        gold="\n".join(text for _, text in segments),
        tagged_gold="\n".join(f"{mark}\t{text}" for mark, text in segments),
        language="zh" if file.parent.name.startswith("zh") else "en",
        site=site_of(url),
    )


def _segments(gold: str) -> list[tuple[str, str]]:
    """Return mark and text of each segment that has one."""
    parts = _MARK.split(_END_MARK.sub("", _URL_LINE.sub("", gold)))
    marks = ["p", *(mark.lower() for mark in parts[1::2])]
    texts = [collapsed(text) for text in parts[::2]]
    return [(mark, text) for mark, text in zip(marks, texts, strict=True) if text]
