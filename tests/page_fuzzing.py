"""Strategies that make nasty pages."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.page_fragments import (
    ATTRIBUTES,
    CODECS,
    CONTENT_TYPES,
    MARKUP,
    SNIPPETS,
    TAG_NAMES,
    TEXTS,
)


def _cased(text: str, flips: int) -> str:
    return "".join(c.swapcase() if flips >> (i % 8) & 1 else c for i, c in enumerate(text))


def tags() -> st.SearchStrategy[str]:
    """Tags as people and programs write them, closed or not, with attributes good and bad."""
    return st.builds(
        lambda start, name, flips, attributes, end: (
            start + _cased(name, flips) + "".join(f" {each}" for each in attributes) + end
        ),
        st.sampled_from(["<", "<", "</"]),
        st.sampled_from(TAG_NAMES),
        st.integers(0, 255),
        st.lists(st.sampled_from(ATTRIBUTES), max_size=3),
        st.sampled_from([">", ">", ">", "/>", " >", "", " ", "\n>", "'>", '">']),
    )


def texts() -> st.SearchStrategy[str]:
    """Text of all scripts, references whole and broken, and what is no text."""
    any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
    return st.one_of(st.sampled_from(TEXTS), st.sampled_from(TEXTS), any_text)


def soup() -> st.SearchStrategy[str]:
    """Tags, text and markup in any order."""
    parts = st.one_of(tags(), texts(), tags(), st.sampled_from(MARKUP))
    return st.lists(parts, max_size=25).map("".join)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Parts of real pages that were cut, doubled, overwritten and put together wrongly."""
    body = b"".join(draw(st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=4)))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(body)))
        end = min(len(body), start + draw(st.integers(0, 20)))
        inside = draw(
            st.one_of(
                st.just(b""),
                st.just(body[start:end] * 2),
                st.binary(max_size=3),
                st.sampled_from(MARKUP).map(lambda text: text.encode()),
            )
        )
        body = body[:start] + inside + body[end:]
    return body


@st.composite
def encoded(draw: st.DrawFn) -> bytes:
    """Soup in some encoding, with or without its mark, sometimes cut within a character."""
    codec = draw(st.sampled_from(CODECS))
    body = draw(soup()).encode(codec, "replace")
    return body[: len(body) - draw(st.integers(0, 2))]


def bodies() -> st.SearchStrategy[bytes]:
    """Any body of an answer."""
    return st.one_of(
        soup().map(lambda text: text.encode()), mutated(), encoded(), st.binary(max_size=200)
    )


def content_types() -> st.SearchStrategy[str | None]:
    """Any header of a content type that is not rejected, and none."""
    return st.sampled_from(CONTENT_TYPES)
