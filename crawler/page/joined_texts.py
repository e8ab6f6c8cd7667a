"""Texts in one piece, whose strings are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


class JoinedTexts(Sequence[str]):
    """*n* texts without line feeds: *utf8* holds them, a line feed behind each.

    Equal to any sequence of the same strings, and shown as their list. One text, or those of a mask, are made without
    the others.
    """

    __slots__ = ("_made_starts", "_n", "_strings", "utf8")

    def __init__(self, utf8: bytes, n: int):
        self.utf8 = utf8
        self._n = n
        self._strings: list[str] | None = None
        self._made_starts: npt.NDArray[np.int64] | None = None

    @classmethod
    def of(cls, texts: Sequence[str]) -> JoinedTexts:
        """Return *texts* as such texts; what UTF-8 cannot hold is a question mark in the bytes alone."""
        joined = cls("\n".join((*texts, "")).encode("utf-8", "replace"), len(texts))
        joined._strings = list(texts)
        return joined

    @property
    def strings(self) -> list[str]:
        """All of them, in order."""
        if self._strings is None:
            self._strings = self.utf8.decode().split("\n")
            self._strings.pop()  # what follows the last line feed is nothing
        return self._strings

    @property
    def _starts(self) -> npt.NDArray[np.int64]:
        """Where each text begins, and where one more would: int64[n + 1]."""
        if self._made_starts is None:
            # Pages that are no HTML need no kernel.
            from crawler.page.joined_lines import find_starts

            self._made_starts = np.empty(self._n + 1, np.int64)
            find_starts(np.frombuffer(self.utf8, np.uint8), self._made_starts)
        return self._made_starts

    def joined(self, mask: npt.NDArray[np.bool_]) -> str:
        r"""Return the texts of *mask*, bool[n], a line feed between two.

        >>> JoinedTexts.of(["a", "b", "c"]).joined(np.array([True, False, True]))
        'a\nc'
        """
        from crawler.page.joined_lines import copy_lines

        copied = np.empty(len(self.utf8), np.uint8)
        size = copy_lines(np.frombuffer(self.utf8, np.uint8), np.ascontiguousarray(mask), copied)
        return str(copied[: max(size - 1, 0)].data, "utf-8")

    def lines(self, start: int, end: int) -> list[bytes]:
        r"""Return the texts from *start* to *end*, as they stand in *utf8*.

        >>> JoinedTexts.of(["a", "b", "c"]).lines(1, 9)
        [b'b', b'c']
        """
        end = min(end, self._n)
        if start >= end:
            return []
        return self.utf8[self._starts[start] : self._starts[end] - 1].split(b"\n")

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if self._strings is not None or isinstance(place, slice) or place < 0:
            return self.strings[place]
        if place >= self._n:
            raise IndexError(place)
        return self.utf8[self._starts[place] : self._starts[place + 1] - 1].decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.strings == list(other)

    def __repr__(self) -> str:
        return repr(self.strings)

    __hash__ = None  # type: ignore[assignment]  # as a list has none
