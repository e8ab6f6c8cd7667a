"""Compares a finished crawl of a known web with the answers, and scores its cleaning.

What must be equal (what a user is promised): the pages fetched and how often, nothing that
robots.txt forbids, the arcs, one row a page, which texts are kept, the exact duplicates, the
languages. What is measured: the kept text against the known main text, and the near-duplicates found
of those planted.
"""

from __future__ import annotations

from pipelines.jobs.sample_answers.answers import Answers, CrawlRules, PageAnswer
from pipelines.jobs.sample_answers.comparison import Comparison, compare
from pipelines.jobs.sample_answers.report import report, report_json

__all__ = ["Answers", "Comparison", "CrawlRules", "PageAnswer", "compare", "report", "report_json"]
