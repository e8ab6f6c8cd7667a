"""NCleaner: two models of characters, one of main content and one of boilerplate, for each segment.

A segment, a paragraph of the page as text, is of the class under whose model it is likelier::

    sum over its characters i of  log P_main(c_i | c_i-2, c_i-1) - log P_other(c_i | c_i-2, c_i-1)  > 0

with P interpolated from the three orders, P_n(c | h) = lambda_n count(h c) / count(h) + (1 - lambda_n)
P_n-1(c | h'), the lowest being uniform. Before, fields apart by vertical bars are dropped as boilerplate.

*Source: Evert 2008, as Pomikálek 2011, section 2.6.3, describes it.* He names neither the order nor the smoothing of
the models, nor the heuristics but for the bars; order 3 and interpolation are ours. The text that it reads is that of
lynx, where an empty line ends a segment; here it is jusText's paragraphs. The alphabet has :data:`N_SYMBOLS` symbols:
the printable characters of ASCII, one for letters of each of some other scripts, one for all else. ``lexical=False`` is
the variant that knows no language: all letters are alike, and all digits (the thesis does not evaluate it).

``ncleaner.npz`` holds, of each three symbols, the difference of the two logarithms in steps of 1/16,
int8[N_SYMBOLS, N_SYMBOLS, N_SYMBOLS], and the variant's; it is written by
:mod:`pipelines.evaluation.training.ncleaner`. Every block has the label of its paragraph. Cost: O(n).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pipelines.boilerplate.justext.paragraphs import paragraphs_of
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.reasons import Reasons, comparisons, of_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.justext.paragraphs import Paragraphs

    I8 = npt.NDArray[np.int8]
    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    U8 = npt.NDArray[np.uint8]

STEP = 1 / 16
# A field list has at least so many bars.
MIN_BARS = 2

_ASCII = 95
# First and last letter, and the symbol behind those of ASCII: Latin beyond ASCII, Greek, Cyrillic,
# Hebrew and Arabic, scripts of India, kana, Han, Hangul. (Unicode 16, Blocks.txt.)
_SCRIPTS = (
    (0xC0, 0x24F),
    (0x370, 0x3FF),
    (0x400, 0x52F),
    (0x590, 0x77F),
    (0x900, 0xDFF),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0xAC00, 0xD7AF),
)
N_SYMBOLS = _ASCII + len(_SCRIPTS) + 2
BOUNDARY, _OTHER = N_SYMBOLS - 1, N_SYMBOLS - 2
_LETTER, _DIGIT = ord("a") - 32, ord("0") - 32


class NCleaner:
    """Labels paragraphs by the two models; *bias*, a logarithm a character, is added for content."""

    inline: ClassVar[Inline] = "transparent"

    def __init__(self, *, lexical: bool = True, bias: float = 0.0):
        self.lexical = lexical
        self.bias = bias

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content or boilerplate, by its paragraph."""
        paragraphs = paragraphs_of(page)
        if not len(paragraphs):
            return labels_of(np.zeros(0, np.bool_))
        is_main = self._log_odds(paragraphs) > 0
        return labels_of((is_main & ~has_fields(paragraphs.text))[paragraphs.of_block])

    def reasons(self, page: PageModel) -> Reasons:
        """Return the log odds of the paragraph of each block of *page*."""
        paragraphs = paragraphs_of(page)
        note = (
            "Paragraphs are kept that the model of main text makes likelier, by their characters."
        )
        if not len(paragraphs):
            return of_blocks(note, ())
        told = [
            "fields apart by bars" if fields else f"{log_odds}, {len(text):,} characters"
            for fields, log_odds, text in zip(
                has_fields(paragraphs.text).tolist(),
                comparisons("log odds", self._log_odds(paragraphs).tolist(), 0),
                paragraphs.text,
                strict=True,
            )
        ]
        return of_blocks(note, [told[k] for k in paragraphs.of_block.tolist()])

    def _log_odds(self, paragraphs: Paragraphs) -> F64:
        """Return the log odds of main text of each of *paragraphs*, one at least."""
        symbols, starts = symbols_of(paragraphs.text, lexical=self.lexical)
        table = _table("lexical" if self.lexical else "non_lexical")
        values = STEP * table[trigrams(symbols)] + self.bias
        found: F64 = np.add.reduceat(values, starts)
        return found


def has_fields(texts: list[str]) -> Bools:
    """Tell which of *texts* are fields apart by vertical bars."""
    return np.array([text.count("|") >= MIN_BARS for text in texts], np.bool_)


def symbols_of(texts: list[str], *, lexical: bool = True) -> tuple[U8, I64]:
    """Return the symbols of *texts*, a boundary behind each, and where each begins."""
    data = "\0".join(texts).encode("utf-32-le", "surrogatepass") + b"\0\0\0\0"
    points = np.frombuffer(data, "<u4")
    symbols = _symbols(lexical)[np.minimum(points, 0x10000)]
    lengths = np.array([len(text) + 1 for text in texts])
    return symbols, np.cumsum(lengths) - lengths


def trigrams(symbols: U8) -> I64:
    """Return the number of the trigram that ends with each of *symbols*; two boundaries before all."""
    padded = np.concatenate(([BOUNDARY, BOUNDARY], symbols)).astype(np.int64)
    # Nothing of one segment is seen in the next.
    first = np.where(padded[1:-1] == BOUNDARY, BOUNDARY, padded[:-2])
    return (first * N_SYMBOLS + padded[1:-1]) * N_SYMBOLS + padded[2:]


@cache
def _symbols(lexical: bool) -> U8:
    """Return the symbol of each code point of the BMP, and last of all others."""
    symbols = np.full(0x10001, _OTHER, np.uint8)
    symbols[32:127] = np.arange(_ASCII)
    for number, (first, last) in enumerate(_SCRIPTS):
        symbols[first : last + 1] = _ASCII + number
    symbols[0] = BOUNDARY
    if not lexical:
        letters = [point for point in range(0x10000) if chr(point).isalpha()]
        symbols[letters] = _LETTER
        symbols[48:58] = _DIGIT
    return symbols


@cache
def _table(name: str) -> I8:
    with np.load(Path(__file__).with_name("ncleaner.npz")) as tables:
        table: I8 = tables[name].ravel()
    return table
