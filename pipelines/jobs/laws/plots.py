"""The plots of a report of the laws, one PNG file each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.jobs.laws.density_plots import (
    MAX_BLOCK_WORDS,
    plot_classes,
    plot_density,
    plot_full_stop,
    plot_stratum,
    plot_templates,
)
from pipelines.jobs.laws.report import N_TERMS
from pipelines.jobs.laws.unfitted import is_fitted, name_of, say_unfitted
from pipelines.jobs.sheets.drawing import (
    DATA,
    FIT,
    SECOND,
    figure,
    label,
    logarithmic_counts,
    percent_axis,
    thinned,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pipelines.jobs.laws.report import LawFit, LawsReport

# The largest class of quotients that is drawn; what is above is too rare to see.
MAX_QUOTIENT = 25
MAX_TOKEN_CHARS = 16
MAX_SENTENCE_WORDS = 79


def plot_frumkina(report: LawsReport) -> Figure:
    """Shares of the density quotient classes, on a logarithmic axis."""
    drawn, (panel,) = figure("Frumkina's law: text density quotient of neighbours")
    law = report.law("frumkina")
    fit = law.fit
    panel.bar(fit.x, fit.y, color=DATA, label="segments of the corpus")
    if is_fitted(law):
        panel.plot(fit.x, fit.fitted, "o-", ms=4, color=FIT, label=name_of(law))
    panel.set_yscale("log")
    panel.set_xlim(0.3, MAX_QUOTIENT + 0.7)
    say_unfitted(panel, [law])
    label(panel, "density quotient class", "pairs of segments")
    return drawn


def plot_zipf(report: LawsReport) -> Figure:
    """Relative frequency of the segments' lengths, both axes logarithmic."""
    drawn, (panel,) = figure("Zipf's law: tokens of the segments")
    law = report.law("zipf")
    _points_and_curve(panel, law, log=True)
    logarithmic_counts(panel)
    panel.set_yscale("log")
    if len(law.fit.y):
        panel.set_ylim(0.5 * law.fit.y[law.fit.y > 0].min(), 3)
    label(panel, "tokens of a segment", "frequency, that of one token = 1")
    return drawn


def plot_menzerath_altmann(report: LawsReport) -> Figure:
    """Rank sequences of the documents' averages."""
    drawn, panels = figure("Menzerath-Altmann: averages of the documents by rank", 3)
    for panel, key in zip(panels, ("rank_token_length", "rank_density", "rank_ratio"), strict=True):
        law = report.law(key)
        _points_and_curve(panel, law)
        panel.set_title(law.subject, fontsize=10)
        panel.set_ylim(0, 1.05)
        label(panel, "rank of the document", "average, largest = 1")
    return drawn


def plot_lavalette(report: LawsReport) -> Figure:
    """Frequencies by scaled rank: straight lines in the logit of the rank."""
    drawn, panels = figure("Lavalette's law: frequencies by rank", 3)
    keys = ("lavalette_documents", "lavalette_ratio", "lavalette_fingerprints")
    for panel, key in zip(panels, keys, strict=True):
        law = report.law(key)
        _points_and_curve(panel, law, log=True)
        panel.set_title(law.subject, fontsize=10)
        panel.set_yscale("log")
        if len(law.fit.y):
            panel.set_ylim(0.3 * law.fit.y.min(), 2)
        label(panel, "rank, scaled to 0..1", "frequency, largest = 1")
    return drawn


def plot_token_length(report: LawsReport) -> Figure:
    """Tokens by the average token length of their segment."""
    drawn, (panel,) = figure("Average token length: Beta")
    law = report.law("token_length")
    _bars_and_curve(panel, law)
    panel.set_xlim(0, MAX_TOKEN_CHARS)
    percent_axis(panel)
    label(panel, "average token length of the segment, characters", "share of the tokens")
    return drawn


def plot_sentence_length(report: LawsReport) -> Figure:
    """Sentences by their words."""
    drawn, (panel,) = figure("Sentence length: Beta")
    law = report.law("sentence_length")
    _bars_and_curve(panel, law)
    panel.set_xlim(0, MAX_SENTENCE_WORDS)
    percent_axis(panel)
    label(panel, "words of a sentence, in segments with a full stop", "share of the sentences")
    return drawn


def plot_random_writer(report: LawsReport) -> Figure:
    """Block lengths, with the one and the two kinds of text that a writer chooses from."""
    drawn, (panel,) = figure("Random writer: words of the atomic blocks")
    one, two = report.law("random_writer"), report.law("stratified_random_writer")
    observed = one.fit if len(one.fit.x) else two.fit
    panel.plot(observed.x, observed.y, ".", color=DATA, label="blocks of the corpus")
    for law, color in ((one, SECOND), (two, FIT)):
        if is_fitted(law):
            panel.plot(law.fit.x, law.fit.fitted, color=color, label=name_of(law))
    if report.word_threshold is not None:
        text = f"long text from {report.word_threshold} words"
        panel.axvline(report.word_threshold, color="#555", ls="--", lw=1, label=text)
    panel.set_yscale("log")
    panel.set_xlim(0, MAX_BLOCK_WORDS)
    shown = observed.y[: MAX_BLOCK_WORDS + 1]
    if (shown > 0).any():
        panel.set_ylim(0.5 * shown[shown > 0].min(), 1)
    say_unfitted(panel, [one, two])
    label(panel, "words of a block", "share of the blocks")
    return drawn


def plot_terms(report: LawsReport) -> Figure:
    """The most typical terms of sparse and of dense text."""
    found = report.data.typicality
    title = f"Term typicality (terms of at least {found.min_documents:,} documents)"
    drawn, panels = figure(title, 2)
    sides = zip(panels, found.extremes(N_TERMS), (SECOND, FIT), ("sparse", "dense"), strict=True)
    for panel, terms, color, name in sides:
        rows = np.arange(len(terms))
        panel.barh(rows, [epsilon for _, epsilon in terms], color=color)
        panel.set_yticks(rows, [term.replace("$", r"\$") for term, _ in terms], fontsize=8)
        panel.invert_yaxis()
        panel.grid(visible=False, axis="y")
        panel.set_title(f"typical of {name} text", fontsize=10)
        if not terms:
            panel.text(0.5, 0.5, "no such term", transform=panel.transAxes, ha="center")
        label(panel, "epsilon", "", legend=False)
    return drawn


_PLOTS: dict[str, Callable[[LawsReport], Figure]] = {
    "frumkina": plot_frumkina,
    "zipf": plot_zipf,
    "menzerath_altmann": plot_menzerath_altmann,
    "density": plot_density,
    "classes": plot_classes,
    "token_length": plot_token_length,
    "sentence_length": plot_sentence_length,
    "lavalette": plot_lavalette,
    "term_typicality": plot_terms,
    "full_stop": plot_full_stop,
    "templates": plot_templates,
    "random_writer": plot_random_writer,
    "document": plot_stratum,
}
ALL_PLOTS = tuple(_PLOTS)


def plots_of(report: LawsReport) -> dict[str, Callable[[LawsReport], Figure]]:
    """Return the plots that *report* has, by the name of their file."""
    chosen = dict(_PLOTS)
    if report.stratum is None:
        del chosen["document"]
    return chosen


def _points_and_curve(panel: Axes, law: LawFit, *, log: bool = False) -> None:
    x, y = thinned(law.fit.x, law.fit.y, log=log)
    panel.plot(x, y, ".", ms=4, color=DATA, label="corpus")
    if is_fitted(law):
        x, fitted = thinned(law.fit.x, law.fit.fitted, log=log)
        panel.plot(x, fitted, color=FIT, label=name_of(law))
    say_unfitted(panel, [law])


def _bars_and_curve(panel: Axes, law: LawFit) -> None:
    panel.bar(law.fit.x, law.fit.y, color=DATA, label="corpus")
    if is_fitted(law):
        panel.plot(law.fit.x, law.fit.fitted, "o-", ms=3, color=FIT, label=name_of(law))
    say_unfitted(panel, [law])
