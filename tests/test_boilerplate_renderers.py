"""The renderers on a page's own markup: what is kept is all there, the other is as each says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import html

from crawler.commands import clean
from crawler.page import PageRules, build_page
from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import (
    RENDERERS,
    delete,
    extract,
    hide,
    mark,
    replace,
    restructure,
)
from pipelines.boilerplate.renderers.quiet import POLICY
from tests.hostile_pages import HOSTILE
from tests.page_fuzzing import soup

PAGE = """<!DOCTYPE html><meta charset=gbk><title>Title</title>
<nav><a href=/>Home</a> | <a href=/b>Back &amp; forth</a></nav>
<h1>Über allem</h1><p>Main <b>text</b> of the page.<script>var x = "<p>no text";</script>
<table><tr><td>cell<td>other</table><select><option>One</select><svg><text>drawn</text></svg>
<!-- a comment --><p>Foot &lt;er></body></html>"""
# A page that shows less is read with what it hides.
LONG = "of the page" + " and so on" * 10
PAGE = PAGE.replace("of the page", LONG)
GAP = PageRules(inline="gap", hidden="keep")


def built(source, rules=GAP, content_type="text/html;charset=utf-8"):
    data = source if isinstance(source, bytes) else source.encode()
    return build_page(data, url="http://a.sample/", content_type=content_type, rules=rules)


def labelled(page, kept):
    return labels_of(np.array(kept, dtype=np.bool_))


def main_text():
    """The page with its heading, its paragraph and one cell kept."""
    page = built(PAGE)
    assert page.blocks.text == [
        *("Home | Back & forth", "Über allem", "Main", "text", f"{LONG}."),
        *("cell", "other", "Foot <er>"),
    ]
    return page, labelled(page, [False, True, True, True, True, True, False, False])


QUIET = POLICY.decode()
MAIN = ["Über allem", "Main", "text", f"{LONG}.", "cell"]


def seen(rendered, hidden="keep"):
    return built(rendered, PageRules(hidden=hidden)).blocks.text


def test_extract_is_the_text_of_the_kept_blocks():
    assert extract(*main_text()) == "\n".join(MAIN)


def test_mark_puts_each_kept_run_in_an_element():
    rendered = mark(*main_text())
    marked = html.fromstring(rendered.encode(), parser=html.HTMLParser(encoding="utf-8"))
    assert [element.text_content().strip() for element in marked.iter("mark")] == MAIN
    assert rendered.replace("<mark class=winnow-content>", "").replace("</mark>", "") == (
        "\ufeff" + PAGE.replace("html>", f"html>{QUIET}", 1)
    )


def test_delete_leaves_the_tags():
    rendered = delete(*main_text())
    assert seen(rendered) == MAIN
    for part in ("<a href=/b></a>", 'var x = "<p>no text";', "<option></select>", "<!-- a comment"):
        assert part in rendered


def test_hide_keeps_the_other_text_in_the_page():
    page, labels = main_text()
    rendered = hide(page, labels)
    assert seen(rendered, hidden="drop") == MAIN
    assert " ".join(seen(rendered)).replace("Home Back", "Home | Back") == " ".join(
        page.blocks.text
    )
    # No element may stand in a selection or in a drawing.
    assert (
        "<nav><a href=/><span class=winnow-hidden hidden style=display:none!important>" in rendered
    )
    assert "<option><!-- One --></select><svg><text><!-- drawn --></text></svg>" in rendered


def test_a_comment_ends_where_it_should():
    page = built("<p>word<svg>--> --!> x</svg>")
    assert "<!-- --&gt; --!&gt; x -->" in hide(page, labelled(page, [True]))


def test_replace_writes_a_character_for_a_character():
    page = built("<p>a &amp; é数\n b</p><p>kept")
    assert replace(page, labelled(page, [False, True]), fill="x") == (
        f"\ufeff{QUIET}<p>x x xx\n x</p><p>kept"
    )
    assert replace(page, labelled(page, [False, True]), fill="…") == f"\ufeff{QUIET}<p>…</p><p>kept"
    assert replace(page, labelled(page, [False, True]), fill="<").count("&lt;") == 5
    with pytest.raises(ValueError, match="fill must be one character"):
        replace(page, labelled(page, [False, True]), fill="")


def test_restructure_moves_the_other_blocks_to_the_end():
    rendered = restructure(*main_text())
    assert seen(rendered) == [*MAIN, "Home | Back & forth", "other", "Foot <er>"]
    rest = rendered[rendered.index("<section") :]
    assert '<a href="http://a.sample/b">Back &amp; forth</a>' in rest
    assert rest.endswith("</section>\n</body></html>")


@pytest.mark.parametrize("end", ["<script>never closed", "<a x='>", "<!-- ", "</p x", "</html>"])
def test_the_end_is_not_swallowed_by_what_is_never_closed(end):
    page = built(f"<p>kept</p><p>other</p>{end}")
    assert seen(restructure(page, labelled(page, [True, False]))) == ["kept", "other"]


def test_plain_text_becomes_paragraphs():
    page = built("First <b>\n\nsecond & third\n", content_type="text/plain")
    assert mark(page, labelled(page, [True, False])) == (
        f"\ufeff<!DOCTYPE html>{QUIET}\n<p><mark class=winnow-content>First &lt;b&gt;</mark></p>"
        "\n<p>second &amp; third</p>"
    )


def test_the_command_names_all():
    assert tuple(RENDERERS) == clean._RENDERS


SIGNS = (
    "<p>See &quot;<b>this</b>&quot;, (<i>or</i>) = <b>that</b>&nbsp;<i>one</i>.</p><p>***</p>"
    "<div>x<select><option>-</select> / <i>y</i></div>"
)


@pytest.mark.parametrize("name", ["mark", "delete", "hide", "replace", "restructure"])
def test_signs_between_kept_text_stay(name):
    page = built(SIGNS)
    assert page.blocks.text == ['See "', "this", "or", "that", "one", "x", "y"]
    rendered = RENDERERS[name](page, labelled(page, [True] * 5 + [False] * 2))
    tree = html.fromstring(rendered.encode(), parser=html.HTMLParser(encoding="utf-8"))
    shown = tree.xpath("string(//p)").replace("\xa0", " ")
    assert shown == 'See "this", (or) = that one.'
    # Those beside other text, and alone, go with it; those between what is kept stay in its line.
    assert ("***" in rendered) == (name in {"mark", "hide"})
    assert (" / " in rendered) == (name in {"mark", "hide"})


@pytest.mark.parametrize("name", ["delete", "hide", "restructure"])
def test_no_words_meet_where_text_is_left_out(name):
    page = built(f"<p><b>one</b> two <i>three</i>&nbsp;four&nbsp;<b>five {LONG}</b></p>")
    assert page.blocks.text == ["one", "two", "three", "four", f"five {LONG}"]
    rendered = RENDERERS[name](page, labelled(page, [True, False, True, False, True]))
    tree = html.fromstring(rendered.encode(), parser=html.HTMLParser(encoding="utf-8"))
    shown = tree.xpath("//p")[0].xpath(".//text()[not(ancestor::*[@hidden])]")
    assert "".join(shown).split() == f"one three five {LONG}".split()


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("source", ["", "- - -", "<p> . </p>", "<script>x"])
def test_pages_without_text(name, source):
    page = built(source)
    assert not len(page.blocks)
    assert "mark" not in RENDERERS[name](page, labelled(page, []))


@hypothesis_settings(max_examples=60)
@given(soup(), st.integers(0, 2**32), st.sampled_from(["gap", "transparent", "phrasing"]))
@example("<a x='<p>two</a x='<b>", 1, "gap")
@example("</a x='>'>word<a><a>", 18658, "gap")
@example("<plaintext>\x0c0", 2, "gap")
@example("<a><a>word<p>0'<a><a><a><p><a z='>word", 1, "gap")
def test_kept_text_is_there_and_other_text_is_not(source, seed, inline):
    rules = PageRules(inline=inline, hidden="keep")
    page = built(source, rules)
    if built(f"{source}<p>", rules).blocks.text != page.blocks.text:
        # It ends within a tag: where that begins and ends changes with what is left out before it.
        return
    kept = np.random.default_rng(seed).random(len(page.blocks)) < 0.5
    labels = labels_of(kept)
    wanted = [text for text, is_kept in zip(page.blocks.text, kept, strict=True) if is_kept]
    for render in (delete, replace):
        assert built(render(page, labels), rules).blocks.text == wanted, render
    if any(
        built(f"{source}<p>{quote}<p>", rules).blocks.text != page.blocks.text for quote in "'\""
    ):
        return  # a quotation that does not end would end in what is moved behind it
    moved = built(restructure(page, labels), rules).blocks.text
    assert moved[: len(wanted)] == wanted


def test_text_of_noscript_is_shown():
    """Forum software writes all text in it; a browser shows nothing of ``noscript``."""
    source = (
        f"<noscript><img src=a></noscript><p>Wait<noscript id=n><p>{LONG}<p>Foot</NoScript><p>End"
    )
    page = built(source)
    labels = labelled(page, [False, True, False, False])
    for render in (mark, delete, hide, replace, restructure):
        written = render(page, labels)
        assert "<noscript><img src=a></noscript>" in written, render
        shown = html.fromstring(written.encode()).xpath("//winnow-noscript[@id='n']")
        assert LONG in shown[0].text_content(), render
        assert "End" not in shown[0].text_content(), render
    moved = built(restructure(page, labels), PageRules(inline="phrasing", hidden="drop"))
    assert moved.blocks.text == [LONG, "Wait", "Foot", "End"]


@pytest.mark.parametrize("name", RENDERERS)
def test_hostile_pages_are_rendered(name):
    for hostile in HOSTILE.values():
        page = built(hostile.make(60), content_type=hostile.content_type)
        kept = np.arange(len(page.blocks)) % 2 == 0
        assert RENDERERS[name](page, labels_of(kept)) is not None
