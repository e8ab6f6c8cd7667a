"""Small letters as bytes are those of ``str.lower``."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.lower_case import lower_utf8

# A final sigma, letters that get longer or shorter, letters beyond the BMP, halves of surrogate pairs.
ODD = ["Σ", "ΑΣ", "İ", "Ⱥ", "K", "ẞ", "𐐀", "🙂", "\ud800", "Ა", "\U00020000", "\U0010ffff"]
PIECES = st.one_of(
    st.sampled_from([*ODD, "A", "z", " ", "’", "É", "Ж", "東"]), st.characters(codec=None)
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_of_any_text(text):
    assert lower_utf8(text) == text.lower().encode("utf-8", "surrogatepass")


def test_of_each_character():
    for point in range(0x80, 0x20000):
        text = "’" + chr(point)
        assert lower_utf8(text) == text.lower().encode("utf-8", "surrogatepass")
