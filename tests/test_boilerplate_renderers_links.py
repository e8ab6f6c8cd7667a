"""Links in Markdown: what they say, and where they lead."""

from __future__ import annotations

import numpy as np
import pytest

from crawler.page import build_page
from pipelines.boilerplate.labels import labels_of
from pipelines.boilerplate.renderers import markdown
from tests.test_boilerplate_renderers_markdown import written

LINKS = {
    "a <a href='c?d=1&amp;e=(2)'>b</a> c": "a [b](<http://a.sample/b/c?d=1&e=(2)>) c",
    "<a href=' /x\ty z\n'><b>b</b> and <i>i</i></a>": "[**b** and *i*](<http://a.sample/xy%20z>)",
    "<a href=javascript:x>a</a> <a href=#b>b</a> <a>c</a>": "a b c",
    "<a href='mailto:me@a.sample'>a]b</a>": "[a\\]b](<mailto:me@a.sample>)",
    "<a href=x><p>a<p>b</a><p>c": "[a](<http://a.sample/b/x>)\n\n[b](<http://a.sample/b/x>)\n\nc",
    # The place on the page stays, and steps up are gone.
    "<a href='../c/./d?e=/../f#g'>a</a>": "[a](<http://a.sample/c/d?e=/../f#g>)",
    "<a href='//b.sample#h'>a</a>": "[a](<http://b.sample#h>)",
    "<a href='?i=1#j'>a</a>": "[a](<http://a.sample/b/?i=1#j>)",
    "<a href=x>a<br>- <b>b</b></a>": "[a  \n\\- **b**](<http://a.sample/b/x>)",
    "<h2><a href=x>a<br>b</a></h2>": "## [a b](<http://a.sample/b/x>)",
    "<a href='http://b.sample/ü\u3000\"/?ü'>a</a>": "[a](<http://b.sample/ü%E3%80%80%22/?ü>)",
    "<ul><li><a href=x>a<li>b</ul>": "- [a](<http://a.sample/b/x>)\n- b",
}


@pytest.mark.parametrize("source", LINKS)
def test_links(source):
    assert written(source, links=True) == LINKS[source]


def test_queries_of_links_are_escaped_in_the_charset_of_the_page():
    """As browsers send them, and a crawl fetches them; the path is UTF-8 on any page."""
    source = "<a href='/房?k=房&a=1#房'>a</a> <a href='mailto:a@b.sample?subject=房'>b</a>".encode(
        "gbk"
    )
    found = written(source, links=True, content_type="text/html;charset=gbk")
    assert found == "[a](<http://a.sample/房?k=%B7%BF&a=1#房>) [b](<mailto:a@b.sample?subject=房>)"


def test_links_of_a_file_stay_as_they_are_written():
    page = build_page(b"<a href=../x>a</a>", url="file:///tmp/a.html", content_type=None)
    assert markdown(page, labels_of(np.ones(1, np.bool_)), with_links=True) == "[a](<../x>)"
