"""Writes the report of a corpus: what ``scrapy report`` does.

*On disk.* ``report.html`` in the corpus folder, or the file asked for: one file, made anew by each run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.durable.files import write_atomic
from pipelines.jobs.report.tables import details, overview
from pipelines.jobs.sheets.folder import writing_into
from pipelines.jobs.sheets.page import page

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.jobs.report.facts import CorpusFacts
    from pipelines.jobs.sheets.page import Plot
    from pipelines.jobs.sheets.table import Table

PAGE = "report.html"


def write_report(facts: CorpusFacts, path: Path) -> None:
    """Write the page of *facts* to *path*. Raises `InputError` when that is not possible."""
    # Here, for it takes a second to import.
    from pipelines.jobs.report.plots import plots_of

    parts: list[Table | Plot] = [*overview(facts)]
    parts += [*plots_of(facts), *details(facts)]
    with writing_into(path.parent):
        write_atomic(path, page(f"Report of {facts.corpus}", parts).encode())
    facts.files.append(str(path))
