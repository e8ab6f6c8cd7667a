"""jusText against the printed algorithms, their boundaries and its own definition of a block."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.limits import PageRules
from pipelines.boilerplate.justext import JusText, TokenStopWordFilter, context_sensitive
from pipelines.boilerplate.justext.classes import BAD, GOOD, NEAR_GOOD, SHORT, headings_before_good
from tests.made_blocks import made_blocks, page_of

STOPS = frozenset({"of"})


def page(html):
    body = html.encode() if isinstance(html, str) else html
    return build_page(
        body,
        url="http://a.com/",
        content_type="text/html; charset=utf-8",
        rules=PageRules("transparent"),
    )


def words(n, stops=0, linked=0):
    """*n* words of which *stops* are stop words and the last *linked* are a link."""
    all_words = ["of"] * stops + ["name"] * (n - stops)
    kept, in_link = all_words[: n - linked], all_words[n - linked :]
    return " ".join(kept) + (f" <a href=/>{' '.join(in_link)}</a>" if in_link else "")


def algorithm_2_3(before):  # noqa: C901  as it is printed
    """Pomikálek 2011, Algorithm 2.3, line by line."""

    def nearest(i, step, wanted):
        while 0 <= i + step < len(before):
            i += step
            if wanted(before[i]):
                return before[i]
        return BAD

    def settled(c):
        return c in {GOOD, BAD}

    def long(c):
        return c != SHORT

    after = []
    for i, pre in enumerate(before):
        left, right = nearest(i, -1, settled), nearest(i, 1, settled)
        if pre in {GOOD, BAD}:
            after.append(pre)
        elif pre == NEAR_GOOD:
            after.append(GOOD if GOOD in {left, right} else BAD)
        elif left == right:
            after.append(left)
        elif left == BAD:
            after.append(GOOD if nearest(i, -1, long) == NEAR_GOOD else BAD)
        else:
            after.append(GOOD if nearest(i, 1, long) == NEAR_GOOD else BAD)
    return after


def by_borders(before):
    """The prose of section 2.7.3: the near-good one that is closest to the bad end is the border."""
    after = list(before)
    i = 0
    while i < len(before):
        if before[i] in {GOOD, BAD}:
            i += 1
            continue
        end = i
        while end < len(before) and before[end] not in {GOOD, BAD}:
            end += 1
        left = before[i - 1] if i else BAD
        right = before[end] if end < len(before) else BAD
        near = [k for k in range(i, end) if before[k] == NEAR_GOOD]
        for k in range(i, end):
            if left == right:
                after[k] = left
            elif not near:
                after[k] = BAD
            elif left == BAD:
                after[k] = GOOD if k >= near[0] else BAD
            else:
                after[k] = GOOD if k <= near[-1] else BAD
        i = end
    return after


@pytest.mark.parametrize(
    "length", [*range(6), *(pytest.param(n, marks=pytest.mark.long) for n in (6, 7, 8))]
)
def test_context_equals_the_printed_algorithm_and_its_prose(length):
    for before in product((BAD, SHORT, NEAR_GOOD, GOOD), repeat=length):
        after = context_sensitive(np.array(before, np.int8)).tolist()
        assert after == algorithm_2_3(before) == by_borders(before)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        # Each page has one paragraph: near-good and short ones end up bad. Comparisons are strict.
        (words(9), "short-bad"),
        (words(9, linked=1), "bad"),
        (words(10), "bad"),
        (words(10, stops=3), "bad"),  # 0.30 is low
        (words(25, stops=8), "neargood-bad"),  # 0.32 is medium
        (words(30, stops=10), "neargood-bad"),  # 30 tokens are not long
        (words(31, stops=10), "good"),
        (words(100, stops=31), "neargood-bad"),  # long and medium
        (words(100, stops=30), "bad"),  # long and low
        (words(40, stops=20, linked=8), "good"),  # a link density of 0.2 passes
        (words(40, stops=20, linked=9), "bad"),
        (words(40, stops=20) + " &copy;", "bad"),
        (words(40, stops=20).replace("of", "OF"), "bad"),
        (words(40, stops=20).replace("of", "Of,"), "good"),
        ("of-of " * 40, "bad"),  # a hyphen makes one word
        ("of'of " * 40, "good"),
    ],
)
def test_classes_by_themselves(text, label):
    assert JusText(stop_list=STOPS).label(page(f"<p>{text}")).label == [label]


@pytest.mark.parametrize(
    ("options", "n", "stops", "label"),
    [
        ({"length_low": 0, "length_high": 26}, 1, 0, "bad"),  # B has no short ones
        ({"length_low": 0, "length_high": 26}, 27, 9, "good"),
        ({"stopwords_low": 0.25, "length_high": 25, "stopwords_high": 0.25}, 25, 7, "neargood-bad"),
        ({"stopwords_low": 0.25, "length_high": 25, "stopwords_high": 0.25}, 26, 7, "good"),
        ({"stopwords_low": 0.2, "length_high": 20, "stopwords_high": 0.25}, 20, 4, "bad"),
        ({"stopwords_low": 0.2, "length_high": 20, "stopwords_high": 0.25}, 20, 5, "neargood-bad"),
        ({"stopwords_low": 0.2, "length_high": 20, "stopwords_high": 0.25}, 21, 6, "good"),
    ],
)
def test_other_parameter_sets(options, n, stops, label):
    rules = JusText(stop_list=STOPS, **options)
    assert rules.label(page(f"<p>{words(n, stops)}")).label == [label]


def test_neighbours_settle_short_and_near_good_ones():
    good, near, short, bad = words(40, 20), words(20, 10), words(3), words(40)
    html = "".join(f"<p>{text}" for text in (short, near, short, good, short, good, short, bad))
    labels = JusText(stop_list=STOPS).label(page(html))
    expected = "short-bad neargood-good short-good good short-good good short-bad bad"
    assert labels.label == expected.split()
    assert labels.kept.tolist() == [label.endswith("good") for label in labels.label]


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 90)), max_size=12),
    st.integers(0, 200),
)
def test_headings_before_good(paragraphs, limit):
    heading, good, n_chars = (
        (list(column) for column in zip(*paragraphs, strict=True)) if paragraphs else ([], [], [])
    )
    expected = []
    for i in range(len(paragraphs)):
        distance, j, found = 0, i + 1, False
        while j < len(paragraphs) and distance <= limit and not found:
            found = good[j]
            distance += n_chars[j]
            j += 1
        expected.append(heading[i] and found)
    arrays = (np.array(heading, bool), np.array(good, bool), np.array(n_chars, np.int64))
    assert headings_before_good(*arrays, limit).tolist() == expected


def test_headings_are_an_option():
    html = f"<h2>{words(2)}</h2><p>{words(3)}</p><p>{words(40, 20)}</p>"
    assert JusText(stop_list=STOPS).label(page(html)).kept.tolist() == [False, False, True]
    with_headings = JusText(stop_list=STOPS, headings=True).label(page(html))
    assert with_headings.label == ["short-good", "short-good", "good"]
    far = f"<h2>{words(2)}</h2><p>{words(9, linked=9) * 9}</p><p>{words(40, 20)}</p>"
    assert not JusText(stop_list=STOPS, headings=True).label(page(far)).kept[0]


def test_language_is_the_option_the_declared_or_the_likeliest():
    german = (
        "Der Hund ist in der Nacht mit dem Mann durch die Stadt gegangen und hat auf ihn gewartet. "
    )
    html = f"<html lang=%s><p>{german * 3}"
    assert JusText().label(page(html % "de-AT")).kept.all()
    assert JusText().label(page(html % "tlh")).kept.all()
    assert not JusText().label(page(html % "en")).kept.any()
    assert JusText(language="de").label(page(html % "en")).kept.all()


def test_scripts_with_vowel_signs():
    """Words were cut at the signs, none was a stop word, and of Hindi nothing was kept."""
    hindi = "यह जनसंख्या के आधार पर विश्व का सबसे बड़ा देश है और यहाँ के लोग अनेक धर्मों को मानते हैं। " * 3
    assert JusText().label(page(f"<html lang=hi><p>{hindi}")).kept.all()
    assert JusText().label(page(f"<p>{hindi}")).kept.all()


def test_scripts_without_spaces():
    chinese = "我们在这个地方看到了他的一本新书,这是我自己的书,也是你的书。" * 4
    html = (
        f"<html lang=zh><p>{chinese}<p>首页 新闻 体育 财经 娱乐 科技 汽车 房产 游戏 教育 健康 旅游"
    )
    assert not JusText().label(page(html)).kept.any()
    assert JusText(spaceless="units").label(page(html)).kept.tolist() == [True, False]


def test_filter_has_no_context():
    html = f"<html lang=en><p>{words(20, 6)}<p>{words(19, 10)}<p>{words(20, 5)}".replace(
        "name", "zz"
    )
    assert TokenStopWordFilter().label(page(html)).kept.tolist() == [True, False, False]
    assert TokenStopWordFilter(0, 0.0).label(page(html)).kept.all()
    by_own = TokenStopWordFilter(stop_list=frozenset({"NAME"}), min_density=0.7)
    html = html.replace("zz", "name")
    assert by_own.label(page(html)).kept.tolist() == [True, False, True]
    # Exactly the limit passes.
    html = f"<p>{words(10, 0, 5)}<p>{words(10, 0, 6)}<p>{words(2)}"
    by_links = TokenStopWordFilter(0, 0.0, max_link_density=0.5)
    said = [reason.said for reason in by_links.reasons(page(html)).blocks]
    assert [text.rpartition(", ")[2] for text in said] == [
        *("link density 0.5 ≤ 0.5", "link density 0.6 > 0.5", "link density 0 ≤ 0.5"),
    ]
    assert by_links.label(page(html)).kept.tolist() == [True, False, True]


@pytest.mark.parametrize("method", [JusText(), JusText(headings=True), TokenStopWordFilter()])
def test_any_page(method):
    for html in ("", "no tags at all", "<p>", "<<>>&;<a", "\ud800".encode("utf-8", "replace")):
        model = page(html)
        labels = method.label(model)
        assert len(labels.kept) == len(labels.label) == len(model.blocks)
        assert labels.kept.dtype == np.bool_
    assert len(method.label(page_of(made_blocks([[3], [30]]))).label) == 2


def test_wrong_options():
    with pytest.raises(ValueError, match="max_link_density must be from 0 to 1, got 2"):
        JusText(max_link_density=2)
    with pytest.raises(ValueError, match="length_low must be at least 0, got -1"):
        JusText(length_low=-1)
    with pytest.raises(ValueError, match="no stop list for 'tlh'"):
        JusText(language="tlh")
    for method, tags, wrong in (
        (JusText, "p b", "'b'"),
        (JusText, "p a", "'a'"),
        (TokenStopWordFilter, "<p>", "'<p>'"),
        (JusText, " ", "' '"),
    ):
        with pytest.raises(ValueError, match=f"tags must be thesis, html5 or names .* got {wrong}"):
            method(tags=tags)
    with pytest.raises(ValueError, match="spaceless must be words or units"):
        JusText(spaceless="no")
