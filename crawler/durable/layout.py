"""Where things lie in a corpus folder.

A *shard* is the part of the web that one crawling process owns, a number of four digits. It has a
journal, arcs and rows of its own; the files of all shards of a corpus lie in the same folders and
bear their shard's number.
"""

from __future__ import annotations

from pathlib import Path

from crawler.durable.files import check_readable
from crawler.errors import FormatError

# The shard of a process that crawls alone.
SHARD = "0000"

MAX_SHARDS = 10_000

DOCUMENTS = "documents"
REJECTED = "rejected"
REPLACED = "replaced"
PROVISIONAL = "provisional"
VISITS = "visits"
WARC = "warc"
RANKS_FOLDER = "ranks"
MANIFEST = "manifest.json"
SEARCHES = "searches.jsonl"

_OF_ALL = (DOCUMENTS, REJECTED, REPLACED, PROVISIONAL, VISITS)


def shard_name(number: int) -> str:
    """Return the name of shard *number*.

    >>> shard_name(12)
    '0012'
    """
    if not 0 <= number < MAX_SHARDS:
        raise ValueError(f"number must be 0 to {MAX_SHARDS - 1}, got {number}")
    return f"{number:04}"


def graph_folder(shard: str = SHARD) -> str:
    """Return the folder of the arcs of *shard*, relative to the corpus folder.

    >>> graph_folder()
    'graph/0000'
    """
    return f"graph/{shard}"


def sealed_folders(shard: str = SHARD) -> tuple[str, ...]:
    """Return the folders that hold nothing but what was sealed from journals; the last is *shard*'s own."""
    return (*_OF_ALL, graph_folder(shard))


def journal_folder(corpus_dir: Path | str, shard: str = SHARD) -> Path:
    """Return the folder of the journal of *shard* in *corpus_dir*.

    >>> journal_folder("corpus").as_posix()
    'corpus/frontier/0000'
    """
    return Path(corpus_dir) / "frontier" / shard


def fleet_folder(corpus_dir: Path | str) -> Path:
    """Return the folder of what the shards of *corpus_dir* share."""
    return Path(corpus_dir) / "frontier" / "fleet"


def shards_of(corpus_dir: Path | str) -> list[str]:
    """Return the shards of which *corpus_dir* has a journal, ascending.

    Raises `InputError` when they may not be read.
    """
    frontier = Path(corpus_dir) / "frontier"
    if frontier.is_dir():
        check_readable(frontier)
    folders = frontier.glob("[0-9]" * 4)
    return sorted(
        folder.name
        for folder in folders
        if (data_file := folder / "data.mdb").is_file() and data_file.stat().st_size > 0
    )


def not_named(path: Path, journal_dir: Path) -> FormatError:
    """Return the error of a file in the corpus folder that is not one of the journal beside it."""
    return FormatError(
        f"{path} is not named by the journal in {journal_dir}; restore the journal from a copy or "
        "give another CORPUS_DIR"
    )
