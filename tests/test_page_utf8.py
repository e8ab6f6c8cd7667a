"""The census of UTF-8 beside Python's decoder."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crawler.page.encoding.utf8 import census

UTF8_PIECES = [
    *(
        b"a",
        b"<p class=x> ",
        b"\xff",
        b"\x80",
        "é".encode(),
        b"\xe4\xb8",
        "中".encode(),
        b"\xef\xbf",
    ),
    *("\ufffd".encode(), b"\xf0\x9f\x98", "😀".encode(), b"\xed\xa0\x80", b"\xe0\x80", b"\xf4\x90"),
    *(b"\xc0\xaf", b"abcdefghijklmnopqrst", b"\0", b"\xed\x9f\xbf", b"\xf4\x8f\xbf\xbf"),
]


@given(st.lists(st.sampled_from(UTF8_PIECES), max_size=14).map(b"".join) | st.binary())
def test_census_counts_what_python_replaces(body):
    text = body.decode("utf-8", "replace")
    found = census(body)
    assert found.n_characters == len(text)
    assert found.n_errors + found.n_marks == text.count("\ufffd")
    assert found.n_marks == body.decode("utf-8", "ignore").count("\ufffd")
    assert found.n_multi == sum(c > "\x7f" for c in body.decode("utf-8", "ignore"))
