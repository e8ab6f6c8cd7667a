"""The URLs of many pages at once, out of their host keys and local keys.

Invariant: equal to :func:`crawler.urls.page_url` and :func:`crawler.urls.host_name`; a test holds it.
Cost: about 0.3 µs a page, most of it for the two strings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.webgraph.texts import Texts

    I64 = npt.NDArray[np.int64]
    U8 = npt.NDArray[np.uint8]

# ``https://`` without the ``s``, which stands at the fifth place.
_SCHEME = np.frombuffer(b"http://", dtype=np.uint8)
_S_PLACE = 4
_LONGEST_SCHEME = 8
_SECURE, _S = ord("1"), np.uint8(ord("s"))
_BRACKET, _COLON, _DOT, _ZERO, _NINE = ord("["), ord(":"), np.uint8(ord(".")), ord("0"), ord("9")


@part
def _write_name(keys: U8, begin: int, end: int, out: U8, at: int) -> int:
    """Write the name of the host of a key (crawler.urls.hosts); return the place after it."""
    name_end = begin
    if begin < end and keys[begin] != _BRACKET and not _ZERO <= keys[begin] <= _NINE:
        while name_end < end and keys[name_end] != _COLON:
            name_end += 1
        label_end = name_end
        while label_end > begin:
            label = label_end
            while label > begin and keys[label - 1] != _DOT:
                label -= 1
            for k in range(label, label_end):
                out[at] = keys[k]
                at += 1
            if label > begin:
                out[at] = _DOT
                at += 1
            label_end = label - 1
    for k in range(name_end, end):
        out[at] = keys[k]
        at += 1
    return at


@lean_kernel
def _write_urls(
    keys: tuple[U8, I64, I64], locals_: tuple[U8, I64, I64], scheme: U8, out: U8, bounds: I64
) -> int:
    """Write the URLs to *out*, one after the other; return where the last one ends.

    *bounds* int64[n, 3]: where a URL begins, where its host does, and where that ends.
    """
    key_data, key_begins, key_ends = keys
    data, begins, ends = locals_
    at = 0
    for i in range(begins.size):
        bounds[i, 0] = at
        for k in range(scheme.size):
            if k == _S_PLACE and data[begins[i]] == _SECURE:
                out[at] = _S
                at += 1
            out[at] = scheme[k]
            at += 1
        bounds[i, 1] = at
        at = _write_name(key_data, key_begins[i], key_ends[i], out, at)
        bounds[i, 2] = at
        for k in range(begins[i] + 1, ends[i]):
            out[at] = data[k]
            at += 1
    return at


def write_urls(host_keys: Texts, local_keys: Texts) -> tuple[list[str], list[str]]:
    """Return the URLs of the pages with these keys, and the names of their hosts."""
    n = len(local_keys)
    sizes = (each.ends.sum() - each.starts.sum() for each in (host_keys, local_keys))
    out = np.empty(int(sum(sizes)) + _LONGEST_SCHEME * n, dtype=np.uint8)
    bounds = np.empty((n, 3), dtype=np.int64)
    keys = (host_keys.data, host_keys.starts, host_keys.ends)
    locals_ = (local_keys.data, local_keys.starts, local_keys.ends)
    end = _write_urls(keys, locals_, _SCHEME, out, bounds)
    raw = out[:end].tobytes()
    begins, host_begins, host_ends = bounds.T.tolist()
    ends = [*begins[1:], end]
    urls, hosts = map(slice, begins, ends), map(slice, host_begins, host_ends)
    if raw.isascii():
        text = raw.decode("ascii")
        return list(map(text.__getitem__, urls)), list(map(text.__getitem__, hosts))
    return _decoded(raw, urls), _decoded(raw, hosts)


def _decoded(raw: bytes, slices: map[slice]) -> list[str]:
    return [raw[each].decode("utf-8", "surrogatepass") for each in slices]
