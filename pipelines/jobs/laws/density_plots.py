"""The plots over text density: the histogram with its mixtures, full stops, templates, a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipelines.jobs.laws.gather import CLASSES
from pipelines.jobs.laws.unfitted import is_fitted, name_of, say_unfitted
from pipelines.jobs.sheets.drawing import (
    DATA,
    FIT,
    SECOND,
    SHADE,
    THIRD,
    figure,
    label,
    percent_axis,
)
from pipelines.linguistics.laws.beta_mixtures import beta_beta_gauss
from pipelines.linguistics.laws.density_templates import TEMPLATE_DENSITY
from pipelines.linguistics.term_typicality import SPARSE_DENSITY

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pipelines.jobs.laws.report import LawFit, LawsReport

# Denser text, and longer blocks, are too rare to see.
MAX_DENSITY = 25
MAX_BLOCK_WORDS = 80
DENSITY_AXIS = "text density, words a line"


def plot_density(report: LawsReport) -> Figure:
    """The token mass by density, and the mixtures that were fitted to it."""
    drawn, (panel,) = figure("Text density: the mass of tokens")
    shares = _shares(report.data.density_tokens.sum(axis=1))
    panel.bar(np.arange(len(shares)), shares, color=DATA, label="tokens of the corpus")
    keys = ("density_beta", "density_two_beta", "density_three_beta", "density_beta_beta_gauss")
    laws = [report.law(key) for key in keys]
    styles = (("#555", ":"), (THIRD, "--"), (SECOND, "--"), (FIT, "-"))
    for law, (color, style) in zip(laws, styles, strict=True):
        if is_fitted(law):
            panel.plot(law.fit.x, law.fit.fitted, style, color=color, label=name_of(law))
    if is_fitted(laws[-1]):
        _fill_parts(panel, laws[-1])
    say_unfitted(panel, laws)
    _density_axes(panel)
    return drawn


def _fill_parts(panel: Axes, law: LawFit) -> None:
    """Fill the areas under the three parts of the Beta-Beta-Gauss curve *law*."""
    parameters = law.fit.parameters
    x = np.linspace(0.05, min(parameters["x_norm"], MAX_DENSITY), 500)
    c, d = parameters["c"], parameters["d"]
    parts = (
        ("second Beta", {"c": c * (1 - d), "d": 0.0}, SECOND),
        ("first Beta", {"c": c * d, "d": 1.0}, FIT),
    )
    curve = beta_beta_gauss(x, parameters, parameters["x_norm"])
    for name, weights, color in parts:
        # Without the normal part, which has what is left of the weight c.
        only = {**parameters, **weights, "sigma": np.inf}
        part = beta_beta_gauss(x, only, parameters["x_norm"])
        panel.fill_between(x, part, color=color, alpha=0.25, lw=0, label=name)
        curve = curve - part
    panel.fill_between(x, curve, color=THIRD, alpha=0.25, lw=0, label="normal part")


def plot_classes(report: LawsReport) -> Figure:
    """The words of main text, of other text and of links, by density and by the words of their block.

    *Source: Kohlschütter 2011, section 4.4.4, figures 4.23 and 4.24*, of text that was labelled by hand.
    """
    drawn, panels = figure("Main text, other text, links: the mass of words", 2)
    data = report.data
    total = max(int(data.class_density.sum()), 1)
    axes = ((DENSITY_AXIS, MAX_DENSITY), ("words of the block", MAX_BLOCK_WORDS))
    tables = (data.class_density, data.class_words)
    for panel, table, (axis, most) in zip(panels, tables, axes, strict=True):
        below = np.zeros(len(table))
        for column, name, color in zip(table.T, CLASSES, (FIT, SECOND, SHADE), strict=True):
            text = f"{name}: {100 * data.class_density[:, CLASSES.index(name)].sum() / total:.1f} %"
            panel.bar(np.arange(len(table)), column / total, bottom=below, color=color, label=text)
            below += column / total
        panel.set_xlim(0, most)
        panel.set_ylim(top=1.45 * panel.get_ylim()[1])  # room for the legend
        percent_axis(panel)
        label(panel, axis, "share of the words")
    return drawn


def plot_full_stop(report: LawsReport) -> Figure:
    """The token mass of segments with and without full stop, and the best cut."""
    drawn, (panel,) = figure("Full-stop criterion: tokens with and without")
    tokens = report.data.density_tokens
    sides = (("full_stop_without", 0, SECOND, -0.2), ("full_stop_with", 1, FIT, 0.2))
    names = ("segments without full stop", "segments with full stop")
    for (key, column, color, shift), name in zip(sides, names, strict=True):
        law = report.law(key)
        shares = _shares(tokens[:, column])
        x = np.arange(len(shares)) + shift
        panel.bar(x, shares, width=0.4, color=color, alpha=0.45, label=name)
        if is_fitted(law):
            panel.plot(law.fit.x, law.fit.fitted, color=color, label=name_of(law))
    criterion = report.full_stop_segments
    text = f"best cut, {100 * criterion.accuracy:.1f} % of the segments"
    panel.axvline(criterion.cut - 0.5, color="#555", ls="--", lw=1, label=text)
    say_unfitted(panel, [report.law(side[0]) for side in sides])
    _density_axes(panel, "share of the tokens of either")
    return drawn


def plot_templates(report: LawsReport) -> Figure:
    """The token mass of templates by fingerprint, in that of all text and by itself."""
    drawn, (both, alone) = figure("Templates by fingerprint and by density", 2)
    tokens = report.data.template_tokens.sum(axis=2)
    total = max(int(tokens.sum()), 1)
    x = np.arange(len(tokens))
    both.bar(x, tokens[:, 1] / total, color=SHADE, label="in templates by fingerprint")
    both.bar(x, tokens[:, 0] / total, bottom=tokens[:, 1] / total, color=DATA, label="other text")
    for panel in (both, alone):
        text = f"templates by density: at most {TEMPLATE_DENSITY}"
        panel.axvline(TEMPLATE_DENSITY + 0.5, color="#555", ls="--", lw=1, label=text)
    alone.bar(x, _shares(tokens[:, 1]), color=SHADE, label="tokens in templates")
    law = report.law("templates_beta_beta_gauss")
    if is_fitted(law):
        alone.plot(law.fit.x, law.fit.fitted, color=FIT, label=name_of(law))
    say_unfitted(alone, [law])
    for panel in (both, alone):  # room for the legend above the mode
        panel.set_ylim(top=1.45 * panel.get_ylim()[1])
    _density_axes(both)
    _density_axes(alone, "share of the templates' tokens")
    return drawn


def plot_stratum(report: LawsReport) -> Figure:
    """The token mass of one document."""
    assert report.stratum is not None
    drawn, (panel,) = figure(f"Text density of {_shortened(report.stratum.url)}")
    shares = _shares(report.stratum.density_tokens)
    x = np.arange(len(shares))
    for chosen, color, name in (
        (x <= SPARSE_DENSITY, SECOND, "short text"),
        (x > SPARSE_DENSITY, FIT, "long text"),
    ):
        text = f"{name}: {100 * shares[chosen].sum():.1f} % of the tokens"
        panel.bar(x[chosen], shares[chosen], color=color, label=text)
    _density_axes(panel)
    return drawn


def _density_axes(panel: Axes, y: str = "share of the tokens") -> None:
    panel.set_xlim(0, MAX_DENSITY)
    percent_axis(panel)
    label(panel, DENSITY_AXIS, y)


def _shares(tokens: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    return np.asarray(tokens / max(int(tokens.sum()), 1))


def _shortened(url: str, size: int = 70) -> str:
    shown = url if len(url) <= size else f"{url[: size - 1]}…"
    return shown.replace("$", r"\$")
