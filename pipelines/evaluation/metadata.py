"""Titles, authors and dates against a gold standard: ``python -m pipelines.evaluation.metadata DATASET...``

Of each field the pages count on which the standard has it, as `manifest.jsonl` writes it (`.readers.uniform`). What is
found is right or wrong as a whole: a *title* is right with the same words in the same order, an *author* is right if
the same people are named, in any order, and a *date* if it is the same day. Words are compared as in `token_f1`. With r
right ones of s found on these pages, and g pages::

    P = r / s;  R = r / g;  F1 = 2 P R / (P + R)

*More*: on how many of the other pages something was found as well: they may have an author that the standard leaves
out, or have none. Beside Winnow, by what pages declare and with dates that htmldate guesses where they do not (extra
``[dates]``), stand the peers that are installed (extra ``[peers]``), told as in ``scrapy evaluate``; pages on which one
fails have nothing found. Errors are bootstrap standard errors of R.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from contextlib import redirect_stderr
from datetime import UTC, datetime
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crawler.errors import InputError, ModuleParser, run_module
from crawler.page import PageRules, build_page
from pipelines.evaluation.gold import GoldMetadata
from pipelines.evaluation.measures.averages import standard_error
from pipelines.evaluation.measures.token_f1 import compared_words
from pipelines.evaluation.peers import PeerPage, installed
from pipelines.evaluation.peers.metadata_readers import READERS
from pipelines.evaluation.readers import check_once, open_dataset
from pipelines.metadata import metadata
from pipelines.metadata.guessed_dates import guess_date, is_installed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from pipelines.evaluation.gold import GoldPage
    from pipelines.evaluation.peers.metadata_readers import MetadataReader

OURS, GUESSING = "winnow", "winnow, htmldate"
_RULES = PageRules(inline="phrasing", hidden="drop")
_BETWEEN_NAMES = re.compile(r"\s*[;,/|&]\s*|\s+(?:and|und|et|y)\s+")
_DATE = re.compile(r"(\d{4})\D(\d{1,2})\D(\d{1,2})(?!\d)")


def same_title(title: str) -> Hashable:
    """Return what is the same of titles that are right."""
    return tuple(compared_words(title))


def same_people(author: str) -> Hashable:
    """Return what is the same of the names of the same people.

    >>> same_people("Ann Miller; Bo Lee") == same_people("Bo LEE and Ann Miller")
    True
    """
    names = (tuple(compared_words(name)) for name in _BETWEEN_NAMES.split(author))
    return frozenset(name for name in names if name)


def same_day(date: str) -> Hashable:
    """Return what is the same of dates of one day; nothing of what has no year, month and day in this order."""
    match = _DATE.match(date.strip())
    return match and tuple(map(int, match.groups()))


FIELDS: Mapping[str, Callable[[str], Hashable]] = {
    "title": same_title,
    "author": same_people,
    "date": same_day,
}


class Row(NamedTuple):
    """The figures of one subject for one field; *right* and *found* of the *pages* that have it in the standard."""

    field: str
    subject: str
    pages: int
    right: int
    found: int
    more: int
    error: float

    @property
    def precision(self) -> float:
        """The right ones among those found; 1 if none is."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The right ones among those of the standard."""
        return self.right / self.pages

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.right / (self.found + self.pages)


def rows_of(gold: Sequence[GoldMetadata], found: Mapping[str, Sequence[GoldMetadata]]) -> list[Row]:
    """Return the figures of what each subject has *found* on the same pages, by field."""
    return [
        _row(field, subject, _values(gold, field), _values(its, field))
        for field in FIELDS
        for subject, its in found.items()
        if any(_values(gold, field))
    ]


def _values(pages: Iterable[GoldMetadata], field: str) -> list[Hashable]:
    same = FIELDS[field]
    return [same(getattr(page, field) or "") or None for page in pages]


def _row(field: str, subject: str, gold: Sequence[Hashable], found: Sequence[Hashable]) -> Row:
    pairs = [pair for pair in zip(gold, found, strict=True) if pair[0]]
    right = [wanted == got for wanted, got in pairs]
    n_found = sum(got is not None for _, got in pairs)
    more = sum(got is not None for got in found) - n_found
    return Row(field, subject, len(pairs), sum(right), n_found, more, standard_error(right))


def found_on(
    page: GoldPage, readers: Mapping[str, Callable[[PeerPage], GoldMetadata]]
) -> dict[str, GoldMetadata]:
    """Return what Winnow and each of *readers* finds on *page*, by name."""
    now = datetime.now(UTC)
    model = build_page(page.body, url=page.url, content_type=page.content_type, rules=_RULES)
    said = metadata(model, fetched_at=now)
    found = {OURS: GoldMetadata(said.title, said.author, said.date)}
    if is_installed():
        date = said.date or guess_date(model, fetched_at=now)
        found[GUESSING] = GoldMetadata(said.title, said.author, date)
    told = PeerPage(
        model.source.decode("utf-8", "replace"), page.url, page.language or model.declared_language
    )
    for name, read in readers.items():
        try:
            # What it has to say of a page is not said here.
            with redirect_stderr(StringIO()):
                found[name] = read(told)
        except Exception:  # noqa: BLE001  # of which kind is the peer's affair
            found[name] = GoldMetadata()
    return found


def table_of(dataset: str, rows: Iterable[Row]) -> str:
    """Return *rows*, of the pages of *dataset*, as a table for people."""
    lines = [
        f"{dataset}\n{'':6} {'pages':>5} {'':18} {'F1':>5} {'prec.':>5} {'recall':>6} ± {'':4} more"
    ]
    for row in rows:
        figures = f"{row.f1:5.3f} {row.precision:5.3f} {row.recall:6.3f} {row.error:6.3f}"
        lines.append(f"{row.field:6} {row.pages:5} {row.subject:18} {figures} {row.more:4}")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = ModuleParser(
        prog="python -m pipelines.evaluation.metadata",
        description="Scores titles, authors and dates of pages, Winnow's and the installed peers'.",
    )
    parser.add_argument(
        "dataset", type=Path, nargs="+", help="folders whose manifests have title, author or date"
    )
    known = ",".join(READERS)
    parser.add_argument("--peers", default=known, help='apart by commas, "" for none (%(default)s)')
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    return parser.parse_args()


def _readers(names: str) -> dict[str, MetadataReader]:
    """Return the readers of the peers in *names*, those that are installed."""
    wanted = [name for name in names.split(",") if name]
    if unknown := next((name for name in wanted if name not in READERS), None):
        raise InputError(f"--peers {unknown!r} is unknown; give some of {', '.join(READERS)}")
    return {name: READERS[name]() for name in wanted if installed(name)}


def main() -> None:
    """Score what is found on the pages of the datasets that the command line names; print a table of each."""
    arguments = _arguments()
    check_once(arguments.dataset)
    readers = _readers(arguments.peers)
    sets: defaultdict[str, list[tuple[GoldMetadata, dict[str, GoldMetadata]]]] = defaultdict(list)
    for page in chain.from_iterable(map(open_dataset, arguments.dataset)):
        if any(page.metadata):
            sets[page.dataset].append((page.metadata, found_on(page, readers)))
    if not sets:
        raise InputError("no page of the dataset has a title, an author or a date in its manifest")
    for dataset, pages in sets.items():
        gold, found = zip(*pages, strict=True)
        rows = rows_of(gold, {name: [its[name] for its in found] for name in found[0]})
        if arguments.json:
            for row in rows:
                whole = {"dataset": dataset, **row._asdict()}
                whole |= {"precision": row.precision, "recall": row.recall, "f1": row.f1}
                sys.stdout.write(f"{json.dumps(whole)}\n")
        else:
            sys.stdout.write(f"{table_of(dataset, rows)}\n")


if __name__ == "__main__":
    sys.exit(run_module(main))
