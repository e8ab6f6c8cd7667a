"""Content code blurring against the listing, character by character."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crawler.page import build_page
from pipelines.boilerplate.blur_kernels import blur_once, count_above
from pipelines.boilerplate.content_code_blurring import ACCB, CCB, TCCB, Elements, gauss_weights
from pipelines.boilerplate.token_stream import token_stream
from tests.made_blocks import made_blocks, page_of

PROSE = "It was a long and even piece of text that went on and on without a single tag in it. " * 3


def page(body):
    return build_page(body.encode(), url="http://a.sample/", content_type="text/html")


def slow_weights(delta):
    weights = [np.exp(-(j**2) / (2 * (delta / 2) ** 2)) for j in range(-delta, delta + 1)]
    return np.array(weights) / sum(weights)


def slow_blur(values, delta):
    """One pass of algorithm 6.3, scaled to the weights within the page."""
    weights = slow_weights(delta)
    blurred = []
    for i in range(len(values)):
        within = [j for j in range(-delta, delta + 1) if 0 <= i + j < len(values)]
        total = sum(values[i + j] * weights[j + delta] for j in within)
        blurred.append(total / sum(weights[j + delta] for j in within))
    return blurred


def blur(values, delta):
    padded, blurred = np.zeros((2, len(values) + 2 * delta))
    padded[delta : len(padded) - delta] = values
    blur_once(padded, gauss_weights(delta), blurred)
    assert not blurred[:delta].any()
    assert not blurred[len(blurred) - delta :].any()
    return blurred[delta : len(blurred) - delta]


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), max_size=60), st.integers(1, 12))
def test_a_pass_is_that_of_the_listing(values, delta):
    np.testing.assert_allclose(blur(values, delta), slow_blur(values, delta), atol=1e-12)


def test_long_vectors_and_constant_stretches():
    rng = np.random.default_rng(5)
    parts = [np.ones(1500), rng.random(700), np.zeros(1300), (rng.random(1100) < 0.5) * 1.0]
    values = np.concatenate(parts)
    for delta in (1, 2, 25, 40):
        full = np.convolve(values, slow_weights(delta), "same")
        scale = np.convolve(np.ones(len(values)), slow_weights(delta), "same")
        np.testing.assert_allclose(blur(values, delta), full / scale, atol=1e-12)


def test_weights():
    weights = gauss_weights(40)
    assert weights[0] + 2 * weights[1:].sum() == pytest.approx(1)
    # sigma is half the range: e**-0.5 at it, e**-2 at the cut.
    assert weights[20] / weights[0] == pytest.approx(np.exp(-0.5))
    assert weights[40] / weights[0] == pytest.approx(np.exp(-2))


def slow_pick(code, content, method):
    """The passes on the whole vector, the extension to the next code, and the stop criterion."""
    values, owner = [], []
    for text, (n_code, n_content) in enumerate(zip(code, content, strict=True)):
        values += [0.0] * n_code + [1.0] * n_content
        owner += [-1] * n_code + [text] * n_content
    before = None
    for _ in range(method.max_passes):
        values = slow_blur(values, method.delta)
        chosen = [v > method.threshold and o >= 0 for v, o in zip(values, owner, strict=True)]
        if method.extend_blocks:
            for match in re.finditer("1+", "".join("1" if o >= 0 else "0" for o in owner)):
                extended = [any(chosen[match.start() : match.end()])] * len(match[0])
                chosen[match.start() : match.end()] = extended
        if before is not None:
            changed = sum(now != then for now, then in zip(chosen, before, strict=True))
            if changed == 0 or changed < method.max_change * sum(content):
                break
        before = chosen
    return [chosen_of(chosen, owner, text) for text in range(len(code))]


def chosen_of(chosen, owner, text):
    return sum(c for c, o in zip(chosen, owner, strict=True) if o == text)


texts = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 25)), min_size=1, max_size=8)


@settings(max_examples=40)
@given(texts, st.booleans(), st.integers(1, 9), st.sampled_from([0.0, 0.02, 0.1]))
# One side of the text gains what the other loses.
@example([(3, 19), (9, 0)], False, 7, 0.0)
def test_selection_is_that_of_the_listing(drawn, extend, delta, max_change):
    code, content = np.array(drawn, np.int64).T
    if not content.any():
        return
    method = CCB(delta=delta, extend_blocks=extend, max_change=max_change, max_passes=8)
    picked, passes, _ = method.blur(Elements(code, content))
    assert picked.tolist() == slow_pick(code.tolist(), content.tolist(), method)
    assert 2 <= passes <= 8


@pytest.mark.parametrize("content", [[9, 40, 2], [1], [0, 3]])
def test_a_neighbourhood_is_no_larger_than_the_page(content):
    code = [4, 2, 7][: len(content)]
    elements = Elements(np.array(code), np.array(content))
    for delta in (sum(code + content) + 1, 90):
        method = CCB(delta=delta, threshold=0.8)
        assert method.blur(elements).picked.tolist() == slow_pick(code, content, method)
    # of so large a range the mean of the page is left
    mean = sum(content) / sum(code + content)
    np.testing.assert_allclose(CCB(delta=10**12).blur(elements).values, mean)


# Laid out as the fragment of figure 6.1: a short line above, a teaser with two links, a line below.
FIGURE = """<div class="details"><b>Posted by <a href="http://people.sample/index?node_id=322">
Anna</a> on Monday January 29, @09:12AM</b><br><br></div><div class="body"><div class="topic">
<a href="http://news.sample/search?tid=95"><img src="t.gif" width="75" height="75"></a></div>
<div class="intro"><a href="http://www.sea.sample/" rel="nofollow">SeaWriter</a> writes
<i>"A harbour master of the north coast, Ole K. Stein, has put together a list of
<a href="http://www.sea.sample/archives/hundred_lighthouses_of_the_north.php">a hundred
lighthouses worth a visit</a>. The list has old coal fires, lightships out at sea, towers built upon
lonely rocks, lamps with lenses, and many more wonders of the coast. Visitors see four of them in
99% of their journeys, all of them close to a city and with a car park (in that order). But Stein
has found out, in his years at sea, that among the other ones there is a great number of the most
beautiful and most daring buildings of all."</i></div><div class="ad6"></div></div>
<div id="tagbox-07:01:29:1134241" class="tags"><div id="tagbox-title-07" class="tagtitleclosed">&nbsp;
<a href="//news.sample/login"><span class="tagsheader" id="toggletags-button-07">[+] </span></a>
<i><a href="//faq/tags.shtml">more of this</a></i></div></div>"""


@pytest.mark.parametrize("method", [CCB(), ACCB()])
def test_a_fragment_like_that_of_the_thesis(method):
    model = page(FIGURE)
    labels = method.label(model)
    kept = " ".join(t for t, k in zip(model.blocks.text, labels.kept, strict=True) if k)
    assert "lonely rocks" in kept
    assert "more of this" not in kept
    assert "Posted by" not in kept


def test_elements_of_a_page():
    stream = token_stream(page(f"<p class='x'>a b&amp;<a href=q>cd</a><script>e</script>{FIGURE}"))
    source = f"<p class='x'>a b&amp;<a href=q>cd</a>{FIGURE}"
    code = "".join(re.findall(r"<[^>]*>", source))
    links = "".join(re.findall(r"</?a\b[^>]*>", source))
    text = html.unescape(re.sub(r"<[^>]*>", "", source))
    n_code, n_links, n_text = (len("".join(part.split())) for part in (code, links, text))
    for method, n in ((CCB(), n_code), (ACCB(), n_code - n_links)):
        elements = method.elements(stream)
        assert (elements.code.sum(), elements.content.sum()) == (n, n_text)
    tokens = TCCB().elements(stream)
    assert tokens.code.sum() == len(re.findall("<", code)) - len(re.findall("<", links))
    assert tokens.content.sum() == len(re.sub(r"<[^>]*>", " ", source).split()) - 1  # "&nbsp;"


def test_links_in_text_are_nothing_to_accb():
    linked = re.sub(r"\b(piece|text|single)\b", r"<a href='/a/rather/long/path/\1'>\1</a>", PROSE)
    menu = "<ul>" + "<li class='entry'><b>x</b></li>" * 9 + "</ul>"
    model = page(f"{menu}<div>{linked}</div>{menu}")
    longest = int(np.argmax(model.blocks.n_words))
    assert ACCB().label(model).kept[longest]
    assert not CCB().label(model).kept[longest]


@pytest.mark.parametrize("method", [CCB(), ACCB(), TCCB()])
def test_extremes(method):
    assert method.label(page(PROSE)).kept.all()
    assert method.label(page_of(made_blocks([[9], [8]]))).kept.all()
    assert len(method.label(page("<p><br><img src=x>")).kept) == 0
    model = page("<tr><td><font size=2>x</font></td></tr>" * 30)
    assert not method.label(model).kept.any()


def test_a_value_at_the_threshold_is_not_above_it():
    text = Elements(np.array([0]), np.array([2000]))
    assert CCB(threshold=0.999).blur(text).picked.tolist() == [2000]
    assert (CCB(threshold=1.0).blur(text).values[600:1400] == 1).all()
    found = np.empty(1, np.int64)
    count_above(np.array([0.75, 0.5, 0.76]), np.array([3]), np.array([3]), 0.75, found)
    assert found.tolist() == [1]


def test_short_texts_are_kept_whole():
    menu = "<b></b>" * 20
    model = page(f"{menu}<p>{PROSE}</p>{menu}")
    whole = CCB().blur(CCB().elements(token_stream(model))).picked
    cut = CCB(extend_blocks=False).blur(CCB().elements(token_stream(model))).picked
    assert 0 < cut.max() < whole.max() == len("".join(PROSE.split()))


def test_arguments():
    for options, message in [
        ({"delta": 0}, "delta must be at least 1, got 0"),
        ({"threshold": 1.5}, "threshold must be from 0 to 1, got 1.5"),
        ({"max_passes": 0}, "max_passes must be at least 1, got 0"),
        ({"max_change": -1}, "max_change must be from 0 to 1, got -1"),
    ]:
        with pytest.raises(ValueError, match=message):
            TCCB(**options)
