"""Where jusText's paragraphs begin and end."""

from __future__ import annotations

import pytest

from pipelines.boilerplate.justext.paragraphs import paragraphs_of
from pipelines.boilerplate.registry import get
from tests.test_boilerplate_justext import page


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("one <b>two</b> <i>three</i>", ["one two three"]),
        ("w<b>or</b>d", ["word"]),
        ("one<br>two", ["one two"]),
        ("one<br> <br/>two", ["one", "two"]),
        ("one<br></br>\n<BR clear=all>two", ["one", "two"]),
        ("one<br><span></span><br>two", ["one two"]),
        ("one<br>two<br>three", ["one two three"]),
        ("one<br>&nbsp;<BR>two<br/>\u00a0<br>three", ["one", "two", "three"]),
        ("one<br class=x><!-- <br> --> <!-- > --><br>two", ["one", "two"]),
        ("one<br><!-- <br><caption> -->two", ["one two"]),
        ("one<br>|<br>two", ["one two"]),
        ("one<img src=x>two<label>three</label>", ["one two three"]),
        ("one<li>two</li>three", ["one", "two", "three"]),
        ("<fieldset><legend>one</legend>two", ["one", "two"]),
        ("one<hr>two<section>three</section>", ["one two three"]),  # not among the 31
        ("<ol>one</ol>two", ["one two"]),
    ],
)
def test_paragraphs(html, texts):
    model = page(html)
    paragraphs = paragraphs_of(model)
    assert paragraphs.text == texts
    assert paragraphs.n_tokens.tolist() == [len(text.split()) for text in texts]
    assert len(paragraphs.of_block) == len(model.blocks)


def test_gaps_of_any_length_are_read_once():
    # One pass each; where every beginning is read to the end, 2**16 of them take minutes.
    n = 2**16
    for gap in ("<br " * n + ">", "<br><!--x" * n + "-->", "<br>x<!-- --!>" * n, "<i><" * n):
        assert len(paragraphs_of(page(f"one<br>{gap}<br>two"))) >= 1


def test_html5_tags_split_too():
    texts = paragraphs_of(page("one<hr>two<section>three<ol>four"), "html5").text
    assert texts == ["one", "two", "three", "four"]


@pytest.mark.parametrize(
    ("tags", "texts"),
    [
        ("p", ["one two", "three", "four five six seven"]),
        ("SECTION, p", ["one two", "three", "four five", "six", "seven"]),
        ("x-card", ["one two three four five six", "seven"]),
        ("div", ["one", "two", "three four five six seven"]),
    ],
)
def test_any_tags_split_at_their_start_and_end(tags, texts):
    html = "one<div>two</div><p>three</p>four<ul>five</ul><section>six<x-card></section>seven"
    assert paragraphs_of(page(html), tags).text == texts
    # As a user writes it; one token is enough.
    method = get("tc20-sw0.30", tags=tags, min_tokens=1, min_density=0)
    assert method.label(page(html)).kept.all()
    few = get("tc20-sw0.30", tags=tags, min_tokens=2, min_density=0).label(page(html)).kept
    blocks = page(html).blocks.text
    short = {text for text in texts if " " not in text}
    assert [text not in short for text in blocks] == few.tolist()
