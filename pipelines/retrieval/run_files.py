"""Rankings as TREC's run files, for other programs to score, compare or pool.

*On disk.* ``TAG.run``, UTF-8, a line a page found: ``QUERY Q0 PAGE RANK SCORE TAG``, ranks from 1. Scores fall with the
ranks, by 1, as programs order by them; they are no scores of the search. White space in a query's name, and ``%``, are
as in a URL, so that no two names become one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_NOT_IN_NAMES = re.compile(r"[\s%]")


class RunFiles:
    """The runs in *folder*, which has to be empty, or not to be there."""

    def __init__(self, folder: Path) -> None:
        if folder.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} is not empty; give a new folder for the runs")
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def add(self, tag: str, query: str, ranking: Sequence[str]) -> None:
        """Add the *ranking* of the query of that name to the run *tag*."""
        with (self._folder / f"{tag}.run").open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in run_lines(tag, query, ranking))


def run_lines(tag: str, query: str, ranking: Sequence[str]) -> Iterator[str]:
    """Yield the lines of one query.

    >>> list(run_lines("kept", "sea bass", ["http://a.example/", "http://b.example/"]))
    ['sea%20bass Q0 http://a.example/ 1 2 kept', 'sea%20bass Q0 http://b.example/ 2 1 kept']
    """
    name = _NOT_IN_NAMES.sub(lambda found: quote(found[0]), query)
    for rank, page in enumerate(ranking, 1):
        yield f"{name} Q0 {page} {rank} {len(ranking) + 1 - rank} {tag}"
