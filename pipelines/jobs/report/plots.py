"""The plots of a report of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from pipelines.jobs.report.facts import NONE
from pipelines.jobs.sheets.drawing import (
    DATA,
    SECOND,
    figure,
    label,
    logarithmic_counts,
    percent_axis,
    png,
    thinned,
)
from pipelines.jobs.sheets.page import Plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pipelines.jobs.report.facts import CorpusFacts

# Languages and years that are drawn.
N_LANGUAGES, N_YEARS = 12, 40


def plots_of(facts: CorpusFacts) -> list[Plot]:
    """Return the plots of *facts*, none of a corpus without documents."""
    if not facts.n_documents:
        return []
    drawn = {
        "words a document": plot_lengths(facts),
        "words by language": plot_languages(facts),
        "documents by host": plot_hosts(facts),
    }
    if set(facts.years) - {NONE}:
        drawn["documents by year"] = plot_years(facts)
    return [Plot(name, png(each)) for name, each in drawn.items()]


def plot_lengths(facts: CorpusFacts) -> Figure:
    """Draw how many documents have 1, 2 to 3, 4 to 7 … words."""
    drawn, (panel,) = figure("Words a document")
    powers = np.arange(min(facts.lengths), max(facts.lengths) + 1)
    shares = [facts.lengths[int(power)] / facts.n_documents for power in powers]
    panel.bar(powers, shares, width=0.9, color=DATA)
    panel.set_xticks(powers, [f"{2**power:,}" for power in powers.tolist()], rotation=45)
    percent_axis(panel)
    label(panel, "words, from … to less than twice as many", "share of the documents")
    return drawn


def plot_languages(facts: CorpusFacts) -> Figure:
    """Draw how many words each language has, over a logarithmic axis."""
    counts = facts.counted["language"]
    found = counts.by_words(N_LANGUAGES)
    title = "Words by language"
    if len(found) < len(counts):
        title += f", {len(found)} of {len(counts)}"
    drawn, (panel,) = figure(title)
    panel.barh([name for name, _ in found], [max(count.words, 1) for _, count in found], color=DATA)
    logarithmic_counts(panel)
    panel.invert_yaxis()
    label(panel, "words", "language")
    return drawn


def plot_hosts(facts: CorpusFacts) -> Figure:
    """Draw the documents of hosts by rank, both axes logarithmic."""
    drawn, (panel,) = figure("Documents by host")
    counts = facts.hosts.documents().astype(np.float64)
    ranks, shown = thinned(np.arange(1.0, len(counts) + 1), counts, log=True)
    panel.loglog(ranks, shown, ".", color=SECOND)
    label(panel, "rank of the host", "documents")
    return drawn


def plot_years(facts: CorpusFacts) -> Figure:
    """Draw the documents by the year that they are dated to, the latest years that there are."""
    drawn, (panel,) = figure("Documents by year")
    found = [(year, count.n) for year, count in facts.years.by_name() if year.isdigit()][-N_YEARS:]
    panel.bar([int(year) for year, _ in found], [n for _, n in found], width=0.9, color=DATA)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    label(panel, "year", "documents")
    return drawn
