"""An index in a file: written whole, mapped for private changes.

*On disk*: see :mod:`pipelines.duplicates.near_index_store`.
"""

from __future__ import annotations

import itertools
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import xxhash

from crawler.durable.files import atomic_path
from pipelines.duplicates.near_index import Arrays, NearIndex

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.duplicates.verdicts import NearRule

FORMAT = 1
_MAGIC = b"winnowNI"
# Format, number of keys, capacity, n, slots, digest of the rule's name.
_HEADER = struct.Struct("<8s6Q")
_CHECKED = struct.Struct("<Q")
HEADER_BYTES = _HEADER.size + _CHECKED.size


def write_index(path: Path, index: NearIndex, rule: NearRule) -> None:
    """Write *index*, whose signatures *rule* made, to *path*."""
    arrays = index.arrays
    sizes = (FORMAT, index.n_keys, index.capacity, index.n, arrays.slots.size)
    header = _HEADER.pack(_MAGIC, *sizes, _digest(rule))
    with atomic_path(path) as unfinished, unfinished.open("wb") as file:
        file.write(header + _CHECKED.pack(xxhash.xxh3_64_intdigest(header)))
        for array in arrays:
            file.write(array.data)


def read_index(path: Path, rule: NearRule) -> NearIndex | None:
    """Map the index in *path*; None when there is none, or none of *rule* that this program reads."""
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
        n_bytes = path.stat().st_size
    except OSError:
        return None
    if len(header) != HEADER_BYTES:
        return None
    magic, version, n_keys, capacity, n, n_slots, name = _HEADER.unpack_from(header)
    (checked,) = _CHECKED.unpack_from(header, _HEADER.size)
    fits = (
        magic == _MAGIC
        and checked == xxhash.xxh3_64_intdigest(header[: _HEADER.size])
        and (version, n_keys, name) == (FORMAT, rule.n_keys, _digest(rule))
        and n_bytes == HEADER_BYTES + 16 * capacity + 4 * n_slots
    )
    if not fits:
        return None
    # Private changes: the file stays as it was written.
    whole: Any = np.memmap(path, dtype=np.uint8, mode="c", offset=0)
    ends = [HEADER_BYTES, HEADER_BYTES + 8 * capacity, HEADER_BYTES + 16 * capacity, n_bytes]
    parts = [whole[start:end] for start, end in itertools.pairwise(ends)]
    arrays = Arrays(
        np.asarray(parts[0]).view("<u8"),
        np.asarray(parts[1]).view("<u8"),
        np.asarray(parts[2]).view("<u4"),
    )
    return NearIndex.of_arrays(arrays, n_keys=n_keys, n=n)


def _digest(rule: NearRule) -> int:
    return int(xxhash.xxh3_64_intdigest(rule.name.encode()))
