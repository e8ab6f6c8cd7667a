"""The page model: one scan from the bytes of an answer to blocks, links and what the page says.

Everything else in Winnow stands on it; no stage parses a page again.
"""

from __future__ import annotations

from crawler.page.blocks import Blocks
from crawler.page.build import build_page
from crawler.page.limits import PageLimits, PageRules, page_limits, page_rules
from crawler.page.links import LinkKind, Links, References, redirect_link
from crawler.page.model import PageModel

__all__ = [
    "Blocks",
    "LinkKind",
    "Links",
    "PageLimits",
    "PageModel",
    "PageRules",
    "References",
    "build_page",
    "page_limits",
    "page_rules",
    "redirect_link",
]
