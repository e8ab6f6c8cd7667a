"""Counting bits beside Python's own count."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import lean_kernel


@lean_kernel
def counted(values, found):
    for i in range(len(values)):
        found[i] = n_set_bits(values[i])


@given(st.lists(st.integers(0, 2**64 - 1), max_size=20))
def test_bits(values):
    found = np.zeros(len(values), np.int64)
    counted(np.array(values, np.uint64), found)
    assert found.tolist() == [value.bit_count() for value in values]
