"""The labels of the blocks of a page by numbers, whose strings are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class NumberedLabels(Sequence[str]):
    """Labels by their numbers in *names*: ``numbers: uint8[n]``; the strings are listed when somebody asks for them.

    Equal to any sequence of the same strings, and shown as their list.
    """

    __slots__ = ("_listed", "names", "numbers")

    def __init__(self, names: Sequence[str], numbers: npt.NDArray[np.uint8]):
        self.names = names
        self.numbers = numbers
        self._listed: list[str] | None = None

    @property
    def listed(self) -> list[str]:
        """All of them, in order."""
        if self._listed is None:
            self._listed = list(map(self.names.__getitem__, self.numbers.tolist()))
        return self._listed

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self.listed[place]

    def __iter__(self) -> Iterator[str]:
        return iter(self.listed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.listed == list(other)

    def __repr__(self) -> str:
        return repr(self.listed)

    __hash__ = None  # type: ignore[assignment]  # as a list has none
