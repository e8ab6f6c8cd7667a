"""The keys of many pages in few pieces, on their way from a page's links to the page table.

A tuple and two strings for each link cost more than to find its key; here they are made for those keys
alone that somebody looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from crawler.urls.keys import PageKey

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]

# PageKey(...) of two strings takes twice as long.
_new_key = partial(tuple.__new__, PageKey)


class KeyList(Sequence[PageKey]):
    """Key i is of the host ``hosts[host[i]]``, its local key is ``data[starts[i]:ends[i]]`` in UTF-8.

    Shapes: ``host``, ``starts``, ``ends``: int64[n]. ``hosts`` may hold a host key twice, or one that no
    key is of.
    """

    __slots__ = ("data", "ends", "host", "hosts", "starts")

    def __init__(self, hosts: list[str], host: I64, data: bytes, starts: I64, ends: I64):
        self.hosts = hosts
        self.host = host
        self.data = data
        self.starts = starts
        self.ends = ends

    @classmethod
    def of(cls, keys: Iterable[tuple[str, str]]) -> KeyList:
        """Return *keys* as such a list.

        >>> list(KeyList.of([PageKey("com.a", "0/x")]))
        [PageKey(host='com.a', local='0/x')]
        """
        if isinstance(keys, KeyList):
            return keys
        pairs = list(keys)
        numbers: dict[str, int] = {}
        host = [numbers.setdefault(key[0], len(numbers)) for key in pairs]
        texts = [key[1].encode("utf-8", "surrogatepass") for key in pairs]
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        ends = np.cumsum(sizes)
        return cls(list(numbers), np.array(host, np.int64), b"".join(texts), ends - sizes, ends)

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, place: int) -> PageKey: ...
    @overload
    def __getitem__(self, place: slice) -> KeyList: ...
    def __getitem__(self, place: int | slice) -> PageKey | KeyList:
        if isinstance(place, slice):
            return self.take(place)
        local = self.data[self.starts[place] : self.ends[place]]
        return PageKey(self.hosts[self.host[place]], str(local, "utf-8", "surrogatepass"))

    def take(self, places: slice | I64 | npt.NDArray[np.bool_]) -> KeyList:
        """Return the keys at *places*, as they index an array."""
        starts, ends = self.starts[places], self.ends[places]
        return KeyList(self.hosts, self.host[places], self.data, starts, ends)

    def of_hosts(self, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        """Return which keys are of a host whose key passes *test*, bool[n]; each host is asked about once.

        >>> KeyList.of([("com.a", "0/"), ("com.b", "0/"), ("com.a", "0/x")]).of_hosts({"com.a"}.__contains__).tolist()
        [True, False, True]
        """
        passed: npt.NDArray[np.bool_] = np.array(list(map(test, self.hosts)), np.bool_)[self.host]
        return passed

    def with_last(self, key: tuple[str, str]) -> KeyList:
        """Return these keys and *key* behind them."""
        local = key[1].encode("utf-8", "surrogatepass")
        size = len(self.data)
        return KeyList(
            [*self.hosts, key[0]],
            with_last(self.host, len(self.hosts)),
            self.data + local,
            with_last(self.starts, size),
            with_last(self.ends, size + len(local)),
        )

    def __iter__(self) -> Iterator[PageKey]:
        bounds = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        if self.data.isascii():
            text = self.data.decode("ascii")
            keys = [text[start:end] for start, end in bounds]
        else:
            data = self.data
            keys = [data[start:end].decode("utf-8", "surrogatepass") for start, end in bounds]
        hosts = map(self.hosts.__getitem__, self.host.tolist())
        return map(_new_key, zip(hosts, keys, strict=True))


def with_last(array: npt.NDArray[Any], last: float) -> npt.NDArray[Any]:
    """Return *array* with the entry *last* behind it; `numpy.append` takes five times as long."""
    longer = np.empty(len(array) + 1, array.dtype)
    longer[:-1] = array
    longer[-1] = last
    return longer


def joined_keys(parts: Sequence[Iterable[tuple[str, str]]]) -> KeyList:
    """Return the keys of all *parts*, in order."""
    lists = [KeyList.of(part) for part in parts]
    if len(lists) == 1:
        return lists[0]
    none = np.zeros(0, dtype=np.int64)
    first_hosts = np.cumsum([0, *(len(each.hosts) for each in lists)]).tolist()
    offsets = np.cumsum([0, *(len(each.data) for each in lists)]).tolist()
    shifted = list(zip(lists, first_hosts, offsets, strict=False))
    return KeyList(
        [host for each in lists for host in each.hosts],
        np.concatenate([none, *(each.host + first for each, first, _ in shifted)]),
        b"".join(each.data for each in lists),
        np.concatenate([none, *(each.starts + offset for each, _, offset in shifted)]),
        np.concatenate([none, *(each.ends + offset for each, _, offset in shifted)]),
    )
