"""The numbers of lists in Markdown are those that the page shows."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.page import PageRules, build_page
from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import markdown


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<ol><li>a<li value=5>b<li>c</ol>", "1. a\n\n5) b\n6) c"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n\n1) b"),
        ("<ol start=10 reversed=''><li>a<li><img><li>b</ol>", "10. a\n\n8) b"),
        ("<ol class='list reversed x'><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=' 12345'><li>a</ol>", "12345. a"),
        ("<ol title='a start=3'><li title='of value=7'>a<li>b</ol>", "1. a\n2. b"),
        # Markdown has no such numbers.
        ("<ol start=-3><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol reversed start=1><li>a<li>b<li>c</ol>", "1. a\n2. b\n3. c"),
        ("<ol start=999999999><li>a<li>b</ol>", "1. a\n2. b"),
        # Items that are not shown count.
        ("<ol><li>x<li>x<li>c<li>x<li>e</ol>", "3. c\n\n5) e"),
        ("<ol start=5><li><img><li>f</ol>", "6. f"),
        ("<ol><li value=7>g<li>h</ol>", "7. g\n8. h"),
        ("<ol><li value=7>x<li>h</ol>", "8. h"),
        ("<ul><li>x<li value=3>b</ul>", "- b"),
        # What stands beside the items has no number.
        (
            "<ol>c<li>a<p>b</li><div>d</div><pre>e</pre><li>f</ol>",
            "c\n\n1. a\n\n   b\n\n   d\n\n   ```\n   e\n   ```\n\n2. f",
        ),
        ("<ul><li>a</li><ol>c<li>d</ol></ul><ol>e</ol>", "- a\n\n  c\n\n  1. d\n\ne"),
        # Within an item, and within a cell.
        ("<ul><li>a<ol><li>b<li value=4>c</ol><li>d</ul>", "- a\n\n  1. b\n\n  4) c\n\n- d"),
        (
            "<table><tr><th>a<th>b<tr><td>c<td><ol reversed><li>d<li>e</ol></table>",
            "| a | b |\n| --- | --- |\n| c | 2. d<br>1. e |",
        ),
        (
            "<table><tr><td value=3>a<td start=2>b<tr><td>c<td>d</table>",
            "| a | b |\n| --- | --- |\n| c | d |",
        ),
    ],
)
def test_items_have_the_numbers_that_the_page_shows_and_cells_have_none(source, expected):
    page = build_page(
        source.encode(), url="http://a.sample/", content_type="text/html", rules=PageRules()
    )
    kept = np.array(["x" not in text for text in page.blocks.text], np.bool_)
    assert markdown(page, labels_of(kept)) == expected
