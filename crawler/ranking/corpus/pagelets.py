"""The pagelets of a crawl's pages, for HITS: what ``scrapy pagelets`` does.

Links are those of ``a`` and ``area`` that are not nofollow, to pages that the graph knows. Of duplicates
the first alone counts, as the template detection of Bar-Yossef and Rajagopalan wants it (2002, section
3.2): pages with the print of a page in common, or, if that is asked for, all of their words. The content
of a pagelet is its words, or where it has none its links' targets, as they stand; pagelets without such
links are left out, and so none is empty. A template's pagelets have a print of their shingles in common,
or, if that is asked for, all of their content.

*On disk.* ``ranks/pagelets.parquet`` and ``ranks/templates.parquet``, as `crawler.ranking.hits.pagelet_links`
tells. Memory: 20 bytes a link, 150 a pagelet, and some 600 a page.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

from crawler.durable.files import make_folder
from crawler.durable.layout import RANKS_FOLDER
from crawler.page import LinkKind
from crawler.page.pagelet_prints import page_print, shingle_prints, word_hashes
from crawler.ranking.corpus.answers import taken_of_pages
from crawler.ranking.hits.pagelet_links import (
    PageletLinks,
    TemplatePagelets,
    joined_links,
    links_of_page,
    pagelet_of_links,
    without_templates,
    write_links,
    write_templates,
)
from crawler.ranking.hits.pagelet_templates import find_templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.ranking.corpus.answers import MadeBy, StoredPage
    from crawler.webgraph.graph import Graph

LINKS_FILE = "pagelets.parquet"
TEMPLATES_FILE = "templates.parquet"

_HYPERLINKS = (LinkKind.A, LinkKind.AREA)


class _Read(NamedTuple):
    """What is kept of a page: its pagelets with links, ascending, and their contents."""

    duplicate: int | None
    """what duplicates of it have in common; None without words"""
    links: PageletLinks
    pagelet: npt.NDArray[np.uint32]
    content: list[npt.NDArray[np.uint64]]
    """the prints of each"""


@dataclass(frozen=True, slots=True)
class PageletReport:
    """The figures of one run; *templates* and *template_links* are among the pagelets and links."""

    pages: int
    unknown: int
    """answers of URLs that the graph does not know"""
    undecodable: int
    """answers that are not coded as they say"""
    duplicates: int
    """pages left out, as another one has nearly their text"""
    pagelets: int
    links: int
    templates: int
    template_links: int
    template_pages: int
    """pages with a template, of all"""
    detection: str
    """global or local"""
    template_page_share: float
    """*template_pages* of all *pages*, 0 of none: table 2 of the paper"""
    template_link_share: float
    pagelets_per_page: float
    files: tuple[str, str]
    k: int
    """see `crawler.page.pagelets`"""

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"pages      {self.pages:,}, {self.template_pages:,} of them with a template ({self.template_page_share:.1%}, {self.detection})",
            f"left out   {self.duplicates:,} that are duplicates of another",
            f"           {self.unknown:,} not in the graph, {self.undecodable:,} not coded as they say",
            f"pagelets   {self.pagelets:,} with links, {self.templates:,} of them templates; {self.pagelets_per_page:.1f} a page (k = {self.k})",
            f"links      {self.links:,}, {self.template_links:,} of them in templates ({self.template_link_share:.1%})",
            *(f"written    {file}" for file in self.files),
        ]
        return "\n".join(lines)


def write_pagelets(
    folder: Path,
    pages: Iterable[StoredPage],
    *,
    made_by: MadeBy,
    same: str = "shingles",
    local: bool = False,
    output: Path | None = None,
) -> PageletReport:
    """Write the links and the templates of *pages* of the corpus in *folder*; the last answer counts.

    Into its ``ranks/``, or the folder *output*.
    *same*: what pagelets of a template and duplicates have in common, one of `SAME`.
    *local*: whether pages with a template need not be linked. Raises :exc:`InputError` when
    there is no graph.
    """
    if same not in SAME:
        raise ValueError(f"same must be one of {', '.join(SAME)}, got {same!r}")
    left = Counter[str]()
    read = taken_of_pages(folder, pages, made_by, partial(_read, prints=SAME[same]), left=left)
    kept = _without_duplicates(read)
    links = joined_links([read[number].links for number in kept])
    n_pagelets = sum(len(read[number].pagelet) for number in kept)
    templates = _templates_of({number: read[number] for number in kept}, None if local else links)
    files = _write(output or folder / RANKS_FOLDER, links, templates, made_by.rules.pagelet_links)
    n_template_links = len(links.page) - len(without_templates(links, templates).page)
    n_template_pages = len(np.unique(templates.page))
    return PageletReport(
        pages=len(kept),
        unknown=left["unknown"],
        undecodable=left["undecodable"],
        duplicates=len(read) - len(kept),
        pagelets=n_pagelets,
        links=len(links.page),
        templates=len(templates.page),
        template_links=n_template_links,
        template_pages=n_template_pages,
        detection="local" if local else "global",
        template_page_share=_share(n_template_pages, len(kept)),
        template_link_share=_share(n_template_links, len(links.page)),
        pagelets_per_page=_share(n_pagelets, len(kept)),
        files=files,
        k=made_by.rules.pagelet_links,
    )


def _templates_of(pages: Mapping[int, _Read], links: PageletLinks | None) -> TemplatePagelets:
    """Return the templates of *pages* by their PageIds; without *links* theirs need not be linked."""
    owner = [np.full(len(page.pagelet), number, dtype=np.uint64) for number, page in pages.items()]
    content = [prints for page in pages.values() for prints in page.content]
    return find_templates(
        np.concatenate([np.zeros(0, np.uint64), *owner]),
        np.concatenate([np.zeros(0, np.uint32), *(page.pagelet for page in pages.values())]),
        np.stack(content) if content else np.zeros((0, 1), np.uint64),
        links,
    )


def _write(
    ranks: Path, links: PageletLinks, templates: TemplatePagelets, k: int
) -> tuple[str, str]:
    """Return the names of the files."""
    make_folder(ranks)
    write_links(links, ranks / LINKS_FILE, k=k)
    write_templates(templates, ranks / TEMPLATES_FILE, k=k)
    return str(ranks / LINKS_FILE), str(ranks / TEMPLATES_FILE)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _read(graph: Graph, number: int, model: PageModel, *, prints: _Prints) -> _Read:
    """Return what is kept of page *number*."""
    links = model.links
    chosen = np.isin(links.kind, _HYPERLINKS) & ~links.nofollow
    targets, known = graph.find(links.key)
    chosen &= known
    of_link = pagelet_of_links(model.pagelets, links.reference)
    found = links_of_page(number, of_link[chosen], targets[chosen])
    pagelet, first = np.unique(found.pagelet, return_index=True)
    target_lists = np.split(found.target, first[1:])
    text = model.blocks.text
    contents = [
        prints.of_pagelet(_words(text[start:end], target))
        for start, end, target in zip(
            model.pagelets.first_block[pagelet].tolist(),
            model.pagelets.end_block[pagelet].tolist(),
            target_lists,
            strict=False,
        )
    ]
    words = word_hashes(" ".join(text).split())
    duplicate = prints.of_page(words) if len(words) else None
    return _Read(duplicate, found, pagelet, contents)


def _words(blocks: list[str], targets: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the hashes of a pagelet's words, or where it has none of its links' targets."""
    words = " ".join(blocks).split()
    return word_hashes(words or [f"link {target}" for target in targets.tolist()])


def _whole_print(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the print of all *words* in their order."""
    return np.array([xxhash.xxh3_64_intdigest(words.tobytes())], dtype=np.uint64)


def _whole_page(words: npt.NDArray[np.uint64]) -> int:
    return int(_whole_print(words)[0])


class _Prints(NamedTuple):
    """What is the same of pagelets of a template, and of duplicates."""

    of_pagelet: Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.uint64]]
    of_page: Callable[[npt.NDArray[np.uint64]], int]


SAME = {
    "shingles": _Prints(shingle_prints, page_print),
    "content": _Prints(_whole_print, _whole_page),
}


def _without_duplicates(read: Mapping[int, _Read]) -> list[int]:
    """Return the pages, ascending, but those that are duplicates of one before."""
    seen: set[int] = set()
    kept = []
    for number in sorted(read):
        duplicate = read[number].duplicate
        if duplicate is None or duplicate not in seen:
            kept.append(number)
        if duplicate is not None:
            seen.add(duplicate)
    return kept
