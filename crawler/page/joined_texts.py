"""Texts in one piece, whose strings are made when somebody asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class JoinedTexts:
    """Texts without line feeds: *utf8* holds them, a line feed behind each."""

    __slots__ = ("_strings", "utf8")

    def __init__(self, utf8: bytes):
        self.utf8 = utf8
        self._strings: list[str] | None = None

    @classmethod
    def of(cls, texts: Sequence[str]) -> JoinedTexts:
        """Return *texts* as such texts; what UTF-8 cannot hold is a question mark in the bytes alone."""
        joined = cls("\n".join((*texts, "")).encode("utf-8", "replace"))
        joined._strings = list(texts)
        return joined

    @property
    def strings(self) -> list[str]:
        """All of them, in order."""
        if self._strings is None:
            self._strings = self.utf8.decode().split("\n")
            self._strings.pop()  # what follows the last line feed is nothing
        return self._strings
