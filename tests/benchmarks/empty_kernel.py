"""The least that a program with compiled code does: import numba, take one kernel from its cache."""

from __future__ import annotations

import numba


@numba.njit(cache=True)
def nothing() -> None:
    """Do nothing, compiled."""


if __name__ == "__main__":
    nothing()
