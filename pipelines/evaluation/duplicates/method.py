"""A way to score pairs of texts, with a name, its settings and its default threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    PairScores = Callable[[Sequence[str], I64], F64]


@dataclass(frozen=True, slots=True)
class Method:
    """*scores* maps all texts of a collection and pairs ``int64[p, 2]`` to scores from 0 to 1.

    *default* is the threshold that the method's source gives, or ours where it gives none.
    """

    name: str
    settings: str
    default: float
    scores: PairScores

    @property
    def title(self) -> str:
        """Return name and settings, as a row of a table is called."""
        return f"{self.name} {self.settings}".rstrip()
