"""The tables of a report of the laws, for the screen and for the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.jobs.laws.gather import CLASSES
from pipelines.jobs.laws.report import N_TERMS, counts
from pipelines.jobs.sheets.table import Table, lines_of, number

if TYPE_CHECKING:
    from pipelines.jobs.laws.report import LawFit, LawsReport
    from pipelines.linguistics.laws.fit import Fit

NOTE_COLUMNS = 84
# Kohlschütter 2011, section 4.4.4: nearly all main text is at least as dense.
LONG_FROM = 10


def tables(report: LawsReport) -> list[Table]:
    """Return all tables of *report* in their order."""
    found = [
        _corpus(report),
        _laws(report),
        _notes(report),
        _alternatives(report),
        _terms(report),
        _full_stop(report),
        _classes(report),
        _templates(report),
        _top_segments(report),
        _stratum(report),
    ]
    return [table for table in found if table.rows]


def screen(report: LawsReport) -> str:
    """Return *report* as lines for people."""
    parts = [lines_of(table) for table in tables(report)]
    return "\n\n".join(parts)


def _corpus(report: LawsReport) -> Table:
    rows = [(name.replace("_", " "), f"{value:,}") for name, value in counts(report.data).items()]
    cut = [(f"not counted: {name}", f"{value:,}") for name, value in report.data.n_cut.items()]
    return Table(f"Corpus {report.corpus}", ("", ""), rows + cut)


def _statistics(fit: Fit) -> tuple[str, ...]:
    return (
        f"{fit.n:,}",
        *(number(value) for value in (fit.r2, fit.rmse, fit.chi2, fit.p, fit.c)),
    )


def _parameters(fit: Fit) -> str:
    return "  ".join(f"{name}={number(value)}" for name, value in fit.parameters.items())


def _laws(report: LawsReport) -> Table:
    header = ("law", "fitted to", "parameters", "n", "R2", "RMSE", "chi2", "P", "C")
    rows = [
        (law.fit.law, law.subject, _parameters(law.fit) or "none", *_statistics(law.fit))
        for law in report.laws
    ]
    return Table("Laws", header, rows, frozenset({0, 1, 2}))


def _notes(report: LawsReport) -> Table:
    rows = [(f"{law.fit.law}, {law.subject}", _note(law)) for law in report.laws if _note(law)]
    title = "Notes, and the source's own figures"
    return Table(title, ("law", ""), rows, frozenset({0, 1}), NOTE_COLUMNS)


def _note(law: LawFit) -> str:
    published = f"published: {law.published}" if law.published else ""
    missed = "" if law.fit.converged else "not converged"
    return "; ".join(part for part in (missed, law.fit.note, published) if part)


def _alternatives(report: LawsReport) -> Table:
    header = ("distribution", "parameters", "n", "R2", "RMSE", "chi2", "P", "C")
    rows = [(fit.law, _parameters(fit), *_statistics(fit)) for fit in report.alternatives]
    title = "Distributions of the density quotient, best first"
    return Table(title, header, rows, frozenset({0, 1}))


def _terms(report: LawsReport) -> Table:
    found = report.data.typicality
    sparse, dense = found.extremes(N_TERMS)
    title = (
        f"Term typicality of {len(found.terms):,} terms in at least {found.min_documents:,} "
        f"documents: {found.n_sparse:,} of sparse text (<= -.05), {found.n_dense:,} of dense (>= .05)"
    )
    if found.max_missed:
        title += f"; counts fall short by at most {found.max_missed:,}"
    rows = [
        (str(i + 1), *_pair(sparse, i), *_pair(dense, i))
        for i in range(max(len(sparse), len(dense)))
    ]
    header = ("rank", "sparse text", "epsilon", "dense text", "epsilon")
    return Table(title, header, rows, frozenset({1, 3}))


def _pair(terms: list[tuple[str, float]], i: int) -> tuple[str, str]:
    return (terms[i][0], f"{terms[i][1]:.2f}") if i < len(terms) else ("", "")


def _full_stop(report: LawsReport) -> Table:
    header = ("counted in", "n", "with stop", "entropy", "gain", "gain of cut", "accuracy", "cut")
    both = {"segments": report.full_stop_segments, "tokens": report.full_stop_tokens}
    rows = [
        (
            unit,
            f"{found.n:,}",
            _percent(found.share),
            f"{found.entropy:.3f}",
            f"{found.information_gain:.3f}",
            f"{found.cut_information_gain:.3f}",
            _percent(found.accuracy),
            f">= {found.cut}",
        )
        for unit, found in both.items()
    ]
    title = (
        "Full-stop criterion: entropy, and information gain of the density, in bits "
        "(published: gain .711, accuracy 91.4 %)"
    )
    return Table(title, header, rows)


def _classes(report: LawsReport) -> Table:
    table = report.data.class_density
    total = max(int(table.sum()), 1)
    rows = [
        (
            name,
            f"{words.sum():,}",
            _percent(words.sum() / total),
            str(words.argmax()),
            _percent(words[LONG_FROM:].sum() / max(words.sum(), 1)),
        )
        for name, words in zip(CLASSES, table.T, strict=True)
    ]
    header = ("", "words", "share", "mode", f"density >= {LONG_FROM}")
    return Table("Main text, other text and links, by the density of the blocks", header, rows)


def _templates(report: LawsReport) -> Table:
    overlap, found = report.overlap, report.data.templates
    from_six, from_nine = overlap.dense_stop_template
    rows = [
        ("distinct fingerprints", f"{len(found.frequencies):,}", "1,717,039"),
        ("templates by fingerprint", f"{found.n_templates:,}", "38,634"),
        ("counts fall short by at most", f"{found.max_missed:,}", "-"),
        ("tokens in templates", _percent(overlap.template), "28 %"),
        ("tokens in sparse segments", _percent(overlap.sparse), "23 %"),
        ("of template tokens, sparse", _percent(overlap.template_sparse), "47 %"),
        ("of sparse tokens, in templates", _percent(overlap.sparse_template), "-"),
        ("sparse text by the size of templates", f"{overlap.size_ratio:.2f}", ".84"),
        (
            "of sparse tokens, templates without full stop",
            *_both(overlap.sparse_plain_template, 63),
        ),
        ("of tokens from density 6, templates with full stop", *_both(from_six, 17)),
        ("of tokens from density 9, templates with full stop", *_both(from_nine, 20)),
        ("of template tokens, without full stop", *_both(overlap.template_plain, 53)),
    ]
    title = "Templates by fingerprint, and by density (sparse: at most 5)"
    return Table(title, ("", "here", "published"), rows)


def _both(share: float, published: int) -> tuple[str, str]:
    return _percent(share), f"{published} %"


def _top_segments(report: LawsReport) -> Table:
    rows = [(f"{count:,}", text or "(no letters)") for count, text in report.data.templates.top]
    return Table("Most frequent templates", ("frequency", "text"), rows, frozenset({1}))


def _stratum(report: LawsReport) -> Table:
    rows = [] if report.stratum is None else report.stratum.rows()
    url = "" if report.stratum is None else report.stratum.url
    return Table(f"Document {url}", ("", ""), rows)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
