"""Eight bytes at once against each by itself."""

from __future__ import annotations

from itertools import takewhile

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crawler.kernels.byte_search import u64_at
from crawler.kernels.eight_bytes import first_of, n_above, small_letters
from crawler.kernels.jit import lean_kernel

LAST = 62
NEAR = st.sampled_from(b"\0\x09 -/09=>?@AZ[az{\x7f\x80\xc3\xff")


@lean_kernel
def look(source, n, found):
    eight = u64_at(source, 0)
    found[0] = n_above(eight, LAST)
    found[1] = small_letters(eight)
    found[2] = first_of(eight, n)


@given(st.lists(NEAR | st.integers(0, 255), min_size=8, max_size=8), st.integers(0, 8))
def test_eight_bytes(numbers, n):
    data = bytes(numbers)
    found = np.zeros(3, np.uint64)
    look(np.frombuffer(data, np.uint8), n, found)
    assert int(found[0]) == len(list(takewhile(lambda byte: byte > LAST, data)))
    assert int(found[1]) == int.from_bytes(data.lower(), "little")
    assert int(found[2]) == int.from_bytes(data[:n], "little")
