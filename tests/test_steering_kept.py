"""What steering learned of a host, over a crash and where the host moves to another shard."""

from __future__ import annotations

import signal
from functools import partial

from crawler.fleet.owners import owner_of
from crawler.frontier.steering.host_yields import HostYields, Yield
from crawler.frontier.steering.page_worth import Worth
from crawler.frontier.steering.steering import Steering
from crawler.frontier.steering.store import SteeringSealer, load
from crawler.frontier.steering.traps import Traps
from crawler.urls import PageKey
from tests.before_commands import kill_at_step
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.test_fleet_moves import GrowingFleet
from tests.test_frontier_traps import page as seen

RICH, THIN = [f"rich{n}" for n in range(20)], [f"thin{n}" for n in range(25)]


def test_a_host_is_not_dropped_for_its_last_pages_after_a_crash(tmp_path):
    """They alone give too little; what it gave before was forgotten with the process."""
    links = "".join(f"<a href=/{name}>{name}</a> " for name in RICH + THIN).encode()
    answers = {"fine/": reply(page(links), HTML)}
    answers |= {f"fine/{name}": reply(page(name.encode() * 40), HTML) for name in RICH}
    answers |= {f"fine/{name}": reply(name.encode() + b"<hr>" * 900, HTML) for name in THIN}
    hostile = Hostile(answers)
    command = [*("crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "--nolog")]
    for setting in (
        *(f"CORPUS_DIR={tmp_path / 'corpus'}", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
        *("COMMIT_GROUP_PAGES=1", "HOST_DELAY_SECS=0", "TRAP_EVIDENCE=0"),
    ):
        command += ["-s", setting]
    with served_bytes(tmp_path, hostile):
        killed = run_scrapy(*command, before=partial(kill_at_step, "after commit", 30))
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert len(RICH) < len(set(hostile.asked)) < len(RICH) + 12
        done = run_scrapy(*command)
    assert done.returncode == 0, done.stderr
    assert {f"fine/{name}" for name in RICH + THIN} <= set(hostile.asked)


def test_what_was_learned_moves_with_the_host(tmp_path):
    key = next(
        key
        for key in (PageKey(f"com.h{n}.www", "0/") for n in range(999))
        if owner_of(key.host, [0, 1]) == 0 and owner_of(key.host, [0, 1, 2]) == 2
    )
    fleet = GrowingFleet(tmp_path, 2)
    fleet.seed([(key, ())])
    store = fleet.stores[0]
    host_id = int(store.lookup([key]).ids[0]) >> 32
    store.frontier.steering = steering = Steering(Traps(16), HostYields(0.01))
    host = ".".join(reversed(key.host.split(".")))
    for n in range(16):
        steering.traps.learn(
            seen(f"/a/{n}", Worth.DUPLICATE, original=host, host=host, host_id=host_id)
        )
    for _ in range(5):
        kept = seen("/", Worth.KEPT, host=host, host_id=host_id)
        steering.yields.learn(kept._replace(clean_bytes=9, raw_bytes=99))
    assert steering.traps.has_closed
    SteeringSealer(steering)(store.journal, force=True)
    fleet.grow()
    for shard, expected in ((2, Yield(5, 5, 45, 495)), (0, Yield())):
        again = Steering(Traps(16), HostYields(0.01))
        with fleet.stores[shard].journal.read() as txn:
            load(txn, again)
        assert again.yields.of_host(host_id) == expected
        is_closed = again.traps.refusal(host_id, host, "0/a/99", fetch=False) is not None
        assert is_closed == (shard == 2)
        if shard == 2:
            assert again.yields.domains == {".".join(host.split(".")[1:]): expected}
    fleet.close()
