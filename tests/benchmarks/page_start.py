"""A program that builds the model of one page and ends: what a second run costs to start.

Measured: 0.9 s of CPU, of which importing numba and one empty kernel are 0.8 (`empty_kernel`). The first run after an
install compiles for a quarter of a minute; a crawl, which needs all kernels, for a minute or two.
"""

from __future__ import annotations

from crawler.page import build_page

if __name__ == "__main__":
    model = build_page(
        b"<p>one <a href=/>page</a>", url="http://a.sample/", content_type="text/html"
    )
    assert model.blocks.text == ["one page"], model.blocks.text
