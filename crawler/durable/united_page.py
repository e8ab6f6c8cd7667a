"""A page of one corpus on its way into another one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(slots=True)
class UnitedPage:
    """A page of another corpus, by its id in this one: its *state*, and its *row* of *table*.

    *key* is (host, path). *claim* and *visited* are what the other journal holds of it in the tables ``claims`` and
    ``visited``; *targets* uint64[m], ids in this corpus, and *flags* uint8[m] are its arcs, None where it has none.
    *puts* are (journal table, key, value) committed with it.
    """

    page_id: int
    key: tuple[str, str]
    state: str
    table: str
    row: dict[str, Any]
    claim: bytes
    visited: bytes | None
    targets: npt.NDArray[np.uint64] | None = None
    flags: npt.NDArray[np.uint8] | None = None
    puts: list[tuple[str, bytes, bytes | None]] = field(default_factory=list)
