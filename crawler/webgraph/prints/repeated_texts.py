"""The numbers of texts whose neighbours are often equal, as are the hosts of a page's links.

The fingerprint of a text is that of crawler.webgraph.prints.text_prints with seed 0; a text that is equal to
the one before is not looked up again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.byte_search import are_equal
from crawler.kernels.jit import lean_kernel
from crawler.webgraph.prints.kernels import FAR, number_of
from crawler.webgraph.prints.text_prints import print_of

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U16 = npt.NDArray[np.uint16]
    U32 = npt.NDArray[np.uint32]
    U64 = npt.NDArray[np.uint64]
    I64 = npt.NDArray[np.int64]


@lean_kernel
def find_texts(  # noqa: PLR0913, PLR0917  a kernel: its arrays come one by one
    data: U8,
    starts: I64,
    ends: I64,
    slots: U16,
    capacities: U32,
    strides: U64,
    numbers: I64,
) -> int:
    """Write the number of each text, -1 where it has none; return how many are `FAR`."""
    stride, n_far = strides[0], 0
    for i in range(ends.size):
        size = ends[i] - starts[i]
        is_repeated = i > 0 and size == ends[i - 1] - starts[i - 1]
        if is_repeated and are_equal(data, starts[i - 1], starts[i], size):
            numbers[i] = numbers[i - 1]
        else:
            print_ = print_of(data, starts[i], ends[i], np.uint64(0))
            numbers[i] = number_of(slots, capacities, stride, print_)
        n_far += numbers[i] == FAR
    return n_far
