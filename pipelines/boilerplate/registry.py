"""The cleaning methods by name."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pipelines.boilerplate.labels import Cleaner, Labels

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DEFAULT_METHOD", "Cleaner", "Labels", "get", "methods"]


class _Method(NamedTuple):
    """Where a method is, loaded when it is asked for: some need models and libraries."""

    module: str
    cls: str
    options: Mapping[str, Any] = {}


_METHODS = {
    "keep-all": _Method("keep_all", "KeepAll"),
    "densitometric-tree": _Method("densitometric_tree", "DensitometricTree"),
    "numwords-tree": _Method("numwords_tree", "NumWordsTree"),
}
# The first default; the setting CLEAN_METHOD says it too.
DEFAULT_METHOD = "numwords-tree"


def methods() -> tuple[str, ...]:
    """Return the names of all methods."""
    return tuple(_METHODS)


def get(name: str, **options: Any) -> Cleaner:
    """Return the method called *name*, with its published defaults but for *options*.

    Raises ValueError for an unknown method or option, naming the known ones, and for a value that the
    method does not take.
    """
    method = _METHODS.get(name)
    if method is None:
        raise ValueError(f"unknown cleaning method {name!r}; known are {', '.join(_METHODS)}")
    cls = getattr(import_module(f"pipelines.boilerplate.{method.module}"), method.cls)
    known = [
        option for option in inspect.signature(cls).parameters if option not in {"args", "kwargs"}
    ]
    for option in options:
        if option not in known:
            takes = f"takes {', '.join(known)}" if known else "takes none"
            raise ValueError(f"{name} has no option {option!r}; it {takes}")
    return cast(Cleaner, cls(**{**method.options, **options}))
