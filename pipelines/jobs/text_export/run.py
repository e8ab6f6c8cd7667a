"""Writes the documents of a corpus folder for other programs: the text formats of ``scrapy export``.

*On disk.* In the folder asked for one file, or several (:mod:`pipelines.jobs.text_export.files`), each whole or not
there: ``documents.txt``, ``.vert``
(pipelines.jobs.text_export.vertical), ``.xml`` (pipelines.jobs.text_export.tei), ``.jsonl``, ``.md.jsonl`` (with a
field ``markdown``, null where none could be made) or ``.parquet``, the last three with an ``id``
(pipelines.jobs.text_export.ids), in UTF-8, with the documents in the order of their
commit. A crawl may be running: what it committed before is written.

Memory: a row group of documents; of Markdown 28 bytes an answer besides.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.errors import InputError
from crawler.urls.named_hosts import is_of_hosts
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.schema import SCHEMAS
from pipelines.jobs.corpus_languages import check_languages
from pipelines.jobs.text_export.files import packed_file, write_files
from pipelines.jobs.text_export.ids import ID, with_ids
from pipelines.jobs.text_export.markdown import MarkdownMaker
from pipelines.jobs.text_export.options import PACKED
from pipelines.jobs.text_export.tei import COLUMNS as TEI_COLUMNS
from pipelines.jobs.text_export.tei import HEAD, TAIL, tei_document
from pipelines.jobs.text_export.vertical import ATTRIBUTES, vertical_lines
from pipelines.linguistics.language_codes import UNDETERMINED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import BinaryIO

    import numpy.typing as npt

    from pipelines.corpus.corpus import Progress
    from pipelines.jobs.stored_answers import PageMaker
    from pipelines.jobs.text_export.options import TextExportOptions

    AsText = Callable[[Mapping[str, Any]], str]

_EMPTY_LINES = re.compile(r"\n\s*\n")
NAMES = {
    "text": "txt",
    "vertical": "vert",
    "tei": "xml",
    "jsonl": "jsonl",
    "markdown": "md.jsonl",
    "parquet": "parquet",
}
COLUMNS = [
    "url", "host", "title", "author", "date", "date_source", "description", "language",
    "language_score", "category", "signals", "fetched_at", "n_words", "text",
]  # fmt: skip


@dataclass(slots=True)
class TextExportReport:
    """What was written to *file*; *left_out* are the documents that the options left out.

    *no_markdown*: documents without, by reason (:mod:`pipelines.jobs.text_export.markdown`).
    """

    format: str
    file: str
    files: int = 1
    documents: int = 0
    words: int = 0
    left_out: int = 0
    no_markdown: dict[str, int] = field(default_factory=dict)

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"documents  {self.documents:,} ({self.left_out:,} left out)",
            f"words      {self.words:,}",
            f"written    {self.file}" + (f" ({self.files:,} files)" if self.files > 1 else ""),
        ]
        why = ", ".join(f"{reason} {n:,}" for reason, n in sorted(self.no_markdown.items()))
        if why:
            lines.insert(
                1, f"without    {sum(self.no_markdown.values()):,} have no Markdown: {why}"
            )
        return "\n".join(lines)


def export_documents(
    folder: Path,
    options: TextExportOptions,
    *,
    output: Path | BinaryIO,
    progress: Progress | None = None,
    pages: PageMaker | None = None,
) -> TextExportReport:
    """Write the documents of the corpus in *folder* to a file in the folder *output*, or to a stream.

    *progress* is told how many are read. *pages*, which Markdown needs, makes the pages of the documents.
    Raises `InputError` when there is no corpus, or no document in a language, of a host and of a day that are asked for,
    the file cannot be written, or Parquet is to go to a stream.
    """
    corpus = Corpus.open(folder)
    check_languages(corpus, options.languages)
    _check_hosts(corpus, options.hosts)
    if options.days is not None:
        options.days.check(corpus)
    _check_together(corpus, options)
    if isinstance(output, Path):
        ending = f".{NAMES[options.format]}{PACKED[options.packing]}"
        places = "-*" if options.part_documents else ""
        report = TextExportReport(options.format, str(output / f"documents{places}{ending}"))
        chosen = _chosen(corpus, options, report, progress)
        write = _write_parquet
        if options.format != "parquet":
            write = partial(_write_packed, options, _as_text(options, report, pages))
        report.files = write_files(chosen, output, ending, options.part_documents, write)
        return report
    if options.format == "parquet":
        raise InputError("Parquet needs a file; give a folder as --output")
    report = TextExportReport(options.format, "-")
    chosen = _chosen(corpus, options, report, progress)
    _write_texts(chosen, options.format, _as_text(options, report, pages), output.write)
    return report


def _as_text(
    options: TextExportOptions, report: TextExportReport, pages: PageMaker | None
) -> AsText:
    """Return what writes a row as the format has it."""
    if options.format == "markdown":
        if pages is None:
            raise ValueError("Markdown needs the pages of the documents")
        maker = MarkdownMaker(pages, with_links=options.with_links)
        # Its counts are those of the report.
        report.no_markdown = maker.left
        return partial(_markdown_line, maker)
    vertical = partial(_vertical, with_sentences=options.with_sentences)
    others: dict[str, AsText] = {"text": _plain, "vertical": vertical, "tei": tei_document}
    return others.get(options.format, _json_line)


def _chosen(
    corpus: Corpus,
    options: TextExportOptions,
    report: TextExportReport,
    progress: Progress | None,
) -> Iterator[pa.RecordBatch]:
    """Yield the columns of the format, of the documents that are wanted, and count them."""
    columns = _COLUMNS_OF.get(options.format, COLUMNS)
    for batch in corpus.told(progress).batches("documents", columns):
        words = batch["n_words"].fill_null(0).to_numpy()
        wanted = (words >= options.min_words) & _asked_for(batch, options)
        report.documents += int(wanted.sum())
        report.left_out += int((~wanted).sum())
        report.words += int(words[wanted].sum(dtype=np.int64))
        chosen = batch.filter(pa.array(wanted))
        yield with_ids(chosen) if options.format in _WITH_IDS else chosen


def _asked_for(batch: pa.RecordBatch, options: TextExportOptions) -> npt.NDArray[np.bool_]:
    """Return for each document of *batch* whether it is of a language, a host and a day that *options* ask for."""
    wanted = np.ones(len(batch), bool)
    if options.languages:
        found = batch["language"].fill_null(UNDETERMINED).to_numpy(zero_copy_only=False)
        wanted &= np.isin(found, list(options.languages))
    if options.hosts:
        chosen = _hosts_of(batch, options.hosts)
        wanted &= np.array([host in chosen for host in batch["host"].to_pylist()], bool)
    if options.days is not None:
        wanted &= np.array(options.days.of(batch), bool)
    return wanted


def _check_together(corpus: Corpus, options: TextExportOptions) -> None:
    """Raise `InputError` when no document of *corpus* has all that two or more options ask for, each of which some have."""
    asked = {
        "--language": options.languages,
        "--hosts": options.hosts,
        "--since or --until": options.days,
    }
    given = [name for name, value in asked.items() if value]
    batches = corpus.batches("documents", ["language", "host", "date", "fetched_at"])
    if len(given) > 1 and not any(_asked_for(batch, options).any() for batch in batches):
        raise InputError(
            f"no document of {corpus.corpus_dir} has all that {', '.join(given[:-1])} and {given[-1]} ask for, "
            "though some have each; leave one of them out"
        )


def _check_hosts(corpus: Corpus, asked: Sequence[str]) -> None:
    """Raise `InputError` when no document of *corpus* is of a host of *asked*; any will do when none is asked for."""
    batches = corpus.batches("documents", ["host"])
    if asked and not any(_hosts_of(batch, asked) for batch in batches):
        raise InputError(
            f"no document of {corpus.corpus_dir} is of {' or '.join(asked)}, or a host below; "
            "`scrapy explore` shows its hosts"
        )


def _hosts_of(batch: pa.RecordBatch, asked: Sequence[str]) -> set[str]:
    """Return the hosts of *batch* that are of *asked*."""
    hosts = batch["host"].unique().to_pylist()
    return {host for host in hosts if host and is_of_hosts(f"http://{host}/", asked)}


def _write_parquet(chosen: Iterable[pa.RecordBatch], path: Path) -> None:
    schema = pa.schema([ID, *(SCHEMAS["documents"].field(name) for name in COLUMNS)])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in chosen:
            writer.write_batch(batch.cast(schema))


def _write_packed(
    options: TextExportOptions, as_text: AsText, chosen: Iterable[pa.RecordBatch], path: Path
) -> None:
    with packed_file(path, options.packing) as write:
        _write_texts(chosen, options.format, as_text, write)


def _write_texts(
    chosen: Iterable[pa.RecordBatch],
    format_: str,
    as_text: AsText,
    write: Callable[[bytes], object],
) -> None:
    """Write *chosen* as *format_* has them: between the head and the tail of a file, where it has such."""
    head, tail = _FRAMES.get(format_, ("", ""))
    write(head.encode())
    for batch in chosen:
        for row in batch.to_pylist():
            write(as_text(row).encode())
    write(tail.encode())


def _plain(row: Mapping[str, Any]) -> str:
    text = row["text"]
    # An empty line ends a document here; code may have some.
    return f"{_EMPTY_LINES.sub(chr(10), text)}\n\n" if text else ""


def _vertical(row: Mapping[str, Any], *, with_sentences: bool) -> str:
    return "\n".join(vertical_lines(row, with_sentences=with_sentences)) + "\n"


def _json_line(row: Mapping[str, Any]) -> str:
    score = row["language_score"]  # 32 bits, of which more digits would say nothing
    known = {**row, "language_score": None if score is None else float(str(np.float32(score)))}
    return json.dumps(known, ensure_ascii=False, default=datetime.isoformat) + "\n"


def _markdown_line(maker: MarkdownMaker, row: Mapping[str, Any]) -> str:
    columns = {name: value for name, value in row.items() if name != "blocks"}
    return _json_line({**columns, "markdown": maker.markdown(row)})


_COLUMNS_OF = {
    "text": ["n_words", "language", "host", "date", "fetched_at", "text"],
    "vertical": [*ATTRIBUTES, "blocks"],
    "tei": [*TEI_COLUMNS],
    "markdown": [*COLUMNS, "blocks"],
}
# Formats of rows, each with its id.
_WITH_IDS = frozenset({"jsonl", "markdown", "parquet"})
# What stands around the documents of a file.
_FRAMES = {"tei": (HEAD, TAIL)}
