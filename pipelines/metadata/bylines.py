"""The author whom a byline names, among blocks of text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipelines.metadata.authors import byline_names, inner_byline_names, is_by, shown_names
from pipelines.metadata.note_marks import without_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.page import PageModel

# What every byline begins with (`pipelines.metadata.authors`), in UTF-8: most texts have none of it. Letters beyond
# ASCII may be equal to some within, but for their case.
_MAY_BE_BYLINE = re.compile(
    rb"(?i)(?:[\x80-\xff]|[apbwvtdesy][\x80-\xff]|a[fuv]|by|d[io]|e[is]|ge|na|p[aou]|re|s[cktu]|te|v[eo]|w[or]|ya)"
)
# One that follows something else in its line: behind a sign; 作者, 记者, 記者.
_INNER_BYLINE = re.compile(
    rb"(?:[|]|\xc2\xb7|\xe2\x80\xa2)\s|(?:\xe4\xbd\x9c|\xe8\xae\xb0|\xe8\xa8\x98)\xe8\x80\x85"
)
# A letter by itself, as of a note that stands raised behind a blank; of a byline, which is short.
_MAY_HAVE_NOTES = re.compile(rb"\s[a-z](?![^\s,;])")
_MAX_NOTED_BYTES = 240


def written_author(page: PageModel, texts: Iterable[tuple[int, bytes]]) -> str | None:
    """Return the names in the first of *texts*, blocks of *page* by their numbers, that is a byline."""
    for place, line in texts:
        if _MAY_BE_BYLINE.match(line) is None and _INNER_BYLINE.search(line) is None:
            continue
        text = line.decode()
        if is_by(text) and place + 1 < len(page.blocks):
            names = shown_names(page.blocks.text[place + 1])
        else:
            names = byline_names(text) or inner_byline_names(text)
            may_have = names or _MAY_HAVE_NOTES.search(line, 0, _MAX_NOTED_BYTES)
            shown = without_notes(page, place, text) if may_have else text
            if shown != text:
                names = byline_names(shown) or inner_byline_names(shown) or names
        if names:
            return names
    return None
