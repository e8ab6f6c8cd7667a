"""The reasons that published methods tell: the rule that decided, and never another than that of the label."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from pipelines.boilerplate.registry import get, methods
from tests.made_blocks import made_blocks, page_of

SENTENCE = (
    "The wind takes the chaff away, and what falls back on the floor is the grain that we want. "
)
PAGE = (
    "<title>Grain</title><ul><li><a href=/a>Home and news</a><li><a href=/b>Contact</a></ul>"
    f"<h1>Grain</h1><p>{SENTENCE * 3}</p><p>{SENTENCE}</p><p>Of grain</p><p>{SENTENCE * 3}</p>"
    "<p>Nouns without grammar beside nouns without grammar beside nouns without grammar</p>"
    f"<p>4 Comments</p><p>{SENTENCE}</p><p>© 2012 somebody</p>"
)
TREES = ("numwords-tree", "densitometric-tree")
EXTRACTORS = tuple(name for name in methods() if name.startswith("boilerpipe-"))


def page_from(html, inline="transparent"):
    return build_page(
        html.encode(),
        url="http://a.sample/",
        content_type="text/html; charset=utf-8",
        rules=PageRules(inline=inline),
    )


ROWS = st.lists(st.tuples(st.integers(1, 50), st.floats(0, 1)), min_size=1, max_size=12)


def compared(step):
    """Whether the answer of a step, as `words 16 ≤ 16`, is true of the numbers that it shows."""
    value, sign, limit = re.fullmatch(r".*[a-z] ([\d.]+) ([≤>]) ([\d.]+)", step).groups()
    return float(value) <= float(limit) if sign == "≤" else float(value) > float(limit)


@given(ROWS)
def test_the_ways_down_a_tree_are_true_and_one_way_has_one_end(rows):
    blocks = made_blocks([[n] for n, _ in rows], linked=[int(n * share) for n, share in rows])
    page = page_of(blocks)
    for name in TREES:
        method, ends = get(name), {}
        labels = method.label(page).label
        for reason, label in zip(method.reasons(page).blocks, labels, strict=True):
            steps = reason.said.split(", ")
            assert all(map(compared, steps)), reason.said
            assert (" > 0.33" in steps[0]) == (len(steps) == 1)
            way = re.sub(r" [\d.]+ ([≤>])", r" \1", reason.said)
            assert ends.setdefault(way, label) == label


def test_a_third_is_more_than_the_printed_third():
    page = page_of(made_blocks([[3], [9], [20]], linked=[1, 5, 0]))
    told = [reason.said for reason in get("numwords-tree").reasons(page).blocks]
    assert told[0] == "link density 0.33333333 > 0.333333"
    assert told[2].startswith("link density 0 ≤ 0.33, previous link density 0.55555556 ≤ 0.555556,")
    rule = get("link-density-rule").reasons(page).blocks
    assert rule[0].said == "link density 0.3333 > 0.33"


def test_the_way_of_a_block_is_told():
    page = page_of(made_blocks([[5], [16], [15]]))
    assert get("numwords-tree").reasons(page).blocks[1].said == (
        "link density 0 ≤ 0.33, previous link density 0 ≤ 0.56, words 16 ≤ 16, next words 15 ≤ 15, "
        "previous words 5 > 4"
    )
    page = page_of(made_blocks([[20], [20]], linked=[20, 0]))
    assert [reason.said for reason in get("densitometric-tree").reasons(page).blocks] == [
        "link density 1 > 0.33",
        "link density 0 ≤ 0.33, previous link density 1 > 0.56, next text density 0 ≤ 11",
    ]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (0, "100% of it links, more than 20%: bad"),
        (3, "58% stop words, more than 32%, in 57 tokens: good"),
        (
            4,
            "58% stop words, but 19 tokens and no more than 30: near-good, good by what stands around it",
        ),
        (5, "2 of at least 10 tokens: short, good by what stands around it"),
        (7, "27% stop words, no more than 30%: bad"),
        (8, "2 of at least 10 tokens: short, bad by what stands around it"),
        (10, "it has the sign ©: bad"),
    ],
)
def test_justext_tells_its_rule(place, said):
    page, method = page_from(PAGE), get("justext")
    reasons = method.reasons(page)
    assert reasons.blocks[place].said == said
    assert "stop words, those of English" in reasons.page[0]
    given = get("justext", stop_list=frozenset({"grain"}))
    assert "stop words, those given" in given.reasons(page).page[0]


def test_justext_agrees_with_its_labels():
    for options in ({}, {"headings": True}, {"length_low": 0}, {"language": "German"}):
        page, method = page_from(PAGE), get("justext", **options)
        for reason, label in zip(
            method.reasons(page).blocks, method.label(page).label, strict=True
        ):
            end = reason.said.rpartition(": ")[2]
            kept = label.rpartition("-")[2]
            assert re.sub("^(short|near-good), ", "", end).startswith(kept)


@pytest.mark.parametrize("name", EXTRACTORS)
def test_extractors_tell_the_step_that_came_last(name):
    page, method = page_from(PAGE), get(name)
    reasons = method.reasons(page)
    assert all(step in reasons.page[0] for step in method.steps)
    for reason, kept in zip(reasons.blocks, method.label(page).kept.tolist(), strict=True):
        last = reason.said.rpartition("then ")[2]
        assert last.startswith("content by") == kept


def test_an_end_of_the_text_is_told():
    page, method = page_from(PAGE), get("boilerpipe-article")
    said = [reason.said for reason in method.reasons(page).blocks]
    assert said[page.blocks.text[:].index(SENTENCE.strip(), 5)] == (
        "content by the NumWords tree, then boilerplate by what ends a text"
    )


@pytest.mark.parametrize("mode", ["definition", "printed", "released"])
def test_bte_tells_its_stretch(mode):
    page = page_from(
        f"<body><ul><li>a<li>b</ul><p>{SENTENCE}</p><p>{SENTENCE}</p><ul><li>c</ul>", "gap"
    )
    reasons = get("bte", mode=mode).reasons(page)
    # <body> <ul> <li> <li> </ul> <p>, </p> <p> within, </p> <ul> <li> </ul>
    assert reasons.page == [
        "Kept is the one stretch with most words in it and most tags outside: 38 of 41 words and 2 of 12 tags."
    ]
    assert reasons.blocks == ()
    assert get("bte", mode=mode).reasons(page_from("")).page == [
        "No stretch of the page has more words than tags."
    ]


def test_pages_without_blocks_have_no_reasons():
    page = page_of(made_blocks([]))
    for name in (*TREES, *EXTRACTORS, "justext", "winnow"):
        assert len(get(name).reasons(page).blocks) == 0


ODD_PAGES = {
    "ordinary": PAGE,
    "links": "<div class=nav><a href=/a>Home</a> <a href=/b>News</a></div>" * 9 + PAGE,
    "tables": f"<table><tr><td><a href=/a>Home</a></td><td><p>{SENTENCE * 2}</p></td></tr></table>",
    "Chinese": "<p>从前有一个人，他把谷子扬起来，风把糠吹走了，剩下的就是我们要的谷子。</p>" * 3,
    "advertisement": f"<div class=ad><p>{SENTENCE}</p></div><form><select><option>one</select></form>",
    "bars": f"<p>Home | News | About</p><p>{SENTENCE}</p>",
    "word": "word",
    "nothing": "",
}


@pytest.mark.parametrize("name", methods())
def test_every_method_tells_of_the_page_and_of_all_blocks_or_none(name):
    method = get(name)
    for html in ODD_PAGES.values():
        page = page_from(html, method.inline)
        reasons = method.reasons(page)
        assert all(reasons.page)
        assert reasons.page or not len(page.blocks)
        assert not reasons.blocks or len(reasons.blocks) == len(page.blocks)
        assert all(reason.said or reason.chance is not None for reason in reasons.blocks)


# what is said of blocks that are kept, and of no others
KEPT_BY = {
    "minimum-words": "≥ 10",
    "words-rule": "> 15",
    "link-density-rule": "≤ 0.33",
    "text-density-rule": "≥ 10.5",
    "tc20-sw0.30": "≥ 20, .* ≥ 0.3$",
    "cleaneval-rule": "≥ 7, .* ≤ 0.35",
    "ccb": "> 0.75",
    "tccb": "> 0.75",
    "fiasco-like": "> 0",
    "genieknows-like": "> 0",
    "ncleaner": "> 0",
    "elisa": "content: <",
    "fe": "≥ [0-9.]+$",
    "kfe-remainder": "≥",
    "victor": "by itself (?!other)[^;]*$|; (?!other)",
}


@pytest.mark.parametrize("name", KEPT_BY)
def test_what_is_said_of_a_block_agrees_with_its_label(name):
    method = get(name)
    for html in (*ODD_PAGES.values(), PAGE * 2):
        page = page_from(html, method.inline)
        told = [bool(re.search(KEPT_BY[name], its.said)) for its in method.reasons(page).blocks]
        # Without any winner there is nothing to say of blocks.
        assert told in ([], method.label(page).kept.tolist()), name


def test_filters_tell_what_they_dropped_of_the_content_of_their_base():
    links = f"<ul>{'<li><a href=/x>link</a>' * 9}</ul>"
    page = page_from(f"<p>{SENTENCE * 3}</p>{links}{f'<p>{SENTENCE * 4}</p>' * 3}", "gap")
    for name in ("largest-content", "main-content"):
        method = get(name)
        base, kept = method.base.label(page).kept, method.label(page).kept
        lost = [", but " in reason.said for reason in method.reasons(page).blocks]
        assert lost == (base & ~kept).tolist()
        assert any(lost)


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("lsi", 'largest child has: <div id="main">, 144 characters.'),
        ("lp-7", "links and more: <html>, 218 characters."),
        ("hf", 'most children: <div id="main">, 3 with text.'),
        ("ltc", '<div id="main">, with 4 tags in all and 3 children of one tag'),
    ],
)
def test_methods_of_one_element_name_it(name, note):
    page = page_from(
        f"<body><ul class=top><li>a<li>b</ul><div id=main>{f'<p>{SENTENCE}</p>' * 3}</div>", "gap"
    )
    (said,) = get(name).reasons(page).page
    assert note in said


@pytest.mark.parametrize(
    ("name", "place", "said"),
    [
        ("lqf-50", 0, '100% of the text of <li class="x"> linked'),
        ("lqf-50", 1, "0% of the text of <p> linked"),
        ("lqf-crunch", 0, "in nothing that is looked at"),
        ("lqf-crunch", 2, "100% of the text of <td> linked"),
        ("lqf-mantratzis", 2, "100% of the text of <td> linked"),
        ("crunch-like", 3, 'an advertisement by <div class="ad">'),
        ("crunch-like", 4, "a control by <button>"),
        ("crunch-like", 1, "0% of the text of <p> linked"),
    ],
)
def test_link_quotas_are_told(name, place, said):
    page = page_from(
        f"<body><ul><li class=x><a href=/a>News</a></ul><p>{SENTENCE}</p><table><tr><td><a href=/b>Home</a></td></tr>"
        f"</table><div class=ad><p>{SENTENCE}</p></div><button>Press</button>",
        "gap",
    )
    assert get(name).reasons(page).blocks[place].said == said


def test_released_justext_tells_its_rule_by_characters():
    page, method = page_from(PAGE), get("justext-released")
    said = [reason.said for reason in method.reasons(page).blocks]
    assert said[0] == "100% of it links, more than 20%: bad"
    assert said[3].endswith("characters: good")
    assert said[5] == "8 of at least 70 characters: short, good by what stands around it"
    assert said[-1] == "it has the sign ©, or is a selection: bad"


def test_notes_count_in_words():
    page = page_from(f"<body><ul><li>a<li>b</ul><p>{SENTENCE * 9}</p><ul><li>c<li>d</ul>", "gap")
    assert get("dsc").reasons(page).page[0].startswith("Kept is the text of 1 region where")
    assert get("ccb").reasons(page).page[0].startswith("Passes of blurring: 2;")
