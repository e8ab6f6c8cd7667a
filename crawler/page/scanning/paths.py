"""The strings of tag paths, and the kinds of the blocks under them, from the numbers of names.

Shapes: ``paths: uint32[n, 2]``, of each the place of its first name and how many it has, below ``body``;
``names: uint16[m]``, the numbers of the names of all paths, one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.kernels.jit import lean_kernel
from crawler.kernels.moving import copy_8
from crawler.page.joined_texts import JoinedTexts
from crawler.page.scanning.names import FIRST_MADE_UP, TAG_ID, TAG_NAMES, TOO_MANY_MADE_UP
from crawler.page.scanning.state import P_DEPTH, P_START
from crawler.page.tags import KIND_OF_TAG, KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from crawler.page.scanning.state import U8, U16, U32

    I64 = npt.NDArray[np.int64]

_SLASH, _LINE_FEED = 47, 10
_BODY = np.frombuffer(b"body", np.uint8)
_CELL, _P = KINDS.index("cell"), TAG_ID["p"]
# By the number of a name; 0 for one that says no kind.
_KIND_OF_NAME = np.zeros(FIRST_MADE_UP, np.uint8)
_KIND_OF_NAME[[TAG_ID[name] for name in KIND_OF_TAG]] = [
    KINDS.index(kind) for kind in KIND_OF_TAG.values()
]
_KNOWN = [name.encode() for name in TAG_NAMES] + [b""] * (FIRST_MADE_UP - len(TAG_NAMES))
_KNOWN[TOO_MANY_MADE_UP] = b"x"
# A copy of eight bytes may begin at the last one, and end behind what it is for.
_ROOM = bytes(8)
_LETTERS = b"".join(_KNOWN)
_SIZES = np.array([len(name) for name in _KNOWN])
_ENDS = np.cumsum(_SIZES)


def strings_and_kinds(paths: U32, names: U16, made_up: Sequence[bytes]) -> tuple[JoinedTexts, U8]:
    """Return the string of each of *paths*, and the number of its kind in KINDS, uint8[n].

    *made_up* are the names that the page made up.
    """
    letters = b"".join((_LETTERS, *(name.lower() for name in made_up), _ROOM))
    sizes, ends = _SIZES, _ENDS
    if made_up:
        sizes = np.concatenate((_SIZES, [len(name) for name in made_up]))
        ends = sizes.cumsum()
    # Each name with a slash before it.
    n_bytes = int(np.add.reduce(sizes.take(names))) + len(names) + len(paths) * (len(_BODY) + 1)
    written = np.empty(n_bytes + len(_ROOM), np.uint8)
    kinds = np.empty(len(paths), np.uint8)
    _write(paths, names, np.frombuffer(letters, np.uint8), ends, written, kinds)
    utf8 = written[:n_bytes].tobytes()
    if not utf8.isascii():  # a name may be cut within a letter
        utf8 = utf8.decode("utf-8", "replace").encode()
    return JoinedTexts(utf8, len(paths)), kinds


@lean_kernel
def _write(paths: U32, names: U16, letters: U8, ends: I64, written: U8, kinds: U8) -> None:
    """Write the strings, a line feed behind each, and the numbers of the kinds."""
    size: Any = np.int64(0)
    for path in range(len(paths)):
        for i in range(len(_BODY)):
            written[size + i] = _BODY[i]
        size += len(_BODY)
        kind, in_paragraph = 0, False
        first = np.int64(paths[path, P_START])
        for place in range(first, first + np.int64(paths[path, P_DEPTH])):
            written[size] = _SLASH
            size += 1
            number = np.int64(names[place])
            start: Any = ends[number - 1]
            for i in range(start, ends[number], 8):
                copy_8(letters, i, written, size + i - start)
            size += ends[number] - start
        for place in range(first + np.int64(paths[path, P_DEPTH]) - 1, first - 1, -1):
            number = np.int64(names[place])
            found = _KIND_OF_NAME[number] if number < FIRST_MADE_UP else 0
            # A cell with paragraphs is layout; its paragraphs are paragraphs.
            if found and not (found == _CELL and in_paragraph):
                kind = found
                break
            in_paragraph |= number == _P
        kinds[path] = kind
        written[size] = _LINE_FEED
        size += 1
