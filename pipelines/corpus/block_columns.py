"""The blocks of a page as columns: what the journal holds of column ``blocks`` until it is sealed.

A page has hundreds of blocks. As columns they are packed, unpacked and turned into Arrow arrays without
one Python object a block; as dicts each step would take about a microsecond a block.

*On disk.* In a row of the log ``docs``, a msgpack map, integers and floats little-endian arrays as bytes:

==================  ================================================================================
``text``            the texts in UTF-8, a line feed behind each; within one, of code, a line ends in byte 11
``words``           u32[n]
``link_density``    f32[n]
``text_density``    f32[n]
``kept``            u8[n], 0 or 1
``segment``         u32[n], or nothing when there are no segments
``labels``          list of labels, those that occur among them; ``label``, u32[n], has their numbers
``paths``           the p tag paths in UTF-8, a line feed behind each; ``path``, u32[n], has their numbers
``kinds``           list of kinds of blocks; ``kind``, u8[p], has the number of that of each path
==================  ================================================================================

Rows of earlier releases have ``paths`` as a list, ``kinds`` as one of as many, and no ``kind``.
"""

from __future__ import annotations

from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from crawler.page.joined_lines import split_lines
from crawler.page.numbered_labels import NumberedLabels
from crawler.page.tags import KINDS
from pipelines.corpus.schema import BLOCK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from crawler.page import Blocks

    Columns = dict[str, Any]

BLOCKS = pa.list_(BLOCK)
_KINDS = list(KINDS)
_LINE_END = b"\x0b"  # which is white space on a page, so that no text of a block has it
NO_CODES: Mapping[int, str] = MappingProxyType({})


def pack_blocks(
    blocks: Blocks,
    kept: npt.NDArray[np.bool_],
    labels: Sequence[str],
    segments: npt.NDArray[np.uint32] | None = None,
    *,
    codes: Mapping[int, str] = NO_CODES,
) -> Columns:
    """Return the columns of *blocks*, one entry a block in each of *kept*, *labels*, *segments*.

    *codes*: texts with lines, by the number of their block. Raises ValueError when the lengths differ.
    """
    if not len(blocks) == len(kept) == len(labels):
        raise ValueError(f"{len(blocks)} blocks, {len(kept)} kept or not, {len(labels)} labels")
    names, numbers = _numbered(labels)
    return {
        "text": _with_lines(blocks.utf8, codes) if codes else blocks.utf8,
        "words": blocks.n_words.astype("<u4", copy=False).tobytes(),
        "link_density": blocks.link_density.astype("<f4").tobytes(),
        "text_density": blocks.text_density.astype("<f4").tobytes(),
        "kept": kept.astype("u1").tobytes(),
        "segment": None if segments is None else segments.astype("<u4", copy=False).tobytes(),
        "labels": names,
        "label": numbers.astype("<u4", copy=False).tobytes(),
        "paths": blocks.paths.joined.utf8,
        "kinds": _KINDS,
        "kind": blocks.paths.kind_number.tobytes(),
        "path": blocks.path_number.astype("<u4", copy=False).tobytes(),
    }


def _with_lines(utf8: bytes, codes: Mapping[int, str]) -> bytes:
    """Return the texts of *utf8* with those of *codes* in their places."""
    lines = utf8.split(b"\n")
    for number, text in codes.items():
        lines[number] = text.encode("utf-8", "replace").replace(b"\n", _LINE_END)
    return b"\n".join(lines)


def _numbered(labels: Sequence[str]) -> tuple[list[str], npt.NDArray[Any]]:
    """Return the names of *labels*, and the number of each label's."""
    if isinstance(labels, NumberedLabels):
        return list(labels.names), labels.numbers
    names = sorted(set(labels))
    places = {name: place for place, name in enumerate(names)}
    return names, np.frombuffer(array("I", map(places.__getitem__, labels)), np.uintc)


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
    packed: list[Columns] = [_renewed(row) for row in rows if is_packed(row)]
    sizes = np.array([len(row["kept"]) for row in packed], dtype=np.int64)
    paths = _lines(packed, "paths", sum(len(row["kind"]) for row in packed))
    path = _numbers(packed, "path", "<u4", [len(row["kind"]) for row in packed])
    fields = [
        _lines(packed, "text", int(sizes.sum())),
        _named(packed, "kinds", _of_names(packed, "kinds", "kind", "u1")[path]),
        _segments(packed, sizes),
        _named(packed, "labels", _of_names(packed, "labels", "label", "<u4")),
        pa.array(_joined(packed, "kept", "u1").view(np.bool_)),
        pa.array(_joined(packed, "words", "<u4")),
        pa.array(_joined(packed, "link_density", "<f4")),
        pa.array(_joined(packed, "text_density", "<f4")),
        _taken(paths, path),
    ]
    entries = pa.StructArray.from_arrays(fields, fields=list(BLOCK))
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    array: pa.Array[Any] = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), entries).cast(
        BLOCKS
    )
    return array


def _joined(packed: Sequence[Columns], name: str, dtype: str) -> npt.NDArray[Any]:
    return np.frombuffer(b"".join(row[name] for row in packed), dtype=dtype)


def _renewed(row: Columns) -> Columns:
    """Return *row* as rows are packed now."""
    if "kind" in row:
        return row
    names = list(dict.fromkeys(row["kinds"]))
    kind = bytes(map(names.index, row["kinds"]))
    paths = "\n".join((*row["paths"], "")).encode()
    return {**row, "paths": paths, "kinds": names, "kind": kind}


def _lines(packed: Sequence[Columns], name: str, n: int) -> pa.Array[Any]:
    """Return the *n* lines of all pages in column *name*."""
    data = b"".join(row[name] for row in packed)
    offsets = np.empty(n + 1, np.int32)
    copied = np.empty(len(data), np.uint8)
    if split_lines(np.frombuffer(data, np.uint8), offsets, copied) != len(data):
        raise ValueError(f"{data.count(10)} lines of {name}, not {n}")
    if name == "text" and _LINE_END in data:
        copied[copied == _LINE_END[0]] = 10
    parts = [None, pa.py_buffer(offsets.data), pa.py_buffer(copied[: offsets[-1]].data)]
    return pa.Array.from_buffers(pa.string(), n, parts)


def _numbers(
    packed: Sequence[Columns], name: str, dtype: str, n_names: Sequence[int]
) -> npt.NDArray[np.int64]:
    """Return column *name* of all pages, each page's numbers behind the names of those before it."""
    starts = np.cumsum([0, *n_names]).tolist()
    places = [
        np.frombuffer(row[name], dtype) + np.int64(start)
        for row, start in zip(packed, starts, strict=False)
    ]
    return np.concatenate([np.zeros(0, np.int64), *places])


def _of_names(
    packed: Sequence[Columns], names: str, numbers: str, dtype: str
) -> npt.NDArray[np.int64]:
    return _numbers(packed, numbers, dtype, [len(row[names]) for row in packed])


def _named(packed: Sequence[Columns], names: str, places: npt.NDArray[np.int64]) -> pa.Array[Any]:
    """Return the strings at *places* among the *names* of all pages."""
    return _taken(pa.array([name for row in packed for name in row[names]], pa.string()), places)


def _taken(strings: pa.Array[Any], places: npt.NDArray[np.int64]) -> pa.Array[Any]:
    indices: Any = pa.array(places)  # its types tell no array of numbers from one of truth values
    taken: pa.Array[Any] = pc.take(strings, indices)
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
