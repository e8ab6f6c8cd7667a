"""A document in the vertical format of corpus managers.

*On disk.* A line a token or structure: ``<doc>`` with what is known of the document as attributes,
in it ``<p kind="...">``, the kept blocks (paragraph, heading1 to heading6, item, cell, code, quote; lines
that were wrapped by hand together, `pipelines.linguistics.wrapped_lines`), in these the tokens, ``<g/>`` where no space stood between two; if asked for, ``<s>``, sentences
(`pipelines.linguistics.sentences`), around the tokens of a block. Attributes are escaped as in XML;
tokens are not, none of them looks like a structure. Several categories stand apart by ``|``, which Sketch Engine takes
as MULTISEP; times are of UTC, to the second.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from pipelines.jobs.text_export.paragraphs import paragraphs
from pipelines.linguistics.sentences import sentence_ends
from pipelines.linguistics.tokens import placed_tokens, seen_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ATTRIBUTES = (
    "url", "host", "title", "author", "date", "language", "category", "fetched_at", "n_words",
)  # fmt: skip


def vertical_lines(row: Mapping[str, Any], *, with_sentences: bool = False) -> Iterator[str]:
    """Yield the lines of the document *row*: `ATTRIBUTES`, and ``blocks``."""
    lines_of = _sentence_lines if with_sentences else _token_lines
    known = [(name, _value(row[name])) for name in ATTRIBUTES if row[name] not in (None, [])]
    yield "<doc " + " ".join(f"{name}={_quoted(value)}" for name, value in known) + ">"
    for block in paragraphs(row):
        yield f'<p kind="{block["kind"]}">'
        yield from lines_of(seen_text(block["text"]))
        yield "</p>"
    yield "</doc>"


def _token_lines(text: str) -> Iterator[str]:
    for _, token in placed_tokens(text):
        if token.glued:
            yield "<g/>"
        yield token.text


def _sentence_lines(text: str) -> Iterator[str]:
    ends = sentence_ends(text)
    number = -1  # of the sentence that is open
    for place, token in placed_tokens(text):
        found = bisect_right(ends, place)
        if -1 < number < found:
            yield "</s>"
        if token.glued:
            yield "<g/>"
        if number < found:
            yield "<s>"
        yield token.text
        number = found
    if number > -1:
        yield "</s>"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "|".join(each.replace("|", " ") for each in value)
    return value.strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(value, datetime) else str(value)


def _quoted(value: str) -> str:
    return f'"{escape(" ".join(value.split()), {chr(34): "&quot;"})}"'
