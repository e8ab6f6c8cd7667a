"""Winnow's pass over markup, its windows and votes, against slow and plain versions."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from pipelines.boilerplate.winnow.features.element_tables import NAMES as ELEMENT_NAMES
from pipelines.boilerplate.winnow.features.elements import page_elements
from pipelines.boilerplate.winnow.features.keywords import GROUP_NAMES, automaton
from pipelines.boilerplate.winnow.features.kind_words import LANDMARKS, word_ends
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES, features, passing_features
from pipelines.boilerplate.winnow.features.measures import GOOD, LINKED, WORDS, measure

RULES = PageRules(inline="transparent")


def page_of(html):
    return build_page(html.encode(), url="http://a.sample/", content_type="text/html", rules=RULES)


def value(x, name):
    return x[FEATURE_NAMES.index(name)].tolist()


def test_names_are_unique():
    assert len(set(FEATURE_NAMES)) == len(FEATURE_NAMES)


def found_groups(value):
    """The groups of all words of a class's value, looked for one by one."""
    from pipelines.boilerplate.winnow.features.keywords import _GROUPS

    spaced = " " + re.sub("[^a-z]", " ", value.lower()) + " "
    return {
        name
        for name, words in _GROUPS.items()
        if any(word.replace("_", " ") in spaced for word in words.split())
    }


CLASS = st.lists(
    st.sampled_from(
        ["comment", "nav", "Post-Body", "ad", "shadow", "entry_content", "x", "mainmenu"]
    ),
    max_size=4,
).map("-".join)


@given(CLASS)
def test_keywords_are_those_found_one_by_one(value):
    elements, block_element = page_elements(page_of(f"<div class='{value}'>text</div>"))
    bits = int(elements.keywords[block_element[0]])
    assert {name for bit, name in enumerate(GROUP_NAMES) if bits >> bit & 1} == found_groups(value)


def test_automaton_fits_its_types():
    assert len(automaton().found) < 2**16
    assert len(GROUP_NAMES) <= 32


def made_tree(seed):
    """Nested elements with text, as HTML and as the path of each text, from the outermost inwards."""
    choice = random.Random(seed)
    html, paths = [], []

    def add(path):
        for _ in range(choice.randint(1, 3)):
            kind = choice.random()
            if kind < 0.4 or len(path) > 6:
                html.append(f"<b>w{len(paths)}</b> word<hr>")
                paths.append(path)
            elif kind < 0.5:
                html.append("<!-- <div> --><script>'<p>'</script><img alt='>'><br>")
            else:
                name = choice.choice(["div", "section", "ul", "article"])
                html.append(f"<{name} id=x>")
                add((*path, name))
                html.append(f"</{name}>")

    add(())
    return "".join(html), paths


@given(st.integers(0, 10**6))
def test_elements_are_those_around_the_text(seed):
    html, paths = made_tree(seed)
    elements, block_element = page_elements(page_of(html))
    found = []
    for innermost in block_element.tolist():
        path, element = [], innermost
        while element:
            path.append(ELEMENT_NAMES[elements.name[element]])
            element = int(elements.parent[element])
        found.append(tuple(reversed(path)))
    assert found == paths
    for block, innermost in enumerate(block_element.tolist()):
        element = innermost
        while True:
            assert elements.first_block[element] <= block < elements.end_block[element]
            if not element:
                break
            element = int(elements.parent[element])


PAGE = (
    "<title>Winnow and chaff</title><div class=nav><a href=/>Home</a><hr><a href=/b>About us</a></div>"
    "<div class=content><h1>Winnow and chaff</h1>"
    + "<p>The wind takes the chaff, and what is left is the grain that we wanted, all of it.</p>"
    * 2
    + "<p>It is a very old way, older than most of the words that it is called by today.</p></div>"
    "<div class=comment-list><h3>2 comments</h3><p>Thank you, that is what I wanted to read.</p></div>"
    "<div id=footer>Copyright 2012</div>"
)


def test_features_of_a_page():
    page = page_of(PAGE)
    x = features(page)
    assert x.shape == (len(FEATURE_NAMES), len(page.blocks))
    assert value(x, "words") == page.blocks.n_words.tolist()
    assert value(x, "link share") == page.blocks.link_density.astype(np.float32).tolist()
    assert value(x, "repeated text") == [1, 1, 1, 2, 2, 1, 1, 1, 1]
    assert value(x, "first of repeated text") == [1, 1, 1, 1, 0, 1, 1, 1, 1]
    assert value(x, "title likeness")[2] == 1
    assert value(x, "in centre") == [0, 0, 1, 1, 1, 1, 0, 0, 0]
    assert value(x, "blocks of same path")[3:6] == [4, 4, 4]
    assert [share > 0 for share in value(x, "comment around")] == [False] * 6 + [True] * 2 + [False]
    assert value(x, "footer near")[-1] == 0
    assert value(x, "blocks since comment heading")[7] == 1
    assert value(x, "words since comment heading")[5:8] == [-1, 0, page.blocks.n_words[6]]


@given(st.integers(0, 10**6))
def test_windows_are_sums_over_the_blocks_around(seed):
    choice = random.Random(seed)
    words = [choice.randint(1, 30) for _ in range(choice.randint(1, 40))]
    html = "".join(
        f"<p>{'The word, ' * (n - 1)}<a href=/x>{'word' if choice.random() < 0.5 else ''}</a> end"
        for n in words
    )
    page = page_of(html)
    m, x = measure(page), features(page)
    for radius in (1, 2, 5, 12, 30):
        for i in range(len(words)):
            around = slice(max(i - radius, 0), i + radius + 1)
            n = int(page.blocks.n_words[around].sum())
            linked = int(page.blocks.linked_words[around].sum())
            good = np.diff(m.sums[GOOD])[around].sum()
            assert value(x, f"words in {radius}")[i] == n
            assert value(x, f"link share in {radius}")[i] == pytest.approx(linked / n)
            assert value(x, f"good share in {radius}")[i] == pytest.approx(good / n)
    assert m.sums[WORDS, -1] == page.blocks.n_words.sum()
    assert m.sums[LINKED, -1] == page.blocks.linked_words.sum()


@given(
    st.lists(
        st.sampled_from([*LANDMARKS, b"schema.or", b'"@typ', b"e", b"a.o", b"/" * 50]), max_size=40
    )
)
def test_words_that_kinds_stand_behind(pieces):
    source = b"".join(pieces)
    for n_bytes in (len(source), len(source) // 2):
        head, found = source[:n_bytes], word_ends(source, n_bytes)
        for word, ends, most in zip(LANDMARKS, found, (12, 12, 4, 1), strict=True):
            # Two may share a quotation mark.
            starts = [match.start() for match in re.finditer(b"(?=" + re.escape(word) + b")", head)]
            assert ends == [start + len(word) for start in starts][:most]


def test_votes_are_shares_of_the_group():
    page = page_of(PAGE)
    x, good = features(page), np.diff(measure(page).sums[GOOD])
    numbers = page.blocks.path_number
    for i, number in enumerate(numbers.tolist()):
        same = numbers == number
        words = page.blocks.n_words[same].sum()
        assert value(x, "blocks of same path")[i] == same.sum()
        assert value(x, "words of same path")[i] == pytest.approx(words / same.sum())
        assert value(x, "good share of same path")[i] == pytest.approx(good[same].sum() / words)
        share = good[same].sum() / max(good.sum(), 1)
        assert value(x, "of the good of same path")[i] == pytest.approx(share)


def test_elements_beyond_the_usual_room_are_read():
    elements, block_element = page_elements(page_of("<div>x</div>" * 5000))
    assert len(elements.parent) == 5001
    assert block_element.tolist() == list(range(1, 5001))


@pytest.mark.parametrize("value", ["nav", "side-bar", "col-md-12 main content", "comment"])
def test_a_value_says_the_same_wherever_and_however_often_it_stands(value):
    html = f"<div class='{value}'>a</div><p class='{value}'>b</p><div class='{value}'>c</div>"
    elements, _ = page_elements(page_of(html))
    bits = {int(own) for own in elements.keywords[1:]}
    assert len(bits) == 1
    assert {name for bit, name in enumerate(GROUP_NAMES) if min(bits) >> bit & 1} == found_groups(
        value
    )
    assert elements.signature[1] == elements.signature[3] != elements.signature[2]


def test_two_classes_of_an_element_are_one_signature():
    elements, _ = page_elements(
        page_of("<div class=side class=bar>a</div><div class=sidebar>b</div>")
    )
    assert elements.signature[1] == elements.signature[2]


def test_passing_features_are_the_same_in_room_used_before():
    for html in (PAGE, "<p>One block only.", PAGE * 3, "", PAGE):
        page = page_of(html)
        assert np.array_equal(passing_features(page), features(page))
