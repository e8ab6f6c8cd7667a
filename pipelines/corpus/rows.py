"""From the page of a crawl to a row of ``documents``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.items import COLUMNS

if TYPE_CHECKING:
    from crawler.items import Page


def document_row(page: Page) -> dict[str, Any]:
    """Return the row of *page*: its fields, with the digest as 16 bytes."""
    row = {column: getattr(page, column) for column in COLUMNS}
    row["digest"] = None if page.digest is None else bytes.fromhex(page.digest)
    return row
