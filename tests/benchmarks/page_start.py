"""A program that builds the model of one page and ends: what a second run costs to start."""

from __future__ import annotations

from crawler.page import build_page

if __name__ == "__main__":
    model = build_page(
        b"<p>one <a href=/>page</a>", url="http://a.sample/", content_type="text/html"
    )
    assert model.blocks.text == ["one page"], model.blocks.text
