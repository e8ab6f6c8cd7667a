"""The record of a cleaned page, without the command: links that begin before what is kept, descriptions."""

from __future__ import annotations

import re

import numpy as np
import pytest

from crawler.commands.clean import Command
from crawler.page import PageLimits, PageRules, build_page
from pipelines.boilerplate.keep_all import KeepAll
from pipelines.boilerplate.labels import labels_of
from pipelines.jobs.clean_pages import cleaned_page, page_rules_of, read_page


def test_a_link_that_goes_on_into_a_kept_block_is_in_the_json_once():
    model = build_page(
        b"<a href=a><h3>Region</h3><p>Far Islands</p></a><p>Far</p><p>See <a href=b>Far</a></p>"
        b"<p>Far</p><a href=c><img alt=Map><h3>Place</h3><p>Town</p><p>Street</p></a>",
        url="",
        content_type=None,
    )
    texts = ["Region", "Far Islands", "Far", "See Far", "Far", "Place", "Town", "Street"]
    assert list(model.blocks.text) == texts
    kept = np.array([False, True, True, False, False, False, False, True])
    links = cleaned_page("page", model, labels_of(kept), with_links=True)["links"]
    assert links == [
        {"href": "a", "anchor": "Region Far Islands", "block": 1},
        {"href": "c", "anchor": "Map Place Town Street", "block": 7},
    ]


def test_a_description_without_a_letter_is_none_in_the_json():
    model = build_page(b"<meta name=description content='#'><p>a", url="", content_type=None)
    page = cleaned_page("page", model, labels_of(np.ones(1, np.bool_)))
    assert (page["description"], page["description_source"]) == (None, None)


@pytest.mark.parametrize(
    ("source", "block"),
    [
        (f"<a href=a><h3>Title</h3><p>{'word ' * 300}</p></a>", 1),
        ("<a href=a><h3>Title</h3><p>Read</a> on", 1),
        ("<a href=a><h3>Title</h3></a><p>Title", None),
        ("<a href=a><h3>Title</h3><img alt=Rea></a><p>Read", None),
    ],
)
def test_a_link_that_ends_within_a_kept_block_is_in_the_json(source, block):
    model = build_page(source.encode(), url="", content_type=None)
    links = cleaned_page("page", model, labels_of(np.array([False, True])), with_links=True)[
        "links"
    ]
    assert [link["block"] for link in links] == [block] * (block is not None)


def test_queries_of_links_are_escaped_in_the_charset_of_the_page():
    model = build_page(
        "<a href='/?k=房'>a</a>".encode("gbk"),
        url="http://a.sample/",
        content_type="text/html;charset=gbk",
    )
    page = cleaned_page("page", model, labels_of(np.ones(1, np.bool_)), with_links=True)
    assert page["links"][0]["href"] == model.links.url[0] == "http://a.sample/?k=%B7%BF"


def test_the_help_names_all_fields_of_the_json():
    model = build_page(b"<p><a href=a>a</a>", url="", content_type=None)
    page = cleaned_page("page", model, labels_of(np.ones(1, np.bool_)), with_links=True)
    said = Command().long_desc().partition("--format json")[2].partition("--format html")[0]
    named = set(re.findall(r"\w+", said))
    sources = {f"{name}_source" for name in ("title", "author", "date", "description")}
    assert page.keys() - sources <= named
    assert page["links"][0].keys() <= named


def test_inline_tags_are_those_of_the_method_unless_others_are_named():
    class Transparent(KeepAll):
        inline = "transparent"

    assert page_rules_of(Transparent(), hidden="drop").inline == "transparent"
    assert page_rules_of(Transparent(), hidden="drop", inline="gap").inline == "gap"


@pytest.mark.parametrize(
    ("name", "charset", "expected"),
    [
        ("chapter.xhtml", None, ["One & two", "Straße"]),
        ("chapter.XHT", "utf-8", ["One & two", "Straße"]),
        ("chapter.html", None, ["Straße"]),
    ],
)
def test_a_file_that_is_named_as_xhtml_is_read_as_such(tmp_path, name, charset, expected):
    path = tmp_path / name
    path.write_text("<title/><p><![CDATA[One & two]]></p><p>Straße</p>", encoding="utf-8")
    assert (
        list(read_page(str(path), charset, PageLimits(), PageRules("phrasing")).blocks.text)
        == expected
    )
