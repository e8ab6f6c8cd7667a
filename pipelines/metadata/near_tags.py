"""Author and date in the tags near the title: microdata, RDFa, microformats, ``time``.

A tag speaks for the text within its element. Of an element without text, such as a picture, nothing is taken: what
stands behind it is another's.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pipelines.metadata import tag_values
from pipelines.metadata.authors import byline_names, is_by, shown_names
from pipelines.metadata.near_words import AUTHOR_WORDS, DATE_WORDS, MAX_WORDS, WORDS, find_words
from pipelines.metadata.said_dates import MODIFIED
from pipelines.metadata.several_authors import AuthorTag, with_others

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from crawler.page import PageModel
    from pipelines.metadata.other_boxes import OtherBoxes

# Words that begin as one.
_NO_AUTHOR = re.compile(rb"author(?:i[sz](?:ed?|ation)|it(?:y|ies|ative)|ing)(?![a-z])")
# The box of a whole article, of which it says who wrote it: hAtom 0.1, with the names of authors of Squarespace.
_ENTRY = re.compile(rb"[\s\"'=](?:hentry|h-entry)[\s\"']")
_ATTRIBUTE = re.compile(rb"(rel|class|itemprop|property)\s*=[^=]*\Z")
_NO_VALUE = re.compile(rb"[\"'=]")
# The page of an author, as systems that publish call it.
_IN_LINK = re.compile(rb"href\s*=[^=]*/\Z")
_AUTHOR_PAGE = re.compile(rb"authors?/[^/\s\"'<>?#=]++/?[\s\"'>]")
# Far from the title: the box of who wrote the text, and not of who answers, is quoted, or wrote what is told of.
_OWN_BOX = re.compile(
    rb"author[-_]{0,2}(?:about|bio|box|details?|info|name|profile|text|wrap)|(?:article|blog|entry|post|story)[-_]{0,2}author\Z"
)
_OTHERS_BOX = re.compile(
    rb"answer|(?<!v)card|comment|opinion|quot|recent|recommend|related|repl(?:y|ies)|review|teaser|testimonial|tweet"
)
# More are a text in which an author is named.
_MAX_LINE_WORDS = 12
# Before the name may stand "by", and before that the name of a link to the post.
_N_RUNS = 3


class NearTags:
    """The tags of *page* from byte *start* of its source to *end*; *is_product* if the page is of one."""

    def __init__(self, page: PageModel, start: int, end: int, *, is_product: bool):
        self.page = page
        self.start, self.end = start, end
        self.is_product = is_product

    def author(self, headline: str | None) -> str | None:
        """Return the names in the first tag that names an author, or the first link to the page of one, and beside it."""
        return self._first_names(self._author_tags(), headline) or self._first_names(
            self._author_links(), headline
        )

    def only_author(self) -> str | None:
        """Return the names in tags for the author of a text; None where they name others than the first does."""
        own = filter(self._is_of_own_box, self._author_tags())
        all_names = filter(None, (self._names(tag, None) for tag in own))
        found = {names.casefold(): names for names in all_names}
        return found.popitem()[1] if len(found) == 1 else None

    def _is_of_own_box(self, tag: AuthorTag) -> bool:
        if _OTHERS_BOX.search(self._small, tag.start - self.start, tag.end - self.start):
            return False
        return tag.attribute != b"class" or any(map(_OWN_BOX.search, tag.words))

    def _first_names(self, tags: Iterator[AuthorTag], headline: str | None) -> str | None:
        for tag in tags:
            names = self._names(tag, headline)
            if names:
                return with_others(names, self.page, [tag, *tags])
        return None

    def _author_tags(self) -> Iterator[AuthorTag]:
        for start, end, place, _ in self._tags(AUTHOR_WORDS):
            tag = self._small[start:end]
            attributes = _ATTRIBUTE.findall(tag, 0, place - start)
            # What ``meta`` declares of the page has been read.
            is_meta = tag.startswith(b"<meta") and b"property" in attributes
            if attributes and not is_meta and not _ENTRY.search(tag):
                before, behind = tag[: place - start], tag[place - start :]
                value = _NO_VALUE.split(before)[-1] + _NO_VALUE.split(behind, maxsplit=1)[0]
                words = (word for word in value.split() if b"author" in word or b"byline" in word)
                yield self._author_tag(start, end, attributes[-1], words)

    def _author_links(self) -> Iterator[AuthorTag]:
        """Yield the links to pages of authors in short lines; those of one line are of one kind, for others may be a menu."""
        for start, end, place, _ in self._tags(AUTHOR_WORDS):
            is_link = _IN_LINK.search(self._small, start, place)
            run = self._run_behind(start, end)
            if run is not None and is_link and _AUTHOR_PAGE.match(self._small, place):
                block = int(self.page.found_runs[run, 2])
                if self.page.blocks.n_words[block] <= _MAX_LINE_WORDS:
                    yield self._author_tag(start, end, b"href", [b"%d" % block])

    def _author_tag(
        self, start: int, end: int, attribute: bytes, words: Iterable[bytes]
    ) -> AuthorTag:
        name = self._small[start:end].split(maxsplit=1)[0]
        return AuthorTag(self.start + start, self.start + end, name, attribute, frozenset(words))

    def author_in_attributes(self) -> str | None:
        """Return the author that a tag names in an attribute for that alone."""
        tags = (
            (self.start + start, self.start + end) for start, end, *_ in self._tags(AUTHOR_WORDS)
        )
        return tag_values.name_in_attributes(self.page.source, tags)

    def date(self, read: Callable[[str], str | None], boxes: OtherBoxes) -> tuple[str, str] | None:
        """Return the first date that *read* finds, and the source, ``microdata``, ``time`` or :data:`MODIFIED`.

        That of a change counts where there is no other; in *boxes* none does.
        """
        found = changed = None
        for start, end, _, word in self._tags(DATE_WORDS):
            day = read(self._text_of(start, end) or "") or read(self._title_of(start, end) or "")
            if day and boxes.hold_place(self.start + end):
                continue
            if day and word.startswith(b"date"):
                return day, "microdata"
            if tag_values.is_of_change(self._small, start, end):
                changed = changed or day
            else:
                found = found or day
        if found:
            return found, "time"
        return (changed, MODIFIED) if changed else None

    @cached_property
    def _small(self) -> bytes:
        return self.page.source[self.start : self.end].lower()

    @cached_property
    def _words(self) -> list[tuple[int, bytes]]:
        """What names an author or a date within a tag: place in `_small`, and the word; in page order."""
        found = np.empty((2 * MAX_WORDS, 2), np.int64)
        source = np.frombuffer(self.page.source, np.uint8)[self.start : self.end]
        n_found = find_words(source, found)
        return [
            (place, WORDS[number])
            for place, number in found[:n_found].tolist()
            if not _NO_AUTHOR.match(self._small, place)
        ]

    def _tags(self, words: Container[bytes]) -> Iterator[tuple[int, int, int, bytes]]:
        """Yield start and end of the tags around *words*, in page order, where the word begins, and the word."""
        for place, word in self._words:
            if word not in words:
                continue
            start = self._small.rfind(b"<", 0, place + 1)
            end = self._small.find(b">", place)
            is_around = start >= 0 and self._small.find(b">", start, place) < 0 <= end
            if is_around and not self._is_of_review(start, end):
                yield start, end, place, word

    def _is_of_review(self, start: int, end: int) -> bool:
        """Tell whether a tag is of a review of what the page is about; its class says it of a product alone."""
        is_behind = self.start + start > self._first_review
        return is_behind or (self.is_product and b"review" in self._small[start:end])

    @cached_property
    def _first_review(self) -> int:
        return tag_values.first_review(self.page.source)

    def _names(self, tag: AuthorTag, headline: str | None) -> str | None:
        """Return the names in the element of *tag*, a single word, too, unless it is a class or an address that says so."""
        start, end = tag.start - self.start, tag.end - self.start
        may_be_word = tag.attribute not in {b"class", b"href"}
        text = self._text_of(start, end)
        # The box of an article may name its author.
        if not text or text == headline:
            return None
        names = byline_names(text) or shown_names(text, takes_one_word=may_be_word)
        run = None if names else self._run_behind(start, end)
        if run is None:
            return names
        own, is_named = tag_values.own_text(
            self.page.source, self.page.found_runs[run : run + _N_RUNS]
        )
        names = byline_names(own) or shown_names(own, takes_one_word=is_named or may_be_word)
        return names or tag_values.formatted_name(self.page.source, tag.start, tag.end)

    def _text_of(self, start: int, end: int) -> str | None:
        """Return the value of the tag from *start* to *end*, or the text of the block that its element begins."""
        value = tag_values.value_of_tag(self.page.source, self.start + start, self.start + end)
        run = self._run_behind(start, end) if value is None else None
        if run is None:
            return value
        block = int(self.page.found_runs[run, 2])
        text = self.page.blocks.text[block]
        own, _ = tag_values.own_text(self.page.source, self.page.found_runs[run : run + _N_RUNS])
        if tag_values.touches(own, text):
            return own
        if is_by(text) and block + 1 < len(self.page.blocks):
            return self.page.blocks.text[block + 1]
        return text

    def _run_behind(self, start: int, end: int) -> int | None:
        """Return the first run of text in the element of a tag."""
        runs, behind = self.page.found_runs, self.start + end
        run = int(runs[:, 0].searchsorted(np.uint32(behind)))
        if run == len(runs) or runs[run, 0] > behind + tag_values.MAX_VALUE_BYTES:
            return None
        place = int(runs[run, 0])
        is_over = tag_values.is_over(self.page.source, self.start + start, behind, place)
        return None if is_over else run

    def _title_of(self, start: int, end: int) -> str | None:
        return tag_values.title_of_tag(self.page.source, self.start + start, self.start + end)
