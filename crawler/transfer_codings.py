"""Transfer codings that pack an answer (RFC 9112, section 7), as ``Transfer-Encoding: gzip, chunked`` names.

They are undone as if they were the last of its content codings: the bytes are the same.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

CHUNKED = b"chunked"
# RFC 2616, 3.6: identity is none.
_NO_CODINGS = frozenset({b"", b"identity"})


def transfer_codings(values: Iterable[bytes]) -> list[bytes]:
    """Return the codings that the Transfer-Encoding headers *values* list, the one that was applied last last.

    >>> transfer_codings([b"GZIP , Chunked", b"identity"])
    [b'gzip', b'chunked']
    """
    names = (name.partition(b";")[0] for name in chain(*(value.split(b",") for value in values)))
    return [name for name in (name.strip().lower() for name in names) if name not in _NO_CODINGS]


def packing_codings(values: Iterable[bytes]) -> list[bytes]:
    """Return those of `transfer_codings` that pack: all but the marks of chunks."""
    return [name for name in transfer_codings(values) if name != CHUNKED]
