"""The corpus folder that a command opens: refused by one rule, whatever the command reads of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.commands.setting_checks import try_to_write
from crawler.durable.layout import RANKS_FOLDER, shards_of
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

# What to do where a folder takes no file into which a command writes beside what it reads.
A_COPY = "give a copy as --corpus, or a new folder with links to all that is in it"


def corpus_of(settings: BaseSettings | None, opts: argparse.Namespace) -> Path:
    """Return the corpus folder that *opts* or *settings* name, as :func:`checked_corpus`."""
    assert settings is not None
    return checked_corpus(Path(opts.corpus or settings["CORPUS_DIR"]))


def output_folder(output: str) -> Path:
    """Return the folder that ``--output`` names; raise `InputError` for a file, and ``-``: standard output is no folder."""
    if output == "-":
        raise InputError("--output is '-', but there are files to write; name a folder")
    if (path := Path(output)).exists() and not path.is_dir():
        raise InputError(f"--output is {output}, which is no folder; name one, there or new")
    return path


def ranks_output(corpus: Path, output: str | None) -> Path | None:
    """Return the folder that ``--output`` names for ranks, None where they go into the *corpus*.

    Raises :exc:`InputError` as :func:`check_writable` does. That there is no corpus is told by whoever opens it.
    """
    named = output_folder(output) if output else None
    if named or corpus.is_dir():
        check_writable(
            named or corpus / RANKS_FOLDER, "give another folder for the ranks as --output"
        )
    return named


def check_name(folder: Path) -> None:
    """Raise :exc:`InputError` where *folder* has a name that is no UTF-8: Parquet's library opens no file there."""
    try:
        str(folder).encode()
    except UnicodeEncodeError as error:
        raise InputError(f"cannot write into {folder} (not UTF-8); give another folder") from error


def check_writable(folder: Path, advice: str) -> None:
    """Raise :exc:`InputError` with *advice* where no Parquet file can be written into *folder*.

    Asked before hours are spent on what would be written. The folder is not made.
    """
    check_name(folder)
    check_takes_files(folder, advice)


def check_takes_files(folder: Path, advice: str = "give another --output") -> None:
    """Raise :exc:`InputError` with *advice* where no file can be written into *folder*, which is not made."""
    known = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    try:
        try_to_write(str(known / f"{folder.name}.{os.getpid()}"))
    except OSError as error:
        raise InputError(f"cannot write into {folder} ({error.strerror}); {advice}") from error


def checked_corpus(folder: Path) -> Path:
    """Return *folder*; raise `FormatError` when its manifest is damaged or of another format.

    The graph, the index and WARC files do not tell the format of the corpus. A folder without a manifest is
    left to the command: some read tables of a graph.
    """
    from pipelines.corpus.manifest import check_manifest

    check_manifest(folder)
    return folder


def check_crawled(folder: Path) -> None:
    """Raise `InputError` when nothing was crawled into *folder*: what else it lacks is no matter then."""
    if not shards_of(folder):
        raise InputError(f"no corpus in {folder}; run a crawl first or give its CORPUS_DIR")
