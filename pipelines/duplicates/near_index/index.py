"""The documents that are kept, found by keys of their texts, in two arrays and one hash table.

A document is a *number*, from 0, in the order of adding; under it stand its page id and a *code* of 64
bits. It has some keys of 64 bits that near-duplicates are likely to share (bands of a min-wise
sketch). All keys stand in one table by open addressing, as the number and five bits of the key; keys
themselves are not stored. A look-up compares the code of the documents that it comes upon: the upper
56 bits by how many are equal, the lowest byte, a size in logarithmic steps, by how far it is off.
A document that is there by chance has a random code, and passes with a probability of some 10^-6 at
most.

A bucket of the table is 16 slots, one line of the processor's cache; a key that finds its bucket full
goes on by a step of its own, through at most eight. What finds no place there (a band that
more than a hundred documents share) is not held: the other keys of the document still are. So the
cost of a look-up has a bound, and does not depend on how many documents there are.

*Source:* Manku, Jain, Das Sarma 2007, section 3 (an index of signatures in memory); Knuth, The Art
of Computer Programming 3, section 6.4, open addressing in buckets with double hashing.

Shapes: ``page_ids, codes: uint64[capacity]``, ``slots: uint32[16 b]``, 0 for a free one, else the
number plus one in the upper 27 bits and the lowest five of the key; keys are ``uint64[k]``.

Memory: 16 + 4 k / 0.9 bytes a document of *capacity*, 33.8 with four keys. Capacities grow by 1.17,
so that an index that was just made larger takes at most 39.5 bytes a document. At most 2^27 - 2
documents.

A look-up also tells how like the page are those that it comes upon of the same host (the upper half of a page
id), near enough or not: the sum of their equal bits, a document once for each key it shares. Those with
fewer than :data:`LEAST_ALIKE` are there by chance.

Invariant: what is found is near enough by its code; of those that are, it has the most equal bits, and is
the eldest of equals.
"""

from __future__ import annotations

from math import ceil, isqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.bits import n_set_bits
from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    from typing import Self

    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U64 = npt.NDArray[np.uint64]
    U32 = npt.NDArray[np.uint32]

N_CODE_BITS = 56
# Of the size in a code: steps for each doubling.
SIZE_STEPS = 8
# Of a random code: a resemblance of a quarter is estimated from four in a hundred of them.
LEAST_ALIKE = 35
FIRST_CAPACITY = 2**14
GROWTH = 1.17
LOAD = 0.9

_BUCKET_SLOTS = 16
_MAX_BUCKETS = 8
_MIN_BUCKETS = 11
_TAG_BITS = 5
_MAX_DOCUMENTS = 2 ** (32 - _TAG_BITS) - 2
_TAG = np.uint64(2**_TAG_BITS - 1)
_SIZE = np.uint64(0xFF)
_SIZE_BITS = np.uint64(8)
_LOW_32 = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


class Arrays(NamedTuple):
    """What an index is made of, and what is in a file of it."""

    page_ids: U64
    codes: U64
    slots: U32


class Found(NamedTuple):
    """What a look-up found: the *number* that is near enough, or None, and how alike the host's pages are.

    *n_alike* other documents of the host have *n_equal* bits in common with what was asked, all together.
    """

    number: int | None
    n_alike: int
    n_equal: int


class NearIndex:
    """An index of documents with *n_keys* keys each, for *capacity* of them.

    Raises ValueError for fewer than one key, OverflowError for more documents than there may be.
    """

    __slots__ = ("_arrays", "n", "n_keys")

    def __init__(self, n_keys: int, *, capacity: int = FIRST_CAPACITY):
        if n_keys < 1:
            raise ValueError(f"n_keys must be at least 1, got {n_keys}")
        if capacity > _MAX_DOCUMENTS:
            raise OverflowError(f"an index holds at most {_MAX_DOCUMENTS} documents")
        self.n_keys = n_keys
        self.n = 0
        n_buckets = _prime(max(ceil(capacity * n_keys / LOAD / _BUCKET_SLOTS), _MIN_BUCKETS))
        self._arrays = Arrays(
            np.zeros(capacity, dtype=np.uint64),
            np.zeros(capacity, dtype=np.uint64),
            np.zeros(n_buckets * _BUCKET_SLOTS, dtype=np.uint32),
        )

    @classmethod
    def of_arrays(cls, arrays: Arrays, *, n_keys: int, n: int) -> Self:
        """Return the index that *arrays* were taken from, with *n* numbers."""
        index = cls(n_keys, capacity=0)
        index._arrays, index.n = arrays, n
        return index

    @property
    def arrays(self) -> Arrays:
        """The arrays as they are, not copies."""
        return self._arrays

    @property
    def capacity(self) -> int:
        """The number of documents that there is room for."""
        return len(self._arrays.page_ids)

    @property
    def n_bytes(self) -> int:
        """Bytes of all arrays, room to grow included."""
        return sum(array.nbytes for array in self._arrays)

    def add(self, numbers: U64, page_ids: U64, codes: U64, keys: U64) -> None:
        """Add documents: one entry each, and of *keys* one row; ValueError when there is no room.

        Numbers may leave some out, but none comes twice.
        """
        if not len(numbers):
            return
        last = int(numbers.max())
        if last >= self.capacity or keys.shape != (len(numbers), self.n_keys):
            raise ValueError(f"numbers must be below {self.capacity}, keys {self.n_keys} each")
        _add(*self._arrays, numbers, page_ids, codes, np.ascontiguousarray(keys))
        self.n = max(self.n, last + 1)

    def find(self, keys: U64, code: int, least: U8, page_id: int) -> Found:
        """Return what is most like the page of *keys* and *code*, and how like it those of its host are.

        *least* are the equal bits that it must have, uint8[256] by the difference of the sizes.
        """
        number, n_alike, n_equal = _find(
            *self._arrays, keys, np.uint64(code), least, np.uint64(page_id)
        )
        return Found(None if number < 0 else int(number), int(n_alike), int(n_equal))

    def page_id(self, number: int) -> int:
        """Return the page id of the document *number*."""
        return int(self._arrays.page_ids[number])


def next_capacity(n: int) -> int:
    """Return the capacity that an index of *n* documents is given when it must grow.

    >>> next_capacity(0), next_capacity(10_000_000)
    (16384, 11700000)
    """
    return max(FIRST_CAPACITY, int(n * GROWTH))


def _prime(n: int) -> int:
    """Return the least prime from *n* on, 3 or more: every step then leads through all buckets."""
    n |= 1
    while any(n % divisor == 0 for divisor in range(3, isqrt(n) + 1, 2)):
        n += 2
    return n


@part
def _first_bucket(key: np.uint64, n_buckets: np.uint64) -> np.uint64:
    return ((key >> _HALF) * n_buckets) >> _HALF


@part
def _step(key: np.uint64, n_buckets: np.uint64) -> np.uint64:
    return np.uint64(1) + (((key & _LOW_32) * (n_buckets - np.uint64(1))) >> _HALF)


@part
def _next_bucket(bucket: np.uint64, step: np.uint64, n_buckets: np.uint64) -> np.uint64:
    following = bucket + step
    return following - n_buckets if following >= n_buckets else following


@part
def _is_of_host(other_id: np.uint64, page_id: np.uint64) -> bool:
    """Tell whether it is another page of the same host."""
    return bool(other_id >> _HALF == page_id >> _HALF and other_id != page_id)


@lean_kernel
def _find(  # noqa: PLR0913, PLR0917  the arrays of the index and of what is asked
    page_ids: U64,
    codes: U64,
    slots: U32,
    keys: U64,
    wanted: np.uint64,
    least: U8,
    page_id: np.uint64,
) -> tuple[int, int, int]:
    """Return the number of the best document, -1 for none; documents alike, and their equal bits."""
    n_buckets = np.uint64(slots.size // _BUCKET_SLOTS)
    size = wanted & _SIZE
    best, best_equal = -1, 0
    n_alike, sum_equal = 0, 0
    for k in range(keys.size):
        key = keys[k]
        bucket = _first_bucket(key, n_buckets)
        step = _step(key, n_buckets)
        for _ in range(_MAX_BUCKETS):
            place = bucket * np.uint64(_BUCKET_SLOTS)
            end = place + np.uint64(_BUCKET_SLOTS)
            while place < end and slots[place] != 0:
                slot = np.uint64(slots[place])
                if (slot ^ key) & _TAG == 0:
                    number = int(slot >> np.uint64(_TAG_BITS)) - 1
                    code = codes[np.uint64(number)]
                    n_equal = N_CODE_BITS - n_set_bits((code ^ wanted) >> _SIZE_BITS)
                    other = code & _SIZE
                    difference = other - size if other > size else size - other
                    is_better = n_equal > best_equal or (n_equal == best_equal and number < best)
                    if is_better and n_equal >= least[difference]:
                        best, best_equal = number, n_equal
                    if n_equal >= LEAST_ALIKE and _is_of_host(page_ids[np.uint64(number)], page_id):
                        n_alike += 1
                        sum_equal += n_equal
                place += np.uint64(1)
            if place < end:
                break
            bucket = _next_bucket(bucket, step, n_buckets)
    return best, n_alike, sum_equal


@lean_kernel
def _add(  # noqa: PLR0913, PLR0917  the arrays of the index and of what comes
    page_ids: U64, codes: U64, slots: U32, numbers: U64, new_ids: U64, new_codes: U64, keys: U64
) -> None:
    n_buckets = np.uint64(slots.size // _BUCKET_SLOTS)
    for i in range(numbers.size):
        number = numbers[i]
        page_ids[number] = new_ids[i]
        codes[number] = new_codes[i]
        for k in range(keys.shape[1]):
            key = keys[i, k]
            slot = ((number + np.uint64(1)) << np.uint64(_TAG_BITS)) | (key & _TAG)
            bucket = _first_bucket(key, n_buckets)
            step = _step(key, n_buckets)
            for _ in range(_MAX_BUCKETS):
                place = bucket * np.uint64(_BUCKET_SLOTS)
                end = place + np.uint64(_BUCKET_SLOTS)
                while place < end and slots[place] != 0:
                    place += np.uint64(1)
                if place < end:
                    slots[place] = np.uint32(slot)
                    break
                bucket = _next_bucket(bucket, step, n_buckets)
