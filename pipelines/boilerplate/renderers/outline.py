"""The outline of a page: its kept blocks as headings, paragraphs, lists, tables, quotes and code.

It is read from the tags between the runs of text (:mod:`crawler.page.markup_events`), without a tree. An end tag, that
of a ``div`` or ``section``, too, closes what is open within its element; ``li``, ``tr`` and ``td`` close an open one of
their kind; the end of the page closes all. Lists, quotes and tables are at most ``MAX_DEPTH`` deep in each other:
deeper ones are text of those around them. The kind of its first block is the level of a heading; boxes and paragraphs
in it are its lines.

A table of data stays a table (:mod:`.tables`); one made for the layout is read cell by cell. ``dt`` and ``dd`` are
items of a list. Two line breaks end a paragraph. Signs that link to a place on the page itself, such as the pilcrow
behind a heading, are left out.

Cost: O(n). Invariant: each kept block that has runs is in the outline, and no other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.code_lines import CODE, ENDS_LINE, OTHER_ENDS, stands_in_code
from crawler.page.markup_events import NO_BLOCK, Markup, Text, events, markup_of
from crawler.page.shown_text import has_word, text_of
from crawler.page.tags import MUTED_IN_LINE, PHRASING, PREFIXED, TRANSPARENT, names
from pipelines.boilerplate.renderers.formulas import Formulas
from pipelines.boilerplate.renderers.frames import CELLS, Frames
from pipelines.boilerplate.renderers.hidden import HiddenElement
from pipelines.boilerplate.renderers.inline import CODE_IN_LINE, InlineStyles, is_ticked
from pipelines.boilerplate.renderers.line import (
    BREAK,
    SPACE,
    Part,
    goes_on_box,
    kept_parts,
    pieces_of,
)
from pipelines.boilerplate.renderers.nodes import Code, Node, Paragraph
from pipelines.boilerplate.renderers.paragraphs import divided

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.markup_events import Tag

# Elements that a line of text goes on through, as it does in blocks; and some that part blocks, such as the data that
# stand in a line for programs.
_INLINE = TRANSPARENT | PHRASING | names("a blink img label link meta")
# Those of them that may be boxes side by side; the others part no word, and are no boxes.
_BOXES = names(
    "a abbr acronym bdi cite code data dfn ins kbd label mark q samp small span time del"
)
# What Sphinx and Javadoc call the name in a declaration, whose parts are boxes side by side.
_SIGNATURE = re.compile(rb"\b(?:desc(?:class)?name|element-name)\b")
# What programs that write documentation hang on headings and notes, to link to them and back; icons of fonts, and signs
# without a width (Docusaurus), too.
_PERMALINK = re.compile(
    "[\\s\ue000-\uf8ff\u00b6\u00a7#^\u2191\u21a9\u2693\U0001f517\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff]+"
)

# A heading with boxes in it; of one that another heading or nothing ends, the boxes are none of its lines.
_HEADING_TAG = re.compile(rb"<(/?)h[1-6](?=[\s/>])", re.IGNORECASE)
_HEADINGS = names("h1 h2 h3 h4 h5 h6")
_LINES_OF_HEADING = names("center div p section")
_MAX_HEADING_BYTES = 4000


def is_inline(name: str) -> bool:
    """Tell whether a line of text goes on through the elements of this *name*."""
    return name in _INLINE or PREFIXED in name


def outline(
    page: PageModel, kept: npt.NDArray[np.bool_], *, with_links: bool = False
) -> list[Node]:
    """Return the outline of the blocks of *page* that are *kept*, bool[n].

    Without *with_links* no piece has an ``href``.
    """
    builder = _Builder(page, kept, InlineStyles(page, with_links=with_links))
    runs = builder.markup.runs
    last = int(runs.start[kept[runs.block]].max(initial=0))
    for event in events(builder.markup):
        builder.add(event)
        if event.start > last and builder.is_at_end:
            break
    builder.flush()
    return divided(builder.frames.close_all())


class _Builder:
    """Collects the parts of the paragraph at hand; a tag that is not inline ends it."""

    def __init__(self, page: PageModel, kept: npt.NDArray[np.bool_], styles: InlineStyles):
        self.markup: Markup = markup_of(page)
        self.kept = kept.tolist()
        self.levels = page.blocks.heading_level.tolist()
        self.is_code = stands_in_code(page.blocks).tolist()
        self.styles = styles
        self.frames = Frames()
        self.parts: list[Part] = []
        # That of the first kept block.
        self.level: int | None = None
        self.in_code = False
        self.language = ""
        # Whether the item at hand, which begins with a box for ticks, has one.
        self.is_done: bool | None = None
        # Where the heading ends that is open, or was.
        self.heading_end = 0
        # What a box said since the last text.
        self.box_language = ""
        # Tags of boxes since the last text: an end, and a start behind it.
        self.has_end = self.has_start = False
        # Whether the source of a formula is open, or a reading: its signs are none of the text.
        self.in_source = False
        # Whether a drawing is open, by its tag; what is in it is none of the text.
        self.in_drawing = False
        # Whether the paragraph declares a function or the like.
        self.is_signature = False
        self.hidden = HiddenElement(page)
        self.formulas = Formulas(self.markup.source)

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is open that more texts could belong to."""
        return not self.parts and not self.formulas.tex and self.frames.is_closed

    def add(self, event: Text | Tag) -> None:
        """Take a text or tag into account."""
        if self.formulas.holds(event.start):
            if isinstance(event, Text) and event.block != NO_BLOCK:
                self._keep_formula(event.block)
            return
        if self.formulas.tex:
            self._add_formula()
        if isinstance(event, Text):
            self.add_text(event)
        elif not self._opens_formula(event):
            self.add_tag(event)

    def _opens_formula(self, tag: Tag) -> bool:
        is_unseen = self.in_drawing or self.hidden.is_said_by(tag)
        return not is_unseen and self.formulas.opens(tag)

    def add_text(self, text: Text) -> None:
        """Add a text to the paragraph."""
        if self.in_code and text.block != NO_BLOCK and not self.is_code[text.block]:
            # What was around it ended, and with it the code.
            self.flush()
            self.in_code = False
        source = self.markup.source[text.start : text.end]
        kept: bool | None = None
        words = ""
        if text.block != NO_BLOCK:
            self.hidden.forget()
            self.in_drawing = False
            kept = self.kept[text.block]
            if kept:
                words = text_of(source, verbatim=self.in_code)
                if self.level is None:
                    self.level = self.levels[text.block]
        elif self.in_source or self.in_drawing:
            return
        elif not self.in_code and source.isspace():
            self.add_space()
            return
        else:
            words = text_of(source, verbatim=self.in_code)
            if has_word(words):
                return
        if self.styles.in_place_link and _PERMALINK.fullmatch(words):
            return
        self._add_part(words, kept, text.start)

    def _add_part(self, words: str, kept: bool | None, start: int) -> None:
        is_box = self.has_start and not (self.in_code or self.is_signature)
        if is_box and not goes_on_box(self.parts, words):
            self.add_space()
        self.box_language = ""
        self.has_end = self.has_start = False
        style = self.styles.style
        if not words or self.in_code or style.code:
            self.parts.append(Part(words, kept, style))
            return
        for part, mark in self.formulas.divided(words, start):
            self.parts.append(Part(part, kept, style._replace(formula=mark) if mark else style))

    def _keep_formula(self, block: int) -> None:
        """Note whether the *block* that has text of the formula that is open is kept, and with it the formula."""
        self.hidden.forget()
        self.formulas.kept = bool(self.formulas.kept) or self.kept[block]
        if self.kept[block] and self.level is None:
            self.level = self.levels[block]

    def add_space(self) -> None:
        """Add a space, unless there is one or nothing before it."""
        if self.parts and self.parts[-1].text != " ":
            self.parts.append(SPACE._replace(style=self.styles.style))

    def add_tag(self, tag: Tag) -> None:
        """Take a tag into account."""
        if tag.name == "svg":
            # An icon in a line, as an image is, or a box beside others.
            self.in_drawing = not (tag.is_end or tag.attributes.endswith(b"/"))
            self.has_end = self.has_start = True
        elif self.in_drawing:
            return
        elif tag.name == "img":
            self.has_end = self.has_start = True
        elif tag.name == "br":
            self.parts.append(BREAK)
        elif is_inline(tag.name):
            self._add_inline(tag)
        elif tag.name in CODE:
            self.flush()
            self.in_code = not tag.is_end
            self.language = self.styles.language(tag) or self.box_language
        elif self.in_code:
            self._end_code_line(tag)
        else:
            if self._is_line_of_heading(tag):
                self.parts.append(BREAK)
            else:
                self.flush()
            self.styles.end_line(tag.name)
            self.frames.change(tag)
            self._note_task(tag)
            self.box_language = self.styles.box_language(tag) or self.box_language

    def _add_formula(self) -> None:
        """Add the formula that has ended."""
        style = self.styles.style._replace(formula=self.formulas.mark)
        self.parts.append(Part(self.formulas.tex, self.formulas.kept, style))
        self.formulas.tex = ""

    def _note_task(self, tag: Tag) -> None:
        """Note whether *tag* is a box for ticks before all text of an item; the next item has none yet."""
        if tag.name == "li":
            self.is_done = None
        elif (
            tag.name == "input" and self.frames.is_in_empty_item and not self.hidden.is_said_by(tag)
        ):
            self.is_done = is_ticked(tag.attributes)

    def _is_line_of_heading(self, tag: Tag) -> bool:
        """Tell whether *tag* is one of a box in a heading, which goes on."""
        if tag.name in _HEADINGS:
            start = tag.start + len("<h1")
            end = _HEADING_TAG.search(self.markup.source, start, start + _MAX_HEADING_BYTES)
            is_ended = end is not None and end[1] and not tag.is_end
            self.heading_end = end.start() if end and is_ended else 0
        return tag.start < self.heading_end and tag.name in _LINES_OF_HEADING

    def _add_inline(self, tag: Tag) -> None:
        was_code = self.styles.style.code
        self.styles.change(tag)
        if not self.in_code and self.hidden.ends(tag, len(self.parts)):
            del self.parts[self.hidden.place :]
        self.is_signature = self.is_signature or bool(_SIGNATURE.search(tag.attributes))
        if was_code and self.styles.style.code and tag.name not in CODE_IN_LINE:
            # Colours of code.
            return
        if tag.name in _BOXES:
            # Boxes side by side, as names in a row: no word goes on from one into the next.
            self.has_start = self.has_start or (self.has_end and not tag.is_end)
            self.has_end = self.has_end or tag.is_end
        elif tag.name in MUTED_IN_LINE:
            self.in_source = not tag.is_end
        elif tag.name == "ruby":
            self.in_source = False

    def _end_code_line(self, tag: Tag) -> None:
        if not self.parts or self.parts[-1].text.endswith("\n"):
            return
        if tag.name in ENDS_LINE or tag.name == "button":
            self.parts.append(BREAK)
        elif tag.name in CELLS and not tag.is_end:
            # The number of a line and the line.
            self.add_space()

    def flush(self) -> None:
        """End the paragraph."""
        if self.hidden.is_open:
            del self.parts[self.hidden.place :]
            self.hidden.forget()
        parts = kept_parts(self.parts) if self.parts else []
        if parts and self.in_code:
            text = OTHER_ENDS.sub(" ", "".join(part.text for part in parts))
            self.frames.add(
                Code(text.strip("\n").rstrip(), self.language or self.styles.last_language)
            )
        elif parts:
            is_done = self.is_done if self.frames.is_in_empty_item else None
            self.frames.add(Paragraph(pieces_of(parts), self.level or 0, is_done))
        self.parts = []
        self.level = None
        self.has_end = self.has_start = self.in_source = self.is_signature = False
        self.styles.last_language = ""
