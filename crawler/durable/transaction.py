"""A transaction of the journal: tables by name, every result checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from crawler.durable.environment import Environment


class Transaction:
    """Reads and, inside :meth:`Journal.write`, changes the tables.

    *at_end* are called when a transaction of :meth:`Journal.write` has ended, with whether it was
    committed: for what is kept in ``environment.memory``, whose owner
    sets *is_watched* when it has added its own.
    """

    __slots__ = ("_handles", "_txn", "at_end", "environment", "is_watched")

    def __init__(self, txn: Any, environment: Environment) -> None:
        self._txn = txn
        self._handles = environment.handles
        self.environment = environment
        self.at_end: list[Callable[[bool], None]] = []
        self.is_watched = False

    def get(self, table: str, key: bytes) -> bytes | None:
        """Return the value of *key*, None when it is not there."""
        value = self._txn.get(key, db=self._handles[table])
        return None if value is None else bytes(value)

    def view(self, table: str, key: bytes) -> memoryview | bytes | None:
        """Return the value of *key*, None when it is not there: :meth:`get` for long values.

        It may lie in the map: it is not to be used after the transaction, nor after it wrote.
        """
        value: memoryview | bytes | None = self._txn.get(key, db=self._handles[table])
        return value

    def views(self, table: str, keys: Sequence[bytes]) -> list[memoryview | bytes]:
        """Return the values of those of *keys* that are there, in order: :meth:`view` of many."""
        with self._txn.cursor(self._handles[table]) as cursor:
            return [value for _, value in cursor.getmulti(keys)]

    def get_many(self, table: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values of those of *keys* that are there; sorted keys are found fastest."""
        with self._txn.cursor(self._handles[table]) as cursor:
            return {bytes(key): bytes(value) for key, value in cursor.getmulti(keys)}

    def put(self, table: str, key: bytes, value: bytes) -> None:
        """Set the value of *key*."""
        if not self._txn.put(key, value, db=self._handles[table]):
            raise _not_written(table)

    def put_new(self, table: str, key: bytes, value: bytes) -> bool:
        """Set the value of *key* unless it has one; tell whether it was set."""
        return bool(self._txn.put(key, value, db=self._handles[table], overwrite=False))

    def put_many(self, table: str, items: Iterable[tuple[bytes, bytes]]) -> None:
        """Set the values of many keys; sorted items are written fastest."""
        with self._txn.cursor(self._handles[table]) as cursor:
            consumed, _ = cursor.putmulti(rows := list(items))
            if consumed != len(rows):
                raise _not_written(table)

    def append(self, table: str, key: bytes, value: bytes) -> None:
        """Add the row of *key*, which is larger than every key of the table."""
        if not self._txn.put(key, value, db=self._handles[table], append=True):
            raise _not_written(table)

    def delete(self, table: str, key: bytes) -> bool:
        """Delete the row of *key*; tell whether there was one."""
        return bool(self._txn.delete(key, db=self._handles[table]))

    def scan(self, table: str, start: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """Yield the rows from key *start* on, in the order of keys."""
        with self._txn.cursor(self._handles[table]) as cursor:
            found = cursor.set_range(start) if start else cursor.first()
            if found:
                for key, value in cursor.iternext(keys=True, values=True):
                    yield bytes(key), bytes(value)

    def keys(self, table: str) -> Iterator[bytes]:
        """Yield the keys in order."""
        with self._txn.cursor(self._handles[table]) as cursor:
            if cursor.first():
                yield from map(bytes, cursor.iternext(keys=True, values=False))

    def first_key(self, table: str) -> bytes | None:
        """Return the smallest key, None when the table is empty."""
        with self._txn.cursor(self._handles[table]) as cursor:
            return bytes(cursor.key()) if cursor.first() else None

    def last_key(self, table: str) -> bytes | None:
        """Return the largest key, None when the table is empty."""
        with self._txn.cursor(self._handles[table]) as cursor:
            return bytes(cursor.key()) if cursor.last() else None

    def n_rows(self, table: str) -> int:
        """Return the number of rows of *table*."""
        return int(self._txn.stat(self._handles[table])["entries"])

    def n_bytes(self, table: str) -> int:
        """Return the bytes of the database pages that *table* takes."""
        stat = self._txn.stat(self._handles[table])
        n_pages = stat["branch_pages"] + stat["leaf_pages"] + stat["overflow_pages"]
        return int(n_pages * stat["psize"])


def lost_row(table: str, key: object) -> FormatError:
    """Return the error of a row that another row names, and that is not there."""
    return FormatError(
        f"the journal has lost the row {key!r} of table {table}; restore the corpus folder from a copy"
    )


def _not_written(table: str) -> FormatError:
    return FormatError(
        f"the journal refused a row of table {table} (keys out of order); it is damaged, "
        "restore the corpus folder from a copy"
    )
