"""Rows of numbers, one a block: loops over one row of features each, which the compiler makes vectors of.

Quotients are taken in float64, whatever the row is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.kernels.jit import cold_part

if TYPE_CHECKING:
    from pipelines.boilerplate.winnow.features.measures import F32, F64, U32


@cold_part
def fill(value: Any, row: F32) -> None:
    """Give each block the same *value*."""
    for i in range(len(row)):
        row[i] = value


@cold_part
def copy(values: Any, row: F32 | F64) -> None:
    """Take over *values* of any type."""
    for i in range(len(row)):
        row[i] = values[i]


@cold_part
def at_least_one(values: Any, row: F32 | F64) -> None:
    """Take over *values*, 1 for 0."""
    for i in range(len(row)):
        row[i] = max(values[i], 1)


@cold_part
def divide(part: Any, whole: F64, row: F32) -> None:
    """Divide *part* by *whole*, which is never 0."""
    for i in range(len(row)):
        row[i] = part[i] / whole[i]


@cold_part
def gather(values: Any, places: U32, row: F32) -> None:
    """Take for each block the value at its place."""
    for i in range(len(row)):
        row[i] = values[places[i]]


@cold_part
def shift(values: F32, offset: int, row: F32) -> None:
    """Take for each block the value of the one *offset* blocks behind it, -1 where there is none."""
    n = len(row)
    for i in range(n):
        j = i + offset
        row[i] = values[j] if 0 <= j < n else -1.0
