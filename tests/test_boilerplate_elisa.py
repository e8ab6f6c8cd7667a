"""The rules of elISA against each tried on each element, and what is taken over from earlier elements."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree

from crawler.page import build_page
from pipelines.boilerplate.elisa import Elisa, annotate, read_rules
from pipelines.boilerplate.elisa.default_rules import DEFAULT_RULES
from pipelines.boilerplate.elisa.expressions import Reads, reads
from pipelines.boilerplate.tree_nodes import TreeNodes

# Few names and texts, so that elements are alike.
PIECES = (
    *(
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<a href=x>",
        "</a>",
        "<ul><li>",
        "</ul>",
        "<img src=Logo>",
    ),
    *(
        "<div class=Menu>",
        "<p id=MENU>",
        "<div class='post text'>",
        "<p class=x>",
        "<td class=foot>",
    ),
    *(
        "<div id='a&#1;b'>",
        "<p class=''>",
        "<nav>",
        "</nav>",
        "<article>",
        "<table><tr><td>",
        "<h1>",
    ),
    *("word", "word", "two words", "© Copyright", "a longer text of several words " * 3, "<span>"),
)
SOURCES = st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join)
# Tests that read values, and some that look around.
TESTS = (
    *(
        "$TextChars = 4",
        "$OwnChars > 3 and (@class)",
        "contains(lc($OwnText), 'copyright')",
        "$Call",
    ),
    *(
        "lc(@class) = 'menu'",
        "starts-with($Call, 'x')",
        "count(p) > 0",
        "local-name() = 'p'",
        "string()",
    ),
    *(
        "not(@id) or $LinkQuota > 0.5",
        "../@class = 'Menu'",
        "string-length(@class) = 1",
        "p",
        "false()",
    ),
    *("preceding-sibling::*", "@* = 'x'", "*", "'$Nope' = '(' or $TextChars - 4", "true()"),
)
SELECTS = (
    "@class",
    "./@id",
    "concat(@class, $TextChars)",
    "p",
    "..",
    "lc($OwnText)",
    "count(a)",
    "'x'",
)
RULES = st.lists(
    st.tuples(
        st.sampled_from(("P DIV", "DIV", "P TD", "LI P")),
        st.sampled_from(("Call", "TextChars", "Other")),
        st.sampled_from(SELECTS),
        st.lists(st.sampled_from(TESTS), min_size=1, max_size=3),
    ),
    max_size=4,
)


def rules_text(rules):
    root = etree.Element("RULES")
    for number, (context, name, select, tests) in enumerate(rules):
        rule = etree.SubElement(root, "RULE", context=context)
        for call in ({"name": "Call", "select": "@id"}, {"name": name, "select": select}):
            etree.SubElement(rule, "CALL", call)
        check = etree.SubElement(rule, "CHECK")
        for place, test in enumerate(tests):
            whenever = etree.SubElement(check, "WHENEVER", test=test)
            etree.SubElement(whenever, "SET", attr="elISAtype").text = f"{number}-{place}"
    return etree.tostring(root, encoding="unicode")


def of_values(found):
    """As XPath takes back what it gave: the first of attributes, without what is none in XML."""
    if isinstance(found, list):
        found = found[0] if found and isinstance(found[0], str) else found or ""
    return found.replace("\x01", "") if isinstance(found, str) else found


def lower(_, given):
    return str(of_values(given)).lower()


def xpath(expression, element, **variables):
    return element.xpath(
        expression, extensions={(None, "lc"): lower}, smart_strings=False, **variables
    )


def slowly(nodes, text):
    """Each rule on each element, by expressions that are read each time."""
    found = {}
    chars = nodes.within(nodes.own(nodes.chars)).tolist()
    is_linked = nodes.nearest(nodes.is_link)[nodes.holder] >= 0
    linked = nodes.within(nodes.own(nodes.chars * is_linked)).tolist()
    own_texts = nodes.own_text(1000)
    for rule in etree.fromstring(text).iter("RULE"):
        for place, element in enumerate(nodes.elements):
            if nodes.tag[place].upper() not in rule.get("context").split():
                continue
            bound = {
                "TextChars": chars[place],
                "OwnChars": int(nodes.own(nodes.chars)[place]),
                "LinkQuota": linked[place] / max(chars[place], 1),
                "OwnText": own_texts.get(place, ""),
            }
            for call in rule.iter("CALL"):
                bound[call.get("name")] = of_values(xpath(call.get("select"), element, **bound))
            for check in rule.iter("CHECK"):
                for whenever in check:
                    if xpath(whenever.get("test"), element, **bound):
                        kinds = {each.get("attr"): each.text.strip("\"' \n") for each in whenever}
                        found.setdefault(place, {}).update(kinds)
                        break
    return found


def nodes_of(source):
    return TreeNodes(build_page(source.encode(), url="http://a.sample/", content_type="text/html"))


@settings(max_examples=60)
@given(SOURCES)
@example("<div class=foot>word <div class=foot>word <div>word")
def test_the_default_rules_are_tried_on_each_element(source):
    nodes = nodes_of(source)
    assert annotate(nodes, read_rules(DEFAULT_RULES)) == slowly(nodes, DEFAULT_RULES)


@settings(max_examples=100)
@given(SOURCES, RULES)
@example(
    "<p>word<p>word", [("P DIV", "Call", "'x'", ["local-name() = 'p'", "preceding-sibling::*"])]
)
@example(
    "<p>word <p>more", [("P DIV", "TextChars", "concat(@class, $TextChars)", ["$TextChars = 4"])]
)
def test_rules_are_tried_on_each_element(source, rules):
    nodes = nodes_of(source)
    text = rules_text(rules)
    assert not rules or annotate(nodes, read_rules(text)) == slowly(nodes, text)


@pytest.mark.parametrize(
    ("expression", "variables", "attributes"),
    [
        ("concat(@class, ' ', ./@id)", "", "class id"),
        (
            "$TextChars < 300 and (contains($Own-Text, '©') or not(@x.y))",
            "TextChars Own-Text",
            "x.y",
        ),
        ("1 div .5 - 3.", "", ""),
        ("true() and 'p/@q' != \"$r\"", "", ""),
        # Literals apart, what is no variable, attribute or known function may be anything.
        *(
            (text, None, "")
            for text in ("p", ".", "@*", "$a/b", "a:b()", "last()", "string( )", "*")
        ),
        *(
            (text, None, "")
            for text in ("and", "and and and", "id(@x)", "count(@x)", "@x | @y", "@x:y")
        ),
        *(
            (text, None, "")
            for text in ("$x[1]", "../@x", "self::p", "name(.)", "@x and p", "'a' or or")
        ),
    ],
)
def test_what_an_expression_reads(expression, variables, attributes):
    expected = None
    if variables is not None:
        expected = Reads(frozenset(variables.split()), frozenset(attributes.split()))
    assert reads(expression) == expected


def test_the_default_rules_read_values_only():
    # Else each of them would be evaluated on each element of a page: 110 s for 8 MiB of them.
    assert all(rule.reads is not None for rule in Elisa().rules)


def test_a_variable_that_no_rule_reaches():
    test = "$TextChars > 5000 and $Nope"
    rules = read_rules(
        f"<RULE context='P'><CHECK><WHENEVER test='{test}'/></CHECK></RULE>".replace(">5", "&gt;5")
    )
    assert rules[0].reads is None
    assert annotate(nodes_of("<p>word"), rules) == {}
