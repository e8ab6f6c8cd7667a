"""A page of tables and plots: one HTML file that needs no other.

*On disk.* UTF-8; the plots are inline PNG (data URLs). No script, nothing is fetched.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.jobs.sheets.table import Table

_STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; overflow-wrap: anywhere } h2 { font-size: 1.1rem; margin: 2.2rem 0 .6rem }
table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto }
th, td { padding: .25rem .7rem; border-bottom: 1px solid #8883; text-align: right; vertical-align: top }
th { border-bottom: 1px solid #888; font-weight: 600 } .left { text-align: start }
td { font-variant-numeric: tabular-nums }
figure { margin: 1.4rem 0 } img { max-width: 100%; height: auto; background: #fff }
"""


class Plot(NamedTuple):
    """A plot as bytes of a PNG file; *name* is what is read out in its place."""

    name: str
    png: bytes


def page(title: str, parts: Sequence[Table | Plot]) -> str:
    """Return the page *title* with *parts* in their order."""
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>",
        body(parts),
        "</body></html>",
    ]
    return "\n".join(lines) + "\n"


def body(parts: Sequence[Table | Plot]) -> str:
    """Return *parts* as markup, for a page that has a head and a style of its own."""
    return "\n".join(_figure(part) if isinstance(part, Plot) else _table(part) for part in parts)


def _table(table: Table) -> str:
    header = _row("th", table.header, table.left)
    rows = "\n".join(_row("td", row, table.left) for row in table.rows)
    head = f"<thead>{header}</thead>" if any(table.header) else ""
    return f"<h2>{escape(table.title)}</h2>\n<table>{head}<tbody>\n{rows}\n</tbody></table>"


def _row(tag: str, cells: Sequence[str], left: frozenset[int]) -> str:
    shown = [
        f'<{tag} class="left" dir="auto">{escape(cell)}</{tag}>'
        if i in left
        # A narrow column would set the sign on a line of its own.
        else f"<{tag}>{escape(cell).replace(' %', '&nbsp;%')}</{tag}>"
        for i, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(shown)}</tr>"


def _figure(plot: Plot) -> str:
    data = b64encode(plot.png).decode("ascii")
    return f'<figure><img alt="{escape(plot.name)}" src="data:image/png;base64,{data}"></figure>'
