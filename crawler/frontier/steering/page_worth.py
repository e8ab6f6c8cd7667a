"""What a fetched page was worth: the feedback that the rules on traps and yield learn from."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from crawler.durable.capture import Capture


class Worth(IntEnum):
    """*kept*: a document; *duplicate* of a page; *thin*: next to no text; *gone*: not there (4xx); *noindex*: it says.

    *other* is what says nothing of the URL: another language, another topic, an error that may pass.
    """

    OTHER = 0
    KEPT = 1
    DUPLICATE = 2
    THIN = 3
    GONE = 4
    REDIRECT = 5
    NOINDEX = 6


# Reasons of the stages' rows in `rejected`, as far as they say what a URL is worth.
_OF_REASON = {
    "duplicate": Worth.DUPLICATE,
    "duplicate_bytes": Worth.DUPLICATE,
    "near_duplicate": Worth.DUPLICATE,
    "small_page": Worth.THIN,
    "short_text": Worth.THIN,
    "low_kept_share": Worth.THIN,
    "repeated_lines": Worth.THIN,
    "empty": Worth.THIN,
    "no_main_text": Worth.THIN,
    "redirect": Worth.REDIRECT,
    "status_404": Worth.GONE,
    "status_410": Worth.GONE,
    "noindex": Worth.NOINDEX,
}


class PageWorth(NamedTuple):
    """One fetched page. *copy_of* is the URL of the page that it duplicates, *original* its host, empty otherwise.

    *likeness* is that of a kept page to others of its host (`Capture`). *clean_bytes*, *n_words* are of the main text,
    kept or a duplicate; *raw_bytes* of the answer's body.
    *links* are the keys of its links, *link_ids* uint64[n] their pages, *is_new* bool[n] whether this page
    was the first to link there, *follow* bool[n].
    """

    page_id: int
    url: str
    host: str
    worth: Worth
    original: str = ""
    copy_of: str = ""
    likeness: float = 0.0
    clean_bytes: int = 0
    raw_bytes: int = 0
    n_words: int = 0
    links: Sequence[tuple[str, str]] = ()
    link_ids: npt.NDArray[np.uint64] | None = None
    is_new: npt.NDArray[np.bool_] | None = None
    follow: npt.NDArray[np.bool_] | None = None

    @property
    def host_id(self) -> int:
        return self.page_id >> 32


def page_worth(capture: Capture) -> PageWorth | None:
    """Return what the committed *capture* was worth, None when nothing was fetched for good.

    A later visit that left the page as it was says nothing that was not known.
    """
    row = capture.row
    if row is None or capture.status is None or capture.table == "visits":
        return None
    copy_of = row.get("duplicate_of") or ""
    known = PageWorth(capture.page_id, capture.url, capture.host, Worth.OTHER, copy_of=copy_of)
    found = capture.link_pages
    if found is not None:
        known = known._replace(
            links=found.keys, link_ids=found.ids, is_new=found.is_new, follow=found.follow
        )
    if capture.table == "rejected":
        worth = _OF_REASON.get(row["reason"], Worth.OTHER)
        return known._replace(worth=worth, raw_bytes=capture.n_bytes)
    worth = (
        Worth.KEPT if capture.table == "documents" else _OF_REASON.get(row["reason"], Worth.OTHER)
    )
    return known._replace(
        worth=worth,
        original=urlsplit(copy_of).netloc,
        likeness=capture.likeness,
        clean_bytes=len((row["text"] or "").encode("utf-8", "surrogatepass")),
        raw_bytes=row["raw_bytes"],
        n_words=row["n_words"],
    )
