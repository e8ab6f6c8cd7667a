"""Formulas, which stand within a line of text."""

from __future__ import annotations

import pytest

from tests.test_page_phrasing import page_of, texts

WIKI = (
    '<span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">'
    '<math alttext="{x}"><semantics><mi>x</mi><annotation>{x}</annotation></semantics></math></span>'
    '<img src="x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{x}"></span>'
)
MATHJAX = (
    '<mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi><mjx-c class="mjx-c78"></mjx-c>'
    '</mjx-mi></mjx-math><mjx-assistive-mml display="inline"><math><mi>x</mi></math></mjx-assistive-mml></mjx-container>'
)
MATHJAX_2 = (
    '<span class="MathJax_Preview"></span><span class="MathJax" id="MathJax-Element-1-Frame"><nobr aria-hidden="true">'
    '<span class="math"><span class="mi">x</span></span></nobr><span class="MJX_Assistive_MathML" role="presentation">'
    '<math><mi>x</mi></math></span></span><script type="math/tex" id="MathJax-Element-1">x</script>'
)


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (WIKI, "x"),
        (WIKI.replace("><", ">\n <"), "x"),
        # One of the times before MathML.
        ('<img class="tex" alt="x" src="x.png" />', "x"),
        ('<IMG alt="x &lt; 1" title=y CLASS=latex>', "x < 1"),
        ('<img class="math" alt="a > f\'">', "a > f'"),
        ("<img src=x.png class='ql-img-inline-formula quicklatex-auto-format' alt='x<y'>", "x<y"),
        ("<img class='formulaInl' alt='$x$'>", "$x$"),
        (MATHJAX, "x"),
        (MATHJAX_2, "x"),
        ("<span class=MathJax_Preview></span><script type='math/tex'>x < y</script>", "x < y"),
    ],
)
@pytest.mark.parametrize("hidden", ["keep", "drop"])
def test_a_formula_is_text_of_its_sentence(formula, shown, hidden):
    page = page_of(f"<p>Let {formula} be given.", hidden=hidden)
    assert list(page.blocks.text) == [f"Let {shown} be given."]
    assert not page.blocks.hidden.any()


def test_a_formula_on_a_line_of_its_own_is_shown():
    shown = WIKI.replace("span", "div").replace("inline", "display")
    assert texts(f"<p>Let</p>{shown}<p>be given.", hidden="drop") == ["Let", "x", "be given."]


@pytest.mark.parametrize(
    "image",
    [
        '<img class="latex" src="x.png">',
        '<img class="latex" alt="">',
        '<img class="ql-img-inline-formula" alt="Rendered by QuickLaTeX.com">',
        '<img class="math-teacher" alt="Ann">',
        '<img class="text" alt="Ann">',
    ],
)
def test_other_images_say_nothing(image):
    assert texts(f"<p>One {image} two") == ["One two"]


def test_formulas_are_shown_in_lines_alone():
    html = "<p>Let <img class=latex alt=x> be given"
    assert texts(html, "transparent") == texts(html, "gap") == ["Let", "be given"]


@pytest.mark.parametrize(
    "part",
    [
        "<img class=latex alt='x",
        '="',
        "<mjx-a",
        "<span =' ",
        "<img ",
        "<script math/tex>",
        "</nobr><span MJX_Assistive>",
    ],
)
def test_formulas_take_linear_time(part):
    # A hundred thousand of them: seconds at most, hours if each were read to the end of the page.
    html = "<p>Let <img class=latex alt=x> be given" + part * 100_000
    assert texts(html)[0].startswith("Let x be given")
