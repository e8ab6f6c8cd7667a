"""Who wrote the first post of a thread, in the markup of programs for forums that name no author otherwise.

The markup of phpBB, vBulletin, FluxBB and PunBB, MyBB, and Flarum. What a member is called stands first in the
element, alone, within further elements.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipelines.metadata.tag_values import text_behind

if TYPE_CHECKING:
    from collections.abc import Iterator

# A word of the class of the element that holds the name of who wrote a post.
_CLASSES = (
    *(b"username", b"username-coloured", b"bigusername", b"postauthor", b"postleft"),
    *(b"author_information", b"PostUser-name"),
)
# Of forms, which ask for a name.
_TAG = re.compile(
    rb"<(?!input|label|form|p\b)[a-z][a-z0-9]*\s(?:[^<>]*\s)?class\s*=[^=<>]*\Z", re.IGNORECASE
)
_REST = re.compile(rb"[^<>]{0,500}>(?:\s*+<[a-z][^<>]{0,500}>){0,8}", re.IGNORECASE)
# Addresses of threads: other pages are not looked through.
_OF_FORUM = re.compile(r"forum|thread|topic|bbs|board|discuss|community|/[td]/", re.IGNORECASE)
_MAX_TAG_BYTES = 500
# How far down a page the first post begins at most.
_MAX_HEAD_BYTES = 2**16
# What begins and ends what holds no markup of the page, and how far it is looked for.
_NO_MARKUP = ((b"<script", b"</script"), (b"<!--", b"-->"))
_MAX_SCRIPT_BYTES = 100_000
_MAX_PLACES = 20


def first_poster(source: bytes, url: str) -> str | None:
    """Return what the member is called whose post comes first in *source*; None where no post says, or *url* is another's.

    >>> first_poster(b"<dt><a href='/m?u=7' class='username'>b.scherer</a>", "http://a.test/viewtopic.php?t=1")
    'b.scherer'
    """
    if not _OF_FORUM.search(url):
        return None
    head = source[:_MAX_HEAD_BYTES]
    found = (next(_names(head, name), None) for name in _CLASSES)
    return min(filter(None, found), default=(0, None))[1]


def _names(source: bytes, word: bytes) -> Iterator[tuple[int, str]]:
    """Yield where elements of that class begin, and the names in them."""
    place = -1
    for _ in range(_MAX_PLACES):
        place = source.find(word, place + 1)
        if place < 0:
            return
        end = place + len(word)
        is_word = source[place - 1 : place] in b"\"' =" and source[end : end + 1] in b"\"' >"
        start = source.rfind(b"<", max(place - _MAX_TAG_BYTES, 0), place)
        if is_word and start >= 0 and _TAG.match(source[start:place]):
            rest = _REST.match(source, end)
            name = text_behind(source, rest.end() - 1) if rest else ""
            # A form may ask for one.
            is_form = name.rstrip(" :").casefold() == "username"
            if name and not is_form and _is_markup(source, start):
                yield place, name


def _is_markup(source: bytes, place: int) -> bool:
    """Tell whether what stands there is of the page itself, and not of a script that makes such, or of a comment."""
    first = max(place - _MAX_SCRIPT_BYTES, 0)
    return all(
        source.rfind(begin, first, place) <= source.rfind(end, first, place)
        for begin, end in _NO_MARKUP
    )
