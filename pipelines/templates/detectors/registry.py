"""The template detectors by name."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipelines.templates.detectors.kept import TemplateDetector


class _Detector(NamedTuple):
    """Where a detector is, and its options where they are others than those of the class."""

    module: str
    cls: str
    options: Mapping[str, Any] = {}


# The elements that pages are made of where they once were of tables.
_SECTIONS = frozenset(
    {
        *("article", "aside", "div", "footer", "form", "header", "main", "nav", "section"),
        *("table", "tbody", "td", "tr", "ul"),
    }
)
_DETECTORS = {
    # Gottron 2008
    "bootstrapped": _Detector("bootstrapped", "BootstrappedTemplateDetection"),
    "document-frequency": _Detector("document_frequency", "DocumentFrequencyFilter"),
    # Bar-Yossef and Rajagopalan 2002
    "page-partitioning": _Detector("page_partitioning", "PagePartitioning"),
    # the systems that he surveys; with sections in place of tables: ours
    "ma": _Detector("segment_frequency", "SegmentFrequencyFilter"),
    "ma-sections": _Detector("segment_frequency", "SegmentFrequencyFilter", {"tags": _SECTIONS}),
    "info-discoverer": _Detector("info_discoverer", "InfoDiscoverer"),
    "info-discoverer-sections": _Detector("info_discoverer", "InfoDiscoverer", {"tags": _SECTIONS}),
    "wisdom": _Detector("wisdom", "Wisdom"),
    "content-extractor": _Detector("content_extractor", "ContentExtractor"),
    "site-style-tree": _Detector("site_style_tree", "SiteStyleTree"),
    "ne-patterns": _Detector("ne_patterns", "NePatterns"),
    "dom-hash": _Detector("dom_template_hash", "DomTemplateHash"),
    "text-windows": _Detector("text_window_hash", "TextWindowHash"),
}
DEFAULT_METHOD = "bootstrapped"


def methods() -> tuple[str, ...]:
    """Return the names of all detectors."""
    return tuple(_DETECTORS)


def detector_class(name: str) -> type:
    """Return the class of the detector called *name*; raise ValueError for an unknown one."""
    found = _DETECTORS.get(name)
    if found is None:
        raise ValueError(f"unknown template detector {name!r}; known are {', '.join(_DETECTORS)}")
    module = import_module(f"pipelines.templates.detectors.{found.module}")
    return cast(type, getattr(module, found.cls))


def options_of(name: str) -> tuple[str, ...]:
    """Return the names of the options of the detector called *name*."""
    return tuple(inspect.signature(detector_class(name)).parameters)


def get(name: str, **options: Any) -> TemplateDetector:
    """Return the detector called *name*, with its published defaults but for *options*.

    Raises ValueError for an unknown detector or option, naming the known ones, and for a value out of range.
    """
    known = options_of(name)
    for option in options:
        if option not in known:
            raise ValueError(f"{name} has no option {option!r}; it takes {', '.join(known)}")
    made = detector_class(name)(**{**_DETECTORS[name].options, **options})
    return cast("TemplateDetector", made)
