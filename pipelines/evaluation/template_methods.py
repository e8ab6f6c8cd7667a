"""Template detectors, and methods for single pages, as one kind of method: fitted to the pages around a seed.

The names are those of the registries; ``bootstrapped-cps`` and the like are a detector by a distance,
``bootstrapped+CLEANER`` one with a fallback, ``A&B`` what two methods both keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from crawler.page import PageRules, build_page
from pipelines.boilerplate import registry as cleaners
from pipelines.boilerplate.labels import rules_of
from pipelines.templates.detectors import registry as detectors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import numpy as np
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.evaluation.gold import GoldPage
    from pipelines.templates.detectors.kept import TemplateDetector

    Bools = npt.NDArray[np.bool_]

_FALLBACK = "accb"
METHODS = (
    *("bootstrapped", "bootstrapped-cps", "bootstrapped-ctss", f"bootstrapped+{_FALLBACK}"),
    *(name for name in detectors.methods() if name != "bootstrapped"),
    *("accb", "dsc", "winnow", "winnow&bootstrapped"),
)


class Around(NamedTuple):
    """A page around a seed, as served."""

    url: str
    body: bytes
    content_type: str | None = None


class Method(Protocol):
    """A method by its name in the table: *rules* of its pages, and what stays of them."""

    rules: PageRules

    @property
    def n_fallbacks(self) -> int:
        """The pages so far that were left to a fallback."""

    def fit(self, around: Iterable[Around]) -> None:
        """Learn from the pages *around* the next ones."""

    def kept(self, page: PageModel) -> Bools:
        """Return which blocks of *page* stay, bool[n]."""


class _SinglePage:
    """A cleaner, which learns nothing."""

    def __init__(self, name: str) -> None:
        self._cleaner = cleaners.get(name)
        self.rules = rules_of(self._cleaner)
        self.n_fallbacks = 0

    def fit(self, around: Iterable[Around]) -> None:
        """Learn nothing."""

    def kept(self, page: PageModel) -> Bools:
        return self._cleaner.label(page).kept


class _Detector:
    """A template detector, made anew for each group of pages."""

    def __init__(self, make: Callable[[], TemplateDetector]) -> None:
        self._make = make
        self._detector = make()
        self.rules = PageRules()
        self.n_fallbacks = 0

    def fit(self, around: Iterable[Around]) -> None:
        self._detector = self._make().fit(model_of(page, self.rules) for page in around)

    def kept(self, page: PageModel) -> Bools:
        detector = self._detector
        before = getattr(detector, "n_fallbacks", 0)
        kept = detector.extract(page).blocks
        self.n_fallbacks += getattr(detector, "n_fallbacks", 0) - before
        return kept


class _Both:
    """What two methods both keep, of pages by the rules of the first: a cleaned corpus without templates."""

    def __init__(self, first: Method, second: Method) -> None:
        self._methods = (first, second)
        self.rules = second.rules = first.rules

    @property
    def n_fallbacks(self) -> int:
        return sum(method.n_fallbacks for method in self._methods)

    def fit(self, around: Iterable[Around]) -> None:
        pages = list(around)
        for method in self._methods:
            method.fit(pages)

    def kept(self, page: PageModel) -> Bools:
        first, second = (method.kept(page) for method in self._methods)
        return first & second


def method_of(name: str) -> Method:
    """Return the method called *name*; raise ValueError for an unknown one, which names the nearest, and all
    detectors.
    """
    first, both, second = name.partition("&")
    if both:
        return _Both(method_of(first), method_of(second))
    if name in cleaners.methods():
        return _SinglePage(name)
    base, plus, fallback = name.partition("+")
    base, _, distance = base.partition("-") if base.startswith("bootstrapped-") else (base, "", "")
    if base not in detectors.methods():
        near = cleaners.nearest(name, [*cleaners.methods(), *detectors.methods()])
        raise ValueError(
            f"unknown method {name!r}; {near}known are the cleaners that `scrapy clean --help` lists, and "
            f"{', '.join(detectors.methods())}"
        )
    options: dict[str, Any] = {"distance": distance} if distance else {}
    if plus:
        cleaner = cleaners.get(fallback)
        options["fallback"] = lambda page: cleaner.label(page).kept
    return _Detector(lambda: detectors.get(base, **options))


def model_of(page: GoldPage | Around, rules: PageRules) -> PageModel:
    return build_page(page.body, url=page.url, content_type=page.content_type, rules=rules)
