"""The date of a page, of all that it says of it; *date_source* of `pipelines.metadata.Metadata` says which counted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pipelines.metadata.dates import date_of_url, read_date
from pipelines.metadata.meta_names import CHANGE, DATE
from pipelines.metadata.said_dates import MODIFIED, said_dates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from crawler.page import PageModel
    from pipelines.metadata.json_ld import Declared
    from pipelines.metadata.near_title import NearTitle

    Meta = Mapping[str, Sequence[str]]


def date_of(
    page: PageModel, meta: Meta, declared: Declared, near: NearTitle
) -> tuple[str | None, str | None]:
    """Return the date of *page* and its source, None for both where it says none: see `Metadata`.

    *meta*: the values of its ``meta`` tags, *declared* what its JSON-LD says, *near* what stands near its title.
    """
    read = partial(read_date, fetched_at=near.fetched_at, language=page.declared_language)
    if day := read(declared.date or ""):
        return day, "json-ld"
    if day := _first_day(meta, DATE, read):
        return day, "meta"
    found = near.tagged_date()
    if found and found[1] == "microdata":
        return found
    if day := date_of_url(page.url, fetched_at=near.fetched_at):
        return day, "url"
    found = found or near.written_date()
    if found and found[1] != MODIFIED:
        return found
    said = said_dates(page, read, near.boxes)
    changed = (
        (found and found[0])
        or read(declared.modified or "")
        or _first_day(meta, CHANGE, read)
        or said.changed
    )
    # What was posted behind the change is an answer to the page.
    if said.published and (changed is None or said.published <= changed):
        return said.published, "text"
    return (changed, MODIFIED) if changed else (None, None)


def _first_day(meta: Meta, names: Iterable[str], read: Callable[[str], str | None]) -> str | None:
    """Return the first date that *read* finds in the values of *names*."""
    return next(filter(None, (read(meta[name][0]) for name in names if name in meta)), None)
