"""How what a cleaner found is shown: as text, as Markdown, and on the page's own markup.

*Source: Gottron 2008, section 4.3*, the six realisations of content extraction: extract, mark,
delete, hide, replace, restructure. Not handled: a page that ends within a tag; what is left out or added
may end that tag elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.boilerplate.renderers.markdown import markdown
from pipelines.boilerplate.renderers.on_markup import delete, hide, mark, replace, restructure

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Labels

    Renderer = Callable[[PageModel, Labels], str]

__all__ = [
    "RENDERERS",
    "delete",
    "extract",
    "hide",
    "mark",
    "markdown",
    "replace",
    "restructure",
]


def extract(page: PageModel, labels: Labels) -> str:
    """Return the text of the kept blocks of *page*, one a line; code keeps its lines."""
    return page.main_text(labels.kept)


RENDERERS: dict[str, Renderer] = {
    "extract": extract,
    "mark": mark,
    "delete": delete,
    "hide": hide,
    "replace": replace,
    "restructure": restructure,
}
"""The renderers by name; all but ``extract`` return HTML."""
