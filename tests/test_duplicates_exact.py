from __future__ import annotations

import unicodedata

import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.duplicates.exact import bytes_digest, normalised, text_digest


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("one two", " one\n\ttwo "),
        ("one two", "one\u00a0two"),
        ("one two", "one\u3000two"),
        ("caf\u00e9", "cafe\u0301"),
        ("", " \n "),
    ],
)
def test_white_space_and_composition_do_not_count(a, b):
    assert text_digest(a) == text_digest(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("One two", "one two"),
        ("one two.", "one two"),
        ("one two", "two one"),
        ("one two", "onetwo"),
        ("a", ""),
    ],
)
def test_case_punctuation_order_and_parting_count(a, b):
    assert text_digest(a) != text_digest(b)


def test_value_is_that_of_xxh3_128():
    # the test vector of xxHash for no input: high half, then low half
    assert text_digest("").hex() == "99aa06d3014798d86001c324468d497f"


@settings(deadline=None)
@given(st.text(st.characters(codec=None)))
def test_any_text_has_a_digest_of_sixteen_bytes(text):
    assert len(text_digest(text)) == 16
    assert text_digest(normalised(text)) == text_digest(text)


SPACES = st.sampled_from([" ", " ", "\n", "  ", "\n", "\u00a0", "\u2028", "\t", "\x1c"])
# More than the kernel looks at at once.
LONG = st.sampled_from(["word " * 20, "word\n" * 13 + "a", "x" * 64, "word \t" * 11])
PIECES = st.one_of(
    SPACES, st.sampled_from(["a", "b\u0301", "\u00ad", "\u6771"]), st.characters(), LONG
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_every_run_of_white_space_becomes_a_space(text):
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    assert normalised(text) == plain
    assert text_digest(text) == xxhash.xxh3_128_digest(plain.encode())


def test_raw_bytes_and_normalised_text_tell_different_things():
    page, later = b"<p>One two</p><i>12:00</i>", b"<p>One two</p><i>12:01</i>"
    # one main text, two responses
    assert bytes_digest(page) != bytes_digest(later)
    assert bytes_digest(page) == bytes_digest(bytes(bytearray(page)))
    # one text in two encodings
    text = "caf\u00e9"
    assert bytes_digest(text.encode("latin-1")) != bytes_digest(text.encode())
    assert bytes_digest(b"") == text_digest("")
