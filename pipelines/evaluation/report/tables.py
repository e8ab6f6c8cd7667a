"""The screen of a run: a table a measure, what each subject cost, what did not run, a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipelines.evaluation.report.comparison import MethodComparison
    from pipelines.evaluation.report.summary import Row, SetScore, Summary

# The mark of a set that a subject returned all text of.
ALL_TEXT = "*"
_HEADER_CHARS = 10
# Between two columns.
_GAP_CHARS = 2
# The columns behind the macro average, and the fields of its score, of a measure that is averaged over pages and of a
# pooled one.
_AVERAGED = {"precision": "precision", "recall": "recall", "median": "median", "sigma": "stability"}
_HIDDEN = {"own": "winnow without, others with it", "keep": "keep", "drop": "drop"}
_POOLED = {"precision": "precision", "recall": "recall", "F0.5": "f_half"}


def screen(
    summary: Summary, comparison: MethodComparison | None = None, *, max_chars: int | None = None
) -> str:
    """Return the tables of a run as text, and *comparison* where there is one; lines as those of `aligned`."""
    parts = [_scores_table(summary, measure, max_chars) for measure in summary.rows]
    unused = [name for name in summary.run.measures if name not in summary.rows]
    if unused:
        parts.append("\n".join(f"{name}: no page has what it compares with" for name in unused))
    parts.append(_costs_table(summary, max_chars))
    if summary.run.missing:
        parts.append("\n".join(f"{name}: {why}" for name, why in summary.run.missing.items()))
    if comparison is not None:
        parts.append(_comparison_table(comparison, max_chars))
    return "\n\n".join(parts)


def _scores_table(summary: Summary, measure: str, max_chars: int | None) -> str:
    run, table, cost = summary.run, summary.rows[measure], summary.costs
    sets = [name for name in run.datasets if any(name in row.sets for row in table)]
    shown = _POOLED if any(row.macro.f_half is not None for row in table) else _AVERAGED
    lines = [["", *sets, "macro", *shown, "us a page"]]
    for row in table:
        all_text = cost[row.subject].all_text
        lines.append(
            [
                row.subject,
                *(_cell(row.sets.get(name), marked=name in all_text) for name in sets),
                _cell(row.macro, marked=False),
                *(_field(row.macro, field) for field in shown.values()),
                "-" if row.subject in summary.untimed else f"{cost[row.subject].micros_a_page:.0f}",
            ]
        )
    n_pages = ["pages", *(str(max(_n_pages(table, name))) for name in sets)]
    blanks = [""] * (len(shown) + 1)
    lines.insert(1, [*n_pages, str(max(row.macro.n_pages for row in table)), *blanks])
    title = f"{measure}: F1 ±bootstrap standard error"
    if any(cost[row.subject].all_text for row in table):
        title += f"; {ALL_TEXT} all text of the set was returned"
    return "\n".join([title, *aligned(lines, max_chars)])


def _n_pages(table: Sequence[Row], name: str) -> Iterable[int]:
    return (row.sets[name].n_pages for row in table if name in row.sets)


def _cell(score: SetScore | None, *, marked: bool) -> str:
    if score is None:
        return "-"
    return f"{_share(score.f1)}±{_share(score.error)}{ALL_TEXT if marked else ''}"


def _field(score: SetScore, field: str) -> str:
    value = _share(getattr(score, field))
    error = f"{field}_error"
    return f"{value}±{_share(getattr(score, error))}" if hasattr(score, error) else value


def _share(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}".removeprefix("0")


def _costs_table(summary: Summary, max_chars: int | None) -> str:
    run = summary.run
    lines = [["", "CPU s", "us a page", "ms a KiB", "failed pages"]]
    for cost in sorted(summary.costs.values(), key=lambda one: one.secs):
        failed = ", ".join(f"{name} {n}" for name, n in sorted(cost.errors.items()))
        named = cost.subject
        if named in run.versions:
            named += f" {run.versions[named]}"
        times = [
            f"{cost.secs:.2f}",
            f"{cost.micros_a_page:.0f}",
            f"{cost.millis_a_kilobyte:.4f}",
        ]
        shown = ["-"] * len(times) if cost.subject in summary.untimed else times
        lines.append([named, *shown, failed or "-"])
    title = f"time on {counted(len(run.pages), 'page')} (hidden text: {_HIDDEN[run.hidden]})"
    if summary.by_the_clock:
        title += "; of proxies by the clock, from the end of serving on"
    return "\n".join([title, *aligned(lines, max_chars)])


def _comparison_table(told: MethodComparison, max_chars: int | None) -> str:
    lines = [
        ["", "difference", "95% interval", "p bootstrap", "p permutation", "better/equal/worse"]
    ]
    for name, one in told.sets.items():
        result = one.result
        lines.append(
            [
                name,
                f"{result.difference:+.4f}",
                f"{result.low:+.4f} to {result.high:+.4f}",
                f"{result.p_bootstrap:.4f}",
                f"{result.p_permutation:.4f}",
                f"{one.n_better}/{one.n_equal}/{one.n_worse}",
            ]
        )
    title = f"{told.first} minus {told.second}: {told.measure}, the same pages"
    return "\n".join([title, *aligned(lines, max_chars)])


def aligned(lines: Sequence[Sequence[str]], max_chars: int | None = None) -> list[str]:
    """Return *lines* as columns, the first to the left; long heads of columns on two lines.

    Columns that would make a line longer than *max_chars* follow below, each time beside the first.
    """
    head = [_folded(cell) for cell in lines[0]]
    table = [[upper for upper, _ in head], [lower for _, lower in head], *lines[1:]]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    shown: list[str] = []
    for places in _fitting(widths, max_chars):
        shown += [""] * bool(shown)
        # The upper line of the heads, and rows that end in an earlier table, may have nothing here.
        rows = (row for row in table if any(row[place] for place in places[1:]))
        shown += [_line(row, widths, places) for row in rows]
    return shown


def _fitting(widths: Sequence[int], max_chars: int | None) -> list[list[int]]:
    """Return the places of the columns of each table: the first, and as many others as there is room for."""
    tables = [[0]]
    n_chars = widths[0]
    for place, width in enumerate(widths[1:], 1):
        n_chars += _GAP_CHARS + width
        if max_chars is not None and n_chars > max_chars and len(tables[-1]) > 1:
            tables.append([0])
            n_chars = widths[0] + _GAP_CHARS + width
        tables[-1].append(place)
    return tables


def _line(row: Sequence[str], widths: Sequence[int], places: Sequence[int]) -> str:
    cells = [
        row[place].rjust(widths[place]) if place else row[place].ljust(widths[place])
        for place in places
    ]
    return (" " * _GAP_CHARS).join(cells).rstrip()


def _folded(name: str) -> tuple[str, str]:
    """Return *name* on two lines where it is long and has a hyphen or a slash to part it at."""
    if len(name) <= _HEADER_CHARS:
        return "", name
    cut = max(name.rfind("-", 0, -1), name.rfind("/", 0, -1)) + 1
    return (name[:cut], name[cut:]) if cut else ("", name)
