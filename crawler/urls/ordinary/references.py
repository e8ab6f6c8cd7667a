"""The ordinary ones of many references, read in one pass over their bytes.

Ordinary are an authority of letters, digits, ``.`` and ``-``, and a path and a query without controls, or
backslashes in the path; of ASCII alone where the page is not in Unicode. Of such a reference the
local key is written; anything else is left to the long way (`crawler.urls.join`).

Shapes: ``rows: int64[6, n]`` for n references; ``authorities: uint32[m, 3]``.
Cost: O(n) in bytes; sorting 64 fields of a query, at most, compares each of its bytes 64 times at most.
Memory: four times the references, and 1 MB.
Invariant: a key that is written is the one that the long way finds; a test compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.byte_search import are_equal, find_byte
from crawler.kernels.jit import lean_kernel, part
from crawler.urls.ordinary.parts import DONE, LONG, NONE, authority_end, authority_start, read_path
from crawler.urls.ordinary.paths import has_dots, remove_dot_segments, write_escaped
from crawler.urls.ordinary.queries import (
    IS_ESCAPED,
    MAX_FIELDS,
    N_AUTHORITIES,
    N_STATE,
    OUT,
    PATH_END,
    QUERY_END,
    QUERY_START,
    read_query,
    write_query,
)

__all__ = ["DONE", "KIND", "LONG", "NONE", "NUMBER", "Read", "read_ordinary"]

if TYPE_CHECKING:
    import numpy.typing as npt

    U8 = npt.NDArray[np.uint8]
    U32 = npt.NDArray[np.uint32]
    I64 = npt.NDArray[np.int64]

# Rows of what is said of each reference: its kind, the number of its host, 0 for the base's own, where it
# stands, and where its local key does.
KIND, NUMBER, REFERENCE_START, REFERENCE_END, KEY_START, KEY_END = range(6)
# Columns of the authorities: where each stands, and the scheme's bit.
A_START, A_END, A_BIT = range(3)
# Authorities before that are looked at for the same one; it costs nothing but time to note one twice.
_LOOKED_AT = 8
# Bytes that all references together may take over from the base, beyond which they go the long way.
_MAX_OF_BASE = 1 << 20
# An authority in digits can be shorter than its host key: "1" is 0.0.0.1.
_HOST_SLACK = 16
_SCHEME_CHARS = len("https://")
_LINE_FEED, _SLASH, _ZERO, _ONE, _SMALL_P = 10, 47, 48, 49, 112
# Of an authority that has no scheme before them.
_SLASHES = 2


class Read(NamedTuple):
    """What the references are: *rows*, and the local keys that these place in *local_keys*.

    *authorities* (start, end, bit of the scheme) are those of the hosts from 1 on, among the references.
    """

    rows: I64
    local_keys: bytes
    authorities: list[tuple[int, int, int]]


class _Parent(NamedTuple):
    """The base: its path and query, how long folder and path are, its scheme's bit, or 0 for no base.

    *is_utf*: whether its page is in one of the forms of Unicode, as which all references are then read.
    """

    text: U8
    n_folder: int
    n_path: int
    n_host: int
    bit: int
    is_utf: bool


class _Results(NamedTuple):
    rows: I64
    authorities: U32
    out: U8
    fields: I64


def read_ordinary(
    lines: bytes,
    n: int,
    base: tuple[str, str, str, str, str] | None,
    *,
    is_utf: bool,
    max_chars: int,
    longest: int,
) -> Read:
    """Read the *n* references that are the *lines*, none of them more than *longest* bytes.

    Lines are in UTF-8, lone surrogates as such, a line feed behind each.
    *base* is (scheme's bit, host key, path, folder, query with its mark); a key whose URL could have more than
    *max_chars* characters is left to the long way.
    """
    data = np.frombuffer(lines, np.uint8)
    bit, host, path, folder, query = base or ("", "", "", "", "")
    text = f"{path}{query}".encode()
    parent = _Parent(
        np.frombuffer(text or b"\0", np.uint8),
        len(folder),
        len(path),
        len(host),
        ord(bit) if bit else 0,
        is_utf,
    )
    results = _Results(
        np.zeros((6, n), np.int64),
        np.empty((n, 3), np.uint32),
        # A reference grows by the base's folder, or by its path and query when it is empty.
        np.empty(3 * len(data) + 6 * n + min(n * len(text), _MAX_OF_BASE), np.uint8),
        np.empty((MAX_FIELDS, 3), np.int64),
    )
    state = np.zeros(N_STATE, np.int64)
    _read_all(data, parent, max_chars, longest, state, results)
    return Read(
        results.rows,
        results.out[: state[OUT]].tobytes(),
        results.authorities[: state[N_AUTHORITIES]].tolist(),
    )


@lean_kernel
def _read_all(
    data: U8, parent: _Parent, max_chars: int, longest: int, state: I64, results: _Results
) -> None:
    start, rows = 0, results.rows
    for i in range(rows.shape[1]):
        end = find_byte(data, start, len(data), _LINE_FEED)
        rows[REFERENCE_START, i], rows[REFERENCE_END, i] = start, end
        rows[KEY_START, i] = state[OUT]
        rows[KIND, i] = LONG
        if end - start <= longest:
            rows[KIND, i] = _read(data, start, end, i, parent, max_chars, state, results)
        rows[KEY_END, i] = state[OUT]
        start = end + 1


@part
def _read(
    data: U8,
    start: int,
    end: int,
    i: int,
    parent: _Parent,
    max_chars: int,
    state: I64,
    results: _Results,
) -> int:
    """Read the reference from *start* to *end*; return its kind."""
    bit, path_start, n_host = parent.bit, start, parent.n_host
    authority = authority_start(data, start, end)
    if authority - start > _SLASHES:
        # What stands before the colon is the s of https, or the p of http.
        bit = _ZERO if data[authority - 4] == _SMALL_P else _ONE
    if authority >= 0:
        path_start = authority_end(data, authority, end)
        n_host = path_start - authority + _HOST_SLACK
    if not bit or path_start < 0:
        return LONG
    kind = read_path(data, path_start, end, authority < 0, parent.is_utf, state)
    if kind != DONE:
        return kind
    if not read_query(data, end, parent.is_utf, state, results.fields):
        return LONG
    # At most: bit and slash, what the base gives, and of the query each byte as three, and two more.
    n_path = (state[PATH_END] - path_start) * (3 if state[IS_ESCAPED] else 1)
    n_chars = 2 + len(parent.text) + n_path + 3 * (state[QUERY_END] - state[QUERY_START]) + 2
    if n_host + n_chars + _SCHEME_CHARS > max_chars or state[OUT] + n_chars > len(results.out):
        return LONG
    if authority >= 0:
        results.rows[NUMBER, i] = _host_number(
            data, authority, path_start, bit, state, results.authorities
        )
    results.out[state[OUT]] = bit
    state[OUT] += 1
    _write_path(data, path_start, authority < 0, parent, state, results.out)
    write_query(data, state, results.fields, results.out)
    return DONE


@part
def _host_number(data: U8, start: int, end: int, bit: int, state: I64, authorities: U32) -> int:
    """Return the number of the authority from *start* to *end*, a new one if it is none of the last."""
    n = state[N_AUTHORITIES]
    for number in range(n - 1, max(n - 1 - _LOOKED_AT, -1), -1):
        if authorities[number, A_BIT] == bit:
            first, last = int(authorities[number, A_START]), int(authorities[number, A_END])
            if last - first == end - start and are_equal(data, first, start, end - start):
                return number + 1
    authorities[n, A_START], authorities[n, A_END], authorities[n, A_BIT] = start, end, bit
    state[N_AUTHORITIES] = n + 1
    return int(n + 1)


@part
def _write_path(
    data: U8, start: int, is_relative: bool, parent: _Parent, state: I64, out: U8
) -> None:
    end = state[PATH_END]
    if start == end and is_relative:
        _copy(
            parent.text,
            0,
            len(parent.text) if state[QUERY_START] < 0 else parent.n_path,
            state,
            out,
        )
        return
    if start == end:
        out[state[OUT]] = _SLASH
        state[OUT] += 1
        return
    first = state[OUT]
    if is_relative and data[start] != _SLASH:
        _copy(parent.text, 0, parent.n_folder, state, out)
    if state[IS_ESCAPED]:
        write_escaped(data, start, end, state, out)
    else:
        _copy(data, start, end, state, out)
    if has_dots(first, state, out):
        remove_dot_segments(first, state, out)


@part
def _copy(source: U8, start: int, end: int, state: I64, out: U8) -> None:
    to = state[OUT]
    for i in range(end - start):
        out[to + i] = source[start + i]
    state[OUT] = to + end - start
