"""The inspector: all blocks of a page in one HTML file, coloured by label, with the reason for each.

The file needs nothing else and runs nothing of the page: all that comes from the page is escaped, and
its policy allows no script but the inspector's own, no image and no address. Blocks are in page order.
A label has its colour on all pages, and colour is not all that tells kept from other blocks: those have a double bar
and smaller, fainter text.

Above them stands the densitometric diagram of the page (:mod:`pipelines.boilerplate.renderers.density_diagram`), with
the borders of segments where the page has any.

With reasons (``pipelines.boilerplate.reasons``) the header says what was decided of the page, and below each block
stands its chance and what pushed it most; all that pushed it is shown for the block that has the focus. Blocks share
most of these words, so they are data, each text once, that the script puts below the blocks.

Cost: O(n); some 250 bytes a block beside its text, and at most 210,000 for the diagram.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from hashlib import sha256
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.wording import counted
from pipelines.boilerplate.renderers.density_diagram import (
    DIAGRAM_STYLE,
    Density,
    Group,
    density_diagram,
)
from pipelines.boilerplate.renderers.inspector_assets import SCRIPT, STYLE, label_colours
from pipelines.boilerplate.renderers.inspector_reasons import notes, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Labels
    from pipelines.boilerplate.reasons import Reasons

_SCRIPT_DIGEST = b64encode(sha256(SCRIPT.encode()).digest()).decode("ascii")
_POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; "
    f"script-src 'sha256-{_SCRIPT_DIGEST}'"
)
_STRIP_WIDTH = 1000.0
_HIDDEN = " (hidden)"
_PALE = ' opacity=".35"'
_HEAD = (
    '<div class="head" aria-hidden="true"><span></span><span>text</span><span>label</span>'
    "<span>kind</span><span>words</span><span>link density</span><span>text density</span></div>"
)
_KEYS = (
    "<kbd>j</kbd> <kbd>k</kbd> next and previous block, <kbd>n</kbd> <kbd>p</kbd> where kept text "
    "begins or ends, <kbd>1</kbd>–<kbd>9</kbd> show or hide a label"
)


class _Group(NamedTuple):
    """A label, and whether its blocks are kept."""

    label: str
    is_kept: bool


def inspector(
    page: PageModel,
    labels: Labels,
    *,
    method: str,
    name: str = "",
    reasons: Reasons | None = None,
) -> str:
    """Return *page* as an HTML file that shows each block with its label and what speaks for it.

    *name* says which page it is, *method* which cleaner labelled it. *reasons* are the cleaner's own; without
    them the label and the numbers of the block have to do. Raises ValueError when they are of some blocks and not
    of all.
    """
    blocks = page.blocks
    if reasons is not None and reasons.blocks and len(reasons.blocks) != len(blocks):
        raise ValueError(f"reasons must be {len(blocks)}, one a block, got {len(reasons.blocks)}")
    groups = [_Group(*pair) for pair in zip(labels.label, labels.kept.tolist(), strict=True)]
    n_words = blocks.n_words.tolist()
    legend = _legend(groups)
    title = page.title or name or "Page without a title"
    body = _rows(page, groups, legend) if groups else ""
    data = told(reasons) if reasons is not None and reasons.blocks else ""
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)} – {escape(method)}</title>',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width">',
            f"<style>{STYLE}{DIAGRAM_STYLE}{_label_rules(legend)}</style></head><body>",
            f'<header><h1 dir="auto"{_language(page)}>{escape(title)}</h1>',
            f'<p class="of">{_summary(name, method, groups, n_words)}</p>',
            _strip(groups, n_words, legend),
            notes(reasons) if reasons is not None and groups else "",
            _filters(
                groups,
                n_words,
                legend,
                has_more=reasons is not None and any(reason.pushes for reason in reasons.blocks),
            ),
            f'<p class="keys">{_KEYS}</p>{_HEAD if body else ""}</header>',
            f"<main>{_diagram(page, groups, legend)}<ol>\n{body}</ol></main>"
            if body
            else '<p class="empty">No text.</p>',
            f'<script type="application/json" id="told">{data}</script>' if data else "",
            f"<script>{SCRIPT}</script></body></html>",
        )
    )


def _language(page: PageModel) -> str:
    """Return the attribute that tells a browser which glyphs and voice the page wants."""
    return f' lang="{escape(page.declared_language)}"' if page.declared_language else ""


def _legend(groups: Sequence[_Group]) -> dict[_Group, int]:
    """Return the places of the groups: kept ones first, frequent ones before others."""
    counts = Counter(groups)
    order = sorted(counts, key=lambda group: (not group.is_kept, -counts[group], group.label))
    return {group: place for place, group in enumerate(order)}


def _label_rules(legend: dict[_Group, int]) -> str:
    rules = []
    for group, place in legend.items():
        light, dark = label_colours(group.label)
        rules.append(f".l{place} {{ --c: {light}; fill: {light}; }}")
        rules.append(
            f"@media (prefers-color-scheme: dark) {{ .l{place} {{ --c: {dark}; fill: {dark}; }} }}"
        )
        rules.append(f"body:has(#f{place}:not(:checked)) li.l{place} {{ display: none; }}")
    return "\n".join(rules)


def _summary(name: str, method: str, groups: Sequence[_Group], n_words: Sequence[int]) -> str:
    n_kept = sum(group.is_kept for group in groups)
    kept_words = sum(n for n, group in zip(n_words, groups, strict=True) if group.is_kept)
    share = f" ({kept_words / sum(n_words):.0%})" if n_words else ""
    said = (
        f"{n_kept:,} of {counted(len(groups), 'block')} and {kept_words:,} of {counted(sum(n_words), 'word')}"
        f"{share} kept by <b>{escape(method)}</b>"
    )
    return f"{said} · <bdi>{escape(name)}</bdi>" if name else said


def _strip(groups: Sequence[_Group], n_words: Sequence[int], legend: dict[_Group, int]) -> str:
    """Return the page as a strip: neighbours of one label as a bar, as long as they have words."""
    total = sum(n_words)
    bars: dict[_Group, list[str]] = {group: [] for group in legend}
    place = 0
    for group, run in groupby(zip(groups, n_words, strict=True), key=lambda pair: pair[0]):
        size = sum(n for _, n in run)
        start, width = _STRIP_WIDTH * place / total, _STRIP_WIDTH * size / total
        bars[group].append(f"M{start:.2f} 0h{width:.2f}v14h-{width:.2f}z")
        place += size
    paths = [
        f'<path class="l{legend[group]}"{"" if group.is_kept else _PALE} d="{"".join(its)}"/>'
        for group, its in bars.items()
    ]
    return (
        f'<svg class="strip" viewBox="0 0 {_STRIP_WIDTH:.0f} 14" preserveAspectRatio="none" role="img" '
        f'aria-label="The blocks of the page by label, as long as they have words">{"".join(paths)}</svg>'
    )


def _diagram(page: PageModel, groups: Sequence[_Group], legend: dict[_Group, int]) -> str:
    """Return the densitometric diagram of *page*, which can be folded away."""
    blocks = page.blocks
    density = Density(
        n_lines=blocks.n_lines.astype(np.int64),
        density=blocks.text_density,
        group=np.array([legend[group] for group in groups], dtype=np.int64),
        segment=None if page.segments is None else page.segments.astype(np.int64),
    )
    shown = [
        Group(f"{label} ({'kept' if is_kept else 'not kept'})", is_kept, f"l{place}")
        for (label, is_kept), place in legend.items()
    ]
    drawn = density_diagram(density, shown)
    return f'<details class="diagram" open><summary>Text density</summary>{drawn}</details>'


def _filters(
    groups: Sequence[_Group],
    n_words: Sequence[int],
    legend: dict[_Group, int],
    *,
    has_more: bool,
) -> str:
    n_blocks: Counter[_Group] = Counter(groups)
    words: Counter[_Group] = Counter()
    for group, n in zip(groups, n_words, strict=True):
        words[group] += n
    shown = [
        f'<label class="{_classes(group, place)}"><input class="f" type="checkbox" id="f{place}" checked>'
        f'<span class="dot"></span>{escape(group.label)}'
        f"<small>{'kept' if group.is_kept else 'not kept'}, {_count(n_blocks[group], 'block')}, "
        f"{_count(words[group], 'word')}</small></label>"
        for group, place in legend.items()
    ]
    if has_more:
        shown.append('<label><input type="checkbox" id="all">all reasons</label>')
    shown.append('<label><input type="checkbox" id="paths">tag paths</label>')
    return f"<fieldset><legend>Labels</legend>{''.join(shown)}</fieldset>"


def _count(n: int, unit: str) -> str:
    return f"{n:,} {unit}" if n == 1 else f"{n:,} {unit}s"


def _classes(group: _Group, place: int) -> str:
    return f"l{place}" if group.is_kept else f"l{place} no"


def _rows(
    page: PageModel,
    groups: Sequence[_Group],
    legend: dict[_Group, int],
) -> str:
    blocks = page.blocks
    language = _language(page)
    texts = list(blocks.text)
    for number, text in page.code_texts.items():
        texts[number] = text
    columns = zip(
        groups,
        texts,
        blocks.kind,
        blocks.path,
        blocks.n_words.tolist(),
        blocks.link_density.tolist(),
        blocks.text_density.tolist(),
        blocks.hidden.tolist(),
        strict=True,
    )
    rows = []
    for number, (group, text, kind, path, n_words, link, density, hidden) in enumerate(columns):
        level = f" k{kind[-1]}" if kind.startswith("heading") else ""
        rows.append(
            f'<li id=b{number} class="{_classes(group, legend[group])} {kind}">'
            f"<a class=n href=#b{number}>{number}</a>"
            f'<p class="t{level}" dir=auto{language}>{escape(text, quote=False)}</p>'
            f"<b class=l>{escape(group.label)}</b><span class=k>{kind}{_HIDDEN * hidden}</span>"
            f"<span class=w>{n_words:,}</span>"
            f"<span class=r><i style=--s:{100 * link:.0f}></i>{link:.2f}</span>"
            f"<span class=d>{density:.1f}</span>"
            f"<span class=path>{escape(path)}</span>\n"
        )
    return "".join(rows)
