"""The segments of the documents of a corpus, a record batch at a time.

The blocks of a document that follow each other with one number in column ``segment`` are a segment;
a block without a number is a segment by itself. Memory: the texts of one batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from crawler.page.lines import line_counts
from pipelines.linguistics.histograms import Compounds, compounds

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt
    import pyarrow as pa

    from crawler.page.lines import LineCounts

# What `document_segments` reads of the table `documents`.
COLUMNS = ("url", "blocks")
# Rows read at once: at 120 blocks a page, about 10 MB of text.
BATCH_ROWS = 500


class DocumentSegments(NamedTuple):
    """The segments of a document: their texts, blocks joined by a line feed, and their counts.

    *block_words*: the words of each atomic block, int64[n]; *block_linked*: those of them in links; *block_rounded*: its
    rounded density; *block_kept*: bool[n], whether it is main text.
    """

    url: str
    texts: list[str]
    counts: Compounds
    block_words: npt.NDArray[np.int64]
    block_linked: npt.NDArray[np.int64]
    block_rounded: npt.NDArray[np.int64]
    block_kept: npt.NDArray[np.bool_]


def document_segments(batch: pa.RecordBatch) -> Iterator[DocumentSegments]:
    """Yield the segments of each document of *batch*, which has the columns `COLUMNS`.

    A document without blocks has no segments.
    """
    for start in range(0, batch.num_rows, BATCH_ROWS):
        yield from _segments_of(batch.slice(start, BATCH_ROWS))


def _segments_of(batch: pa.RecordBatch) -> Iterator[DocumentSegments]:
    column = cast("pa.ListArray[pa.StructScalar]", batch.column("blocks"))
    n_blocks = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    ends = np.cumsum(n_blocks, dtype=np.int64)
    blocks = cast("pa.StructArray", column.flatten())
    texts = [text or "" for text in blocks.field("text").to_pylist()]
    begins = _segment_begins(blocks.field("segment"), ends)
    starts = np.flatnonzero(begins)
    lines = line_counts(texts)
    counts = compounds(lines, starts)
    joined = [
        "\n".join(texts[start:end])
        for start, end in zip(starts.tolist(), [*starts[1:].tolist(), len(texts)], strict=False)
    ]
    segment_ends = np.searchsorted(starts, ends)
    words, linked, rounded, kept = _of_blocks(blocks, lines)
    first = first_block = 0
    for url, end_block, end in zip(
        batch.column("url").to_pylist(), ends.tolist(), segment_ends.tolist(), strict=True
    ):
        own = slice(first_block, end_block)
        yield DocumentSegments(
            url or "",
            joined[first:end],
            Compounds(*(numbers[first:end] for numbers in counts)),
            words[own],
            linked[own],
            rounded[own],
            kept[own],
        )
        first, first_block = end, end_block


def _of_blocks(
    blocks: pa.StructArray, lines: LineCounts
) -> tuple[
    npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]
]:
    """Return words, linked words and rounded density of each of *blocks*, and whether it was kept."""
    each = compounds(lines, np.arange(len(lines.n_tokens)))
    links = blocks.field("link_density").fill_null(0).to_numpy(zero_copy_only=False)
    kept = blocks.field("kept").fill_null(True).to_numpy(zero_copy_only=False)
    linked = np.floor(links * each.n_tokens + 0.5).astype(np.int64)
    return each.n_tokens, linked, each.rounded, kept


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
