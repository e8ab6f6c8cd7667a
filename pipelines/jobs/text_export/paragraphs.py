"""The paragraphs of a document: its kept blocks, of which lines that were wrapped by hand are one."""

from __future__ import annotations

from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from pipelines.linguistics.wrapped_lines import go_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Kinds of blocks that may be lines of one paragraph.
_OF_LINES = frozenset({"paragraph", "quote"})
_PLACE = itemgetter("kept", "kind", "label", "path")


def paragraphs(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the kept blocks of the document *row*, the lines of a paragraph (`go_on`) as one block with their text."""
    for (is_kept, kind, *_), alike in groupby(row["blocks"] or (), _PLACE):
        blocks = list(alike) if is_kept else []
        lines = [block["text"] for block in blocks]
        goes_on = go_on(lines) if kind in _OF_LINES else [False] * len(lines)
        starts = [place for place, is_within in enumerate(goes_on) if not is_within]
        for start, end in pairwise([*starts, len(lines)]):
            yield {**blocks[start], "text": " ".join(lines[start:end])}
