"""The inspector of a page of a corpus: its stored answer, cleaned again and shown block by block."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.stored_pages import stored_page
from pipelines.boilerplate.renderers.inspector import inspector
from pipelines.evaluation.harness.isolation import SourcePage
from pipelines.evaluation.watched_method import WatchedMethod
from pipelines.jobs.clean_pages import failures_told, labels_of_page

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.page import PageLimits, PageModel, PageRules
    from pipelines.boilerplate.labels import Cleaner, Labels
    from pipelines.boilerplate.reasons import Reasons
    from pipelines.segmentation.segmenter import BlockSegmenter


@dataclass(frozen=True, slots=True)
class PageInspector:
    """Cleans by *cleaner*, the method of that name, pages that are read by *limits* and *rules*.

    *segmenter* divides them, if there is one.
    """

    method: str
    cleaner: Cleaner | WatchedMethod
    limits: PageLimits
    rules: PageRules
    segmenter: BlockSegmenter | None = None
    _lock: Lock = field(default_factory=Lock)

    def html(self, folder: Path, row: dict[str, Any]) -> str:
        """Return the inspector of the page of *row* of the corpus in *folder*, an HTML file.

        Raises `InputError` when its answer is not kept, or cannot be read.
        """
        name = row["warc_file"]
        if name is None or not (folder / name).is_file():
            raise InputError("the answer of this page is not kept; crawl with WARC_ENABLED=1")
        page = stored_page(folder / name, row["warc_offset"], self.limits)
        if page is None or page.body is None:
            raise InputError(f"no page at byte {row['warc_offset']} of {name}")
        source = SourcePage(page.body, page.url, page.content_type, self.limits, self.rules)
        model = source.build()
        with self._lock:  # some cleaners are not made for several threads
            labels, why = self._judged(source, model)
        if self.segmenter is not None:
            model.segments = self.segmenter.segment(model.blocks)
        return inspector(model, labels, method=self.method, name=page.url, reasons=why)

    def _judged(self, source: SourcePage, model: PageModel) -> tuple[Labels, Reasons | None]:
        """Return what the cleaner says of the blocks of *model*, made of *source*, and why."""
        if isinstance(self.cleaner, WatchedMethod):
            with failures_told(source.url):
                return self.cleaner.judge(source)
        labels = labels_of_page(self.cleaner, model, source.url)
        reasons = getattr(self.cleaner, "reasons", None)
        return labels, None if reasons is None else reasons(model)
