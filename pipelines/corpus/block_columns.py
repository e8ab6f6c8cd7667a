"""The blocks of a page as columns: what the journal holds of column ``blocks`` until it is sealed.

A page has hundreds of blocks. As columns they are packed, unpacked and turned into Arrow arrays without
one Python object a block; as dicts each step would take about a microsecond a block.

*On disk.* In a row of the log ``docs``, a msgpack map, integers and floats little-endian arrays as bytes:

==================  ================================================================================
``text``            the texts in UTF-8, a line feed behind each
``words``           u32[n]
``link_density``    f32[n]
``text_density``    f32[n]
``kept``            u8[n], 0 or 1
``segment``         u32[n], or nothing when there are no segments
``labels``          list of the labels that occur; ``label``, u32[n], has their numbers
``paths``           list of the tag paths, ``kinds`` of their kinds; ``path``, u32[n], has their numbers
==================  ================================================================================
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from crawler.page.joined_lines import find_starts
from pipelines.corpus.schema import BLOCK

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.page import Blocks

    Columns = dict[str, Any]

BLOCKS = pa.list_(BLOCK)


def pack_blocks(
    blocks: Blocks,
    kept: npt.NDArray[np.bool_],
    labels: Sequence[str],
    segments: npt.NDArray[np.uint32] | None = None,
) -> Columns:
    """Return the columns of *blocks*, one entry a block in each of *kept*, *labels*, *segments*."""
    if not len(blocks) == len(kept) == len(labels):
        raise ValueError(f"{len(blocks)} blocks, {len(kept)} kept or not, {len(labels)} labels")
    numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
    label = np.frombuffer(array("I", map(numbers.__getitem__, labels)), np.uintc)
    return {
        "text": blocks.utf8,
        "words": blocks.n_words.astype("<u4", copy=False).tobytes(),
        "link_density": blocks.link_density.astype("<f4").tobytes(),
        "text_density": blocks.text_density.astype("<f4").tobytes(),
        "kept": kept.astype("u1").tobytes(),
        "segment": None if segments is None else segments.astype("<u4", copy=False).tobytes(),
        "labels": list(numbers),
        "label": label.astype("<u4", copy=False).tobytes(),
        "paths": blocks.paths.strings,
        "kinds": blocks.paths.kinds,
        "path": blocks.path_number.astype("<u4", copy=False).tobytes(),
    }


def is_packed(blocks: object) -> TypeGuard[Columns]:
    """Tell whether *blocks*, of a row, are columns and not a list of dicts."""
    return isinstance(blocks, dict)


def unpack_blocks(packed: Columns) -> list[dict[str, Any]]:
    """Return *packed* as the entries of column ``blocks``."""
    entries: list[dict[str, Any]] = block_array([packed])[0].as_py()
    return entries


def block_array(rows: Sequence[Columns | list[dict[str, Any]] | None]) -> pa.Array[Any]:
    """Return the blocks of many *rows* as one array; a row has columns, dicts, or nothing."""
    if not all(map(is_packed, rows)):
        dicts = [unpack_blocks(row) if is_packed(row) else row for row in rows]
        return pa.array(dicts, BLOCKS)
    packed: list[Columns] = [row for row in rows if is_packed(row)]
    sizes = np.array([len(row["kept"]) for row in packed], dtype=np.int64)
    fields = [
        _texts(packed, int(sizes.sum())),
        _named(packed, "kinds", "path"),
        _segments(packed, sizes),
        _named(packed, "labels", "label"),
        pa.array(_joined(packed, "kept", "u1").view(np.bool_)),
        pa.array(_joined(packed, "words", "<u4")),
        pa.array(_joined(packed, "link_density", "<f4")),
        pa.array(_joined(packed, "text_density", "<f4")),
        _named(packed, "paths", "path"),
    ]
    entries = pa.StructArray.from_arrays(fields, fields=list(BLOCK))
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    array: pa.Array[Any] = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), entries).cast(
        BLOCKS
    )
    return array


def _joined(packed: Sequence[Columns], name: str, dtype: str) -> npt.NDArray[Any]:
    return np.frombuffer(b"".join(row[name] for row in packed), dtype=dtype)


def _texts(packed: Sequence[Columns], n_blocks: int) -> pa.Array[Any]:
    data = b"".join(row["text"] for row in packed)
    starts = np.empty(n_blocks + 1, np.int64)
    find_starts(np.frombuffer(data, np.uint8), starts)
    if starts[-1] != len(data):
        raise ValueError(f"{data.count(10)} texts of {n_blocks} blocks")
    # Without the line feeds each text begins as many bytes earlier as there are texts before it.
    offsets = (starts - np.arange(n_blocks + 1)).astype(np.int32)
    texts = pa.py_buffer(data.replace(b"\n", b""))
    return pa.Array.from_buffers(
        pa.string(), n_blocks, [None, pa.py_buffer(offsets.tobytes()), texts]
    )


def _named(packed: Sequence[Columns], names: str, numbers: str) -> pa.Array[Any]:
    """Return the strings of column *names* by their *numbers*, of all pages."""
    starts = np.cumsum([0, *(len(row[names]) for row in packed)])
    strings = pa.array([name for row in packed for name in row[names]], pa.string())
    places = [
        np.frombuffer(row[numbers], "<u4") + start
        for row, start in zip(packed, starts.tolist(), strict=False)
    ]
    taken: pa.Array[Any] = pc.take(
        strings, pa.array(np.concatenate([np.zeros(0, np.int64), *places]))
    )
    return taken


def _segments(packed: Sequence[Columns], sizes: npt.NDArray[np.int64]) -> pa.Array[Any]:
    has = np.array([row["segment"] is not None for row in packed], dtype=np.bool_)
    parts = [
        np.zeros(size, dtype="<u4")
        if row["segment"] is None
        else np.frombuffer(row["segment"], "<u4")
        for row, size in zip(packed, sizes.tolist(), strict=True)
    ]
    joined = np.concatenate([np.zeros(0, "<u4"), *parts])
    array: pa.Array[Any] = pa.array(joined, mask=~np.repeat(has, sizes))
    return array
