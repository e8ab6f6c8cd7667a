"""What a page says of itself: title, author, date and description, each with its source."""

from __future__ import annotations

from pipelines.metadata.page_metadata import Metadata, metadata

__all__ = ["Metadata", "metadata"]
