"""Stems of words in the languages of the stop lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.words import evaluation_words
from pipelines.linguistics.stems import LANGUAGES, stems
from pipelines.linguistics.stop_lists import known_language, stop_words


@pytest.mark.parametrize(
    ("language", "words", "expected"),
    [
        # https://snowballstem.org/algorithms/english/stemmer.html
        (
            "en",
            "consign consigned consigning consignment knack knackeries knavish knightly",
            "consign consign consign consign knack knackeri knavish knight",
        ),
        ("de", "aufeinander aufeinanderfolge kategorischen", "aufeinand aufeinanderfolg kategor"),
        ("nb", "havnedistriktene", "havnedistrikt"),
        # no stemmer
        ("pl", "biegania", "biegania"),
        (None, "running", "running"),
    ],
)
def test_stems(language, words, expected):
    assert stems(words.split(), known_language(language)) == expected.split()


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_stop_list_by_the_name_of_each_stemmer(language):
    words = sorted(stop_words(language))[:500]
    assert len(stems(words, language)) == len(words)


@given(st.text(), st.sampled_from([*LANGUAGES, None]))
def test_each_word_has_a_stem_of_its_own(text, language):
    words = evaluation_words(text)
    assert stems(words, language) == [stem for word in words for stem in stems([word], language)]
    assert len(stems(words, language)) == len(words)
