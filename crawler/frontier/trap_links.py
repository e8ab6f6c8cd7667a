"""What the links of a page say of it: whether it leads on, or only further in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.frontier.url_patterns import url_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from crawler.frontier.page_worth import PageWorth
    from crawler.frontier.url_patterns import UrlPattern

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


def leads_into_new_only(page: PageWorth, section: str) -> bool:
    """Tell whether *page* has two new links or more below *section* of its host, and one known at most."""
    own = _own_links(page)
    if own is None or page.link_ids is None or page.is_new is None or not page.is_new.any():
        return False
    new = _pages_below(page, own & page.is_new, section)
    if len(set(new)) < 2:
        return False
    new_ones, known = {page.page_id, *new}, set()
    for page_id in _pages_below(page, own & ~page.is_new, section):
        if page_id not in new_ones:
            known.add(page_id)
            if len(known) > 1:
                return False
    return True


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
