"""Block removal: stubs go, and the safe rule keeps a copy where the thesis' loses all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.block_removal import BlockRemoval, DocumentBlocks
from pipelines.duplicates.removal import DuplicateNgrams, remove_duplicates
from tests.test_duplicates_removal import duplicates, grams

N = 3


def document(*blocks):
    """Blocks of (class, words)."""
    return DocumentBlocks([cls for cls, _ in blocks], [grams(words, N) for _, words in blocks])


def between_good(classes):
    """Good stays; what is short or near-good stays between two good ones."""
    good = [cls == "good" for cls in classes]
    return [
        cls == "good" or (cls in {"short", "neargood"} and any(good[:i]) and any(good[i:]))
        for i, cls in enumerate(classes)
    ]


def decided(documents, **options):
    units = [
        hashes
        for each in documents
        for cls, hashes in zip(each.classes, each.hashes, strict=True)
        if cls in {"good", "neargood"}
    ]
    removal = BlockRemoval(DuplicateNgrams(duplicates(units)), n=N, **options)
    return list(removal.decide(documents))


def test_short_blocks_go_with_the_duplicate_beside_them():
    """Pomikálek 2011, figure 3.5: good, short, duplicate."""
    quoted = [1, 2, 3, 4, 5]
    article = document(("good", quoted), ("good", [11, 12, 13, 14]))
    page = document(("good", [21, 22, 23, 24]), ("short", [9]), ("good", quoted))
    first, second = decided([article, page], classify=between_good)
    assert first.kept == [True, True]
    assert second.kept == [True, False, False]
    assert second.is_duplicate == [False, False, True]


def test_the_rule_of_the_thesis_loses_every_copy():
    """A near-good block at the end of a page is dropped, and has used up its n-grams."""
    passage = [1, 2, 3, 4, 5]
    pages = [
        document(("good", [11, 12, 13, 14]), ("neargood", passage)),
        document(("good", [21, 22, 23, 24]), ("neargood", passage), ("good", [31, 32, 33])),
    ]
    thesis = decided(pages, commit="thesis", classify=between_good)
    assert [each.kept[1] for each in thesis] == [False, False]
    safe = decided(pages, commit="safe", classify=between_good)
    assert [each.kept[1] for each in safe] == [False, True]


def test_only_units_are_tested_and_contribute():
    menu = [1, 2, 3, 4]
    pages = [document(("bad", menu), ("good", menu)), document(("bad", menu), ("good", [7, 8, 9]))]
    assert [each.kept for each in decided(pages)] == [[False, True], [False, True]]


@given(st.lists(st.lists(st.integers(0, 2), max_size=14), max_size=8))
def test_documents_of_one_good_block_are_algorithm_3_1(texts):
    hashes = [grams(text, N) for text in texts]
    expected = list(remove_duplicates(hashes, DuplicateNgrams(duplicates(hashes)), n=N))
    pages = [document(("good", text)) for text in texts]
    for commit in ("safe", "thesis"):
        assert [each.kept == [True] for each in decided(pages, commit=commit)] == expected


def test_unknown_commit():
    with pytest.raises(ValueError, match="commit must be safe or thesis, got 'late'"):
        BlockRemoval(DuplicateNgrams(np.empty(0, np.uint64)), commit="late")
