"""Texts in one piece beside a list of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.joined_texts import JoinedTexts

texts = st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"), max_size=70))


@given(texts, st.data())
def test_equals_the_list(strings, data):
    made = JoinedTexts.of(strings)
    mask = data.draw(st.lists(st.booleans(), min_size=len(strings), max_size=len(strings)))
    kept = "\n".join(text for text, is_kept in zip(strings, mask, strict=True) if is_kept)
    for place in range(len(strings)):
        # Each alone: nothing is made before.
        assert JoinedTexts(made.utf8, len(strings))[place] == strings[place]
    for found in (made, JoinedTexts(made.utf8, len(strings))):
        assert found.joined(np.array(mask, dtype=np.bool_)) == kept
        assert (len(found), bool(found)) == (len(strings), bool(strings))
        assert found == strings
        assert list(found) == found[:] == found.strings == strings
        assert found[1:3] == strings[1:3]
        assert pickle.loads(pickle.dumps(found)) == found


def test_no_text_behind_the_last():
    texts = JoinedTexts(b"a\n", 1)
    assert texts[-1] == "a"
    with pytest.raises(IndexError):
        JoinedTexts(b"a\n", 1)[1]
    assert texts != ["a", ""]
    assert texts != "b"
