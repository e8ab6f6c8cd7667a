"""Pages that lead nowhere and of which none is kept: forms, histories and logins, and what looks like them."""

from __future__ import annotations

import pytest

from crawler.frontier.steering.page_worth import Worth
from crawler.frontier.steering.traps import Traps
from tests.test_frontier_traps import n_until_closed
from tests.trap_pages import page, refused

FORMS = [
    (Worth.NOINDEX, "/wiki/t{}?action=edit", 48),
    (Worth.NOINDEX, "/wiki/links/t{}", 48),
    (Worth.DUPLICATE, "/index.php?title=t{}&action=edit", 48),
    (Worth.THIN, "/reply.php?to={}", 121),
]


@pytest.mark.parametrize(("worth", "path", "n_fetched"), FORMS)
def test_forms_that_lead_nowhere_are_left_where_none_was_kept(worth, path, n_fetched):
    """As those of a wiki, some of each page, which are as many as its pages."""
    pages = [page(path.format(n), worth, links=[], original="") for n in range(500)]
    n, traps = n_until_closed(pages)
    assert n == n_fetched
    assert refused(traps, path.format(999)) == "trap_barren"
    assert refused(traps, "/wiki/t999") is None
    assert refused(traps, "/index.php?title=t999") is None
    traps.learn(page(path.format(1000), Worth.KEPT))  # one that was probed
    assert refused(traps, path.format(999)) is None
    for each in pages:
        traps.learn(each)
    assert not traps.has_closed
    assert n_until_closed([page(path.format(1000), Worth.KEPT), *pages])[0] is None


def test_lists_that_say_noindex_and_lead_to_kept_pages_are_no_trap():
    def pages():
        for n in range(300):
            yield page(f"/day/{n}", Worth.NOINDEX, links=[f"/day/{n + 1}", f"/post/x-{n}.html"])
            yield page(f"/post/x-{n}.html", Worth.KEPT)

    assert n_until_closed(pages())[0] is None
    endless = (page(f"/day/{n}", Worth.NOINDEX, links=[f"/day/{n + 1}"]) for n in range(300))
    assert n_until_closed(endless)[0] == 40


def test_a_gallery_of_whose_first_pictures_none_has_a_text():
    """All of its later ones were refused: few of them were probed, and none that its links were refused for."""
    traps, lost = Traps(16), 0
    for n in range(1000):
        path = f"/photo.php?id={n}"
        worth = Worth.KEPT if n > 150 and n % 20 == 0 else Worth.THIN
        # When its link is found, and when it is to be fetched.
        if refused(traps, path) or refused(traps, path):
            lost += worth == Worth.KEPT
        else:
            traps.learn(page(path, worth, links=[]))
    assert lost < 20
    assert not traps.has_closed
