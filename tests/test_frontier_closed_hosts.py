"""What is still fetched of a host or section that was closed by what is scattered over it."""

from __future__ import annotations

from crawler.frontier.steering.page_worth import Worth
from crawler.frontier.steering.trap_rules import Level
from crawler.frontier.steering.traps import Traps
from tests.test_frontier_traps import n_until_closed
from tests.trap_pages import HOST, page, refused


def test_a_closed_host_has_pages_that_are_not_what_closed_it():
    kept = [page(f"/doc/of/{n}/a.html", Worth.KEPT) for n in range(3)]
    scattered = [
        page(f"/a{n}/{name}", Worth.DUPLICATE) for n in range(20) for name in ("1", "a-b", "w")
    ]
    _, traps = n_until_closed([*kept, *scattered])
    assert [each.level for _, each in traps.closed()] == [Level.HOST]
    assert refused(traps, "/a99/7") == "trap_same_page"
    assert refused(traps, "/doc/of/99/a.html") is None
    assert refused(traps, "/never/tried/before") is None
    traps.learn(page("/never/tried/before", Worth.THIN))
    assert refused(traps, "/never/tried/again") == "trap_same_page"


def test_a_closed_section_has_pages_that_are_not_what_closed_it():
    kept = [page(f"/wiki/{n}/a-b", Worth.KEPT) for n in range(3)]
    scattered = [page(f"/wiki/{n}/{'w/' * (n % 3)}", Worth.DUPLICATE) for n in range(40)]
    _, traps = n_until_closed([*kept, *scattered])
    assert [each.level for _, each in traps.closed()] == [Level.SECTION]
    assert refused(traps, "/wiki/99/w/") == "trap_same_page"
    assert refused(traps, "/wiki/99/a-b") is None
    assert refused(traps, "/wiki/never/tried/before") == "trap_same_page"


def test_a_closed_host_whose_plans_have_no_end():
    """A site that answers everything with its front page, and links to what it makes up."""
    traps, n_fetched = Traps(16), 0
    for n in range(2000):
        ending = "".join(chr(ord("a") + n // 26**place % 26) for place in range(3))
        if not refused(traps, f"/f{n}.{ending}"):
            traps.learn(page(f"/f{n}.{ending}", Worth.DUPLICATE, original=HOST))
            n_fetched += 1
    assert n_fetched < 110
