"""All cleaning methods and the renderers on hostile shapes: twice the page, twice the steps."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest

from crawler.page import build_page
from crawler.page.limits import PageRules
from pipelines.boilerplate import registry
from pipelines.boilerplate.elisa import annotate, read_rules
from pipelines.boilerplate.labels import Labels
from pipelines.boilerplate.renderers import RENDERERS, markdown
from pipelines.boilerplate.renderers.inspector import inspector
from pipelines.boilerplate.tree_nodes import TreeNodes
from tests.counted_steps import n_steps

WORDS = ("the", "river", "of", "a", "house", "and", "that", "is", "what", "it", "was")


def soup(n):
    """The same pieces for any *n*, so that the first of twice as many are those of as many."""
    rng = random.Random(7)
    names = (
        "div",
        "p",
        "span",
        "a",
        "table",
        "tr",
        "td",
        "ul",
        "li",
        "h1",
        "form",
        "br",
        "pre",
        "option",
    )
    pieces = []
    for _ in range(3 * n):
        name = rng.choice(names)
        start = f"<{name} class=c{rng.randrange(99)} href=/{rng.randrange(99)}>"
        pieces.append(
            rng.choice((start, f"</{name}>", " ".join(rng.choices(WORDS, k=rng.randrange(1, 9)))))
        )
    return " ".join(pieces)


SHAPES = {
    "paragraphs": lambda n: "<p>x" * n,
    "boxes within each other": lambda n: ("<div>" * 20 + "some text " + "</div>" * 20) * (n // 4),
    "boxes without an end": lambda n: "<div>x " * n,
    "one text": lambda n: "the word of it " * n,
    "a table": lambda n: "<table>" + "<tr><td>one<td>two" * n + "</table>",
    "links and words": lambda n: "<a href=x>y</a> z " * n,
    "lists without an end": lambda n: "<ul><li>a " * n,
    "classes": lambda n: "".join(f"<div class='c{i} d{i}' id=e{i}>x {i}</div>" for i in range(n)),
    "entities": lambda n: "<p>" + "&eacute;&amp; " * n,
    "comments and scripts": lambda n: "word<!-- c --> <script>x</script>" * n,
    "forms": lambda n: "<form><input name=a>x <select><option>o</select></form>" * n,
    "inline tags without an end": lambda n: "<b>x <i>y " * n,
    "answers": lambda n: "".join(
        f"<div class=comment id=c{i}>user{i} wrote: <p>It is the reply {i}.</p><a href=#{i}>Reply</a></div>"
        for i in range(n)
    ),
    "tags": soup,
}


def page(body):
    rules = PageRules("transparent", "drop")
    body += "<p>last but one<p>last"
    return build_page(body.encode(), url="http://a.sample/", content_type="text/html", rules=rules)


def some(model):
    kept = np.arange(len(model.blocks)) % 3 > 0
    # Renderers end behind the last block that they show: in all sizes that is at the end of the page.
    kept[-2:] = False, True
    return Labels(kept, ["content" if each else "boilerplate" for each in kept.tolist()])


def calls():
    """Each method once, where it stands under several names."""
    seen = set()
    for name in registry.methods():
        cleaner = registry.get(name)
        if type(cleaner) not in seen:
            yield name, cleaner.label
        seen.add(type(cleaner))
    for name, renderer in RENDERERS.items():
        yield name, lambda model, renderer=renderer: renderer(model, some(model))
    yield "markdown", lambda model: markdown(model, some(model), with_links=True)
    yield "inspector", lambda model: inspector(model, some(model), method="keep-all", name="page")


CALLS = dict(calls())
CALLS["reasons of winnow"] = registry.get("winnow").reasons
SMALL = 16
# Of twice as many parts those that are more take as much as all before: 2, but 4 of what is quadratic.
MOST = 2.6
# What else a longer text brings with it, such as a threshold that it comes above.
SOME_STEPS = 600


def growth(steps):
    """Return how many times as many steps the second doubling brings as the first, but for some."""
    return (steps[2] - steps[1] - SOME_STEPS) / max(steps[1] - steps[0], 1)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_page_is_twice_the_steps(shape):
    models = [page(SHAPES[shape](n)) for n in (SMALL, 2 * SMALL, 4 * SMALL)]
    found = {}
    for name, call in CALLS.items():
        call(models[0])  # the first loads what the others have
        found[name] = [n_steps(partial(call, model)) for model in models]
    assert {name: steps for name, steps in found.items() if growth(steps) > MOST} == {}


def test_quadratic_steps_are_seen():
    rule = "<RULE context='P'><CALL name='x' select='lc({})'/><CHECK><WHENEVER test='$x'/></CHECK></RULE>"
    models = [page("<p>x" * n) for n in (SMALL, 2 * SMALL, 4 * SMALL)]
    # XPath calls our function for each of the others.
    select = "count(../p[lc(.)])"
    steps = [
        n_steps(partial(annotate, TreeNodes(model), read_rules(rule.format(select))))
        for model in models
    ]
    assert growth(steps) > MOST
