"""Winnow's pass over the characters of texts: counts, groups of words and digests, against slow and plain versions."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.boilerplate.winnow.features import characters as c
from pipelines.boilerplate.winnow.features.word_groups import packed, word_table


def counted(texts, title=""):
    return c.count_characters("".join(f"{text}\n" for text in texts).encode(), len(texts), title)


TEXT = st.text("aZé. ,:;!?\"'()[]|>@$%19字。，的ß„·©", max_size=40).map(
    lambda text: " ".join(text.split())
)


@given(st.lists(TEXT, max_size=6))
def test_characters_are_counted(texts):
    counts = counted(texts).counts.T
    assert len(counts) == len(texts)
    for row, text in zip(counts.tolist(), texts, strict=True):
        assert row[c.BYTES] == len(text.encode())
        assert row[c.CHARACTERS] == len(text)
        assert row[c.LARGE] == len(re.findall("[A-Z]", text))
        assert row[c.DIGITS] == len(re.findall("[0-9]", text))
        assert row[c.COMMAS] == len(re.findall("[,;，、]", text))
        assert row[c.COLONS] == len(re.findall("[:：]", text))
        assert row[c.SENTENCE_ENDS] == len(re.findall('[.!?](?=[ "]|$)|[。！？]', text))
        assert row[c.WIDE] == len(re.findall("[字的]", text))
        assert row[c.BARS] == len(re.findall("[|>/*·»«]", text))
        assert row[c.BRACKETS] == len(re.findall(r"[(\[{]", text))
        assert row[c.SIGNS] == len(re.findall("[@$%#=_©]", text))


@pytest.mark.parametrize(
    ("text", "group", "n"),
    [
        ("The end of the world", "function", 3),
        ("Leave a Reply, comments", "comment", 2),
        ("评论 (12)", "comment", 1),
        ("Комментарии", "comment", 1),
        ("我的书在哪", "function", 2),
        ("了是不和有这也就", "function", 8),
        ("山の上は青い", "function", 2),
        ("Copyright © 2012", "notice", 2),
        ("xyzzy", "function", 0),
    ],
)
def test_words_are_known_by_group(text, group, n):
    from pipelines.boilerplate.winnow.features.word_groups import GROUP_NAMES as WORD_GROUPS

    row = counted([text]).counts[:, 0]
    assert row[c.FUNCTION + WORD_GROUPS.index(group)] == n


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("The Alpha beta Gamma", 3),
        ("aB 1C d", 0),
        # A word with other letters than those of ASCII is read another way.
        ("Zoë naïVe ëZ éA", 1),
    ],
)
def test_words_that_a_large_letter_begins(text, n):
    assert counted([text]).counts[c.CAPITALISED].tolist() == [n]


def test_every_listed_word_is_found():
    table = word_table()
    assert packed("the") in table.key.tolist()
    assert np.count_nonzero(table.key) < len(table.key) / 2


def test_words_of_the_title_are_counted():
    counts = counted(["A Tale of Two Cities", "two cats", ""], "a tale: of two cities | Site")
    assert counts.counts[c.IN_TITLE].tolist() == [5, 1, 0]


def test_digests_tell_texts_apart():
    digest = counted(["one two", "one two", "two one", "one"]).digest.tolist()
    assert digest[0] == digest[1]
    assert len(set(digest)) == 3
