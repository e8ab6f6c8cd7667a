"""Author and date as they stand near the title: microdata, ``time``, bylines.

Near is from NEAR_BEFORE bytes before the title to NEAR_BEHIND behind it, and as many blocks as NEAR_BLOCKS say:
elsewhere stand others, with authors and dates of their own. The title is the ``h1`` that says most of what the page's
title says, or a block that is a longer part of it; else the first ``h1``, else the first long block without links.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import GAP_BITS
from crawler.page.words import as_value
from pipelines.metadata.authors import author_names, byline_names
from pipelines.metadata.bylines import written_author
from pipelines.metadata.dates import MAY_BE_DATE, dateline, is_told, read_date
from pipelines.metadata.forum_posts import first_poster
from pipelines.metadata.near_tags import NearTags
from pipelines.metadata.other_boxes import OtherBoxes
from pipelines.metadata.said_dates import MODIFIED, is_of_change
from pipelines.metadata.titles import MIN_PART_BYTES, bare, title_ends, title_parts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from crawler.page import PageModel

NEAR_BEFORE, NEAR_BEHIND = 4_000, 8_000
# Blocks before and behind the title.
NEAR_BLOCKS = 12, 14
_MAX_BYLINE_WORDS, _MIN_TEXT_WORDS = 20, 25
_MIN_TITLE_CHARS, _MAX_TITLE_PLACE = 6, 1000
_MAX_HEADINGS = 100
# One of more blocks was never closed, or is no heading.
_MAX_HEADING_BLOCKS = 4

_H1 = np.uint64(GAP_BITS["h1"])
_PUBLISHED = re.compile(
    r"\b(?:published|posted|created|veröffentlicht|erstellt|publié|publicado|pubblicato|gepubliceerd|опубликовано)\b",
    re.IGNORECASE,
)
# Dates of the members of forums.
_OF_MEMBER = re.compile(
    r"\W*(?:registered|joined|join date|member since|registriert|mitglied seit|dabei seit|beigetreten|inscrit"
    r"|registrado|miembro desde|iscritto|lid sinds|zarejestrowany|dołączył|регистрация|注册|註冊|加入)",
    re.IGNORECASE,
)


@dataclass(slots=False)
class NearTitle:
    """The surroundings of the title of *page*, *is_product* if that is of one; *fetched_at* bounds the dates.

    *declared*: what else the page declares as its title, for machines.
    """

    page: PageModel
    fetched_at: datetime
    is_product: bool = False
    declared: tuple[str, ...] = ()

    @cached_property
    def page_title(self) -> str:
        """The title of the page without what is not seen, "" for none."""
        return as_value(self.page.title or "")

    @cached_property
    def heading(self) -> str | None:
        """The text of the ``h1`` that says most of what the page's title says, else of the first."""
        place, n_blocks, _ = self._heading
        return self._joined(place, n_blocks) or None

    @cached_property
    def headlines(self) -> set[str]:
        """What may be the headline, without blanks and signs: `heading` if the page's title has it, else each ``h1``."""
        if self._heading[2]:
            return {bare(self.heading or "")}
        # A text between two headings is none.
        return {bare(text) for place, _, text in self._headings if self._is_heading(place)} - {""}

    @cached_property
    def _heading(self) -> tuple[int, int, int]:
        """The first block of `heading`, how many it has, and how many letters it shares with a title of the page."""
        first = self._headings[0][:2] if self._headings else (0, 0)
        titles = dict.fromkeys(filter(None, map(bare, (self.page_title, *self.declared))))
        return next(filter(None, map(self._heading_like, titles)), (*first, 0))

    def _heading_like(self, title: str) -> tuple[int, int, int] | None:
        names = [(bare(text), place, n_blocks) for place, n_blocks, text in self._headings]
        alike = [one for one in names if one[0] and (one[0] in title or title in one[0])]
        if not alike:
            return None
        name, place, n_blocks = max(alike, key=lambda one: min(len(one[0]), len(title)))
        return place, n_blocks, min(len(name), len(title))

    @cached_property
    def _headings(self) -> list[tuple[int, int, str]]:
        """The first block of each ``h1``, how many it has, and its text."""
        found = islice(self._found_headings(), _MAX_HEADINGS)
        return [(place, n_blocks, self._joined(place, n_blocks)) for place, n_blocks in found]

    def _found_headings(self) -> Iterator[tuple[int, int]]:
        """Yield the first block of each ``h1`` and how many it has, but for those of many."""
        blocks = self.page.blocks
        # Its tags stand in the gap before and in the one behind, if any follows.
        gaps = (blocks.gap_mask & _H1).nonzero()[0].tolist()
        for gap, behind in pairwise((*gaps, len(blocks))):
            n_blocks = behind - gap
            # Several blocks may also stand between two headings.
            is_short = n_blocks <= _MAX_HEADING_BLOCKS
            if n_blocks == 1 or (is_short and self._is_heading(gap)):
                yield gap, n_blocks

    def _is_heading(self, place: int) -> bool:
        blocks = self.page.blocks
        return blocks.paths.kinds[int(blocks.path_number[place])] == "heading1"

    def _joined(self, place: int, n_blocks: int) -> str:
        texts = self.page.blocks.text
        return as_value(" ".join(texts[place + number] for number in range(n_blocks)))

    @cached_property
    def headline(self) -> str | None:
        """The text of a block that is the longest part of the page's title, else `heading`."""
        place, is_text = self._place
        first, n_blocks, _ = self._heading
        is_heading = first <= place < first + n_blocks
        if is_text or is_heading or not self._is_part_of_title(place, 0):
            return self.heading
        text = self.page.blocks.text[place]
        others = title_parts(self.page_title.replace(text, "", 1))
        return as_value(text) if len(text) >= max(map(len, others)) else self.heading

    @cached_property
    def place(self) -> int:
        """The block of the title; 0 when there is none."""
        return self._place[0]

    @cached_property
    def _place(self) -> tuple[int, bool]:
        """The block of the title, and whether it is text that stands for a title."""
        first, n_blocks, n_shared = self._heading
        place = first if n_blocks else None
        if place is None or not bare(self.page_title).startswith(bare(self.heading or "")):
            named = self._named_place()
            # A heading that is the end of the title may be the name of the site.
            is_title = named is not None and self._is_part_of_title(named, n_shared)
            place = named if place is None or is_title else place
        if place is not None:
            return place, False
        blocks = self.page.blocks
        is_text = (blocks.n_words >= _MIN_TEXT_WORDS) & (blocks.linked_words == 0)
        return (int(np.argmax(is_text)), True) if is_text.any() else (0, False)

    def _is_part_of_title(self, place: int, n_shared: int) -> bool:
        """Tell whether that block is a part of the page's title, longer than *n_shared* letters.

        Behind it the title goes on with a sign. A short one that is no heading may be a link.
        """
        if place >= len(self.page.blocks):
            return False
        text = self.page.blocks.text[place]
        rest = self.page_title.partition(text)[2].lstrip()
        is_heading = bool(self.page.blocks.heading_level[place])
        is_long = is_heading or len(text.encode()) >= MIN_PART_BYTES
        return is_long and len(bare(text)) > n_shared and not rest[:1].isalnum()

    def _named_place(self) -> int | None:
        """Return the first block that the page's title begins with, else one that is its end."""
        title = self.page_title.encode("utf-8", "surrogatepass")
        beginning = self.page_title[:_MIN_TITLE_CHARS].encode("utf-8", "surrogatepass")
        if len(self.page_title) < _MIN_TITLE_CHARS or b"\n" in beginning:
            return None
        texts, wanted = b"\n" + self.page.blocks.utf8, b"\n" + beginning
        before = texts.find(wanted)
        while before >= 0:
            end = texts.find(b"\n", before + 1)
            if title.startswith(texts[before + 1 : end]):
                return _line_of(texts, before)
            before = texts.find(wanted, end)
        found = (texts.find(b"\n%b\n" % end) for end in title_ends(self.page_title))
        return next((_line_of(texts, before) for before in found if before >= 0), None)

    @cached_property
    def _bytes(self) -> tuple[int, int]:
        """Start and end in the source."""
        runs = self.page.found_runs
        if not len(runs):
            return 0, 0
        run = min(int(runs[:, 2].searchsorted(np.uint32(self.place))), len(runs) - 1)
        start = int(runs[run, 0])
        return max(start - NEAR_BEFORE, 0), start + NEAR_BEHIND

    @cached_property
    def _texts(self) -> list[tuple[int, bytes]]:
        """The blocks near the title, with their texts, the nearest first, of two as near that behind it.

        Where text stands for the title, those before it come first: dates and authors stand above.
        """
        before, behind = NEAR_BLOCKS
        # A page without text has no title to be near to.
        last = min(self.place, len(self.page.blocks) - 1)
        first = max(last - before, -1) + 1
        texts = [*enumerate(self.page.blocks.text.lines(first, self.place + behind), first)]
        if self._place[1]:
            return texts[last - first :: -1] + texts[last + 1 - first :]
        return sorted(texts, key=lambda text: (abs(text[0] - last), -text[0]))

    @cached_property
    def boxes(self) -> OtherBoxes:
        """The boxes of the page that are of something else."""
        return OtherBoxes(self.page, self.place)

    @cached_property
    def _tags(self) -> NearTags:
        return NearTags(self.page, *self._bytes, is_product=self.is_product)

    def author(self) -> tuple[str, str] | None:
        """Return the author and the source, ``microdata`` or ``byline``."""
        tagged = self._tags.author(self.headline)
        if tagged:
            return tagged, "microdata"
        written = written_author(self.page, self._texts)
        if written:
            return written, "byline"
        far = NearTags(self.page, 0, len(self.page.source), is_product=self.is_product)
        name = self._tags.author_in_attributes() or far.only_author()
        name = name or author_names([first_poster(self.page.source, self.page.url) or ""])
        return (name, "microdata") if name else None

    def tagged_date(self) -> tuple[str, str] | None:
        """Return the date of a tag and the source: see `NearTags.date`."""
        return self._tags.date(self._read, self.boxes)

    def written_date(self) -> tuple[str, str] | None:
        """Return the date in the text, and the source, ``byline`` or :data:`MODIFIED`."""
        for place, line in self._texts:
            found = self._date_in(place, line.decode()) if MAY_BE_DATE.search(line) else None
            if found and not self.boxes.hold(place):
                return found
        return None

    def _date_in(self, place: int, text: str) -> tuple[str, str] | None:
        """Return the date in *text*, that of the block at *place*, and the source."""
        is_long = self.page.blocks.n_words[place] > _MAX_BYLINE_WORDS
        if is_long or (is_told(text) and not byline_names(text)):
            text = dateline(text)
        # Behind the date of a change, or before it.
        published = _PUBLISHED.search(text)
        day = published and self._read(text[published.end() :])
        if day:
            return day, "byline"
        day = None if _OF_MEMBER.match(text) else self._read(text)
        return (day, MODIFIED if is_of_change(text) else "byline") if day else None

    def _read(self, text: str) -> str | None:
        return read_date(text, fetched_at=self.fetched_at, language=self.page.declared_language)


def _line_of(texts: bytes, before: int) -> int | None:
    """Return which line of *texts* the line break at *before* begins; None for one far down the page."""
    place = texts.count(b"\n", 0, before)
    return place if place < _MAX_TITLE_PLACE else None
