"""Removes templates from a whole corpus: what ``scrapy templates remove`` does.

The documents of each site, and the pages that they were made of, go through a detector that was fitted to
the first of them in the order of the hashes of their URLs: the same pages, whatever the order of the crawl.
By ``links`` each document has a detector of its own (`pipelines.jobs.templates.around`).
Blocks that it removes are kept no more; a document that keeps none is rejected, at stage ``templates`` for
``template_blocks``. The corpus is read, not changed, but for ``templates/removed.tsv``. When another folder is named,
a cleaned corpus goes there, with that file; it appears whole or not at all.

A document stays as it is, and is counted by the reason: `NO_PAGE`, ``other_blocks`` when the answer does
not give the blocks that the corpus has (another capture, other rules), ``few_pages`` when its site has too
few, ``small_cluster`` when its template has, for `bootstrapped` (those go to the fallback, where there is
one).

Memory: 70 bytes a document, 30 an answer, four a block that goes and a bit any other, 100 bytes a site, and what the
detector has of one, and by ``links`` of the pages that were read last. Each training page is read twice, by ``links``
as often as it is linked and no more among those.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pipelines.duplicates.near_index.rows import FORGET_RULE
from pipelines.jobs.dedup.changes import RemoveBlocks
from pipelines.jobs.dedup.output import in_the_end, opened
from pipelines.jobs.dedup.rewriting import rewrite
from pipelines.jobs.stored_answers import AnswerIndex, texts_digest
from pipelines.jobs.templates.around import DetectorsAround
from pipelines.jobs.templates.groups import LINKS, SITES, groups_of
from pipelines.jobs.templates.removal_report import (
    RemovalReport,
    SiteCounts,
    most_removed,
    write_sites,
)
from pipelines.jobs.templates.removed_blocks import Removed, RemovedBlocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from crawler.page import PageModel
    from pipelines.corpus.corpus import Corpus
    from pipelines.jobs.stored_answers import PageMaker
    from pipelines.jobs.templates.groups import Groups
    from pipelines.templates.detectors.kept import TemplateDetector


@dataclass(frozen=True)
class RemovalOptions:
    """How templates are removed.

    *method*: its name, for the report. *detector*: makes one for a site. *site*: what pages are grouped by, one of
    `SITES`. *min_pages*: a group with fewer pages stays as it is, by ``links`` a page with fewer around it and itself.
    """

    method: str
    detector: Callable[[], TemplateDetector]
    site: str = "domain"
    min_pages: int = 3

    def __post_init__(self) -> None:
        if self.site not in SITES:
            raise ValueError(f"site must be one of {', '.join(SITES)}, got {self.site!r}")
        if self.min_pages < 1:
            raise ValueError(f"min_pages must be at least 1, got {self.min_pages}")


class _Counted(NamedTuple):
    """What became of the sites, and the documents that stay as they are, by reason."""

    sites: dict[str, SiteCounts]
    left: Counter[str]


def remove_templates(
    folder: Path, pages: PageMaker, options: RemovalOptions, *, output: Path | None = None
) -> RemovalReport:
    """Find the template blocks of the corpus in *folder*; write one without them to *output* if it is given.

    *pages* makes the pages of its documents. Raises `InputError` when there is no corpus, or *output* is there.
    """
    with opened(folder, output) as (corpus, journals):
        groups = groups_of(corpus, options.site)
        counted = _Counted({}, Counter())
        removed = _decide(groups, pages, options, counted.left)
        changer = RemoveBlocks(label="template", stage="templates", reason="template_blocks")
        for number, lost in _lost(corpus, groups, removed, counted):
            changer.remove(number, lost)
        written = write_sites(corpus.corpus_dir, counted.sites)
        findings = in_the_end(written, corpus, output)
        if journals:
            rewrite(corpus.corpus_dir, journals, changer, commit=lambda *_: (FORGET_RULE,))
    return _report(options.method, counted, findings, output)


def _decide(
    groups: Groups, pages: PageMaker, options: RemovalOptions, left: Counter[str]
) -> RemovedBlocks:
    """Return what the detectors remove; count those that stay, by reason, in *left*."""
    index = AnswerIndex(pages.answers)
    places = index.places(groups.urls)
    removed = RemovedBlocks(len(groups.urls))
    around = DetectorsAround(options.detector, pages, index)
    for _, numbers in groups.members():
        shared = None
        if options.site != LINKS:
            if len(numbers) < options.min_pages:
                left["few_pages"] += len(numbers)
                continue
            shared = options.detector().fit(_pages(pages, places[numbers].tolist()))
        for number, place in zip(numbers.tolist(), places[numbers].tolist(), strict=True):
            page = pages.page(place)
            if isinstance(page, str):
                left[page] += 1
                continue
            detector = shared or around.fitted(page, place, options.min_pages)
            if detector is None:
                left["few_pages"] += 1
            else:
                before = _n_fallbacks(detector)
                blocks = ~detector.extract(page).blocks
                removed[number] = Removed(blocks, texts_digest(page.blocks.text))
                if _n_fallbacks(detector) > before:
                    left["small_cluster"] += 1
    return removed


def _n_fallbacks(detector: TemplateDetector) -> int:
    """Return how many pages *detector* left to its fallback: `bootstrapped` those of small clusters."""
    found: int = getattr(detector, "n_fallbacks", 0)
    return found


def _pages(pages: PageMaker, places: Iterable[int]) -> Iterator[PageModel]:
    """Yield those of the answers at *places* that are pages."""
    for place in places:
        page = pages.page(place)
        if not isinstance(page, str):
            yield page


def _lost(
    corpus: Corpus, groups: Groups, removed: RemovedBlocks, counted: _Counted
) -> Iterator[tuple[int, list[int]]]:
    """Yield the documents that change, each with the kept blocks that go; count all of them."""
    for number, row in enumerate(corpus.documents(["blocks"])):
        blocks = row["blocks"] or []
        name = groups.names[int(groups.group[number])]
        site = counted.sites.setdefault(name, SiteCounts())
        site.pages += 1
        site.words += sum(block["words"] for block in blocks if block["kept"])
        found = removed.get(number)
        if found is None:
            continue
        if found.digest != texts_digest([block["text"] for block in blocks]):
            counted.left["other_blocks"] += 1
            continue
        lost = [
            place
            for place, (block, goes) in enumerate(zip(blocks, found.blocks.tolist(), strict=True))
            if goes and block["kept"]
        ]
        if lost:
            _count(site, blocks, lost)
            yield number, lost


def _count(site: SiteCounts, blocks: Sequence[dict[str, Any]], lost: Sequence[int]) -> None:
    is_gone = len(lost) == sum(block["kept"] for block in blocks)
    site.dropped_pages += is_gone
    site.changed_pages += not is_gone
    site.removed_blocks += len(lost)
    site.removed_words += sum(blocks[place]["words"] for place in lost)


def _report(method: str, counted: _Counted, findings: Path, output: Path | None) -> RemovalReport:
    sites = counted.sites.values()
    return RemovalReport(
        method=method,
        documents=sum(site.pages for site in sites),
        sites=len(sites),
        changed_documents=sum(site.changed_pages for site in sites),
        dropped_documents=sum(site.dropped_pages for site in sites),
        removed_blocks=sum(site.removed_blocks for site in sites),
        words=sum(site.words for site in sites),
        removed_words=sum(site.removed_words for site in sites),
        most_removed=most_removed(counted.sites),
        findings=str(findings),
        output=None if output is None else str(output),
        left=dict(sorted(counted.left.items())),
    )
