"""The default method, ``winnow``."""

from pipelines.boilerplate.winnow.method import Winnow

__all__ = ["Winnow"]
