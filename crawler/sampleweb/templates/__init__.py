"""The templates of the sample web, one a file: each writes the body of a page.

A template decides what stands where; the host's style decides how it is written, and the page's
noise how much of the boilerplate is long enough to be taken for text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.templates import (
    blog,
    directory,
    divsoup,
    forum,
    minimal,
    semantic,
    shop,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import PageWriter

RENDERERS: dict[str, Callable[[PageWriter, View], None]] = {
    "table": table.render,
    "divsoup": divsoup.render,
    "semantic": semantic.render,
    "blog": blog.render,
    "forum": forum.render,
    "shop": shop.render,
    "directory": directory.render,
    "minimal": minimal.render,
}
