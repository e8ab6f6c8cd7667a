"""Cuts rows of any size into pieces of bytes that a cluster takes, and joins them again.

A piece is (serial number of its row, where it begins in the pickled row, its bytes); a row is a pair of
the partition that it is for, and anything that can be pickled.
"""

from __future__ import annotations

import pickle
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Piece = tuple[int, int, bytes]

PIECE_BYTES = 1 << 22


def pieces(
    rows: Iterable[tuple[int, Any]], piece_bytes: int = PIECE_BYTES
) -> Iterator[tuple[int, Piece]]:
    """Yield (partition, piece) of *rows*, in their order."""
    for serial, (partition, row) in enumerate(rows):
        pickled = pickle.dumps(row, protocol=pickle.HIGHEST_PROTOCOL)
        for start in range(0, len(pickled), piece_bytes):
            yield partition, (serial, start, pickled[start : start + piece_bytes])


def batches(
    parts: Iterable[tuple[int, Piece]], batch_bytes: int
) -> Iterator[list[tuple[int, Piece]]]:
    """Yield *parts* in lists of about *batch_bytes*, at most one piece more."""
    batch: list[tuple[int, Piece]] = []
    n_bytes = 0
    for part in parts:
        batch.append(part)
        n_bytes += len(part[1][2])
        if n_bytes >= batch_bytes:
            yield batch
            batch, n_bytes = [], 0
    if batch:
        yield batch


def joined(parts: Iterable[Piece]) -> list[Any]:
    """Return the rows that *parts*, in any order, are pieces of, in the order in which they were cut."""
    ordered = sorted(parts, key=itemgetter(0, 1))
    return [
        pickle.loads(b"".join(piece[2] for piece in row))  # noqa: S301 (our own driver made it)
        for _, row in groupby(ordered, itemgetter(0))
    ]
