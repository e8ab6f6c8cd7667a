"""What search services have answered: asked once, however often the crawl is stopped and goes on.

*On disk.* ``searches.jsonl`` in the corpus folder: a line of JSON with ``format`` and ``version``, then one for each
search that was answered: ``service`` (as the user named it, without a key; and where addresses stand in its answers, if
that is not usual), ``query``, ``language``, ``wanted`` (results), ``urls`` (in their order) and ``asked_at`` (ISO 8601,
UTC). Each line is flushed to the disk before the next search; one that was cut by a crash is taken off at the next
start, and its search asked again.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from crawler.durable.files import sync_file
from crawler.durable.layout import SEARCHES
from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

_FORMAT, _VERSION = "winnow-searches", 1


class Search(NamedTuple):
    """What was asked of whom: *service* by its source, *query*, *language* ("" for any)."""

    service: str
    query: str
    language: str = ""


class SearchRecord:
    """The searches of the corpus folder *folder*; the file is made with the first of them.

    Memory: all of them. Raises `FormatError` when the file is damaged or of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / SEARCHES
        self._found: dict[Search, tuple[int, list[str]]] = {}
        if self.path.exists():
            self._load()

    def urls(self, search: Search, wanted: int) -> list[str] | None:
        """Return the addresses that were found, *wanted* at most; None when so many were not asked for yet."""
        asked, urls = self._found.get(search, (-1, []))
        return urls[:wanted] if asked >= wanted else None

    def all_urls(self) -> list[tuple[str, list[str]]]:
        """Return the query and the addresses of each search."""
        return [(search.query, urls) for search, (_, urls) in self._found.items()]

    def add(self, search: Search, wanted: int, urls: Sequence[str]) -> None:
        """Keep what *search* has found, and flush it to the disk."""
        is_new = not self.path.exists()
        line = {
            **search._asdict(),
            "wanted": wanted,
            "urls": list(urls),
            "asked_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with self.path.open("ab") as file:
            if is_new:
                file.write(_line({"format": _FORMAT, "version": _VERSION}))
            file.write(_line(line))
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            sync_file(self.path.parent)
        self._found[search] = wanted, list(urls)

    def _load(self) -> None:
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            os.truncate(self.path, whole)
        lines = data[:whole].splitlines()
        if not lines:
            self.path.unlink()
            return
        try:
            head, *rows = map(json.loads, lines)
            version = head["version"] if head["format"] == _FORMAT else None
            if version == _VERSION:
                for row in rows:
                    search = Search(*(str(row[name]) for name in Search._fields))
                    self._found[search] = int(row["wanted"]), [str(url) for url in row["urls"]]
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(
                f"{self.path} is damaged; restore it from a copy, or delete it"
            ) from error
        if version != _VERSION:
            raise FormatError(
                f"{self.path} is of version {version}, this program reads {_VERSION}; take the program that wrote it"
            )


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
