"""``scrapy laws``: fits the quantitative laws of text to a corpus folder, and draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras, print_report
from crawler.commands.corpus_folder import check_takes_files, corpus_of, output_folder
from crawler.commands.parsing import whole_number
from crawler.commands.terminal import documents_line
from crawler.errors import InputError, refused_option

if TYPE_CHECKING:
    import argparse

    from pipelines.jobs.laws.gather import LawsOptions

# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR)"),
    ("output", None, "folder for the plots and laws.html (default: laws/ in the corpus folder)"),
    ("document", None, "URL of a document: report its short and long text besides"),
    ("min-documents", "100", "documents a term is in for its typicality, or scaled"),
    ("template-frequency", "10", "segments that bear the fingerprint of a template"),
    ("max-entries", "1000000", "terms, and fingerprints, counted at once"),
)
_FLAGS = (
    ("latin-only", "make fingerprints of Latin letters alone, as published"),
    ("no-plots", "print the tables and write nothing"),
    ("json", "print one JSON object"),
)


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as tables or with ``--json`` as an object."""

    values = _OPTIONS
    flags = _FLAGS

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Fit the quantitative laws of text to a corpus"

    def long_desc(self) -> str:
        return (
            "Fit the quantitative laws of web text (Kohlschütter 2011, chapters 4 and 5) to the documents "
            "of a corpus folder: Frumkina, Zipf, Menzerath-Altmann, Beta mixtures of the text density, "
            "Lavalette, term typicality, full stops, templates, random writer. Parameters and goodness of "
            "fit (R2, RMSE, chi2) are printed. A plot of each law, and laws.html with all of them, go to "
            "laws/ there.\n"
            "\n"
            "Example:\n"
            "  scrapy laws --corpus mine"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        if opts.output and opts.no_plots:
            raise InputError("--no-plots writes nothing; leave it or --output out")
        from pipelines.jobs.laws.run import FOLDER, fit_corpus, write_report
        from pipelines.jobs.laws.tables import screen

        corpus = corpus_of(self.settings, opts)
        output = output_folder(opts.output) if opts.output else corpus / FOLDER
        if opts.output or (corpus.is_dir() and not opts.no_plots):
            check_takes_files(output)
        with documents_line() as progress:
            report = fit_corpus(
                corpus, _laws_options(opts), document=opts.document, progress=progress
            )
        if not opts.no_plots:
            report.files.extend(write_report(report, output))
        print_report(report, lambda: screen(report), is_json=opts.json)


def _laws_options(opts: argparse.Namespace) -> LawsOptions:
    from pipelines.jobs.laws.gather import LawsOptions

    scaled = opts.min_documents == "scaled"
    try:
        return LawsOptions(
            min_documents=None if scaled else whole_number("min-documents", opts.min_documents),
            template_frequency=whole_number("template-frequency", opts.template_frequency),
            max_entries=whole_number("max-entries", opts.max_entries),
            latin_only=opts.latin_only,
        )
    except ValueError as error:
        raise refused_option(error, vars(opts)) from error
