"""The Site Style Tree: parts of a site's pages that look the same and say the same are noise.

The style of an element is the sequence of its child elements, each a tag with its attributes of presentation. In the
tree an element E, which m pages have, holds the l styles that it has on them, with p_i the share of pages that have
style i; a style holds its elements. Styles are equal if the sequences are; so no trees are aligned. The body is the
root. With gamma = .9::

    NodeImp(E) = - sum_i p_i log_m p_i                                                     1 if m is 1
    CompImp(E) = (1 - gamma^l) NodeImp(E) + gamma^l sum_i p_i CompImp(S_i)
    CompImp(S) = the mean of CompImp over its elements
    CompImp(E) = 1 - the mean of H over its features, of a leaf E                           1 if m is 1

with H of :mod:`~pipelines.templates.detectors.feature_entropy` over the m pages. E is noisy when its importance and
that of all elements below are less than *threshold*, meaningful when nothing noisy is in it, itself neither. A page is
laid over the tree from the body on: noisy elements go, meaningful ones stay, of others their children are looked at;
what has no counterpart stays.

*Source: Yi, Liu and Li 2003, after Gottron 2008, section 3.3.4.* Leaves are, as there, the parents of the DOM's leaves:
elements whose child elements have none. Their features are the words, links and images in them. Ours: the *threshold*
(theirs was set on 20 pages, and is not given); without features the mean is 0, and text where the training pages had
none anywhere below stays; where an element is a leaf on some pages, that is one style of it. Styles that are alike are
not merged, and small rare elements not left out of the marking.

Cost: O(n) for n elements. Memory: the tree, some 500 bytes an element that is not of a style that is known, and 150 a
feature; no page is added to a tree of more than `MAX_ELEMENTS`.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np
from lxml import etree

from crawler.page.words import search_words
from pipelines.templates.detectors.document_frequency import checked_count, checked_share
from pipelines.templates.detectors.feature_entropy import FeatureEntropies
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.training import Learner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from crawler.page import PageModel
    from pipelines.templates.detectors.kept import Kept

_PRESENTATION = frozenset(
    {
        *("align", "background", "bgcolor", "border", "class", "color", "colspan", "face"),
        *("height", "rowspan", "size", "style", "valign", "width"),
    }
)
_NO_VISIBLE = frozenset({"head", "noscript", "script", "style", "template"})
# 500 MB; of 500 pages of a site in ten styles the tree has some ten thousand.
MAX_ELEMENTS = 1_000_000
StyleKey = tuple[str, ...]


@dataclass(slots=True, eq=False)
class StyleElement:
    """An element node: *n_pages* have it; *styles* are its style nodes: pages, and their elements.

    *leaf* are the features of the pages where it is a leaf; *has_features*: it or an element below has any.
    """

    n_pages: int = 0
    styles: dict[StyleKey, tuple[int, list[StyleElement]]] = field(default_factory=dict)
    leaf: FeatureEntropies | None = None
    importance: float = 1.0
    leaf_importance: float = 1.0
    has_features: bool = False
    is_noisy: bool = False
    has_noise: bool = False

    def children(self) -> Iterator[StyleElement]:
        """Yield the elements of all styles."""
        for _, elements in self.styles.values():
            yield from elements


class SiteStyleTree(Learner):
    """Drops elements that are noise by *threshold*, 0 to 1; *gamma*, 0 to 1, attenuates what is below."""

    def __init__(self, *, threshold: float = 0.2, gamma: float = 0.9, max_pages: int = 500):
        self.threshold = checked_share("threshold", threshold)
        self.gamma = checked_share("gamma", gamma)
        self.max_pages = checked_count("max_pages", max_pages)
        self.root = StyleElement()

    def read(self, page: PageModel) -> etree._Element | None:
        """Return the body of *page*, None where there is none."""
        return _body(PageNodes(page))

    def learn(self, readings: Iterable[etree._Element | None]) -> Self:
        """Make the tree of pages, and mark what is noise."""
        self.root = StyleElement()
        n_elements = 1
        for body in readings:
            if body is not None:
                n_elements += _merge(self.root, body)
            if n_elements > MAX_ELEMENTS:
                break
        for element in _bottom_up(self.root):
            self._weigh(element)
        return self

    def extract(self, page: PageModel) -> Kept:
        """Return what stays of *page*."""
        nodes = PageNodes(page)
        noisy = self._noisy_elements(nodes)
        marked = np.array([element in noisy for element in nodes.elements], np.bool_)
        return nodes.kept(nodes.within(marked)[nodes.holder])

    def _noisy_elements(self, nodes: PageNodes) -> set[etree._Element]:
        """Return the maximal noisy elements of a page."""
        body = _body(nodes)
        waiting = [] if body is None else [(self.root, body)]
        noisy: set[etree._Element] = set()
        while waiting:
            known, element = waiting.pop()
            if not known.has_features:
                continue
            children = _children(element)
            if known.is_noisy or (_is_leaf(children) and self._is_noise(known)):
                noisy.add(element)
            elif (
                known.has_noise
                and not _is_leaf(children)
                and (key := _key(children)) in known.styles
            ):
                waiting += zip(known.styles[key][1], children, strict=True)
        return noisy

    def _is_noise(self, known: StyleElement) -> bool:
        """Tell whether *known*, which is a leaf here, is noise as one."""
        return (
            known.leaf is not None and known.leaf.has_any and known.leaf_importance < self.threshold
        )

    def _weigh(self, element: StyleElement) -> None:
        """Set what follows from the children of *element*, which have theirs."""
        if element.leaf is not None:
            element.leaf_importance = _leaf_importance(element.leaf)
        element.importance = self._importance(element)
        children = list(element.children())
        element.has_features = (element.leaf is not None and element.leaf.has_any) or any(
            child.has_features for child in children
        )
        is_noise = element.importance < self.threshold
        element.is_noisy = is_noise and all(child.is_noisy for child in children)
        element.has_noise = (
            element.is_noisy
            or any(child.has_noise for child in children)
            or self._is_noise(element)
        )

    def _importance(self, element: StyleElement) -> float:
        """Return CompImp of *element*."""
        if not element.styles:
            return element.leaf_importance
        m = element.n_pages
        parts = [
            (count / m, sum(child.importance for child in children) / len(children))
            for count, children in element.styles.values()
        ]
        if element.leaf is not None:
            parts.append((element.leaf.n_pages / m, element.leaf_importance))
        below = sum(p * importance for p, importance in parts)
        attenuated = self.gamma ** len(parts)
        return (1 - attenuated) * node_importance([p for p, _ in parts], m) + attenuated * below


def node_importance(shares: Iterable[float], n_pages: int) -> float:
    """Return NodeImp of an element on *n_pages*, whose styles have these *shares* of them.

    >>> node_importance([1.0], 5), node_importance([0.5, 0.5], 2), node_importance([1.0], 1)
    (0.0, 1.0, 1.0)
    """
    if n_pages == 1:
        return 1.0
    return abs(sum(p * math.log(p, n_pages) for p in shares))


def _leaf_importance(features: FeatureEntropies) -> float:
    if features.n_pages == 1:
        return 1.0
    values = list(features.all())
    return 1 - sum(values) / len(values) if values else 0.0


def _body(nodes: PageNodes) -> etree._Element | None:
    return next((element for element in nodes.elements if element.tag == "body"), None)


def _children(element: etree._Element) -> list[etree._Element]:
    return [child for child in element.iterchildren(etree.Element) if child.tag not in _NO_VISIBLE]


def _is_leaf(children: Iterable[etree._Element]) -> bool:
    return not any(map(_children, children))


def _key(children: Iterable[etree._Element]) -> StyleKey:
    """Return what a style is compared by."""
    return tuple(
        " ".join(
            (
                str(child.tag),
                *sorted(f"{a!s}={v!s}" for a, v in child.items() if a in _PRESENTATION),
            )
        )
        for child in children
    )


def _merge(root: StyleElement, body: etree._Element) -> int:
    """Add the page style tree of a page to the tree; return how many elements are new."""
    n_new, waiting = 0, [(root, body)]
    while waiting:
        known, element = waiting.pop()
        known.n_pages += 1
        children = _children(element)
        if _is_leaf(children):
            known.leaf = known.leaf or FeatureEntropies()
            known.leaf.add(_features(element, children))
            continue
        key = _key(children)
        count, elements = known.styles.get(key) or (0, [StyleElement() for _ in children])
        known.styles[key] = (count + 1, elements)
        n_new += 0 if count else len(elements)
        waiting += zip(elements, children, strict=True)
    return n_new


def _features(element: etree._Element, children: Iterable[etree._Element]) -> Counter[str]:
    """Return how often a leaf has each of its words, links and images."""
    # Behind a comment there may be text, too.
    texts = [element.text or "", *(child.tail or "" for child in element)]
    texts += [child.text or "" for child in children]
    found: Counter[str] = Counter()
    for child in children:
        found.update(
            f"{name}={child.get(name)}" for name in ("href", "src") if name in child.attrib
        )
    for text in texts:
        found.update(search_words(text))
    return found


def _bottom_up(root: StyleElement) -> Iterator[StyleElement]:
    """Yield the elements of the tree, children first."""
    ordered = [root]
    for element in ordered:
        ordered += element.children()
    return reversed(ordered)
