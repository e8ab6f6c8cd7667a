"""The inspector of a page of a corpus: its stored answer, cleaned again and shown block by block."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.page import build_page
from crawler.stored_pages import stored_page
from pipelines.boilerplate.renderers.inspector import inspector
from pipelines.jobs.clean_pages import labels_of_page

if TYPE_CHECKING:
    from pathlib import Path

    from crawler.page import PageLimits, PageRules
    from pipelines.boilerplate.labels import Cleaner


@dataclass(frozen=True, slots=True)
class PageInspector:
    """Cleans by *cleaner*, the method of that name, pages that are read by *limits* and *rules*."""

    method: str
    cleaner: Cleaner
    limits: PageLimits
    rules: PageRules
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
        model = build_page(
            page.body,
            url=page.url,
            content_type=page.content_type,
            limits=self.limits,
            rules=self.rules,
        )
        with self._lock:  # some cleaners are not made for several threads
            labels = labels_of_page(self.cleaner, model, page.url)
            reasons = getattr(self.cleaner, "reasons", None)
            why = None if reasons is None else reasons(model)
        return inspector(model, labels, method=self.method, name=page.url, reasons=why)
