"""The compiled loops of content code blurring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    F64 = npt.NDArray[np.float64]
    I64 = npt.NDArray[np.int64]

# Elements that are computed together: their sums stay in the nearest cache.
_STRIDE = 512


@lean_kernel
def blur_once(padded: F64, weights: F64, blurred: F64) -> None:
    """Write the weighted average of *padded* around each place to *blurred*.

    *weights*: from the middle outwards, float64[delta + 1], summing to 1 over both sides. Both
    arrays have delta zeros before and behind their n elements; at the ends the weights are scaled to
    those that are within. O(n delta).
    """
    delta = len(weights) - 1
    n = len(padded) - 2 * delta
    for start in range(0, n, _STRIDE):
        end = min(start + _STRIDE, n)
        target = blurred[start + delta : end + delta]
        surroundings = padded[start : end + 2 * delta]
        if start >= delta and end + delta <= n and _is_constant(surroundings):
            for place in range(end - start):
                target[place] = surroundings[0]
            continue
        _blur(surroundings, weights, target)
        if start < delta or end > n - delta:
            _scale_ends(target, weights, start, n)


@part
def _blur(surroundings: F64, weights: F64, target: F64) -> None:
    """Write the weighted sums; the loops run over places, not distances, to be made vectors."""
    delta, size = len(weights) - 1, len(target)
    middle = surroundings[delta : delta + size]
    for place in range(size):
        target[place] = middle[place] * weights[0]
    distance = 1
    while distance < delta:
        # Two distances at once: the sum is read and written half as often.
        near, far = weights[distance], weights[distance + 1]
        left, right = surroundings[delta - distance :], surroundings[delta + distance :]
        outer_left, outer_right = surroundings[delta - distance - 1 :], right[1:]
        for place in range(size):
            inner = (left[place] + right[place]) * near
            target[place] += inner + (outer_left[place] + outer_right[place]) * far
        distance += 2
    if distance == delta:
        left, right = surroundings, surroundings[2 * delta :]
        for place in range(size):
            target[place] += (left[place] + right[place]) * weights[delta]


@part
def _is_constant(values: F64) -> bool:
    for place in range(1, len(values)):
        if values[place] != values[0]:
            break
    else:
        return True
    return False


@part
def _scale_ends(target: F64, weights: F64, start: int, n: int) -> None:
    """Divide by the weights within, where a neighbourhood passes an end of the page."""
    delta = len(weights) - 1
    for offset in range(len(target)):
        place = start + offset
        if delta <= place < n - delta:
            continue
        within = weights[0]
        for distance in range(1, delta + 1):
            within += weights[distance] * ((place >= distance) + (place + distance < n))
        target[offset] /= within


@lean_kernel
def count_above(values: F64, ends: I64, sizes: I64, threshold: float, counts: I64) -> None:
    """Write how many of *values* in each range, told by its end and size, are above *threshold*."""
    for number in range(len(ends)):
        found = 0
        for value in values[ends[number] - sizes[number] : ends[number]]:
            found += value > threshold
        counts[number] = found
