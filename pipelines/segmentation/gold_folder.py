"""Folders of pages that were segmented by hand, with the marks of `pipelines.segmentation.gold` in their mark-up.

*On disk.* With a ``manifest.jsonl``, a line a page: ``id``, and what may be said of it, ``url`` and ``encoding``
(UTF-8); the marked page is ``blocks/ID.html`` and the page as it was served ``orig/ID.html``, or either with ``.gz``.
Without one, all ``.html`` and ``.htm`` files of the folder, in UTF-8, packed by gzip or not, are marked pages.

A page counts when `MIN_MATCHED` of the words of its blocks are words between marks. As it was served it is another
source, in which those are looked for. Pages without marks, and those without words, do not count.
"""

from __future__ import annotations

import gzip
import json
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

from crawler.errors import InputError
from crawler.page import build_page
from pipelines.segmentation import gold
from pipelines.segmentation.studies import GoldPage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from crawler.page import Blocks

MANIFEST = "manifest.jsonl"
MIN_MATCHED = 0.9
_PACKED = ".gz"
_SUFFIXES = (".html", ".htm", f".html{_PACKED}", f".htm{_PACKED}")


class Marked(NamedTuple):
    """A marked page: its blocks, gold labels by level, how many of its words have a partner."""

    blocks: Blocks
    labels: dict[int, gold.Labels]
    n_matched: int


class MarkedFolder(NamedTuple):
    """The pages that count, and how many others there are."""

    pages: list[Marked]
    n_left_out: int


class _Named(NamedTuple):
    """A marked page on disk, the page as it was served if that is kept, its address and encoding."""

    marked: Path
    served: Path | None
    url: str
    encoding: str


def read_folder(folder: Path, *, served: bool = False) -> MarkedFolder:
    """Return the pages of *folder*; *served* takes the blocks from the pages as they were served.

    Raises `InputError` where it holds no such pages, or one cannot be read.
    """
    manifest = folder / MANIFEST
    named = [*(_listed(folder, manifest) if manifest.is_file() else _files(folder))]
    pages, n_left_out = [], 0
    for each in named:
        if served and each.served is None:
            continue
        page = _page(each, served=served)
        if page is None:
            n_left_out += 1
        else:
            pages.append(page)
    if not pages:
        kind = "pages as they were served" if served else "pages"
        raise InputError(
            f"no {kind} with marked blocks (data-block) in {folder}; give a folder of marked pages"
        )
    return MarkedFolder(pages, n_left_out)


def gold_pages(pages: Iterable[Marked], level: int) -> list[GoldPage]:
    """Return *pages* with the gold of *level* as a 1-D segmentation; those that have no mark of it are left out."""
    return [
        GoldPage(page.blocks, gold.runs(page.labels[level]))
        for page in pages
        if (page.labels[level] >= 0).any()
    ]


def _listed(folder: Path, manifest: Path) -> Iterator[_Named]:
    for number, line in enumerate(manifest.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            told: dict[str, Any] = json.loads(line)
            name, url = str(told["id"]), str(told.get("url") or "")
            encoding = str(told.get("encoding") or "utf-8")
            "".encode(encoding)
        except (ValueError, TypeError, KeyError, AttributeError, LookupError) as error:
            raise InputError(
                f"{manifest} line {number} is no page; give an object with id, url, encoding"
            ) from error
        marked = _either(folder / "blocks" / f"{name}.html")
        if marked is None:
            raise InputError(f"{folder / 'blocks'} has no {name}.html, which {manifest} lists")
        yield _Named(marked, _either(folder / "orig" / f"{name}.html"), url, encoding)


def _either(path: Path) -> Path | None:
    packed = path.with_name(path.name + _PACKED)
    return next((each for each in (packed, path) if each.is_file()), None)


def _files(folder: Path) -> Iterator[_Named]:
    for path in sorted(folder.iterdir()):
        # Hidden ones are other programs'.
        is_page = path.name.lower().endswith(_SUFFIXES) and not path.name.startswith(".")
        if is_page and path.is_file():
            yield _Named(path, None, "", "utf-8")


def _page(named: _Named, *, served: bool) -> Marked | None:
    """Return the page of *named*, None for one that does not count."""
    marked = gold.read_marked(
        _body(named.marked).decode(named.encoding, "replace").removeprefix("\ufeff")
    )
    if all((labels < 0).all() for labels in marked.labels.values()):
        return None
    body, header = marked.source.encode(), "text/html; charset=utf-8"
    if served and named.served is not None:
        body, header = _body(named.served), "text/html"
    blocks = build_page(body, url=named.url, content_type=header).blocks
    found = {
        level: gold.align(marked.words, labels, blocks.text)
        for level, labels in marked.labels.items()
    }
    n_matched = found[1].n_matched
    if not n_matched or n_matched < MIN_MATCHED * int(blocks.n_tokens.sum()):
        return None
    return Marked(blocks, {level: aligned.labels for level, aligned in found.items()}, n_matched)


def _body(path: Path) -> bytes:
    body = path.read_bytes()
    if not path.name.lower().endswith(_PACKED):
        return body
    try:
        return gzip.decompress(body)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path} is damaged gzip ({error}); give a whole file") from error
