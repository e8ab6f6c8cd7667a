"""The methods on the tree of a page: what they keep of pages with menus, and the rules of ELISA."""

from __future__ import annotations

import pytest

from pipelines.boilerplate.crunch import CrunchLike
from pipelines.boilerplate.debnath import FeatureExtractor, KFeatureExtractor
from pipelines.boilerplate.elisa import Elisa, annotate, read_rules
from pipelines.boilerplate.largest_pagelet import LargestPagelet
from pipelines.boilerplate.link_quota import (
    CrunchLinkQuotaFilter,
    MantratzisLinkQuotaFilter,
    SimpleLinkQuotaFilter,
)
from pipelines.boilerplate.lsi import LSI
from pipelines.boilerplate.registry import get
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.xwrap import HighestFanout, LargestTagCount
from tests.test_boilerplate_gottron_trees import kept_text, page

MENU = "<ul><li><a href=1>first entry</a><li><a href=2>second entry</a></ul>"
PROSE = "many words of prose, and <a href=3>one link</a> among them, as prose has"


def test_link_lists_go_and_text_stays():
    body = f"<div>{MENU}<div>{PROSE}</div></div>"
    for threshold in (0.25, 0.5, 0.75):
        kept = kept_text(SimpleLinkQuotaFilter(threshold=threshold), body)
        assert kept == ["many words of prose, and one link among them, as prose has"]
    # Strict: a quota of the threshold stays.
    half = "<p>four<a href=1>five</a></p>"
    assert kept_text(SimpleLinkQuotaFilter(threshold=0.5), half) == ["fourfive"]
    assert kept_text(SimpleLinkQuotaFilter(threshold=0.49), half) == []
    most = f"<p>{'x' * 27}<a href=1>{'y' * 63}</a></p>"  # .7 * 90 is a little less than 63
    assert kept_text(SimpleLinkQuotaFilter(threshold=0.7), most)
    # A name is no link.
    assert kept_text(SimpleLinkQuotaFilter(), "<p><a name=x>word</a>") == ["word"]


def test_nested_deletion():
    body = f"<div><a href=1>a link of the box</a><p>{PROSE}</div>"
    assert len(kept_text(SimpleLinkQuotaFilter(), body)) == 1
    assert kept_text(SimpleLinkQuotaFilter(delete_nested=True), body) == []


def test_crunch_looks_at_cells_and_at_the_ratio_to_other_text():
    # 35 of 135 characters are linked: 35 to 100, which is .35; one more is too many.
    cell = "<table><tr><td>{}<a href=1>{}</a></table>"
    at, above = cell.format("x" * 100, "y" * 35), cell.format("x" * 100, "y" * 36)
    assert len(kept_text(CrunchLinkQuotaFilter(), at)) == 1
    assert kept_text(CrunchLinkQuotaFilter(), above) == []
    # 63 to 180 is .35, too; the product of .35 and 180 is a little less than 63.
    at = cell.format("x" * 180, "y" * 63)
    assert len(kept_text(CrunchLinkQuotaFilter(), at)) == 1
    assert len(kept_text(CrunchLinkQuotaFilter(), MENU)) == 2
    assert kept_text(CrunchLike(), MENU) == []


def test_crunch_like_drops_controls_and_advertisements():
    body = (
        f"<p>{PROSE}<div class='left ad'>buy this thing now</div><label>your name</label>"
        "<p>see <a href='http://ads.shop.sample/x'>our own fine thing</a> and so on and so on</p>"
    )
    kept = kept_text(CrunchLike(), body)
    assert kept[0].startswith("many words of prose")
    assert kept[1:] == ["see our own fine thing and so on and so on"]
    assert kept_text(CrunchLike(), "<div class='shadow headline'>a word or two</div>")
    # Forum software has the text of its pages there.
    assert len(kept_text(CrunchLike(), f"<noscript><p>{PROSE}</noscript>")) == 1


def test_mantratzis_looks_into_nested_blocks():
    menu = "<div>" + "<div><a href=1>an entry of the list</a></div>" * 6 + "</div>"
    body = f"<div>{menu}<div>{PROSE * 3}</div></div>"
    kept = kept_text(MantratzisLinkQuotaFilter(), body)
    assert "an entry of the list" not in kept
    assert any("many words" in text for text in kept)
    # Its weakness: a short text between lists goes with them, when what is nested counts in full.
    short = f"<div>{menu}a short text{menu}</div>"
    assert kept_text(MantratzisLinkQuotaFilter(decay=1, min_anchor_share=0.4), short) == []


def test_sidebar_larger_than_the_article():
    # The failure that the thesis tells of: LSI takes the side bar.
    side = "<div>" + "<p>a long note in the side bar of the page" * 5 + "</div>"
    body = f"<div><div><h1>Title</h1><p>a short article</div>{side}</div>"
    kept = kept_text(LSI(), body)
    assert len(kept) == 5
    assert all("side bar" in text for text in kept)


def test_spaces_between_words_may_count():
    # Of 9 and of 8 characters; with the spaces between the words of 9 and of 15.
    body = "<p>ninechars<p>a b  c\nd e f g h"
    assert kept_text(LSI(), body) == ["ninechars"]
    assert kept_text(LSI(count_spaces=True), body) == ["a b c d e f g h"]


def test_an_article_beside_links_is_cut_to_a_paragraph():
    paragraphs = "<p>a first paragraph<p>a second paragraph, longer<p>a third one"
    links = "<ul>" + "<li><a href=x>r</a>" * 8 + "</ul>"
    assert kept_text(LargestPagelet(), f"<div>{paragraphs}{links}</div>") == [
        "a second paragraph, longer"
    ]
    assert len(kept_text(LargestPagelet(k=9), f"<div>{paragraphs}{links}</div>")) == 11


def test_most_tags_and_most_children():
    rows = "<table>" + "<tr><td>a<td>b" * 6 + "</table>"
    body = f"<div><p>some text<p>more</div><div>{rows}</div>"
    for method in (HighestFanout(), LargestTagCount()):
        assert kept_text(method, body) == ["a", "b"] * 6


FIGURE_3_2 = """
<RULE context="IMG">
  <CALL name="AttrSrc" select="./@src"/>
  <CHECK>
    <WHENEVER test="contains(lc($AttrSrc),'logo') or
      contains(lc($AttrSrc),'main') or
      contains(lc($AttrSrc),'home')">
      <SET attr="border">3</SET>
      <SET attr="alt">"logo"</SET>
      <SET attr="elISAtype">"logo"</SET>
    </WHENEVER>
  </CHECK>
</RULE>"""


def test_the_rule_of_the_thesis():
    model = page("<p>x<img src='/i/LOGO.gif'><img src=y.png><img><img src='Home'>")
    nodes = TreeNodes(model)
    found = annotate(nodes, read_rules(FIGURE_3_2))
    logo = {"border": "3", "alt": "logo", "elISAtype": "logo"}
    images = [place for place, tag in enumerate(nodes.tag) if tag == "img"]
    assert found == {images[0]: logo, images[3]: logo}
    # The page itself is left as it was.
    assert "border" not in model.tree.root.find(".//img").attrib


def test_regions():
    body = f"<nav>{MENU}</nav><article><h1>Title</h1><p>{PROSE * 3}</article><footer>© 2008 x"
    labels = Elisa().label(page(body))
    assert labels.label[:2] == ["navigation", "navigation"]
    assert labels.label[2:4] == ["content", "content"]
    assert labels.label[-1] == "footer"
    assert labels.kept.tolist() == [label == "content" for label in labels.label]


def rule_of(test):
    return f'<RULE context="P"><CHECK><WHENEVER test="{test}"/></CHECK></RULE>'


def test_rules_from_a_file(tmp_path):
    rules = tmp_path / "rules.xml"
    rules.write_text(
        "<RULES><RULE context='P I'><CHECK>"
        "<WHENEVER test='$TextChars = 3'><SET attr='elISAtype'>content</SET></WHENEVER>"
        "<WHENEVER test='true()'><SET attr='elISAtype'>layout</SET></WHENEVER>"
        "</CHECK></RULE></RULES>"
    )
    labels = Elisa(rules_file=str(rules)).label(page("<p>one<p>four<div>two"))
    assert labels.label == ["content", "layout", "boilerplate"]
    for text, message in [
        ("<RULE", "the rules must be XML"),
        ("<RULE context='P'><CALL name='x' select='//['/></RULE>", "rule 1 must be correct XPath"),
        ("<RULES><RULE/></RULES>", "rule 1 must be .*'context'"),
        ("<RULES/>", "must be RULE elements, got <RULES> without any"),
        (rule_of("$Nope > 3"), "rule 1 must be .*: Undefined variable"),
        (rule_of("$TextChars > 90 and nofunc(1)"), "rule 1 must be .*: Unregistered function"),
        (rule_of("x:p"), "rule 1 must be .*: Undefined namespace prefix"),
        (rule_of("lc('a', 'b')"), "rule 1 must be .*: lc takes one value, got 2"),
    ]:
        rules.write_text(text)
        with pytest.raises(ValueError, match=message):
            Elisa(rules_file=str(rules))
    with pytest.raises(ValueError, match="rules_file must be a file of rules"):
        Elisa(rules_file=str(tmp_path / "none.xml"))


def test_arguments():
    for make, message in [
        (lambda: SimpleLinkQuotaFilter(threshold=2), "threshold must be from 0 to 1, got 2"),
        (lambda: CrunchLinkQuotaFilter(ratio=-1), "ratio must be at least 0, got -1"),
        (lambda: CrunchLike(ratio=-1), "ratio must be at least 0, got -1"),
        (lambda: MantratzisLinkQuotaFilter(decay=3), "decay must be from 0 to 1, got 3"),
        (lambda: LargestPagelet(k=0), "k must be at least 1, got 0"),
        (lambda: KFeatureExtractor(k=0), "k must be at least 1, got 0"),
        (lambda: FeatureExtractor(min_purity=0), "min_purity must be above 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()


BLUR = {"threshold": 0.75, "max_change": 0.02, "max_passes": 10, "extend_blocks": True}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        # Gottron 2008, 6.5.1: r40 and 25 are the ranges.
        ("ccb", {"delta": 40, **BLUR}),
        ("accb", {"delta": 40, **BLUR}),
        ("tccb", {"delta": 25, **BLUR}),
        # 3.2.2 to 3.2.5.
        ("bte", {"mode": "definition"}),
        ("dsc", {"retroactive_start": False, "literal_bound": False}),
        ("lqf-25", {"threshold": 0.25, "delete_nested": False}),
        ("lqf-50", {"threshold": 0.5, "delete_nested": False}),
        ("lqf-75", {"threshold": 0.75, "delete_nested": False}),
        ("lqf-crunch", {"ratio": 0.35, "cells": {"td", "th"}}),
        ("crunch-like", {"ratio": 0.35}),
        ("lqf-mantratzis", {"min_anchor_share": 0.5, "min_linked_share": 0.4, "decay": 0.5}),
        ("fe", {"min_purity": 0.5, "keep_remainder": False}),
        ("kfe", {"min_purity": 0.5, "keep_remainder": False, "k": 3}),
        # 6.2 and 6.3.
        ("lsi", {"text_nodes": True}),
        ("lp-7", {"k": 7}),
    ],
)
def test_published_parameters(name, options):
    assert {option: getattr(get(name), option) for option in options} == options
