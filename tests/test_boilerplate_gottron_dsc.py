"""DSC on the source of a page, against its listing run as it stands."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipelines.boilerplate.bte import BTE
from pipelines.boilerplate.dsc import DSC, is_article, low_slope, window_tokens
from pipelines.boilerplate.registry import get
from tests.made_blocks import made_blocks, page_of
from tests.test_boilerplate_gottron_tokens import MENU, PROSE, kept_text, page


def listing_dsc(sequence, *, literal_bound, prose_slope=False):
    """Algorithm 3.2, line by line; its bound, or the last window that fits; its slope of the page, or the prose's."""
    n = len(sequence)
    labels = [0] * n
    curve = np.cumsum(sequence).tolist()
    window = window_tokens(n)
    if n <= window:
        return labels
    history = [0, 0]
    in_region = 0
    for i in range(0, n - window + (0 if literal_bound else 1), window // 2):
        slope = (curve[i + window - 1] - curve[i]) / window
        total = (curve[-1] - prose_slope * curve[0]) / n
        is_low = 1 if slope < 0.5 * total else 0
        if in_region == 0:
            if is_low and history[0] and history[1]:
                in_region = 1
        elif not is_low and not history[0] and not history[1]:
            in_region = 0
        for j in range(i, i + window):
            labels[j] = in_region
        history = [is_low, history[0]]
    return labels


# Stretches of many tags and of many words.
slopes = st.lists(
    st.tuples(st.integers(1, 40), st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])), max_size=12
).map(
    lambda parts: [
        int(n * share) > int((n - 1) * share) for size, share in parts for n in range(1, size + 1)
    ]
)


@given(slopes, st.booleans(), st.booleans())
def test_low_slope_is_that_of_the_listing(sequence, literal_bound, prose_slope):
    options = {"literal_bound": literal_bound, "prose_slope": prose_slope}
    low = low_slope(np.array(sequence, np.bool_), **options)
    assert low.astype(int).tolist() == listing_dsc(sequence, **options)


def test_the_slope_of_the_prose_lacks_the_first_token():
    # Of 64 tokens 17 are tags, the first among them; a window of 8 with one tag has an eighth: 2 * 64 * 1 < 17 * 8.
    words = [0] * 3 + [1] + [0] * 3
    sequence = np.array([1] * 8 + words * 8, np.bool_)[:64]
    assert (len(sequence), sequence.sum()) == (64, 16)
    assert not low_slope(sequence).any()
    sequence[-1] = True
    assert low_slope(sequence).any()
    assert not low_slope(sequence, prose_slope=True).any()


def test_long_listing():
    rng = np.random.default_rng(3)
    sequence = rng.random(6000) < np.repeat(rng.random(60), 100)
    assert window_tokens(len(sequence)) == 50
    low = low_slope(sequence)
    assert 0 < low.sum() < len(low)
    assert low.astype(int).tolist() == listing_dsc(sequence.tolist(), literal_bound=False)


def test_windows_grow_with_the_page():
    sizes = [window_tokens(n) for n in range(7000)]
    assert sizes == sorted(sizes)
    assert sizes[0] == sizes[199] == sizes[200] == 8
    assert sizes[5000] == sizes[6999] == 50


def test_a_region_loses_its_first_two_windows():
    sequence = np.array([1] * 40 + [0] * 80 + [1] * 40, np.bool_)
    low = low_slope(sequence)
    # Windows of 8, every 4: the first of words alone starts at 40, the third at 48; the first that is
    # not low starts at 116, the third at 124.
    assert np.flatnonzero(low).tolist() == list(range(48, 124))
    early = low_slope(sequence, retroactive_start=True)
    assert np.flatnonzero(early).tolist() == list(range(40, 124))


def test_dsc_keeps_several_plateaus():
    body = f"{MENU * 5}<p>{PROSE * 4}</p>{MENU * 5}<p>next {PROSE * 4}</p>{MENU * 5}"
    assert [text[:4] for text in kept_text(DSC(), body)] == ["a lo", "next"]
    assert [text[:4] for text in kept_text(BTE(), body)] != ["a lo", "next"]


def test_articles():
    assert is_article(page(f"{MENU * 5}<p>{PROSE * 4}</p>{MENU * 5}"))
    assert not is_article(page(MENU * 20))
    # Nine words in ten are elsewhere.
    assert not is_article(page(f"{MENU * 100}<p>{PROSE}</p>"))
    assert not is_article(page(""))
    assert not is_article(page_of(made_blocks([[9]] * 90)))


def test_options_by_name():
    """The classifier on the extractor, and the tags of scripts, as a user names them."""
    scripts = "<script>x</script>" * 100
    body = f"{MENU * 5}<p>{PROSE * 4}</p>{MENU * 5}"
    assert kept_text(get("dsc", articles_only=True), body) == kept_text(get("dsc"), body) != []
    long_menu = f"{MENU * 100}<p>{PROSE * 2}</p>"
    assert kept_text(get("dsc"), long_menu) != []
    assert kept_text(get("dsc", articles_only=True), long_menu) == []
    plain = kept_text(get("dsc", script_tags=False), body)
    assert kept_text(get("dsc", script_tags=False), scripts + body) == plain
    assert kept_text(get("dsc"), scripts + body) != plain
