"""Dates that a page does not declare, guessed by the package htmldate (Barbaresi 2020).

It parses the page once more and takes milliseconds, so that it is asked only where nothing else is
known, and not for pages above MAX_BYTES.
"""

from __future__ import annotations

from datetime import UTC
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pipelines.metadata.dates import MIN_YEAR, read_date

if TYPE_CHECKING:
    from datetime import datetime

    from crawler.page import PageModel

SOURCE = "htmldate"
MAX_BYTES = 2 * 2**20


def is_installed() -> bool:
    """Tell whether htmldate can be asked."""
    return find_spec("htmldate") is not None


def guess_date(page: PageModel, *, fetched_at: datetime) -> str | None:
    """Return when *page* was first published, ``YYYY-MM-DD``, not later than *fetched_at*; or None.

    Raises ImportError when htmldate is not installed.
    """
    from htmldate import find_date

    if not page.blocks.text or len(page.source) > MAX_BYTES:
        return None
    try:
        found = find_date(
            page.source.decode("utf-8", "replace"),
            original_date=True,
            url=page.url or None,
            min_date=f"{MIN_YEAR}-01-01",
            max_date=fetched_at.astimezone(UTC).date().isoformat(),
        )
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # What a parser of dates stumbles over is no date.
        return None
    return read_date(found, fetched_at=fetched_at) if found else None
