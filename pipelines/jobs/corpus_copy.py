"""Parts of a corpus folder in another one, without touching the first."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from crawler.durable.files import link_file
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


def check_output(corpus_dir: Path, output: Path) -> None:
    """Raise `InputError` when *output* is there, or is within the corpus."""
    if output.exists():
        raise InputError(f"{output} is there already; give a new folder or remove it")
    if corpus_dir.resolve() in output.resolve().parents:
        raise InputError(f"{output} is within the corpus {corpus_dir}; give a folder beside it")


def copy_folder(source: Path, target: Path, copy_file: Callable[[Path, Path], object]) -> None:
    """Copy the folder *source* to *target*, each file by *copy_file*.

    The folders are the copy's own: with the modes of read-only ones, it could not be changed.
    """
    target.mkdir(parents=True)
    for entry in sorted(source.iterdir()):
        if entry.is_dir():
            copy_folder(entry, target / entry.name, copy_file)
        else:
            copy_file(entry, target / entry.name)


def copy_warcs(corpus_dir: Path, output: Path, lengths: Mapping[str, int]) -> None:
    """Link the WARC files of *lengths* that have ended, and copy the last; a link would grow too."""
    for place, (name, n_bytes) in enumerate(lengths.items(), start=1):
        source, target = corpus_dir / name, output / name
        target.parent.mkdir(exist_ok=True)
        if place < len(lengths) and source.stat().st_size == n_bytes:
            link_file(source, target)
        else:
            shutil.copyfile(source, target)
            os.truncate(target, n_bytes)
