"""Keyword tuples: the queries from which a search service finds the pages of a corpus.

*Source: Baroni and Bernardini 2004, "BootCaT: bootstrapping corpora and terms from the web"; Pomikálek 2011, 1.3.2.*
Words and terms of a domain are combined at random, three at a time: a page that has all of a tuple is
likely to be of the domain.

The queries, to be asked by hand: ``python -m crawler.seeds.keywords [-n 10] [--size 3] [--seed 0] FILE``.
"""

from __future__ import annotations

import math
import random
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import InputError, ModuleParser, cause, run_module, tell
from crawler.page.inner_signs import with_gershayim
from crawler.page.words import small_letters
from crawler.wording import counted

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

MAX_BYTES = 2**24
_QUOTES = '"“”„«»'


def read_keywords(path: str | os.PathLike[str]) -> list[str]:
    """Return the keywords of *path*, one a line, each once whatever its case; a term may have several words.

    Raises `InputError` for a file that is missing, empty, larger than MAX_BYTES or not UTF-8, and for a table.
    """
    lines = _lines(Path(path), "keywords", is_table_told=True)
    words: dict[str, str] = {}
    for word in filter(None, map(_bare, lines)):
        # Not casefold(), by which "Maße" is "Masse".
        words.setdefault(small_letters(word), word)
    return list(words.values())


def read_queries(path: str | os.PathLike[str]) -> list[str]:
    """Return the queries of *path*, one a line, each once; raise `InputError` as `read_keywords` does."""
    return list(dict.fromkeys(_lines(Path(path), "queries")))


def _lines(path: Path, what: str, *, is_table_told: bool = False) -> list[str]:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"cannot read {what} file {path}: {cause(error)}; give one of them a line, in UTF-8"
        ) from error
    if len(data) > MAX_BYTES:
        raise InputError(
            f"{what} file {path} has more than {MAX_BYTES:,} bytes; give a shorter one"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{what} file {path} is not UTF-8 ({error.reason}); save it as UTF-8"
        ) from error
    if "\0" in text:
        raise InputError(f"{what} file {path} is binary; give one of them a line, in UTF-8")
    # Not splitlines(), which parts what is in a line at U+0085, U+2028 and characters of control, too.
    written = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # A frequency list, or what a corpus manager says of keywords: the numbers would be words.
    table = next((line for line in written if is_table_told and "\t" in line.strip()), None)
    if table is not None:
        raise InputError(
            f"{what} file {path} has columns ({table.strip()[:60]!r}); give the words alone, as cut -f1 does"
        )
    lines = [" ".join(unicodedata.normalize("NFC", line).split()) for line in written]
    found = [line for line in lines if line]
    if not found:
        raise InputError(f"{what} file {path} is empty; give one of them a line")
    return found


def _bare(line: str) -> str:
    """Return a keyword without the quotes around it, or within."""
    return " ".join(with_gershayim(line).translate(str.maketrans("", "", _QUOTES)).split())


def keyword_tuples(
    keywords: Sequence[str], *, size: int, n: int, random_seed: int = 0
) -> list[tuple[str, ...]]:
    """Return *n* different tuples of *size* different *keywords* drawn at random, all where there are fewer.

    The words of a tuple stand in the order of *keywords*. The same *random_seed* draws the same tuples, and a larger
    *n* more behind them. Cost: O(n size) draws as long as *n* is less than half of all there are.

    >>> keyword_tuples(["a", "b", "c"], size=2, n=9)
    [('a', 'c'), ('a', 'b'), ('b', 'c')]
    """
    wanted = min(n, math.comb(len(keywords), size))
    chance = random.Random(random_seed)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < wanted:
        found[_draw(chance, len(keywords), size)] = None
    return [tuple(keywords[place] for place in places) for places in found]


def _draw(chance: random.Random, n: int, size: int) -> tuple[int, ...]:
    """Draw *size* of *n* places. Of the module's methods `random` alone draws the same in every release."""
    taken: dict[int, int] = {}
    drawn = []
    for place in range(size):
        other = place + int(chance.random() * (n - place))
        drawn.append(taken.get(other, other))
        taken[other] = taken.get(place, place)
    return tuple(sorted(drawn))


def query_of(words: Sequence[str]) -> str:
    """Return the query for a tuple of *words*: terms of several words stand in quotes.

    >>> query_of(("sea bass", "grill"))
    '"sea bass" grill'
    """
    return " ".join(f'"{word}"' if " " in word else word for word in words)


def draw_queries(path: str, *, size: int, n: int, random_seed: int) -> list[str]:
    """Return *n* queries of *size* keywords of the file at *path*; raise `InputError` where it has too few."""
    words = read_keywords(path)
    if len(words) < size:
        raise InputError(
            f"keywords file {path} has {counted(len(words), 'keyword')} without repetitions, fewer than a tuple of {size}; give more, or smaller tuples"
        )
    return [
        query_of(drawn) for drawn in keyword_tuples(words, size=size, n=n, random_seed=random_seed)
    ]


def shortfall(path: str, *, drawn: int, size: int, n: int) -> str | None:
    """Return what to tell when *drawn* tuples of *size* keywords of the file at *path* are fewer than the *n* asked
    for.
    """
    if drawn >= n:
        return None
    return f"keywords of {path} make {counted(drawn, 'tuple')} of {size}, not {n:,}; give more keywords for more"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the queries for a file of keywords, one a line; raise `InputError` for a wrong call."""
    parser = ModuleParser(
        prog="python -m crawler.seeds.keywords",
        description="Print queries to ask a search service by hand: tuples of keywords, drawn at random. "
        "Save the pages of results for `scrapy crawl bootcat -a saved=GLOB`.",
    )
    parser.add_argument("file", help="keywords, one a line")
    parser.add_argument("-n", type=int, default=10, help="tuples (10)")
    parser.add_argument("--size", type=int, default=3, help="keywords of a tuple (3)")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (0)")
    called = parser.parse_args(arguments)
    if called.n < 1 or called.size < 1 or called.seed < 0:
        raise InputError("-n and --size must be 1 or more, --seed 0 or more; see --help")
    queries = draw_queries(called.file, size=called.size, n=called.n, random_seed=called.seed)
    sys.stdout.writelines(f"{query}\n" for query in queries)
    if why := shortfall(called.file, drawn=len(queries), size=called.size, n=called.n):
        tell(why)


if __name__ == "__main__":
    sys.exit(run_module(main))
