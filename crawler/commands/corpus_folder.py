"""The corpus folder that a command opens: refused by one rule, whatever the command reads of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crawler.durable.layout import shards_of
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings


def corpus_of(settings: BaseSettings | None, opts: argparse.Namespace) -> Path:
    """Return the corpus folder that *opts* or *settings* name, as :func:`checked_corpus`."""
    assert settings is not None
    return checked_corpus(Path(opts.corpus or settings["CORPUS_DIR"]))


def output_folder(output: str) -> Path:
    """Return the folder that ``--output`` names; raise `InputError` for ``-``: standard output is no folder."""
    if output == "-":
        raise InputError("--output is '-', but there are files to write; name a folder")
    return Path(output)


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
