"""The corpus folder that a command opens: refused by one rule, whatever the command reads of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings


def corpus_of(settings: BaseSettings | None, opts: argparse.Namespace) -> Path:
    """Return the corpus folder that *opts* or *settings* name, as :func:`checked_corpus`."""
    assert settings is not None
    return checked_corpus(Path(opts.corpus or settings["CORPUS_DIR"]))


def checked_corpus(folder: Path) -> Path:
    """Return *folder*; raise `FormatError` when its manifest is damaged or of another format.

    The graph, the index and WARC files do not tell the format of the corpus. A folder without a manifest is
    left to the command: some read tables of a graph.
    """
    from pipelines.corpus.manifest import check_manifest

    check_manifest(folder)
    return folder
