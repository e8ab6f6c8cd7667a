"""The cleaning methods by name."""

from __future__ import annotations

from pipelines.boilerplate.densitometric_tree import DensitometricTree
from pipelines.boilerplate.keep_all import KeepAll
from pipelines.boilerplate.labels import Cleaner, Labels
from pipelines.boilerplate.numwords_tree import NumWordsTree

__all__ = ["DEFAULT_METHOD", "Cleaner", "Labels", "get", "methods"]

_METHODS: dict[str, type[Cleaner]] = {
    "numwords-tree": NumWordsTree,
    "densitometric-tree": DensitometricTree,
    "keep-all": KeepAll,
}
# The first default; the setting CLEAN_METHOD says it too.
DEFAULT_METHOD = "numwords-tree"


def methods() -> tuple[str, ...]:
    """Return the names of all methods."""
    return tuple(_METHODS)


def get(name: str) -> Cleaner:
    """Return the method called *name*; ValueError names the known ones."""
    method = _METHODS.get(name)
    if method is None:
        raise ValueError(f"unknown cleaning method {name!r}; known are {', '.join(_METHODS)}")
    return method()
