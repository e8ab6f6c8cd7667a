"""Pages of random tags for the tests of templates, and the slow, obvious versions of their structures."""

from __future__ import annotations

from hypothesis import strategies as st
from lxml import etree

from crawler.page import PageModel, build_page

NAMES = ("div", "p", "ul", "li", "span", "b", "table", "tr", "td", "my-tag", "svg", "br")


def page(html: str | bytes) -> PageModel:
    body = html.encode() if isinstance(html, str) else html
    return build_page(body, url="http://a.com/", content_type="text/html; charset=utf-8")


# Tags open and close as they come.
soups = st.lists(
    st.sampled_from([*(f"<{name}>" for name in NAMES), *(f"</{name}>" for name in NAMES), "word "]),
    max_size=60,
).map("".join)


def path_of(element: etree._Element) -> tuple[str, ...]:
    path = [element, *element.iterancestors()]
    return tuple(str(each.tag) for each in reversed(path))


def paths(model: PageModel) -> set[tuple[str, ...]]:
    """The paths to the elements that have no child elements, or text of the page; of a page without markup none."""
    if not len(model.found_tags):
        return set()
    root = model.tree.root
    with_text = {each.getparent() if tail else each for each, tail in model.tree.nodes}
    elements = root.iter(etree.Element)
    return {path_of(each) for each in elements if not len(each) or each in with_text}


def windows(sequence: tuple[str, ...], n: int) -> set[tuple[str, ...]]:
    if len(sequence) <= n:
        return {sequence} if sequence else set()
    return {sequence[first : first + n] for first in range(len(sequence) - n + 1)}


def path_shingles(model: PageModel) -> set[tuple[str, ...]]:
    return set().union(*(windows(path, 4) for path in paths(model)))


def distance(a: set, b: set) -> float:
    return 1 - len(a & b) / max(len(a), len(b)) if a or b else 0.0
