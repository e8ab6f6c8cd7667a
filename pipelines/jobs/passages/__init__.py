"""Shared passages of two documents, and the sources of one in a corpus: ``scrapy passages``."""

from pipelines.jobs.passages.report import PassageReport, page, screen
from pipelines.jobs.passages.run import LIMIT, compare, find_sources

__all__ = ["LIMIT", "PassageReport", "compare", "find_sources", "page", "screen"]
