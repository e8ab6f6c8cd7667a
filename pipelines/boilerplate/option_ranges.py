"""The ranges of the numbers that methods take as options."""

from __future__ import annotations


def check_shares(**values: float) -> None:
    """Raise ValueError for the first of *values* that is not from 0 to 1.

    >>> check_shares(threshold=0.5, decay=1.5)
    Traceback (most recent call last):
    ValueError: decay must be from 0 to 1, got 1.5
    """
    for name, value in values.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be from 0 to 1, got {value}")


def check_least(least: int, **values: float) -> None:
    """Raise ValueError for the first of *values* that is not at least *least*.

    >>> check_least(1, k=0)
    Traceback (most recent call last):
    ValueError: k must be at least 1, got 0
    """
    for name, value in values.items():
        if not value >= least:
            raise ValueError(f"{name} must be at least {least}, got {value}")
