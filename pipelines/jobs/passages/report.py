"""What shared passages were found: as text, as an object, and as a page with the passages marked."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]

# Of a passage, on a screen.
_SHOWN_CHARS = 300
_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:16px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em;overflow-wrap:anywhere}"
    "mark{background:#fd8;color:#000}mark.many{background:#fb5}pre{white-space:pre-wrap;font:inherit}"
    "table{border-collapse:collapse;width:100%}td,th{border:1px solid #8888;padding:.4em;"
    "vertical-align:top;text-align:start}td{width:50%}"
)


@dataclass(frozen=True, slots=True)
class Copied:
    """A passage: its characters in the document and in the source, and the words that are equal."""

    start: int
    end: int
    source_start: int
    source_end: int
    n_words: int
    text: str
    source_text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A document with shared passages, in the order of the document that was asked for."""

    name: str
    words: int
    shared_words: int
    passages: tuple[Copied, ...]


@dataclass(frozen=True, slots=True)
class PassageReport:
    """The sources of document *name*; *covered_words* of its *words* stand in one passage or more.

    *n_more* documents share n-grams too, fewer than those that were compared, and were not.
    """

    name: str
    text: str
    words: int
    covered_words: int
    sources: tuple[Source, ...]
    n_more: int = 0


def n_covered(spans: I64, passages: Sequence[tuple[int, int]]) -> int:
    """Return how many of the words at *spans* lie within one of *passages*."""
    is_covered = np.zeros(len(spans), dtype=np.bool_)
    for start, end in passages:
        first, last = np.searchsorted(spans[:, 0], (start, end))
        is_covered[first:last] = True
    return int(is_covered.sum())


def screen(report: PassageReport) -> str:
    """Return the report as lines for people."""
    lines = [f"{report.name}: {_share(report)}"]
    for source in report.sources:
        lines += ["", f"{source.name}: {counted(source.shared_words, 'word')}"]
        for passage in source.passages:
            places = (
                f"{passage.start}-{passage.end}, there {passage.source_start}-{passage.source_end}"
            )
            lines += [
                f"  {counted(passage.n_words, 'word')} at {places}",
                f"    {_shortened(passage.text)}",
            ]
    return "\n".join(lines)


def page(report: PassageReport) -> str:
    """Return the report as an HTML page that loads nothing: the text marked, then each source."""
    name = escape(report.name)
    parts = [
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Passages of {name}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE}</style></head><body><h1>{name}</h1>",
        f"<p>{escape(_share(report))}</p>",
        f'<pre dir="auto">{"".join(_marked(report))}</pre>',
    ]
    for number, source in enumerate(report.sources, 1):
        parts.append(
            f"<h2>{number}. {escape(source.name)}</h2><p>{counted(source.shared_words, 'word')}</p>"
            "<table><tr><th>here</th><th>there</th></tr>"
        )
        parts += [
            f'<tr><td dir="auto">{escape(each.text)}</td><td dir="auto">{escape(each.source_text)}</td></tr>'
            for each in source.passages
        ]
        parts.append("</table>")
    return "\n".join([*parts, "</body></html>"])


def _share(report: PassageReport) -> str:
    share = report.covered_words / report.words if report.words else 0.0
    return (
        f"{report.covered_words:,} of {counted(report.words, 'word')} ({share:.1%}) "
        f"in passages of {counted(len(report.sources), 'source')}"
        f"{f'; {report.n_more:,} more share less (--limit)' if report.n_more else ''}"
    )


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    if len(line) <= _SHOWN_CHARS:
        return line
    return f"{line[: _SHOWN_CHARS // 2]} … {line[-_SHOWN_CHARS // 2 :]}"


def _marked(report: PassageReport) -> Iterator[str]:
    """Yield the text in pieces, those in passages of a source marked, of several more so."""
    changes: dict[int, int] = {0: 0, len(report.text): 0}
    for source in report.sources:
        for passage in source.passages:
            changes[passage.start] = changes.get(passage.start, 0) + 1
            changes[passage.end] = changes.get(passage.end, 0) - 1
    depth = 0
    for start, end in pairwise(sorted(changes)):
        depth += changes[start]
        piece = escape(report.text[start:end])
        if depth == 0:
            yield piece
        else:
            yield f'<mark class="many">{piece}</mark>' if depth > 1 else f"<mark>{piece}</mark>"
