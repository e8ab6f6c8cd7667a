"""Formulas in Markdown and HTML, and what stands higher, lower, or struck out."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import markdown
from pipelines.boilerplate.renderers.mathml import MAX_FORMULA_BYTES, tex_of
from pipelines.boilerplate.renderers.outline import outline
from pipelines.boilerplate.renderers.outline_html import outline_html


def built(source):
    rules = PageRules(inline="phrasing", hidden="drop")
    return build_page(source.encode(), url="", content_type="text/html;charset=utf-8", rules=rules)


def written(source):
    page = built(source)
    return markdown(page, labels_of(np.ones(len(page.blocks), dtype=np.bool_)))


def html_of(source):
    page = built(source)
    return outline_html(outline(page, np.ones(len(page.blocks), dtype=np.bool_)))


SHOWN = {
    "powers": ("10<sup>23</sup> m<sub>i</sub>", "10<sup>23</sup> m<sub>i</sub>"),
    "powers in code": ("<code>x<sup>2</sup></code>", "`x2`"),
    "signs that are raised by themselves": ("Name<sup>\u00ae</sup> is", "Name\u00ae is"),
    # What leads to a note is told from a power by where it leads.
    "notes": ("said<sup><a href=#n1>1</a></sup> so<sup>2</sup>", "said1 so<sup>2</sup>"),
    "open at the end of a line": ("<p>a<sup>1<p>b", "a<sup>1</sup>\n\nb"),
    "prices": ("now <s>9 $</s> <del>8 $</del> 7 $", "now ~~9 $ 8 $~~ 7 $"),
    "bold and struck": ("a <b><s>b</s></b> c", "a **~~b~~** c"),
    "struck side by side": ("<s>a</s><s><b>b</b></s>", "~~a~~b"),
    "powers in bold": ("a <b>x<sup>2</sup></b>", "a **x**<sup>2</sup>"),
    "TeX beside MathML": (
        "so <math display=block><semantics><mi>x</mi><annotation encoding=application/x-tex>x_1 &lt; *</annotation></semantics></math>, say",
        "so $$x_1 < *$$, say",
    ),
    "TeX in an attribute": ("so <math alttext='x_1'><mi>x</mi></math>, say", "so $x_1$, say"),
    "signs of money": ("$5 <math><mi>x</mi></math>", "\\$5 $x$"),
    "images": ("a <img class=latex alt='\\frac{a}{b}' src=a.png> b", "a $\\frac{a}{b}$ b"),
    "scripts": (
        "a <span class=MathJax_Preview></span><script type='math/tex'>b^2</script> c",
        "a $b^2$ c",
    ),
    "elements of a page": ("a <span class=formula>CO2</span> b", "a CO2 b"),
    "a formula that never ends": ("a <math><mi>x</mi> b", "a x b"),
    "hidden": (
        f"{'word ' * 40}<p>a <math style='display:none'><mi>x</mi></math> b",
        f"{('word ' * 40).strip()}\n\na b",
    ),
    "drawn": (
        "<script src=/MathJax.js></script>a \\(x_1\\) \\[y\\] $$z_*$$ $w$ <code>\\(x\\)</code>",
        "a $x_1$ $$y$$ $$z_*$$ \\$w\\$ `\\(x\\)`",
    ),
    "drawn between single signs": (
        "<script>inlineMath: [['$','$']]</script><script src=mathjax.js></script>$x_1$, 5 $ or $ 6 \\$x$",
        "$x_1$, 5 \\$ or \\$ 6 \\\\\\$x\\$",
    ),
    "not drawn": ("a \\(x_1\\) $$y_1$$", "a \\\\(x_1\\\\) $$y_1$$"),
}


@pytest.mark.parametrize(("source", "shown"), SHOWN.values(), ids=SHOWN)
def test_shown(source, shown):
    assert written(source) == shown


def test_a_formula_goes_where_its_text_goes():
    page = built("<p>kept</p><p>a <math><mn>1</mn></math></p><p><math><mn>2</mn></math></p>")
    kept = np.array([True, False, True])
    assert markdown(page, labels_of(kept)) == "kept\n\n$2$"


def test_where_formulas_are_drawn_signs_belong_to_the_text_beside_them():
    rules = PageRules(inline="gap", hidden="drop")
    source = b"<script src=mathjax.js></script><p>kept <cite>-</cite> <q>dropped</q></p>"
    page = build_page(source, url="", content_type="text/html", rules=rules)
    assert markdown(page, labels_of(np.array([True, False]))) == "kept"


def test_html():
    source = "x<sup>2</sup>, <s>y</s>, <math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math>"
    assert html_of(source) == "<p>x<sup>2</sup>, <s>y</s>, \\(a&lt;b\\)</p>"


MATHML = {
    "<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msup><mi>x</mi><mn>10</mn></msup>": r"\frac{1}{2}+x^{10}",
    "<msqrt><mi>y</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>": r"\sqrt{y+1}\sqrt[3]{x}",
    "<msub><mi>a</mi><mi>i</mi></msub><msubsup><mi>b</mi><mn>1</mn><mn>2</mn></msubsup>": r"a_ib_1^2",
    "<munderover><mo>&sum;</mo><mi>i</mi><mi>n</mi></munderover>": "\u2211_i^n",
    "<munder><mi>lim</mi><mi>x</mi></munder><mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>": r"\lim_x\sin x",
    "<mover><mi>x</mi><mo>&#x2192;</mo></mover><mover><mi>y</mi><mo>!</mo></mover>": r"\vec{x}\overset{!}{y}",
    "<munderover><mi>y</mi><mi>a</mi><mi>b</mi></munderover>": r"\overset{b}{\underset{a}{y}}",
    "<mfenced open='{' close=''><mi>a</mi><mi>b</mi></mfenced>": r"\left\{a,b\right)",
    "<mmultiscripts><mi>X</mi><mn>1</mn><none/><mprescripts/><mn>2</mn><mn>33</mn></mmultiscripts>": r"{}_2^{33}X_1",
    "<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable>": r"\begin{matrix} a & b \\ c \end{matrix}",
    "<mtext>if 5% </mtext><mi>rate</mi><mspace/><mphantom><mi>z</mi></mphantom>": r"\text{if 5\%}\mathrm{rate}",
    "<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>": "{(a)}^2",
    # As broken as pages are.
    "<mi>x<mi>y": r"\mathrm{xy}",
    "<mfrac><mn>1</mn></mfrac>": "1",
    "</mrow><unknown><mi>x</mi></unknown></mi>": "x",
    "": "",
}


@pytest.mark.parametrize(("source", "tex"), MATHML.items())
def test_mathml(source, tex):
    page = f"<math>{source}".encode()
    assert tex_of(page, 0, len(page)) == tex


TAGS = [
    "mi",
    "mn",
    "mo",
    "mrow",
    "mfrac",
    "msup",
    "msubsup",
    "mroot",
    "mtable",
    "mtr",
    "mtd",
    "mfenced",
    "mmultiscripts",
    "mprescripts",
    "munder",
    "semantics",
]


@given(
    st.lists(
        st.one_of(
            st.sampled_from([f"<{name}>" for name in TAGS]),
            st.sampled_from([f"</{name}>" for name in TAGS]),
            st.sampled_from(["x", "12", "\\", "{", "&lt;", "<", " ", "\u2211", "<none/>"]),
        ),
        max_size=60,
    )
)
def test_braces_of_any_mathml_are_balanced(parts):
    page = f"<math>{''.join(parts)}".encode()
    n_open = 0
    for brace in re.findall(r"(?<!\\)[{}]", tex_of(page, 0, len(page))):
        n_open += 1 if brace == "{" else -1
        assert n_open >= 0
    assert n_open == 0


def test_deep_and_long_formulas():
    deep = f"<math>{'<mrow>' * 5000}<mi>x</mi></math>".encode()
    assert tex_of(deep, 0, len(deep)) == "x"
    long = "a <math>" + "<mi>x</mi>" * (MAX_FORMULA_BYTES // 10 + 1) + "</math> b"
    assert written(long).startswith("a xxx")
