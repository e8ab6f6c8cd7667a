"""Distances of pages by the Fourier spectra of their sequences of tags (DFT).

The sequence of a page's tags is a signal, x(t) for its t-th of N: the number of the tag's name, or minus that
for an end tag. Names have the numbers 1, 2, 3... in the order in which they first appear in the pages. With
the frequencies k / N, k = 0 to N/2, that the page has::

    X(k) = |sum_t x(t) exp(-2 pi i k t / N)| / sqrt(N)
    d(D1, D2) = sqrt(mean_k (X1(k) - X2(k))^2)

where k are those of the page with more tags, and the other's magnitudes lie on the lines between its own.
*Source: Gottron 2008, section 3.5.4, of Flesca, Manco, Masciari, Pontieri and Pugliese.* The thesis says that tags
are encoded, then pages, and that a distance is made of the transforms. All the rest is our reading:

- the numbers, so that distances depend on the order of the pages;
- magnitudes alone, so that a page is the same as one that begins in its middle, and ends with what stood before;
- the square root of N and the mean, so that pages whose tags repeat are near whatever their lengths. Measured on the
  pages of `tests.quality.template_scores`, the Dunn index is .32; with a sum for the mean .09, without the root .01.

Of a page the first `pipelines.templates.lcts.MAX_TAGS` tags are compared; one without tags has magnitudes of 0.
Shapes: tags uint64[t], magnitudes float64[t/2 + 1]; a row float64[n]. Cost: O(t log t) for a page, O(t1 + t2) for a
pair; memory 12 bytes a tag. Invariant: symmetric, 0 for a page with itself. It is no metric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel
from pipelines.templates.labels import END

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]
    U64 = npt.NDArray[np.uint64]


def name_numbers(sequences: Iterable[U64]) -> dict[int, int]:
    """Return the number of each name, by the label of its start tag."""
    numbers: dict[int, int] = {}
    for tags in sequences:
        names, first = np.unique(tags & ~END, return_index=True)
        for name in names[np.argsort(first)].tolist():
            numbers.setdefault(name, len(numbers) + 1)
    return numbers


def magnitudes(tags: U64, numbers: Mapping[int, int]) -> F64:
    """Return the magnitudes X of *tags*, whose names have *numbers*."""
    if not len(tags):
        return np.zeros(1)
    names, place = np.unique(tags & ~END, return_inverse=True)
    value = np.array([numbers[name] for name in names.tolist()], np.float64)[place]
    found: F64 = np.abs(np.fft.rfft(np.where(tags & END, -value, value), norm="ortho"))
    return found


class FourierRows:
    """The spectra of pages; *numbers*: of the names, by default those that *sequences* give them."""

    def __init__(
        self, sequences: Sequence[U64], *, numbers: Mapping[int, int] | None = None
    ) -> None:
        self.numbers = name_numbers(sequences) if numbers is None else numbers
        self._n_tags = np.array([len(each) for each in sequences], np.int64)
        spectra = [magnitudes(each, self.numbers) for each in sequences]
        self._start = np.concatenate(([0], np.cumsum([len(each) for each in spectra])))
        self._magnitudes = np.concatenate([np.zeros(0), *spectra])

    def __len__(self) -> int:
        return len(self._n_tags)

    def part(self, sequences: Sequence[U64]) -> FourierRows:
        """Return some of the pages, those with *sequences*, prepared so that their distances are the same."""
        return FourierRows(sequences, numbers=self.numbers)

    def row(self, place: int, others: I64 | None = None) -> F64:
        """Return the distances of the page at *place* to *others*, by default all, float64[m]."""
        chosen = np.arange(len(self)) if others is None else others
        means = np.zeros(len(chosen))
        compare_spectra(self._start, self._n_tags, self._magnitudes, place, chosen, means)
        distances: F64 = np.sqrt(means)
        return distances


@lean_kernel
def compare_spectra(
    start: I64, n_tags: I64, spectra: F64, place: int, others: I64, means: F64
) -> None:
    """Write the mean squared differences of the magnitudes at *place* and at each of *others*."""
    for entry in range(len(others)):
        long, short = place, others[entry]
        if n_tags[long] < n_tags[short]:
            long, short = short, long
        n_long, n_short = max(n_tags[long], 1), n_tags[short]
        first, end = start[long], start[long + 1]
        # Where frequency k / n_long is among those of the shorter page: at a magnitude, and so much past it.
        at, last, past = start[short], start[short + 1] - 1, 0
        total = 0.0
        for k in range(first, end):
            slope = spectra[min(at + 1, last)] - spectra[at]
            difference = spectra[k] - (spectra[at] + slope * past / n_long)
            total += difference * difference
            past += n_short
            if past >= n_long:
                past -= n_long
                at = min(at + 1, last)
        means[entry] = total / (end - first)
