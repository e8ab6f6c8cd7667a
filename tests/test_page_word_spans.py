"""Words as places in bytes are the words of `density_tokens`."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from crawler.page.word_spans import utf8_word_spans
from crawler.page.words import density_tokens

_ASCII = ["a", " ", "  ", "\n", "-", "_", "3", "iPhone", "\x1c", "\0"]
_OTHER = ["Zürich", "\xa0", "…", "数据科学", "。", "ก", "ไทยแลนด์", "カタ", "々", "\u3000", "\u0301"]
_RARE = ["\U00020000", "😀", "\x85", "ខ្មែរ", "\ufeff"]
pieces = st.sampled_from(_ASCII + _OTHER + _RARE)


@given(st.one_of(st.text(), st.lists(pieces, max_size=30).map("".join)))
@example("a")
@example("")
@example("数据科学 iPhone手机。")
def test_words_are_the_density_tokens(text):
    spans = utf8_word_spans(text.encode("utf-8", "surrogatepass"))
    data = bytes(spans.data)
    words = density_tokens(text)
    assert data == b"".join(word.encode("utf-8", "surrogatepass") + b" " for word in words)
    found = zip(spans.starts.tolist(), spans.ends.tolist(), strict=True)
    assert [data[start:end].decode("utf-8", "surrogatepass") for start, end in found] == words
