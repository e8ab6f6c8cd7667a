"""A page as the methods on templates see it: its structure, made once, and its texts.

Paths are those from the root to a leaf: an element without child elements, or a text, which ends the path
at its element. Names of tags count in small letters, attributes, comments and scripts' contents do not.
*Source: Gottron 2008, section 7.1.1; Buttler 2004 for path shingles.* Where the thesis is silent:

- the tree is libxml2's (the thesis had JTidy's), texts are those of the page's blocks;
- a path of fewer than 4 elements is one shingle, and so is a sequence of fewer than 8 tags;
- the tag vector counts start tags.

The published thresholds are of other trees; what they do with these is measured in the tests.

Shapes: uint64 arrays; sets are ascending, without repetition. Cost: O(bytes) beside libxml2's parse; memory some
8 bytes a tag, 32 an element, and the texts. Invariant: the same bytes, the same arrays, in any process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import xxhash

from pipelines.templates.events import event_hashes
from pipelines.templates.labels import label, tag_labels
from pipelines.templates.shrinking import shrink
from pipelines.templates.tree_kernels import (
    hash_paths,
    hash_shingles,
    hash_subtrees,
    hash_windows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from crawler.page import PageModel

    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]

# Buttler 2004 has 1 to 4; Gottron 2008, section 7.1.1, takes the longest.
PATH_SHINGLE = 4
# Gottron 2008, section 7.1.1: the shortest window of the DSC method.
TAG_SHINGLE = 8


class Tree(NamedTuple):
    """The elements of a page in document order, n each; the subtree of i is i to i + ``size[i]`` - 1.

    ``label`` is :func:`pipelines.templates.labels.label` of the name, ``parent`` -1 for the root. Two elements of
    whatever pages have the same ``subtree`` iff the names in their subtrees are the same, in the same shape (but for
    collisions of 64 bits).
    """

    label: U64
    parent: I64
    size: I64
    subtree: U64


class Texts(NamedTuple):
    """The texts of a page in tree order, whitespace collapsed, m each.

    ``hash`` is of the string; ``holder`` the element that the text is a child of, a place in :class:`Tree`;
    ``node`` its place among the nodes of `crawler.page.tree.PageTree`. Texts of whitespace alone are none.
    """

    string: list[str]
    hash: U64
    holder: I64
    node: I64


class Document(NamedTuple):
    """The features of one page.

    ``paths`` (CP), ``path_shingles`` (CPS) and ``tag_shingles`` (CTSS) are sets, ``path_counts`` says how many
    leaves end each path (an element with text is one, whatever texts it has); ``tags`` (LCTS) the labels of
    all tags in source order; ``vector_labels`` and ``vector_counts`` (TV) how often each start tag is
    there; ``tree`` (RTDM); ``events`` (XAS), empty if they were not asked for; ``texts``.
    """

    paths: U64
    path_counts: I64
    path_shingles: U64
    tag_shingles: U64
    tags: U64
    vector_labels: U64
    vector_counts: I64
    tree: Tree
    events: U64
    texts: Texts


def document(page: PageModel, *, has_events: bool = True, is_shrunk: bool = False) -> Document:
    """Return the features of *page*; a page without markup has texts alone.

    Events, which take as long as all others, are left out unless it *has_events*. *is_shrunk*: the tree and the paths
    are those of :mod:`pipelines.templates.shrinking`.

    >>> from crawler.page import build_page
    >>> page = build_page(b"<ul><li>a <b>b</b><li>c</ul>", url="http://a.com/", content_type=None)
    >>> found = document(page)
    >>> len(found.paths), len(found.tags), found.texts.string
    (2, 6, ['a', 'b', 'c'])
    """
    if not len(page.found_tags):
        return _without_markup(page.blocks.text)
    tree, texts = _tree(page), _texts(page)
    events = event_hashes(page.tree, tree, texts) if has_events else np.zeros(0, np.uint64)
    holders = texts.holder
    if is_shrunk:
        shrunk = shrink(page.tree, tree.label)
        tree = with_subtrees(shrunk.label, shrunk.parent)
        texts = texts._replace(holder=shrunk.number[texts.holder])
        holders = np.concatenate((texts.holder, shrunk.images))
    tags, is_end = tag_labels(page)
    vector = np.unique(tags[~is_end], return_counts=True)
    is_leaf = tree.size == 1
    is_leaf[holders] = True
    paths, counts, shingles = _paths(tree, is_leaf)
    return Document(
        paths=paths,
        path_counts=counts,
        path_shingles=shingles,
        tag_shingles=windows(tags, TAG_SHINGLE),
        tags=tags,
        vector_labels=vector[0],
        vector_counts=vector[1].astype(np.int64),
        tree=tree,
        events=events,
        texts=texts,
    )


def windows(labels: U64, n_labels: int) -> U64:
    """Return the set of hashes of *n_labels* of *labels* in a row, or of all where there are fewer."""
    width = min(n_labels, len(labels))
    if not width:
        return np.zeros(0, np.uint64)
    hashes = np.empty(len(labels) - width + 1, np.uint64)
    hash_windows(labels, width, hashes)
    return np.unique(hashes)


def _paths(tree: Tree, is_leaf: npt.NDArray[np.bool_]) -> tuple[U64, I64, U64]:
    """Return the set of paths to leaves, how many leaves end each, and the set of their shingles."""
    n = len(tree.label)
    paths, shingles, depth = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n, np.int64)
    hash_paths(tree.parent, tree.label, paths)
    hash_shingles(tree.parent, tree.label, PATH_SHINGLE, depth, shingles)
    # A path that is shorter than a shingle counts where it ends alone.
    kept = (depth >= PATH_SHINGLE) | is_leaf
    found, counts = np.unique(paths[is_leaf], return_counts=True)
    return found, counts.astype(np.int64), np.unique(shingles[kept])


def _tree(page: PageModel) -> Tree:
    tree = page.tree
    labels = np.array([label(str(each.tag)) for each in tree.elements], np.uint64)
    return with_subtrees(labels, tree.parents)


def with_subtrees(labels: U64, parent: I64) -> Tree:
    """Return the tree of elements with *labels* below *parent*, in document order."""
    size, subtree = np.zeros(len(labels), np.int64), np.zeros(len(labels), np.uint64)
    hash_subtrees(parent, labels, size, subtree)
    return Tree(labels, parent, size, subtree)


def _texts(page: PageModel) -> Texts:
    strings = [" ".join(node.text.split()) for node in page.tree.nodes]
    node = np.array([place for place, string in enumerate(strings) if string], np.int64)
    return _with_hashes([string for string in strings if string], page.tree.holders[node], node)


def _with_hashes(strings: list[str], holder: I64, node: I64) -> Texts:
    hashes = [xxhash.xxh3_64_intdigest(each.encode("utf-8", "replace")) for each in strings]
    return Texts(strings, np.array(hashes, np.uint64), holder, node)


def _without_markup(blocks: Iterable[str]) -> Document:
    """Return the features of a page that is its blocks: no element holds its texts."""
    strings = [" ".join(block.split()) for block in blocks]
    none, no_numbers = np.zeros(0, np.uint64), np.zeros(0, np.int64)
    nowhere = np.full(len(strings), -1, np.int64)
    return Document(
        paths=none,
        path_counts=no_numbers,
        path_shingles=none,
        tag_shingles=none,
        tags=none,
        vector_labels=none,
        vector_counts=no_numbers,
        tree=Tree(none, no_numbers, no_numbers, none),
        events=none,
        texts=_with_hashes(strings, nowhere, nowhere),
    )
