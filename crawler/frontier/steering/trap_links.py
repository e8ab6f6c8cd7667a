"""What the links of a page say of it: whether it leads on, or only further in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.frontier.steering.url_patterns import url_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from crawler.frontier.steering.page_worth import PageWorth
    from crawler.frontier.steering.url_patterns import UrlPattern

# New links of a page that are looked at.
MAX_LEADS = 16


def new_links(page: PageWorth) -> Iterator[UrlPattern]:
    """Yield the patterns of the first links on its own host that *page* was the first to have."""
    found = _own_links(page)
    if found is not None and page.is_new is not None:
        for place in np.flatnonzero(found & page.is_new)[:MAX_LEADS].tolist():
            yield url_pattern(page.links[place][1])


def has_new_links(page: PageWorth) -> bool:
    """Tell whether *page* was the first to link to some page, of whatever host."""
    if page.is_new is None or page.follow is None:
        return False
    return bool((page.is_new & page.follow).any())


def lead_into_new_only(page: PageWorth, sections: Iterable[str]) -> list[bool]:
    """Tell of each of *sections* whether *page* has two new links or more below it, and one known at most."""
    own = _own_links(page)
    new = known = None
    if own is not None and page.is_new is not None:
        new, known = own & page.is_new, own & ~page.is_new
    if new is None or known is None or np.count_nonzero(new) < 2:
        return [False for _ in sections]
    return [_are_new_only(page, new, known, section) for section in sections]


def _are_new_only(
    page: PageWorth, new: npt.NDArray[np.bool_], known: npt.NDArray[np.bool_], section: str
) -> bool:
    """Tell it of one, by the masks of links to what was *new*, and *known*."""
    found = set(_pages_below(page, new, section))
    if len(found) < 2:
        return False
    known_ones = set(_pages_below(page, known, section)) - found - {page.page_id}
    return len(known_ones) <= 1


def _pages_below(page: PageWorth, mask: npt.NDArray[np.bool_], section: str) -> list[int]:
    """Return the pages below *section*, all for an empty one, that the links of *mask* lead to."""
    assert page.link_ids is not None
    ids: list[int] = page.link_ids[mask].tolist()
    if not section:
        return ids
    places = np.flatnonzero(mask).tolist()
    links = page.links
    return [
        page_id
        for page_id, place in zip(ids, places, strict=True)
        if links[place][1].startswith(section)
    ]


def _own_links(page: PageWorth) -> npt.NDArray[np.bool_] | None:
    if page.link_ids is None or page.follow is None:
        return None
    own: npt.NDArray[np.bool_] = page.link_ids >> np.uint64(32) == page.host_id
    return own & page.follow
