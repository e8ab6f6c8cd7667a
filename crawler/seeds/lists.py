"""Reads seeds from lines: category tables (``category<TAB>url``, or CSV) and lists of URLs.

A line is split at its tabs; without a tab, at its commas as CSV, unless it begins with a URL (which may hold commas)
and has neither a blank nor a quotation mark behind one of them (which a URL does not hold), nor a comma right behind its
host. One in quotes is CSV, too. Where such a line is among the first ``_HEAD_LINES``, which all begin with a URL and
have as many commas outside of quotes, all lines are CSV.
Its URL is the first field that begins with ``http://`` or ``https://``, else the last one that is a bare host such as
``example.org`` or ``example.org/path``, which stands for ``http://example.org/``. Its category is the first other field
that is no number: the columns may come in either order, further columns are left alone, and a table of hosts with a
score (``example.org<TAB>2.6E7``) is a list of hosts. A first line with a field ``url`` is a header: it names the
columns ``url`` and ``category``, and its separator is that of the file. Only with a header that may be a semicolon, as
spreadsheets write CSV where commas stand in numbers: URLs may hold them. Only then may a cell in quotes, such as a
description, hold line ends: else a quote in excess would take the lines behind it.

Empty lines, lines that begin with ``#``, and what stands behind a blank and ``#`` in a line without columns are passed
over; two URLs with a blank between them are ``bad_url``. Reasons for skipping a line: ``no_url``,
``bad_url``, ``scheme``, ``illegal_utf8``, ``too_long``, ``bad_csv``.

Memory: one line, or the lines of one row of CSV, at most `LINE_MAX_BYTES`, and one more.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from crawler.categories import clean_category
from crawler.seeds.seed import Seed, url_problem

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from io import BufferedIOBase

LINE_MAX_BYTES = 16 * 1024

_HTTP = re.compile(r"https?:", re.IGNORECASE)
_ANY_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://|mailto:|javascript:|file:", re.IGNORECASE)
_BARE_HOST = re.compile(r"(?:[\w-]{1,63}\.)+[^\W\d_][\w-]{1,62}\.?(?::\d{1,5})?(?:[/?]\S*)?")
# A URL and further cells; what has a second URL behind a blank, or a host and a second URL, is no row.
_URL_AND_CELLS = re.compile(
    r"\s*https?:(?://[^\s,/]+/?,(?!.*https?://)|[^\s,]*,(?=.*[\s\"])(?!.*\shttps?://))",
    re.IGNORECASE,
)
_HEAD_LINES = 100
# Blanks are looked at once, of however many they are.
_COMMENT = re.compile(r"(?<!\s)\s+#")
_TWO_URLS = re.compile(r"\shttps?://", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?[\d.,]*\d(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a header puts the URL and the category, and how the lines are split.

    Without a header *url* is None.
    """

    separator: str
    url: int | None = None
    category: int | None = None


def read_lines(stream: BufferedIOBase, skipped: Counter[str]) -> Iterator[Seed]:
    """Yield the seeds of a table or list in file order; count in *skipped* what is left out."""
    for _, _, seed in parse_lines(text_lines(stream, skipped)):
        if isinstance(seed, str):
            skipped[seed] += 1
        else:
            yield seed


def parse_lines(lines: Iterable[str]) -> Iterator[tuple[int, str, Seed | str]]:
    """Yield (line number from 1, line, its seed or the reason why it has none)."""
    columns = None
    first = True
    source = _Lines(lines)
    for number, line in source:
        if (line.lstrip() or "#").startswith("#"):
            continue
        if first and (columns := header(line)):
            first = False
            continue
        if first and _are_rows([line, *source.following(_HEAD_LINES - 1)]):
            columns = Columns(",")
        first = False
        row = line
        if columns and columns.url is not None and columns.separator != "\t":
            row = source.whole_row(line, columns)
        yield number, line, parse_line(row, columns)


class _Lines:
    """Iterates over *lines* and their numbers from 1; the lines of a row of CSV are taken at once."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._numbered = enumerate(lines, 1)
        self._returned: deque[tuple[int, str]] = deque()

    def __iter__(self) -> Iterator[tuple[int, str]]:
        while (found := self._next()) is not None:
            yield found

    def _next(self) -> tuple[int, str] | None:
        return self._returned.popleft() if self._returned else next(self._numbered, None)

    def following(self, n: int) -> list[str]:
        """Return the next *n* lines, which are given again, or as many as there are."""
        missing = max(0, n - len(self._returned))
        self._returned.extend(islice(self._numbered, missing))
        return [line for _, line in islice(self._returned, n)]

    def whole_row(self, line: str, columns: Columns) -> str:
        """Return *line*, the last one given, with those behind it that its cells in quotes go on in, if they end."""
        is_open = line.count('"') % 2
        n_chars = len(line)
        taken: list[tuple[int, str]] = []
        while is_open and n_chars < LINE_MAX_BYTES and (following := self._next()) is not None:
            taken.append(following)
            is_open ^= following[1].count('"') % 2
            n_chars += len(following[1])
        if taken and not is_open:
            row = "\n".join([line, *(text for _, text in taken)])
            if _split(row, columns) is not None:
                return row
        self._returned.extendleft(reversed(taken))
        return line


def text_lines(stream: BufferedIOBase, skipped: Counter[str]) -> Iterator[str]:
    """Yield the lines without their ends; one over `LINE_MAX_BYTES` is counted as ``too_long``."""
    first = True
    while raw := stream.readline(LINE_MAX_BYTES):
        if len(raw) == LINE_MAX_BYTES and not raw.endswith(b"\n"):
            skipped["too_long"] += 1
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(LINE_MAX_BYTES)
            raw = b""
        text = raw.decode(errors="replace").rstrip("\r\n")
        yield text.removeprefix("\ufeff") if first else text
        first = False


def header(line: str) -> Columns | None:
    """Return the columns that *line* names, or None when it is no header."""
    for separator in ("\t", ",", ";"):
        names = [name.strip().strip('"').lower() for name in line.split(separator)]
        if "url" in names and not any(map(_HTTP.match, names)):
            category = names.index("category") if "category" in names else None
            return Columns(separator, names.index("url"), category)
    return None


def parse_line(line: str, columns: Columns | None = None) -> Seed | str:
    r"""Return the seed of *line*, or the reason why it has none.

    >>> parse_line("Top/Arts\thttp://www.awn.com/")
    Seed(url='http://www.awn.com/', categories=('Top/Arts',))
    >>> parse_line("w3.org\t2.3E7")
    Seed(url='http://w3.org/', categories=())
    >>> parse_line("hello world")
    'bad_url'
    """
    cells = _split(line, columns)
    if cells is None:
        return "bad_csv"
    if columns is None or columns.url is None:
        return _guess(cells)
    if columns.url >= len(cells):
        return "no_url"
    named = columns.category is not None and columns.category < len(cells)
    category = cells[columns.category] if named else ""  # type: ignore[index]  # *named* says so
    return _make_seed(cells[columns.url], category)


def _split(line: str, columns: Columns | None) -> list[str] | None:
    """Return the cells of *line*, or None when it is no CSV."""
    if columns.separator == "\t" if columns else "\t" in line:
        cells = line.split("\t")
    elif columns or _is_csv(line):
        try:
            separator = columns.separator if columns else ","
            cells = next(csv.reader([line.lstrip()], delimiter=separator, strict=True), [])
        except csv.Error:
            return None
    else:
        cells = [_COMMENT.split(line, maxsplit=1)[0]]
    return [cell.strip() for cell in cells]


def _is_csv(line: str) -> bool:
    """Tell whether *line*, which has no tab and no header explains, has its cells between commas."""
    text = line.strip()
    if _HTTP.match(text):
        return _URL_AND_CELLS.match(_COMMENT.split(text, maxsplit=1)[0]) is not None
    return text.startswith('"') or "," in text


def _are_rows(lines: Iterable[str]) -> bool:
    """Tell whether the first *lines* of a file, which no header explains, show that all are CSV with the URL first."""
    rows = [line for line in lines if not (line.lstrip() or "#").startswith("#")]
    if not all(_HTTP.match(line.lstrip()) and "\t" not in line for line in rows):
        return False
    cells = [_split(line, Columns(",")) or [] for line in rows]
    return len(cells[0]) > 1 and len(set(map(len, cells))) == 1 and any(map(_is_csv, rows))


def _guess(cells: list[str]) -> Seed | str:
    """Return the seed of a line that no header explains."""
    index = next((i for i, cell in enumerate(cells) if _HTTP.match(cell)), None)
    if index is None:
        hosts = [i for i, cell in enumerate(cells) if _BARE_HOST.fullmatch(cell)]
        index = hosts[-1] if hosts else None
    if index is None:
        if any(_ANY_SCHEME.match(cell) for cell in cells):
            return "scheme"
        return "no_url" if len(cells) > 1 else "bad_url"
    others = (cell for i, cell in enumerate(cells) if i != index)
    category = next((cell for cell in others if cell and not _NUMBER.fullmatch(cell)), "")
    return _make_seed(cells[index], category)


def _make_seed(url: str, category: str) -> Seed | str:
    if _BARE_HOST.fullmatch(url):
        url = f"http://{url}" if "/" in url or "?" in url else f"http://{url}/"
    problem = "bad_url" if _TWO_URLS.search(url) else url_problem(url)
    path = clean_category(category)
    return problem or Seed(url, (path,) if path else ())
