"""Writes the documents of a corpus folder for other programs: the text formats of ``scrapy export``.

*On disk.* In the folder asked for one file, whole or not there: ``documents.txt``, ``.vert``
(pipelines.jobs.text_export.vertical), ``.jsonl`` or ``.parquet``, in UTF-8, with the documents in the
order of their commit. A crawl may be running: what it committed before is written.

Memory: a row group of documents.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path
from crawler.errors import InputError
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.told_batches import told_batches
from pipelines.jobs.text_export.vertical import ATTRIBUTES, vertical_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from pipelines.corpus.told_batches import Progress
    from pipelines.jobs.text_export.options import TextExportOptions

_EMPTY_LINES = re.compile(r"\n\s*\n")
NAMES = {"text": "txt", "vertical": "vert", "jsonl": "jsonl", "parquet": "parquet"}
COLUMNS = [
    "url", "host", "title", "author", "date", "description", "language", "language_score",
    "category", "signals", "fetched_at", "n_words", "text",
]  # fmt: skip


@dataclass(slots=True)
class TextExportReport:
    """What was written to *file*; *left_out* are the documents that the options left out."""

    format: str
    file: str
    documents: int = 0
    words: int = 0
    left_out: int = 0

    def screen(self) -> str:
        """Return the report as lines for people."""
        return "\n".join(
            [
                f"documents  {self.documents:,} ({self.left_out:,} left out)",
                f"words      {self.words:,}",
                f"written    {self.file}",
            ]
        )


def export_documents(
    folder: Path,
    options: TextExportOptions,
    *,
    output: Path | BinaryIO,
    progress: Progress | None = None,
) -> TextExportReport:
    """Write the documents of the corpus in *folder* to a file in the folder *output*, or to a stream.

    *progress* is told how many are read.
    Raises `InputError` when there is no corpus, the file cannot be written, or Parquet is to go to a
    stream.
    """
    corpus = Corpus.open(folder)
    if hasattr(output, "write"):
        if options.format == "parquet":
            raise InputError("Parquet needs a file; give a folder as --output")
        report = TextExportReport(options.format, "-")
        _write_lines(_chosen(corpus, options, report, progress), options, output.write)
        return report
    path = output / f"documents.{NAMES[options.format]}"
    report = TextExportReport(options.format, str(path))
    chosen = _chosen(corpus, options, report, progress)
    with _written(path) as unfinished:
        if options.format == "parquet":
            _write_parquet(chosen, unfinished)
        else:
            with unfinished.open("wb") as file:
                _write_lines(chosen, options, file.write)
    return report


@contextmanager
def _written(path: Path) -> Iterator[Path]:
    """Yield the temporary name of *path*, whose folder is made, and goes if nothing is written; an `OSError` becomes an `InputError`."""
    is_new = not path.parent.exists()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as unfinished:
            yield unfinished
    except OSError as error:
        raise InputError(
            f"cannot write {path} ({error.strerror}); give another --output"
        ) from error
    finally:
        if is_new:
            with suppress(OSError):  # it has the file
                path.parent.rmdir()


def _chosen(
    corpus: Corpus,
    options: TextExportOptions,
    report: TextExportReport,
    progress: Progress | None,
) -> Iterator[pa.RecordBatch]:
    """Yield the columns of the format, of the documents that are wanted, and count them."""
    columns = COLUMNS if options.format == "parquet" else _TEXTS[options.format][0]
    codes = list(options.languages)
    for batch in told_batches(corpus, columns, progress):
        words = batch["n_words"].fill_null(0).to_numpy()
        wanted = words >= options.min_words
        if options.languages:
            wanted &= np.isin(batch["language"].fill_null("").to_numpy(zero_copy_only=False), codes)
        report.documents += int(wanted.sum())
        report.left_out += int((~wanted).sum())
        report.words += int(words[wanted].sum(dtype=np.int64))
        yield batch.filter(pa.array(wanted))


def _write_parquet(chosen: Iterable[pa.RecordBatch], path: Path) -> None:
    schema = pa.schema([SCHEMAS["documents"].field(name) for name in COLUMNS])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in chosen:
            writer.write_batch(batch.cast(schema))


def _write_lines(
    chosen: Iterable[pa.RecordBatch],
    options: TextExportOptions,
    write: Callable[[bytes], object],
) -> None:
    _, as_text = _TEXTS[options.format]
    for batch in chosen:
        for row in batch.to_pylist():
            write(as_text(row).encode())


def _plain(row: Mapping[str, Any]) -> str:
    text = row["text"]
    # An empty line ends a document here; code may have some.
    return f"{_EMPTY_LINES.sub(chr(10), text)}\n\n" if text else ""


def _vertical(row: Mapping[str, Any]) -> str:
    return "\n".join(vertical_lines(row)) + "\n"


def _json_line(row: Mapping[str, Any]) -> str:
    score = row["language_score"]  # 32 bits, of which more digits would say nothing
    known = {**row, "language_score": None if score is None else float(str(np.float32(score)))}
    return json.dumps(known, ensure_ascii=False, default=datetime.isoformat) + "\n"


_TEXTS: dict[str, tuple[list[str], Callable[[Mapping[str, Any]], str]]] = {
    "text": (["n_words", "language", "text"], _plain),
    "vertical": ([*ATTRIBUTES, "blocks"], _vertical),
    "jsonl": (COLUMNS, _json_line),
}
