"""Template detectors as a command names them: with options as text, and a method for single pages behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError
from pipelines.boilerplate.option_values import option_value
from pipelines.evaluation.peers import PREFIX
from pipelines.jobs.named_cleaner import cleaner_of, option_values
from pipelines.templates.detectors.registry import detector_class, get, options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy as np
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import TemplateDetector

    Fallback = Callable[[PageModel], npt.NDArray[np.bool_]]

# Functions, which no text is.
_CALLABLES = frozenset({"fallback"})


def detector_of(
    method: str, options: Sequence[str] = (), *, fallback: str | None = None
) -> Callable[[], TemplateDetector]:
    """Return what makes the detector called *method* with *options*, each as ``NAME=VALUE``.

    *fallback*: the cleaning method of pages with too few others of their template. Raises :exc:`InputError`.
    """
    try:
        given: dict[str, Any] = _typed(method, options)
        if fallback is not None:
            if "fallback" not in options_of(method):
                raise InputError(f"--fallback is for bootstrapped, not {method}; leave it out")
            given["fallback"] = _fallback(fallback)
        get(method, **given)
    except ValueError as error:
        raise InputError(f"--method {method}: {error}") from error
    return lambda: get(method, **given)


def _typed(method: str, options: Sequence[str]) -> dict[str, Any]:
    cls, known = detector_class(method), options_of(method)
    given = option_values(options)
    for name in given:
        if name not in known or name in _CALLABLES:
            listed = ", ".join(sorted(set(known) - _CALLABLES))
            raise ValueError(f"it has no option {name!r}; it takes {listed}")
    return {name: option_value(cls, name, value) for name, value in given.items()}


def _fallback(method: str) -> Fallback:
    if method.startswith(PREFIX):
        raise InputError(f"--fallback is {method!r}; give a method of our own")
    cleaner = cleaner_of(method, named_by="--fallback")
    return lambda page: cleaner.label(page).kept
