"""Hamming distances of 64-bit values: the number of set bits of their exclusive or."""

from __future__ import annotations

N_BITS = 64


def check_distance(distance: int) -> None:
    """Raise ValueError for a *distance* outside 0 to 63."""
    if not 0 <= distance < N_BITS:
        raise ValueError(f"distance must be between 0 and {N_BITS - 1}, got {distance}")
