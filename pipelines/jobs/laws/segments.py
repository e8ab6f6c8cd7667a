"""The segments of the documents of a corpus, some hundred documents at a time.

The blocks of a document that follow each other with one number in column ``segment`` are a segment;
a block without a number is a segment by itself. Memory: the texts of one record batch, and what is made of
`PART_BYTES` of them, or of one document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import pyarrow.compute as pc

from crawler.page.lines import line_counts
from pipelines.linguistics.laws.histograms import Compounds, compounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    import pyarrow as pa

    from crawler.page.lines import LineCounts

    Ints = npt.NDArray[np.int64]

# What `batch_segments` reads of the table `documents`.
COLUMNS = ("url", "blocks")
# Text that is looked at together: some 500 pages.
PART_BYTES = 1 << 21


class DocumentSegments(NamedTuple):
    """The counts of the segments of a document, and the words of each atomic block, int64[n]."""

    url: str
    counts: Compounds
    block_words: Ints


class BlockWords(NamedTuple):
    """The words of atomic blocks, those of them in links, the blocks' rounded densities, and whether they are main
    text.
    """

    n_tokens: Ints
    linked: Ints
    rounded: Ints
    kept: npt.NDArray[np.bool_]

    def those(self, flags: npt.NDArray[np.bool_]) -> BlockWords:
        """Return those of the blocks for which *flags*, bool[n], say so."""
        return BlockWords(
            self.n_tokens[flags], self.linked[flags], self.rounded[flags], self.kept[flags]
        )


class Segments(NamedTuple):
    """The segments of some documents, one after another.

    *texts*, *blocks*: of the atomic blocks. *starts*, *counts*: the first block of each segment, and its counts.
    *block_ends*, *segment_ends*: where the blocks and the segments of each document end.
    """

    urls: list[str]
    texts: list[str]
    blocks: BlockWords
    starts: Ints
    counts: Compounds
    block_ends: Ints
    segment_ends: Ints

    @property
    def last_blocks(self) -> Ints:
        """The last block of each segment."""
        return np.append(self.starts[1:], len(self.texts))[: len(self.starts)] - 1

    @property
    def documents(self) -> Ints:
        """The number of the document of each segment."""
        sizes = np.diff(self.segment_ends, prepend=0)
        return np.repeat(np.arange(len(sizes)), sizes)

    @property
    def n_tokens(self) -> Ints:
        """Tokens of each document."""
        total = np.append(0, np.cumsum(self.counts.n_tokens))
        return np.diff(total[self.segment_ends], prepend=0)

    def document(self, url: str) -> DocumentSegments | None:
        """Return the document *url*, None if it is not here."""
        if url not in self.urls:
            return None
        i = self.urls.index(url)
        first, first_block = (
            int(ends[i - 1]) if i else 0 for ends in (self.segment_ends, self.block_ends)
        )
        end, end_block = int(self.segment_ends[i]), int(self.block_ends[i])
        counts = Compounds(*(numbers[first:end] for numbers in self.counts))
        return DocumentSegments(url, counts, self.blocks.n_tokens[first_block:end_block])


def batch_segments(batch: pa.RecordBatch) -> Iterator[Segments]:
    """Yield the segments of the documents of *batch*, which has the columns `COLUMNS`.

    A document without blocks has no segments.
    """
    column = cast("pa.ListArray[pa.StructScalar]", batch.column("blocks"))
    texts = cast("pa.StringArray", cast("pa.StructArray", column.flatten()).field("text"))
    sizes = pc.binary_length(texts).fill_null(0).to_numpy(zero_copy_only=False)
    total = np.append(0, np.cumsum(sizes, dtype=np.int64))
    ends = total[np.cumsum(_n_blocks(column))]
    start = 0
    while start < batch.num_rows:
        before = int(ends[start - 1]) if start else 0
        end = max(int(np.searchsorted(ends, before + PART_BYTES, "right")), start + 1)
        yield _segments_of(batch.slice(start, end - start))
        start = end


def worded(segments: Segments) -> Segments:
    """Return *segments* without the documents that have no token."""
    kept = segments.n_tokens > 0
    if kept.all():
        return segments
    n_blocks = np.diff(segments.block_ends, prepend=0)
    n_segments = np.diff(segments.segment_ends, prepend=0)
    of_blocks, of_segments = np.repeat(kept, n_blocks), np.repeat(kept, n_segments)
    return Segments(
        [url for url, flag in zip(segments.urls, kept.tolist(), strict=True) if flag],
        [text for text, flag in zip(segments.texts, of_blocks.tolist(), strict=True) if flag],
        segments.blocks.those(of_blocks),
        (np.cumsum(of_blocks) - 1)[segments.starts[of_segments]],
        Compounds(*(numbers[of_segments] for numbers in segments.counts)),
        np.cumsum(n_blocks[kept]),
        np.cumsum(n_segments[kept]),
    )


def _segments_of(batch: pa.RecordBatch) -> Segments:
    column = cast("pa.ListArray[pa.StructScalar]", batch.column("blocks"))
    ends = np.cumsum(_n_blocks(column))
    blocks = cast("pa.StructArray", column.flatten())
    texts = [text or "" for text in blocks.field("text").to_pylist()]
    starts = np.flatnonzero(_segment_begins(blocks.field("segment"), ends))
    lines = line_counts(texts)
    return Segments(
        [url or "" for url in batch.column("url").to_pylist()],
        texts,
        _block_words(blocks, lines),
        starts,
        compounds(lines, starts),
        ends,
        np.searchsorted(starts, ends),
    )


def _block_words(blocks: pa.StructArray, lines: LineCounts) -> BlockWords:
    each = compounds(lines, np.arange(len(lines.n_tokens)))
    links = blocks.field("link_density").fill_null(0).to_numpy(zero_copy_only=False)
    kept = blocks.field("kept").fill_null(True).to_numpy(zero_copy_only=False)
    linked = np.floor(links * each.n_tokens + 0.5).astype(np.int64)
    return BlockWords(each.n_tokens, linked, each.rounded, kept)


def _n_blocks(column: pa.ListArray[pa.StructScalar]) -> Ints:
    numbers = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    return np.asarray(numbers, dtype=np.int64)


def _segment_begins(
    numbers: pa.Array[pa.UInt32Scalar], ends: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Tell which blocks begin a segment; the blocks of document i end before ``ends[i]``."""
    missing = numbers.is_null().to_numpy(zero_copy_only=False)
    values = numbers.fill_null(0).to_numpy(zero_copy_only=False)
    begins = np.ones(len(values), dtype=bool)
    begins[1:] = (values[1:] != values[:-1]) | missing[1:] | missing[:-1]
    begins[ends[ends < len(values)]] = True
    return begins
