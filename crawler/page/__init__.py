"""The page model: one scan from the bytes of an answer to blocks, links and what the page says.

Everything else in Winnow stands on it; no stage parses a page again.
"""

from __future__ import annotations

from crawler.page.blocks import Blocks
from crawler.page.build import build_page
from crawler.page.limits import PageLimits
from crawler.page.links import LinkKind, Links, redirect_link
from crawler.page.model import PageModel

__all__ = [
    "Blocks",
    "LinkKind",
    "Links",
    "PageLimits",
    "PageModel",
    "build_page",
    "redirect_link",
]
