"""Keywords, and the tuples drawn of them."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.seeds.keywords import (
    MAX_BYTES,
    draw_queries,
    keyword_tuples,
    main,
    query_of,
    read_keywords,
    read_queries,
)


@given(st.integers(1, 7), st.integers(1, 5), st.integers(1, 60), st.integers(0, 9))
def test_tuples_are_different_and_as_many_as_there_are(n_words, size, n, seed):
    words = [chr(97 + number) for number in range(n_words)]
    every = set(combinations(words, size))
    drawn = keyword_tuples(words, size=size, n=n, random_seed=seed)
    assert len(drawn) == min(n, len(every)) == len(set(drawn))
    assert set(drawn) <= every
    # More tuples are the same and others, so that the searches of before are not asked again.
    assert keyword_tuples(words, size=size, n=n + 3, random_seed=seed)[: len(drawn)] == drawn


def test_the_tuples_of_many_keywords_are_drawn_without_making_all():
    words = [f"word{number}" for number in range(20_000)]
    drawn = keyword_tuples(words, size=6, n=50)
    assert len(set(drawn)) == 50
    # Each keyword is as likely as any other: of 300 draws from 20,000, few come twice.
    assert len({word for words in drawn for word in words}) > 290


def test_every_tuple_is_as_likely_as_any_other():
    counts = dict.fromkeys(combinations("abcde", 2), 0)
    for seed in range(4000):
        counts[keyword_tuples("abcde", size=2, n=1, random_seed=seed)[0]] += 1
    # 400 of each are expected, the standard deviation is 19.
    assert min(counts.values()) > 300
    assert max(counts.values()) < 500


def test_keywords_are_read_once_each_whatever_their_case_and_quotes(tmp_path):
    path = tmp_path / "keywords.txt"
    path.write_bytes('\ufeffSea  bass\n"sea bass"\r\ngrill\n\n„Müsli“\n  GRILL \n'.encode())
    assert read_keywords(path) == ["Sea bass", "grill", "Müsli"]
    assert query_of(["Sea bass", "Müsli"]) == '"Sea bass" Müsli'
    path.write_text('"ארה"ב"\nארה״ב\n', encoding="utf-8")
    assert read_keywords(path) == ["ארה״ב"]
    path.write_text("Masse\nMaße\nmasse\nİyi\niyi\nΛόγος\nΛΌΓΟΣ\n", encoding="utf-8")
    assert read_keywords(path) == ["Masse", "Maße", "İyi", "Λόγος"]
    # What editors show within a line, and lines as old ones write them.
    path.write_bytes("sea\u2028bass\rfood\x0bhygiene\x1c\r\nold\u0085mill\n".encode())
    assert read_keywords(path) == ["sea bass", "food hygiene", "old mill"]


def test_queries_are_read_as_they_are(tmp_path):
    path = tmp_path / "queries.txt"
    path.write_text('dog "food hygiene"\n\ndog "food hygiene"\nleash\n', encoding="utf-8")
    assert read_queries(path) == ['dog "food hygiene"', "leash"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (None, "No such file"),
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"caf\xe9\n", "is not UTF-8"),
        (b"a\0b", "is binary"),
        (b"a" * (MAX_BYTES + 1), "bytes"),
    ],
)
def test_a_file_without_keywords_is_told(tmp_path, data, told):
    path = tmp_path / "keywords.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(InputError, match=told) as error:
        read_keywords(path)
    assert str(path) in str(error.value)


def test_queries_are_printed(tmp_path, capsys):
    path = tmp_path / "keywords.txt"
    path.write_text("mill\nwheel\nsea bass\n", encoding="utf-8")
    main([str(path), "--size", "2", "-n", "9"])
    shown, told = capsys.readouterr()
    assert "make 3 tuples of 2, not 9; give more keywords" in told
    assert sorted(shown.splitlines()) == ['mill "sea bass"', "mill wheel", 'wheel "sea bass"']
    for wrong in (["-n", "0"], ["--size", "4"], ["--seed", "-1"]):
        with pytest.raises(InputError):
            main([str(path), *wrong])


def test_too_few_keywords_are_counted(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("mill\nmill\n", encoding="utf-8")
    with pytest.raises(
        InputError, match="has 1 keyword without repetitions, fewer than a tuple of 3;"
    ):
        draw_queries(str(path), size=3, n=10, random_seed=0)
