"""The features of Victor's blocks, each as one of at most ``MAX_VALUES`` whole numbers.

By markup: the innermost tag, and which of ``CONTAINERS`` are around; which of ``SPLITS`` stand before
and behind the block. By content: shares of letters, digits, punctuation and whitespace among its
characters; words, share of words that are letters, digits or mixed, sentences and words a sentence;
how it begins and ends; bullets, URLs, dates and times; how often the page has the same text, and
whether this is the first. By document: words, blocks, place on the page, and the share of the page's
words that have the same tag path. Words and links of the two blocks before and behind are features
as well, and of the block and its neighbours both together, in fewer steps: how long a text has
to be depends on its links. Beyond the ends of the page they have the value 0, which no block has.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import GAP_BITS, names

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    I64 = npt.NDArray[np.int64]
    F64 = npt.NDArray[np.float64]
    U8 = npt.NDArray[np.uint8]

MAX_VALUES = 17

_INNERMOST = ("p", "a", "li", "td", "th", "div", "span", "b", "i", "h", "font", "form", "dd", "pre")
_INNERMOST_OF = {
    **{name: place for place, name in enumerate(_INNERMOST, 1)},
    **{f"h{level}": _INNERMOST.index("h") + 1 for level in range(1, 7)},
    "strong": 8,
    "em": 9,
    "dt": 13,
    "blockquote": 14,
    "code": 14,
}
# Those of Victor's day: sectioning elements, which old pages lack, would tell pages apart by age.
CONTAINERS = (
    names("h1 h2 h3 h4 h5 h6"),
    names("b strong big"),
    names("i em"),
    names("ul ol dl menu dir"),
    names("form label button fieldset"),
    names("table"),
    names("p"),
    names("blockquote q pre code"),
)
SPLITS = ("p", "div", "br", "hr", "img", "table", "tr", "td", "li", "ul", "a", "span", "form", "h2")

_BULLET = re.compile(r"[\u2022\u00b7\u00bb\u203a>*\-\u2013\u2014o]\s|\(?\d{1,2}[.)]\s")
_URL = re.compile(r"https?://|www\.|@[\w-]+\.|\w\.(?:com|org|net|html)\b")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
_TIME = re.compile(r"\b\d{1,2}:\d\d")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$|[\"'\u201d)])|[\u3002\uff01\uff1f]")

# Bounds of the quantised values.
_SHARES = np.array([0.001, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.999])
_COUNTS = np.array([1, 2, 3, 4, 6, 9, 13, 19, 28, 40, 60, 90, 150])
_PAGE_COUNTS = np.array([20, 50, 100, 200, 350, 600, 1000, 1700, 3000, 5000, 9000])
# Of words and linked share together, 4 by 4.
_LENGTHS = np.array([5, 12, 30])
_LINKED = np.array([0.001, 0.2, 0.5])
_FEW = np.array([1, 2, 3, 5, 9, 17])
_PLACES = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98])


def block_features(page: PageModel) -> U8:
    """Return the features of the blocks of *page*, uint8[n, f], each below ``MAX_VALUES``."""
    blocks = page.blocks
    if not len(blocks):
        return np.zeros((0, n_features()), np.uint8)
    columns = [
        *_markup(page),
        *_characters(blocks.text.strings),
        *_tokens(blocks.text.strings),
        *_document(page),
    ]
    words = _binned(blocks.n_words, _COUNTS)
    links = _binned(blocks.link_density, _SHARES)
    columns += [words, links]
    for distance in (-2, -1, 1, 2):
        columns += [_shifted(words, distance), _shifted(links, distance)]
    both = 4 * np.searchsorted(_LENGTHS, blocks.n_words, side="right") + np.searchsorted(
        _LINKED, blocks.link_density, side="right"
    )
    columns += [both + 1, _shifted(both + 1, -1), _shifted(both + 1, 1)]
    return np.stack(columns, axis=1).astype(np.uint8)


@cache
def n_features() -> int:
    """Return the number of features of a block."""
    from crawler.page import build_page

    page = build_page(b"<p>one", url="http://localhost/", content_type="text/html")
    n_columns: int = block_features(page).shape[1]
    return n_columns


def _binned(values: npt.NDArray[np.generic], bounds: F64 | I64) -> I64:
    """Return the bin of each of *values*, from 1."""
    bins: I64 = np.searchsorted(bounds, values, side="right") + 1
    return bins


def _shifted(values: I64, distance: int) -> I64:
    shifted = np.zeros_like(values)
    if distance < 0:
        shifted[-distance:] = values[:distance]
    else:
        shifted[:-distance] = values[distance:]
    return shifted


def _markup(page: PageModel) -> list[I64]:
    blocks = page.blocks
    paths = [path.split("/") for path in blocks.paths.strings]
    innermost = np.array([_INNERMOST_OF.get(path[-1], 0) for path in paths], np.int64)
    columns = [innermost[blocks.path_number] + 1]
    for container in CONTAINERS:
        inside = np.array([not container.isdisjoint(path) for path in paths], np.int64)
        columns.append(inside[blocks.path_number] + 1)
    for name in SPLITS:
        before = ((blocks.gap_mask & np.uint64(GAP_BITS[name])) != 0).astype(np.int64) + 1
        columns += [before, _shifted(before, 1)]
    columns.append(blocks.hidden.astype(np.int64) + 1)
    return columns


@cache
def _character_kinds() -> U8:
    """Return the kind of each code point of the BMP, and last of all others, as letters."""
    kinds = np.full(0x10001, 3, np.uint8)
    for point in range(0x10000):
        character = chr(point)
        if character.isalpha():
            kinds[point] = 0
        elif character.isdigit():
            kinds[point] = 1
        elif character.isspace():
            kinds[point] = 2
    kinds[0x10000] = 0
    return kinds


def _characters(texts: list[str]) -> list[I64]:
    lengths = np.array([len(text) for text in texts])
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4")
    kinds = _character_kinds()[np.minimum(points, 0x10000)]
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    return [
        _binned(np.add.reduceat(kinds == kind, starts, dtype=np.int64) / lengths, _SHARES)
        for kind in range(4)
    ]


def _tokens(texts: list[str]) -> list[I64]:
    rows = []
    for text in texts:
        tokens = text.split()
        n_alpha = sum(map(str.isalpha, tokens))
        n_digits = sum(map(str.isdigit, tokens))
        n_sentences = len(_SENTENCE_END.findall(text))
        n_tokens = len(tokens)
        rows.append(
            (
                *(n_alpha / n_tokens, n_digits / n_tokens, n_sentences),
                *(n_tokens / max(n_sentences, 1), text[0].isupper(), text[0].isdigit()),
                _SENTENCE_END.search(text, max(len(text) - 3, 0)) is not None,
                text.endswith((":", "\uff1a")),
                _BULLET.match(text) is not None,
                _URL.search(text) is not None,
                _DATE.search(text) is not None,
                _TIME.search(text) is not None,
                "|" in text,
                "\u00a9" in text,
            )
        )
    values = np.array(rows, np.float64).T
    bounds = [_SHARES, _SHARES, _FEW, _COUNTS, *[np.array([1])] * 10]
    return [_binned(column, bound) for column, bound in zip(values, bounds, strict=True)]


def _document(page: PageModel) -> list[I64]:
    blocks = page.blocks
    n = len(blocks)
    words = blocks.n_words.astype(np.float64)
    read = np.cumsum(words)
    counts = Counter(blocks.text)
    seen: set[str] = set()
    first = [not (text in seen or seen.add(text)) for text in blocks.text]  # type: ignore[func-returns-value]  # add gives None
    of_path = np.bincount(blocks.path_number, words)[blocks.path_number]
    linked = np.bincount(blocks.path_number, blocks.linked_words)[blocks.path_number]
    return [
        _binned(np.array([counts[text] for text in blocks.text]), _FEW),
        np.array(first, np.int64) + 1,
        _binned(np.full(n, read[-1]), _PAGE_COUNTS),
        _binned(np.full(n, n), _PAGE_COUNTS),
        _binned((read - words / 2) / read[-1], _PLACES),
        _binned((np.arange(n) + 0.5) / n, _PLACES),
        _binned(of_path / read[-1], _SHARES),
        _binned(linked / of_path, _SHARES),
        _binned(words / words.max(), _SHARES),
    ]
