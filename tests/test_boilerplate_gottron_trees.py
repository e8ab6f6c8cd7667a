"""The methods on the tree of a page against the listings, run on lxml's elements as they stand."""

from __future__ import annotations

from collections import deque

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.words import density_tokens
from pipelines.boilerplate import link_quota
from pipelines.boilerplate.debnath import BLOCK_TAGS, FeatureExtractor, KFeatureExtractor, divided
from pipelines.boilerplate.largest_pagelet import LargestPagelet
from pipelines.boilerplate.lsi import LSI
from pipelines.boilerplate.tree_nodes import TreeNodes

PIECES = (
    *("<p>", "</p>", "<div>", "</div>", "<a href=x>", "</a>", "<b>", "</b>", "<ul><li>", "<li>"),
    *("</ul>", "<table><tr><td>", "<td>", "</table>", "<hr>", "<img src=x>", "<!--c-->", "<a>"),
    *("word", "two words", "three more words", "<h1>", "</h1>", "<script>x</script>", "<tr>"),
)
SOURCES = st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join)
LINKS = ("<a href=x>one</a>",) * 5
BOXES = ("<div>", "</div>", "<div>", "<table><tr><td>", "<td>", "</table>", "<br>", "word", *LINKS)
MENUS = st.lists(st.sampled_from(BOXES), max_size=30).map(" ".join)


def page(body):
    return build_page(body.encode(), url="http://a.sample/", content_type="text/html")


def kept_text(cleaner, body):
    model = page(body)
    labels = cleaner.label(model)
    assert len(labels.label) == len(model.blocks)
    return [text for text, kept in zip(model.blocks.text, labels.kept, strict=True) if kept]


class SlowTree:
    """The page's tree by recursion: nodes are elements, or (holder, place) of a visible text."""

    def __init__(self, model):
        tree = model.tree
        self.root = tree.root
        self.texts, self.blocks = {}, {}
        for place, (element, is_tail) in enumerate(tree.nodes):
            of_node = tree.pieces.node == place
            holder = element.getparent() if is_tail else element
            spans = [*zip(tree.pieces.start[of_node], tree.pieces.end[of_node], strict=True)]
            text = "".join(tree.nodes[place].text[a:b] for a, b in spans)
            self.texts[holder, place] = "".join(text.split())
            words = [len(density_tokens(tree.nodes[place].text[a:b])) for a, b in spans]
            self.blocks[holder, place] = [*zip(tree.pieces.block[of_node], words, strict=True)]
        self.behind = {}
        for node, (element, is_tail) in zip(self.texts, tree.nodes, strict=True):
            self.behind.setdefault((element, is_tail), node)

    def children(self, node):
        if isinstance(node, tuple):
            return []
        found = [self.behind.get((node, False))]
        for child in node:
            found += [
                child if isinstance(child.tag, str) else None,
                self.behind.get((child, True)),
            ]
        return [child for child in found if child is not None]

    def nodes(self, node=None):
        node = self.root if node is None else node
        return [node, *(below for child in self.children(node) for below in self.nodes(child))]

    def texts_of(self, node):
        return [below for below in self.nodes(node) if isinstance(below, tuple)]

    def size(self, node):
        return sum(len(self.texts[text]) for text in self.texts_of(node))

    def links(self, node):
        return sum(map(is_link, self.nodes(node)))

    def kept(self, picked, model):
        """Labels of the blocks: kept are those of which half of the words are picked."""
        balance = [0] * len(model.blocks)
        for text, pieces in self.blocks.items():
            for block, n_words in pieces:
                balance[block] += n_words if text in picked else -n_words
        return [words >= 0 for words in balance]


def is_link(node):
    return not isinstance(node, tuple) and node.tag == "a" and "href" in node.attrib


def is_whole(slow, model):
    """Whether the tree has all blocks, and there are any."""
    found = {block for pieces in slow.blocks.values() for block, _ in pieces}
    return len(found) == len(model.blocks) > 0


@settings(max_examples=50)
@given(SOURCES)
def test_arrays_are_the_tree(source):
    model = page(source)
    nodes, slow = TreeNodes(model), SlowTree(model)
    if not len(model.found_runs):
        return
    elements = [node for node in slow.nodes() if not isinstance(node, tuple)]
    assert nodes.elements == elements
    sizes = nodes.within(nodes.own(nodes.chars))
    for place, element in enumerate(elements):
        below = [node for node in slow.nodes(element) if not isinstance(node, tuple)]
        assert nodes.end[place] == place + len(below)
        assert sizes[place] == slow.size(element)
        assert nodes.is_link[place] == is_link(element)


@settings(max_examples=50)
@given(SOURCES | MENUS)
def test_largest_size_increase(source):
    model = page(source)
    slow = SlowTree(model)
    if not is_whole(slow, model):
        return
    best, found = 0, slow.root
    for node in slow.nodes():
        size = len(slow.texts[node]) if isinstance(node, tuple) else slow.size(node)
        children = [
            len(slow.texts[child]) if isinstance(child, tuple) else slow.size(child)
            for child in slow.children(node)
        ]
        if size - max(children, default=0) > best:
            best, found = size - max(children, default=0), node
    picked = [found] if isinstance(found, tuple) else slow.texts_of(found)
    assert LSI().label(model).kept.tolist() == slow.kept(picked, model)


@settings(max_examples=50)
@given(SOURCES | MENUS, st.integers(1, 4))
def test_largest_pagelet(source, k):
    model = page(source)
    slow = SlowTree(model)
    if not is_whole(slow, model):
        return
    queue, pagelets = deque([slow.root]), []
    while queue:
        node = queue.popleft()
        if any(slow.links(child) >= k for child in slow.children(node)):
            queue.extend(slow.children(node))
        else:
            pagelets.append(node)
    order = slow.nodes()
    sizes = [
        len(slow.texts[node]) if isinstance(node, tuple) else slow.size(node) for node in pagelets
    ]
    largest = [node for node, size in zip(pagelets, sizes, strict=True) if size == max(sizes)]
    found = min(largest, key=order.index)
    picked = [found] if isinstance(found, tuple) else slow.texts_of(found)
    assert LargestPagelet(k=k).label(model).kept.tolist() == slow.kept(picked, model)


def local_texts(slow, node, linked):
    """The texts that no block below *node* holds, and whether each is linked."""
    found = []
    for child in slow.children(node):
        if isinstance(child, tuple):
            found.append((child, linked))
        elif child.tag not in link_quota.BLOCK_TAGS:
            found += local_texts(slow, child, linked or is_link(child))
    return found


def elements_of(slow, tags):
    """Yield the elements of *tags*, and whether they are links or stand in one."""
    for node in slow.nodes():
        if not isinstance(node, tuple) and node.tag in tags:
            yield node, any(is_link(above) for above in [node, *node.iterancestors()])


@settings(max_examples=50)
@given(SOURCES | MENUS, st.sampled_from([0.25, 0.5, 0.75]))
def test_link_quota(source, threshold):
    model = page(source)
    slow = SlowTree(model)
    if not is_whole(slow, model):
        return
    removed = []
    for node, under in elements_of(slow, link_quota.BLOCK_TAGS):
        local = local_texts(slow, node, under)
        total = sum(len(slow.texts[text]) for text, _ in local)
        link = sum(len(slow.texts[text]) for text, linked in local if linked)
        if total and link / total > threshold:
            removed += [text for text, _ in local]
    picked = [text for text in slow.texts if text not in removed]
    kept = link_quota.SimpleLinkQuotaFilter(threshold=threshold).label(model).kept
    assert kept.tolist() == slow.kept(picked, model)


def of_candidate(slow, node, linked, decay):
    """Links with text, elements, linked and all characters of Mantratzis's candidate *node*, nested ones decayed."""
    sums, queue = np.zeros(4), [(child, linked, 1) for child in slow.children(node)]
    for child, is_linked, distance in queue:
        if isinstance(child, tuple):
            n_chars = len(slow.texts[child])
            sums += (0, 0, is_linked * n_chars, n_chars)
            continue
        sums += (is_link(child) and slow.size(child) > 0, 1, 0, 0)
        under = is_linked or is_link(child)
        if child.tag in link_quota.SIGNIFICANT:
            sums += decay**distance * of_candidate(slow, child, under, decay)
        else:
            queue += [(below, under, distance + 1) for below in slow.children(child)]
    return sums


@settings(max_examples=50)
@given(MENUS, st.sampled_from([0.0, 0.5, 1.0]))
def test_link_quota_of_mantratzis(source, decay):
    model = page(source)
    slow = SlowTree(model)
    if not is_whole(slow, model):
        return
    removed = []
    for node, under in elements_of(slow, link_quota.SIGNIFICANT):
        links, elements, linked, chars = of_candidate(slow, node, under, decay)
        if links > 0.5 * elements and linked > 0.4 * chars:
            removed += slow.texts_of(node)
    picked = [text for text in slow.texts if text not in removed]
    kept = link_quota.MantratzisLinkQuotaFilter(decay=decay).label(model).kept
    assert kept.tolist() == slow.kept(picked, model)


@given(SOURCES)
def test_blocks_of_debnath(source):
    model = page(source)
    if not len(model.found_runs):
        return
    nodes = TreeNodes(model)
    blocks = {nodes.elements[0]}
    for tag in BLOCK_TAGS:
        for block in list(blocks):
            below = [element for element in block.iter(tag) if element is not block]
            if below:
                blocks = (blocks - {block}) | set(below)
    found = {nodes.elements[place] for place in np.flatnonzero(divided(nodes)).tolist()}
    assert found == blocks


def test_worked_example_of_debnath():
    # Two links, an image, three words; a link, four words; a link and an image: .5, .8 and 0.
    first = "<p><a href=1>one</a> <a href=2>two</a> three <img src=x></p>"
    second = "<p><a href=3>one</a> two three four</p>"
    third = "<p><a href=4><img src=x></a></p>"
    body = f"<body>{first}{second}{third}"
    assert kept_text(FeatureExtractor(), body) == ["one two three four"]
    assert kept_text(FeatureExtractor(), f"<body>{first}{third}") == ["one two three"]
    assert kept_text(FeatureExtractor(min_purity=0.51), f"<body>{first}{third}") == []
    assert kept_text(KFeatureExtractor(k=1), body) == ["one two three", "one two three four"]
    assert kept_text(KFeatureExtractor(), body) == ["one two three four"]


def test_text_outside_of_the_blocks_is_lost_or_a_block_of_its_own():
    body = "<body>loose text of five words<table><tr><td>in <b>a</b> cell</table>"
    assert kept_text(KFeatureExtractor(), body) == ["in", "a", "cell"]
    remainder = KFeatureExtractor(keep_remainder=True)
    assert kept_text(remainder, body) == ["loose text of five words"]
