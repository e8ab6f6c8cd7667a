"""Paragraphs of pages that have no tag for them, in Markdown."""

from __future__ import annotations

import pytest

from tests.test_boilerplate_renderers_markdown import written

GOLDEN = {
    "a<br>b": "a  \nb",
    "a<br> <br/>\n<br>- b": "a\n\n\\- b",
    "<b>a</b><br><br>- <i>b<br><br>c</i>": "**a**\n\n\\- *b*\n\n*c*",
    "<br><br>a<br><br>": "a",
    "<ul><li>a<br><br>b</ul>": "- a\n\n  b",
    "<blockquote>a<br><br>b</blockquote>": "> a\n>\n> b",
    # A heading is one, and a cell of a table is one line; the cells of layout hold paragraphs.
    "<h2>a<br><br>b</h2>": "## a b",
    "<table><tr><th>a<th>b<tr><td>c<br><br>d<td>e</table>": "| a | b |\n| --- | --- |\n| c<br>d | e |",
    "<table><tr><td>a<br><br>b</table>": "a\n\nb",
    "<pre>a<br><br>b</pre>": "```\na\n\nb\n```",
}


@pytest.mark.parametrize("source", GOLDEN)
def test_two_line_breaks_end_a_paragraph(source):
    assert written(source, inline="phrasing") == GOLDEN[source]
