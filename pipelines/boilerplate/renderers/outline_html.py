"""An outline as plain HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pipelines.boilerplate.renderers.formulas import DISPLAYED
from pipelines.boilerplate.renderers.nodes import Code, List, Paragraph, Quote, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

from pipelines.boilerplate.renderers.nodes import Node, Piece


def outline_html(nodes: Sequence[Node]) -> str:
    r"""Return *nodes* as HTML, everything in them escaped.

    >>> outline_html([Quote([Code("a < b")])])
    '<blockquote>\n<pre>a &lt; b</pre>\n</blockquote>'
    """
    return "\n".join(map(_node, nodes))


def _node(node: Node) -> str:
    if isinstance(node, Paragraph):
        name = f"h{node.level}" if node.level else "p"
        return f"<{name}>{_pieces(node.pieces)}</{name}>"
    if isinstance(node, Code):
        return f"<pre>{escape(node.text, quote=False)}</pre>"
    if isinstance(node, Quote):
        return f"<blockquote>\n{outline_html(node.children)}\n</blockquote>"
    if isinstance(node, Table):
        rows = ["".join(f"<td>{_cell(cell)}</td>" for cell in row) for row in node.rows]
        return "<table>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"
    return _list(node)


def _cell(nodes: Sequence[Node]) -> str:
    if len(nodes) == 1 and isinstance(nodes[0], Paragraph):
        return _pieces(nodes[0].pieces)
    return outline_html(nodes)


def _list(node: List) -> str:
    start, end = "<ul>", "</ul>"
    if node.first is not None:
        start, end = "<ol>" if node.first == 1 else f'<ol start="{node.first}">', "</ol>"
    return "\n".join((start, *(f"<li>{outline_html(item)}</li>" for item in node.items), end))


def _pieces(pieces: Sequence[Piece]) -> str:
    return "".join(map(_piece, pieces))


def _piece(piece: Piece) -> str:
    html = escape(piece.text, quote=False).replace("\n", "<br>\n")
    if piece.formula:
        html = rf"\[{html}\]" if piece.formula == DISPLAYED else rf"\({html}\)"
    for name, is_on in (
        (piece.raised, piece.raised),
        ("s", piece.struck),
        ("code", piece.code),
        ("em", piece.emphasis),
        ("strong", piece.strong),
    ):
        html = f"<{name}>{html}</{name}>" if is_on else html
    return html if piece.href is None else f'<a href="{escape(piece.href)}">{html}</a>'
