"""``scrapy dedup --unit block --stop-words exclude``: what it leaves of texts, and what it finds, against texts made
without.
"""

from __future__ import annotations

import json
import random

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.words import density_tokens
from pipelines.jobs.dedup.content_words import without_stop_words
from pipelines.jobs.dedup.options import DedupOptions
from pipelines.jobs.dedup.run import dedup_corpus
from tests.conftest import run_scrapy
from tests.dedup_corpus import make_corpus

STOP = ["the", "of", "and", "in", "to", "was", "is"]
WORDS = ["mill", "wheel", "pond", "stone", "flour", "sack", "road", "bridge", "farm", "brook"]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The mill, and (the) 'wheel' of it.", "en", "mill, 'wheel'"),
        ("Of 42 mills: the 2nd, and the.", "en", "42 mills: 2nd,"),
        ("and/or the-and of_mills", "en", "the-and of_mills"),
        ("Die Mühle und der Bach", "de", "Mühle Bach"),
        ("the и мельница", "ru", "the мельница"),
        ("है हिन्दी", "hi", "हिन्दी"),
        ("的 水车 the", "zh", "的 水车 the"),  # no list of words between spaces
        ("the mill", "xx", "the mill"),
        ("the mill", "und", "the mill"),
        ("the mill", None, "the mill"),
        ("", "en", ""),
    ],
)
def test_texts_without_stop_words(text, language, expected):
    assert without_stop_words(text, language) == expected


@given(st.lists(st.sampled_from([*STOP, *WORDS, "The", "(of", "and,", "水车", "-", "1900"])))
def test_what_is_left_are_words_of_the_text_in_their_order(words):
    def is_left(word):
        return word.strip("(,").lower() not in STOP

    text = " ".join(words)
    left = density_tokens(without_stop_words(text, "en"))
    assert left == [word for word in density_tokens(text) if is_left(word)]


def made_documents(exclude):
    """Blocks of 10 words, some of them quoted with other stop words between; with *exclude* without stop words."""
    rng = random.Random(5)
    quoted = [[rng.choice(WORDS) + str(rng.randrange(9)) for _ in range(10)] for _ in range(3)]
    documents = {}
    for number in range(9):
        blocks = [rng.sample(quoted[number % 3], 10), quoted[number % 3], rng.choices(WORDS, k=10)]
        texts = []
        for words in blocks:
            mixed = [part for word in words for part in (rng.choice(STOP), word)]
            texts.append(" ".join(words if exclude else mixed))
        documents[f"http://a.com/{number}"] = texts
    return documents


def found_rows(folder, documents, **options):
    make_corpus(folder, documents, language="en")
    dedup_corpus(folder, DedupOptions(unit="block", ngram_words=8, **options))
    rows = pq.read_table(folder / "duplicates/blocks.parquet").to_pylist()
    return [(row["url"], row["block"], row["reason"]) for row in rows]


def test_blocks_are_those_of_texts_made_without_stop_words(tmp_path):
    expected = found_rows(tmp_path / "made", made_documents(exclude=True))
    assert len(expected) >= 6
    documents = made_documents(exclude=False)
    assert found_rows(tmp_path / "mixed", documents, stop_words="exclude") == expected
    assert found_rows(tmp_path / "kept", documents) == []


def test_by_the_command(tmp_path):
    make_corpus(tmp_path / "corpus", made_documents(exclude=False), language="en")
    call = (
        "dedup",
        "--corpus",
        tmp_path / "corpus",
        "--unit",
        "block",
        "--ngram-words",
        "10",
        "--json",
    )
    removed = []
    for more in ((), ("--stop-words", "exclude")):
        done = run_scrapy(*call, *more)
        removed.append(json.loads(done.stdout)["removed_blocks"])
    assert removed[0] == 0 < removed[1]
