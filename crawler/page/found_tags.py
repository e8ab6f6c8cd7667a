"""Where tags of a name stand in the source of a page, as the scan found them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page.scanning.names import TAG_ID
from crawler.page.scanning.state import IS_END_TAG, N_END, N_NAME, N_START

if TYPE_CHECKING:
    from crawler.page.model import PageModel

# The number of the name, and whether the tag is an end.
_NAME_OF_START = 2 * IS_END_TAG - 1


def start_tags(page: PageModel, *names: str, most: int) -> list[tuple[int, int]]:
    """Return where the first *most* start tags of *names* begin and end in the source of *page*, in page order.

    Tags within scripts, comments and attributes are none.

    >>> from crawler.page import build_page
    >>> page = build_page(b"<p>A<br/><!-- <br> --><P>B", url="http://a.example/", content_type="text/html")
    >>> start_tags(page, "br", "p", most=2)
    [(0, 3), (4, 9)]
    """
    tags = page.found_tags
    name = tags[:, N_NAME] & _NAME_OF_START
    is_wanted = np.logical_or.reduce([name == TAG_ID[wanted] for wanted in names])
    found = tags[np.flatnonzero(is_wanted)[:most]]
    return list(zip(found[:, N_START].tolist(), found[:, N_END].tolist(), strict=True))
