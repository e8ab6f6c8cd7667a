"""Names of tags as numbers that are the same in every process: hashes.

A tag is 63 bits of the hash of its lower-case name; the lowest bit, `END`, tells an end tag.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import xxhash

from crawler.page.scanning.names import TAG_NAMES
from crawler.page.scanning.state import IS_END_TAG, N_END, N_NAME, N_START

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    Hashes = npt.NDArray[np.uint64]

END = np.uint64(1)
_BLANKS = b" \t\n\f\r/>"
# Names that pages make up are kept, too, but not all that a corpus has.
_KEPT_NAMES = 4096


@lru_cache(_KEPT_NAMES)
def label(name: str) -> int:
    """Return the number of the tag *name*, ``/p`` for an end tag; letters count as small ones.

    >>> label("P") == label("p"), label("/p") - label("p")
    (True, 1)
    """
    found = xxhash.xxh3_64_intdigest(name.removeprefix("/").lower().encode("utf-8", "replace"))
    return found & ~1 | name.startswith("/")


@cache
def _known() -> Hashes:
    """Return the labels of the scan's numbers of names: start tags, then end tags, uint64[2, n]."""
    return np.array(
        [[label(mark + name) for name in TAG_NAMES] for mark in ("", "/")], dtype=np.uint64
    )


def tag_labels(page: PageModel) -> tuple[Hashes, npt.NDArray[np.bool_]]:
    """Return the labels of the tags of *page* in source order, uint64[t], and which are end tags, bool[t].

    Tags within scripts, comments and attributes are none.
    """
    tags = page.found_tags
    is_end = tags[:, N_NAME] & IS_END_TAG != 0
    number = tags[:, N_NAME] & (IS_END_TAG - 1)
    found = _known()[is_end.astype(np.intp), np.minimum(number, len(TAG_NAMES) - 1)]
    for place in np.flatnonzero((number == 0) | (number >= len(TAG_NAMES))).tolist():
        start, end = int(tags[place, N_START]) + 1, int(tags[place, N_END])
        found[place] = label(_name(page.source[start:end]))
    return found, is_end


def _name(tag: bytes) -> str:
    """Return the name that *tag*, all of it behind its ``<``, begins with, and the slash before it.

    >>> _name(b"/My-Tag a=b>"), _name(b"path/>")
    ('/My-Tag', 'path')
    """
    slash = tag[:1] == b"/"
    name = tag[slash:]
    end = min((place for sign in _BLANKS if (place := name.find(sign)) >= 0), default=len(name))
    return "/" * slash + name[:end].decode("utf-8", "replace")
