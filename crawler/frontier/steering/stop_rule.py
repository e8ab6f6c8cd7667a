"""When a crawl as a whole has given what it had: new clean words for a megabyte fetched.

Fetched bytes are cut into windows of equal size, and the rate of a window is its new words (of pages that
were kept, so no duplicates) a megabyte. The rule says stop when the mean of the last :data:`MEAN_OF`
windows is below the least rate.

The forecast is a straight line through the logarithms of the latest rates against the bytes, by least
squares: rates of a crawl fall about exponentially when a finite web is crawled by decreasing worth. It says
after how many more megabytes the least rate is reached, and how many words they will bring: the integral
of the fitted rate.
"""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

MEAN_OF = 3
FIT_OF = 16
MEGABYTE = 1_000_000

# A window without a word counts as one with a half: its logarithm is needed.
_NO_WORDS = 0.5


class Forecast(NamedTuple):
    """Words a megabyte now, and the megabytes and words until the least rate; None: no end in sight."""

    rate: float
    megabytes_left: float | None = None
    words_left: float | None = None


class StopRule:
    """Stops below *min_rate* words a megabyte, 0 for never; windows are of *window_bytes*."""

    def __init__(self, min_rate: float, window_bytes: int) -> None:
        if not min_rate >= 0:
            raise ValueError(f"min_rate must be at least 0, got {min_rate}")
        if window_bytes < 1:
            raise ValueError(f"window_bytes must be at least 1, got {window_bytes}")
        self.min_rate = min_rate
        self.window_bytes = window_bytes
        self.windows: list[tuple[int, int]] = []
        self.n_bytes = self.n_words = 0

    def add(self, raw_bytes: int, n_words: int) -> None:
        """Count a page of *raw_bytes* that brought *n_words* new words."""
        self.n_bytes += raw_bytes
        self.n_words += n_words
        if self.n_bytes >= self.window_bytes:
            self.windows = [*self.windows[1 - FIT_OF :], (self.n_bytes, self.n_words)]
            self.n_bytes = self.n_words = 0

    @property
    def rate(self) -> float | None:
        """New words a megabyte over the last windows, None before there are enough of them."""
        if len(self.windows) < MEAN_OF:
            return None
        n_bytes, n_words = map(sum, zip(*self.windows[-MEAN_OF:], strict=True))
        return n_words * MEGABYTE / n_bytes

    def is_over(self) -> bool:
        """Tell whether the crawl is to stop."""
        return self.rate is not None and self.rate < self.min_rate

    def forecast(self) -> Forecast | None:
        """Say how the crawl will go on, None before there are windows enough."""
        if self.rate is None:
            return None
        if self.is_over():
            return Forecast(self.rate, 0.0, 0.0)
        sizes, words = np.array(self.windows, dtype=np.float64).T / [[MEGABYTE], [1]]
        middles = np.cumsum(sizes) - sizes / 2
        slope, start = np.polyfit(middles, np.log(np.maximum(words, _NO_WORDS) / sizes), 1)
        end = float(sizes.sum())
        now = float(start + slope * end)
        if not self.min_rate or slope >= 0:
            return Forecast(self.rate)
        left = max(0.0, (log(self.min_rate) - now) / float(slope))
        words_left = (exp(now + float(slope) * left) - exp(now)) / float(slope)
        return Forecast(self.rate, left, words_left)

    def restore(self, windows: Iterable[tuple[int, int]], n_bytes: int, n_words: int) -> None:
        """Go on where a crawl was: its *windows*, and what the open one holds."""
        self.windows = [(int(a), int(b)) for a, b in windows]
        self.n_bytes, self.n_words = n_bytes, n_words
