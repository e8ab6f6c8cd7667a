"""The vertical format of corpora: a token or a structure a line, in documents and paragraphs.

*On disk.* A line of the form ``<name ...>``, ``</name>`` or ``<name .../>`` is structure; every other
line that is not empty is a token, its first tab-separated column the word. ``<doc ...>`` to
``</doc>`` is a document, ``<p ...>`` to ``</p>`` a paragraph of it; other structures (``<s>``,
``<g/>``) are part of the paragraph they stand in. Bytes in any encoding that keeps ASCII.

Stated choices, where files are broken or the format is silent: a ``<doc>`` or ``<p>`` ends the one
before it; tokens of a document outside paragraphs are a paragraph of their own; lines between documents
are a document without tags. A document of more than *max_lines* lines is read in parts.

Memory: the lines of one document. Invariant: the lines of all documents are the lines of the file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

MAX_LINES = 2_000_000
DOCUMENT = "doc"
PARAGRAPH = "p"
# Of a line that is in no paragraph.
OUTSIDE = -1
_NAME = re.compile(r"[A-Za-z][\w.:-]*", re.ASCII)
_STRUCTURE = re.compile(rb"</?([A-Za-z][\w.:-]*)(?:[\s/][^\n]*)?>\s*$")


class VerticalDocument(NamedTuple):
    """The lines of a document, the paragraph of each, and its tokens.

    ``paragraphs: int64[lines]``, :data:`OUTSIDE` for the document's own; ``tokens: uint64[t]``, the
    xxh3-64 of the words; ``bounds: int64[p + 1]``, where the tokens of each paragraph begin.
    """

    lines: list[bytes]
    paragraphs: I64
    tokens: U64
    bounds: I64


def is_tag(name: str) -> bool:
    """Tell whether *name* can be that of a structure."""
    return _NAME.fullmatch(name) is not None


def read_vertical(
    lines: Iterable[bytes],
    *,
    document: str = DOCUMENT,
    paragraph: str = PARAGRAPH,
    max_lines: int = MAX_LINES,
) -> Iterator[VerticalDocument]:
    """Yield the documents of *lines*, whose structures are named *document* and *paragraph*.

    Raises ValueError for what can be no name of a structure.
    """
    for given in (document, paragraph):
        if not is_tag(given):
            raise ValueError(f"a tag must be a name such as doc, got {given!r}")
    reader = _Reader(paragraph.encode())
    name = document.encode()
    for line in lines:
        match = _STRUCTURE.match(line)
        is_document = match is not None and match[1] == name
        is_end = is_document and line.startswith(b"</")
        if (is_document and not is_end and reader.lines) or len(reader.lines) >= max_lines:
            yield reader.document()
            reader = _Reader(paragraph.encode())
        reader.add(line, b"" if match is None else match[1], is_document=is_document)
        if is_end:
            yield reader.document()
            reader = _Reader(paragraph.encode())
    if reader.lines:
        yield reader.document()


class _Reader:
    """Collects the lines of a document."""

    def __init__(self, paragraph: bytes) -> None:
        self.name = paragraph
        self.lines: list[bytes] = []
        self.paragraphs: list[int] = []
        self.hashes: list[int] = []
        self.starts: list[int] = []
        self.is_open = False

    def add(self, line: bytes, structure: bytes, *, is_document: bool) -> None:
        """Add *line*, which is a token when *structure* is empty."""
        self.lines.append(line)
        if is_document or (not structure and not line.strip()):
            self.is_open = self.is_open and not is_document
            self.paragraphs.append(len(self.starts) - 1 if self.is_open else OUTSIDE)
            return
        is_end = line.startswith(b"</")
        if structure == self.name and not is_end:
            self._open()
        elif not structure:
            if not self.is_open:
                self._open()
            word = line.split(b"\t", 1)[0].strip()
            self.hashes.append(xxhash.xxh3_64_intdigest(word))
        self.paragraphs.append(len(self.starts) - 1 if self.is_open else OUTSIDE)
        if structure == self.name and is_end:
            self.is_open = False

    def _open(self) -> None:
        self.starts.append(len(self.hashes))
        self.is_open = True

    def document(self) -> VerticalDocument:
        """Return what was collected."""
        return VerticalDocument(
            self.lines,
            np.array(self.paragraphs, dtype=np.int64),
            np.array(self.hashes, dtype=np.uint64),
            np.array([*self.starts, len(self.hashes)], dtype=np.int64),
        )


def marked(document: VerticalDocument, is_duplicate: npt.NDArray[np.bool_]) -> Iterator[bytes]:
    """Yield the lines with ``1`` and a tab before those of duplicates, ``0`` and a tab otherwise.

    A document whose text is all duplicate is one with its own lines.
    """
    for line, is_marked in zip(document.lines, _is_marked(document, is_duplicate), strict=True):
        yield (b"1\t" if is_marked else b"0\t") + line


def stripped(document: VerticalDocument, is_duplicate: npt.NDArray[np.bool_]) -> Iterator[bytes]:
    """Yield the lines that are not of duplicates; none of a document whose text is all duplicate."""
    for line, is_marked in zip(document.lines, _is_marked(document, is_duplicate), strict=True):
        if not is_marked:
            yield line


def _is_marked(document: VerticalDocument, is_duplicate: npt.NDArray[np.bool_]) -> list[bool]:
    has_tokens = np.diff(document.bounds) > 0
    if has_tokens.any() and is_duplicate[has_tokens].all():
        return [True] * len(document.lines)
    # The place behind the last paragraph is that of lines outside.
    marks: list[bool] = np.append(is_duplicate, False)[document.paragraphs].tolist()
    return marks
