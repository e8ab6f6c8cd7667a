"""Small sites for the tests of template detectors: pages with a menu, an article of their own, and a footer."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.structures import page

MENU = (
    "<div class=menu><a href=/>Home of all</a> <a href=/news>News of the day and of the night</a>"
    # of a pagelet three links are
    "<a href=/1></a><a href=/2></a></div>"
)
FOOTER = "<div class=end>Copyright of everybody who has ever written something for this site</div>"


def article(number: int) -> str:
    own = chr(ord("a") + number)
    return (
        f"<h1>{own}headline {own}of</h1><p>{own}text {own}about {own}alpha {own}beta.</p>"
        f"<p>{own}second <b>{own}bold</b> {own}words{own}</p>"
    )


def site_page(number: int, *, menu: str = MENU, footer: str = FOOTER):
    """A page of the site: its tables hold the menu and the article."""
    body = "".join(f"<table><tr><td>{part}</table>" for part in (menu, article(number)))
    return page(f"<html><body>{body}{footer}</body></html>")


PARTS = (
    "<div>menu of site</div>",
    "<div class=a>menu of site</div>",
    "<p>one two <b>three</b> four</p>",
    "<ul><li>first item<li>second item</ul>",
    "<table><tr><td>cell one<td>cell two</table>",
    "<table><tr><td>cell one<td><table><tr><td>inner<td>other</table>tail</table>",
    "loose text",
    "<div><p>deep</p><div>deeper still</div></div>",
    "<p>menu</p>",
    "<!-- none --><i>after comment</i> behind",
)
bodies = st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join)
sites = st.lists(bodies, min_size=1, max_size=6)


def stays(model, kept):
    """The texts of the blocks that stay."""
    return [
        text for text, stay in zip(model.blocks.text, kept.blocks.tolist(), strict=True) if stay
    ]
