"""Fits the laws to a corpus folder: what ``scrapy laws`` does.

*On disk.* ``laws/*.png`` and ``laws/laws.html`` in the corpus folder, or the folder asked for. They
are for people and are made anew by each run; PNG files of an earlier run that this one does not draw are removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.laws.fits import fit_laws
from pipelines.jobs.laws.gather import LawsGatherer, LawsOptions
from pipelines.jobs.laws.segments import COLUMNS, batch_segments
from pipelines.jobs.laws.spool import SegmentSpool

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.corpus.corpus import Progress
    from pipelines.jobs.laws.gather import LawsData
    from pipelines.jobs.laws.report import LawsReport
    from pipelines.jobs.laws.segments import DocumentSegments

FOLDER = "laws"
PAGE = "laws.html"


def fit_corpus(
    folder: Path,
    options: LawsOptions,
    *,
    document: str | None = None,
    progress: Progress | None = None,
) -> LawsReport:
    """Fit all laws to the documents of the corpus in *folder*; *progress* is told how far the reading is.

    *document*: the URL of one whose strata are reported besides. Raises `InputError` when there is
    no corpus, no text in it, or not that document.
    """
    data, found = gather(folder, options, document=document, progress=progress)
    if document is not None and found is None:
        raise InputError(f"no document {document} in {folder}; give the URL as the corpus has it")
    if not data.n_documents:
        raise InputError(f"no documents with text in {folder}; run a crawl first")
    return fit_laws(str(folder), data, found)


def gather(
    folder: Path,
    options: LawsOptions,
    *,
    document: str | None = None,
    progress: Progress | None = None,
) -> tuple[LawsData, DocumentSegments | None]:
    """Read the corpus in *folder* once; return its data, and the segments of *document*."""
    corpus = Corpus.open(folder)
    found = None
    with SegmentSpool() as spool:
        gatherer = LawsGatherer(options, spool)
        for batch in corpus.told(progress).batches("documents", COLUMNS):
            for segments in batch_segments(batch):
                gatherer.add(segments)
                if document is not None:
                    found = segments.document(document) or found
        return gatherer.data(), found


def write_report(report: LawsReport, folder: Path) -> list[str]:
    """Draw *report* into *folder*, which is made; return the files that were written.

    Raises `InputError` when that is not possible.
    """
    # Here, for it takes a second to import.
    from pipelines.jobs.laws.plots import ALL_PLOTS, plots_of
    from pipelines.jobs.laws.tables import tables
    from pipelines.jobs.sheets.folder import write_folder

    drawn = ((name, plot(report)) for name, plot in plots_of(report).items())
    title = f"Quantitative laws of {report.corpus}"
    files = write_folder(folder, PAGE, title, tables(report), drawn, all_figures=ALL_PLOTS)
    return [str(path) for path in files]
