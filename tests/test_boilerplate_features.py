"""The shallow features against a plain version that looks at one block at a time."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.joined_texts import JoinedTexts
from pipelines.boilerplate import shallow_features as features
from pipelines.boilerplate.shallow_features import feature_columns, shallow_features
from tests.made_blocks import made_blocks

MONTHS = "jan january feb february mar march apr april may june july aug august sep sept september oct october nov november dec december jun jul"
DAYS = "mon monday tue tues tuesday wed wednesday thu thurs thursday fri friday sat saturday sun sunday"


def test_names_and_counts_are_the_paper_s():
    assert len(features.LOCAL) == 23
    assert len(features.LOCAL + features.QUOTIENTS) == 25
    assert len(features.NEIGHBOURS) == 64
    assert len(features.ALL) == len(set(features.ALL)) == 67
    assert features.LOCAL[9:14] == (
        *("word_length", "sentence_length", "words", "position", "relative_position"),
    )


def is_date(token):
    token = token.lower()
    return bool(
        re.fullmatch(r"[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?", token)
        or re.fullmatch(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}", token)
        or re.fullmatch(r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}", token)
        or re.fullmatch(r"(19|20)[0-9]{2}", token)
        or token in {*MONTHS.split(), *DAYS.split(), "am", "pm"}
    )


def plain(block, number, n_blocks, path, linked, density):
    """The local features of one block, word by word."""
    words = [run for run in block.split() if any(map(str.isalnum, run))]
    n = len(words)
    ends = sum(map(block.count, features.SENTENCE_ENDS))
    capitalised = sum(word[0].isupper() for word in words)
    upper = sum(any(map(str.isupper, word)) and not any(map(str.islower, word)) for word in words)
    tags = [float(tag in path.split("/")) for tag in features.ENCLOSING]
    return [
        *tags,
        float(linked == n),
        sum(map(len, words)) / n,
        n / max(1, ends),
        n,
        number,
        number / n_blocks,
        capitalised,
        upper,
        capitalised / n,
        upper / n,
        sum(map(block.count, features.FULL_STOPS)) / n,
        sum(map(is_date, block.split())),
        block.count("|"),
        linked / n,
        density,
    ]


TOKENS = "word Word WORD iPhone I Éa 12:30 2011-03-04 1/2/2011 1999 May Sunday pm end. what? a;b x|y | - (Q) ǅ naïve! straße"
token = st.sampled_from(TOKENS.split())
texts = st.lists(token, min_size=1, max_size=8).map(" ".join)
path = st.sampled_from(["body", "body/div/p", "body/div/h2", "body/td/p/h1/b", "body/divx"])


@given(st.lists(st.tuples(texts.filter(lambda text: any(map(str.isalnum, text))), path)))
def test_equals_the_plain_version(drawn):
    counts = [sum(any(map(str.isalnum, run)) for run in text.split()) for text, _ in drawn]
    blocks = made_blocks([[n] for n in counts], linked=[n // 2 * 2 // 2 for n in counts])
    blocks.text = JoinedTexts.of([text for text, _ in drawn])
    blocks.path_number = np.arange(len(drawn), dtype=np.uint32)
    blocks.paths = type(blocks.paths).of(*(path for _, path in drawn))
    expected = [
        plain(text, number, len(drawn), path, int(blocks.linked_words[number]), counts[number])
        for number, (text, path) in enumerate(drawn)
    ]
    found = shallow_features(blocks, features.LOCAL)
    np.testing.assert_allclose(found, np.array(expected).reshape(-1, 23), rtol=1e-12)


TIMES = "7:05 7:05:59 7:05pm 7PM 2011-03-04T07:05Z"


@pytest.mark.parametrize("name", [*MONTHS.split(), *DAYS.split(), "AM", *TIMES.split()])
def test_dates(name):
    assert len(features.DATES.findall(f"on {name}, at")) == 1
    assert not features.DATES.findall(f"on x{name}x at")


def test_a_timestamp_with_a_zone_is_one_date():
    assert features.DATES.findall("at 2011-03-04T07:05:59+01:00.") == ["2011-03-04T07:05:59+01:00"]


def test_neighbours_quotients_and_frequencies():
    blocks = made_blocks([[4], [10, 10, 5], [2]], linked=[4, 0, 1])
    blocks.text = JoinedTexts.of(["Home Page", "the text", "Home Page"])
    columns = feature_columns(blocks, {"Home Page": 7})
    assert columns["words_quotient"].tolist() == [0, 25 / 4, 2 / 25]
    assert columns["text_density_quotient"].tolist() == [0, 10 / 4, 2 / 10]
    assert columns["frequency"].tolist() == [7, 0, 7]
    assert columns["previous.frequency"].tolist() == [0, 7, 0]
    assert columns["next.words"].tolist() == [25, 2, 0]
    assert columns["previous.a"].tolist() == [0, 1, 0]
    for name, place in zip(features.ALL, itertools.count(), strict=False):
        matrix = shallow_features(blocks, frequencies={"Home Page": 7})
        assert matrix[:, place].tolist() == columns[name].tolist()


def test_no_blocks_and_unknown_names():
    assert shallow_features(made_blocks([])).shape == (0, 67)
    with pytest.raises(ValueError, match="unknown feature 'colour'; known are h1, h2"):
        shallow_features(made_blocks([[1]]), ["colour"])


def test_scripts_without_spaces_and_rare_characters():
    html = "<p>数据科学。是一门 iPhone 学科？</p><p>\U0001f600 A\U00020000</p>"
    blocks = build_page(html.encode(), url="http://a.example/", content_type=None).blocks
    columns = feature_columns(blocks)
    assert columns["sentence_length"][0] == blocks.n_words[0] / 2
    assert columns["full_stop_share"][0] == 1 / blocks.n_words[0]
    # of the whitespace runs, over the units that are counted
    assert columns["word_length"][0] == (8 + 6 + 3) / blocks.n_words[0]
    assert columns["capitalised"].tolist() == [0, 1]
