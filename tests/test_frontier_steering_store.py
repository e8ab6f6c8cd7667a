"""What a crawl's steering learnt is there after a restart."""

from __future__ import annotations

from crawler.durable.journal import Journal
from crawler.frontier.steering.host_yields import HostYields
from crawler.frontier.steering.page_worth import Worth
from crawler.frontier.steering.report import closed_counts, closed_lines, summary_lines
from crawler.frontier.steering.steering import Steering
from crawler.frontier.steering.stop_rule import StopRule
from crawler.frontier.steering.store import SteeringSealer, load
from crawler.frontier.steering.traps import Traps
from tests.trap_pages import HOST, page, refused


def test_what_was_learned_is_there_after_a_restart(tmp_path):
    def new():
        return Steering(Traps(16), HostYields(0.01), StopRule(5, 100))

    steering = new()
    for n in range(16):
        steering.traps.learn(page(f"/a/{n}", Worth.DUPLICATE, original=HOST))
        steering.yields.learn(page(f"/a/{n}", Worth.THIN)._replace(raw_bytes=1000))
        steering.stop.add(60, 3)
    for n in range(24):
        steering.traps.learn(page("/", Worth.THIN, host=f"h{n}.b.sample", host_id=n + 1))
    for n in range(24, 70):
        steering.traps.learn(page("/x", Worth.THIN, host=f"h{n}.b.sample", host_id=n + 1))
    journal = Journal.open_writer(tmp_path)
    SteeringSealer(steering)(journal, force=True)
    again = new()
    with journal.read() as txn:
        load(txn, again)
    names = ["sample.a.www"]
    assert closed_lines(again, lambda _: names[0]) == closed_lines(steering, lambda _: names[0])
    assert (
        len(closed_lines(again, lambda _: names[0])) == 5
    )  # header, shape, domain; host and domain
    lines = [list(summary_lines(closed_counts(each), each.stop)) for each in (again, steering)]
    assert lines[0] == lines[1]
    assert refused(again.traps, "/a/77") == "trap_same_page"
    assert refused(again.traps, "/", host="z.b.sample", host_id=90) == "trap_subdomain"
    assert again.yields.of_host(0) == steering.yields.of_host(0)
    assert again.stop.windows == steering.stop.windows
    journal.close()
