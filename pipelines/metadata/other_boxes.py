"""Boxes of a page that are of something else: comments, notices on cookies, teasers of related texts.

What such a box says of a date is not the page's own. A box is an element whose class or id says what it is, that has no
``h1`` and less than half of the page's words: what is named so and has more is what the page is for, or a frame around it
all that says what it may hold.

Cost: linear in the source; at most MOST_NAMES places of such words are looked at, and MOST_BOXES boxes, up to what is asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.found_tags import start_tags
from crawler.page.scanning.state import N_END, N_START
from pipelines.metadata.tag_values import end_of_element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crawler.page import PageModel

MOST_NAMES, MOST_BOXES = 1000, 100
# Elements within each other, or that do not end, are read again and again.
_MAX_READ_BYTES = 2_000_000
_WORDS = (b"comment", b"disqus", b"cookie", b"gdpr", b"onetrust", b"consent", b"related")
# The source is searched a part at a time: dates stand near its begin, mostly.
_PART_BYTES, _MOST_WORD_BYTES = 2**15, max(map(len, _WORDS))
# What is within a line may say how many comments there are, and so may what has the date. Systems that publish write
# the topics of a post into its class: it may be on cookies. Flarum and Invision call all posts of a thread so.
_BOX = re.compile(
    rb"""<(?:article|aside|dialog|div|dl|footer|form|li|ol|p|section|table|tbody|td|tr|ul)\s
    (?:[^<>]*?[\s"'])?(?:class|id)\s*+=\s*+["']?(?:[^"'<>=]*\s)?
    (?!(?:category|tag)-|[^\s"'<>=]*(?:(?<!up)date|time|meta|by-?line|info)[^\s"'<>=]*comment
    |[^\s"'<>=]*comments[-_][^\s"'<>=]*(?:date|time))
    [^\s"'<>=]*?(?:(?<!ips)comment(?!post|s?[-_]?(?:count|link|number|off|on(?![a-z])|open|closed|status))
    |disqus|gdpr|cookie|onetrust|consent|related)""",
    re.VERBOSE,
)
# How far before a name its tag begins, and how long a name is with what follows it.
_MAX_TAG_BYTES, _MAX_NAME_BYTES = 1000, 20
# Headings of what readers answered, and of other texts; "Comments on a bill" heads a text itself.
_COMMENTS = (
    r"comments?|responses?|repl(?:y|ies)|kommentare?|antworten|commentaires?|réponses|comentarios?|comentários?"
    r"|respuestas|commenti|reacties|kommentarer|komentarze|комментари[ийев]+|评论|コメント"
)
_HEADING = re.compile(
    rf"\W*(?:(?:\d[\d.,]*|one|no|leave|add|post)\s(?:an?\s)?(?:{_COMMENTS})(?!\w)"
    rf"|(?:(?:latest|recent|all)\s)?(?:{_COMMENTS}|(?:related|recommended)(?:\s\w+)?)\W*\d*\W*\Z"
    r"|you\s(?:may|might)\s|more\s(?:from|in)\s)",
    re.IGNORECASE,
)
_MAX_HEADING_WORDS = 8


class OtherBoxes:
    """The boxes of *page* that are of something else; none if the block *title* is in one: the page is what people say."""

    def __init__(self, page: PageModel, title: int = 0):
        self.page = page
        self.title = title
        self._found: list[tuple[int, int]] = []
        self._titles: list[int] | None = None
        self._read_bytes = self._n_names = self._n_tags = self._n_box_bytes = 0
        self._last_tag = -1

    def hold(self, block: int) -> bool:
        """Tell whether *block* begins in one of them.

        >>> from crawler.page import build_page
        >>> source = b"<h1>On rain</h1><p>It rained all day.<div class=comments><p>So it did.</div>"
        >>> boxes = OtherBoxes(build_page(source, url="http://a.example/", content_type="text/html"))
        >>> boxes.hold(1), boxes.hold(2)
        (False, True)
        """
        return self.hold_place(self._place_of(block))

    def hold_place(self, place: int) -> bool:
        """Tell whether the byte *place* of the source stands in one of them."""
        title = self._place_of(self.title)
        # The name of a box stands behind the begin of its tag.
        last = min(max(place, title) + _MAX_TAG_BYTES, len(self.page.source))
        while self._read_bytes < last:
            self._read_on()
        if any(start <= title < end for start, end in self._found):
            return False
        return any(start <= place < end for start, end in self._found)

    def _place_of(self, block: int) -> int:
        runs = self.page.found_runs
        run = int(runs[:, 2].searchsorted(np.uint32(block)))
        return int(runs[run, 0]) if run < len(runs) else len(self.page.source)

    def are_headed(self, block: int) -> bool:
        """Tell whether the last heading before *block* is one of comments or other texts."""
        blocks = self.page.blocks
        headings = np.flatnonzero(blocks.heading_level[:block])
        if not len(headings):
            return False
        last = int(headings[-1])
        is_short = int(blocks.n_words[last]) <= _MAX_HEADING_WORDS
        return is_short and _HEADING.match(blocks.text[last]) is not None

    def _read_on(self) -> None:
        """Look for boxes that are named in the next part of the source, in page order."""
        begin = self._read_bytes
        self._read_bytes += _PART_BYTES
        small = self.page.source[begin : self._read_bytes + _MOST_WORD_BYTES - 1].lower()
        places = (at for word in _WORDS for at in _places(small, word) if at < _PART_BYTES)
        for at in sorted(places)[: MOST_NAMES - self._n_names]:
            self._n_names += 1
            tag = self._named_tag(begin + at)
            if tag is not None and self._n_tags < MOST_BOXES:
                self._n_tags += 1
                self._add(*tag)

    def _named_tag(self, place: int) -> tuple[int, int] | None:
        """Return start and end of the tag of an element whose class or id names such a box at *place*, once."""
        source, rows = self.page.source, self.page.found_tags
        start = source.rfind(b"<", max(0, place - _MAX_TAG_BYTES), place)
        number = int(rows[:, N_START].searchsorted(np.uint32(max(start, 0))))
        # Else it stands in a script, a comment or a text.
        is_tag = number < len(rows) and rows[number, N_START] == start != self._last_tag
        end = int(rows[number, N_END]) if is_tag else 0
        if end <= place or not _BOX.match(
            source[start : min(end, place + _MAX_NAME_BYTES)].lower()
        ):
            return None
        self._last_tag = start
        return start, end

    def _add(self, start: int, tag_end: int) -> None:
        """Add the box whose tag begins at *start*, unless it is the page's own or within the last one."""
        behind = self._found[-1][1] if self._found else 0
        if start < behind or self._n_box_bytes > _MAX_READ_BYTES:
            return
        source = self.page.source
        end = end_of_element(source, start, tag_end, len(source)) or len(source)
        self._n_box_bytes += end - start
        if self._titles is None:
            self._titles = [at for at, _ in start_tags(self.page, "h1", most=MOST_BOXES)]
        has_title = any(start < title < end for title in self._titles)
        if not has_title and 2 * self._n_words(start, end) < self._n_words(0, len(source)):
            self._found.append((start, end))

    def _n_words(self, start: int, end: int) -> int:
        """Return how many words the blocks have that begin between *start* and *end* of the source, about."""
        runs = self.page.found_runs
        first, behind = runs[:, 0].searchsorted(np.array([start, end], np.uint32)).tolist()
        blocks = runs[first:behind, 2]
        return int(self.page.blocks.n_words[blocks[0] : blocks[-1] + 1].sum()) if len(blocks) else 0


def _places(text: bytes, word: bytes) -> Iterator[int]:
    """Yield where *word* stands in *text*."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)
