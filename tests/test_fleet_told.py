"""What a fleet tells its user: at its end, and when its parent has gone."""

from __future__ import annotations

import re
import signal
import subprocess
import time

import pytest

from crawler.extensions.summary import summary
from crawler.fleet.owners import owner_of
from crawler.fleet.parent import _together
from tests.conftest import ROOT, run_scrapy, scrapy_command, scrapy_environment, start_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes
from tests.test_fleet_crawl import children

NO_RULES = reply(b"", status=b"404 Not Found")
N_PAGES = 5
HOSTS = ("down", "mute", "away")
assert {owner_of(f"sample.{host}", [0, 1]) for host in HOSTS} == {0, 1}
LINKS = b" ".join(b'<a href="/p%d">p</a>' % n for n in range(N_PAGES))


def fleet_arguments(folder, *settings):
    values = [f"CORPUS_DIR={folder / 'corpus'}", f"HOSTS_FILE={folder / 'hosts.tsv'}", *settings]
    options = [word for value in values for word in ("-s", value)]
    return ["fleet", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "--nolog", *options]


def started(folder, start=start_scrapy):
    """A fleet that has one page of each host to fetch, then nothing for minutes."""
    return start(*fleet_arguments(folder, "HOST_DELAY_SECS=300", "PROGRESS_SECS=0"))


def start_anew(*arguments):
    """Start a fleet whose processes have everything still to import."""
    return subprocess.Popen(
        scrapy_command(*arguments),
        cwd=ROOT, env=scrapy_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@pytest.mark.long
def test_hosts_that_are_left_alone_are_told_of_all_processes(tmp_path):
    answers = {}
    for host in HOSTS:
        answers |= {f"{host}/": reply(page(LINKS), HTML), f"{host}/robots.txt": NO_RULES}
        answers |= {f"{host}/p{n}": b"" for n in range(N_PAGES)}
    trouble = ("HOST_PARK_ERRORS=2", "HOST_PARK_SECS=3600", "IDLE_END_SECS=1", "FETCH_RETRIES=0")
    with served_bytes(tmp_path, Hostile(answers)):
        done = run_scrapy(*fleet_arguments(tmp_path, *trouble))
    assert done.returncode == 0, done.stderr
    line = re.search(
        r"parked +(\d+)  of them on 3 hosts in trouble; the first .* (\d+) min", done.stdout
    )
    assert line is not None, done.stdout
    # Two of each host were asked for; the second is kept, for its host was parked then.
    assert int(line[1]) == len(HOSTS) * (N_PAGES - 1)
    assert 1 <= int(line[2]) <= 60


@pytest.mark.long
def test_limits_are_told_of_the_pages_of_all_and_of_the_share_of_one(tmp_path):
    answers = {f"{host}/": reply(page(LINKS), HTML) for host in HOSTS}
    limits = (("max_pages", 2), ("max_bytes", 10))
    with served_bytes(tmp_path, Hostile(answers)):
        for name, most in limits:
            arguments = ("-a", f"{name}={most}", "-s", f"CORPUS_DIR={tmp_path / name}")
            done = run_scrapy(*fleet_arguments(tmp_path), *arguments)
            assert done.returncode == 0, done.stderr
            assert f"  {name}  is reached; all runs" in done.stdout


def test_what_every_process_reads_is_counted_once():
    stats = [{"warc/broken_files": 1, "warc/responses": 9, "warc/same_url": n} for n in (2, 3)]
    assert _together(stats) == {"warc/broken_files": 1, "warc/responses": 9, "warc/same_url": 5}


@pytest.mark.parametrize(
    ("n_before", "told"),
    [
        (0, ["  kept              12  documents", "  rejected          23  pages"]),
        (
            50,
            [
                "  kept              32  documents",
                "  rejected           3  pages",
                "  decided           23  documents of all runs dropped as duplicates, 3 taken back",
            ],
        ),
    ],
)
def test_a_run_after_others_tells_what_it_fetched_and_what_was_decided_of_all(n_before, told):
    dropped = "deduplicate/dropped/near_duplicate"
    stats = {"fetch/pages": 35, "store/pages": 12, dropped: 23, "closing/store/pages": -20}
    stats |= {f"closing/{dropped}": 20, "closing/deduplicate/taken_back": 3}
    counts = {"fetched": 35 + n_before, "gone": 0, "pages": 90, "hosts": 2, "queued": 0}
    lines = summary(stats, counts, "finished", 1.0)
    assert [line for line in lines if line.split()[0] in {"kept", "rejected", "decided"}] == told


def test_seeds_that_could_not_be_queued_leave_the_summary_whole():
    counts = {"fetched": 0, "gone": 0, "pages": 0, "hosts": 0, "queued": 0}
    lines = summary({"seeds/read": 5, "seeds/skipped/no_key": 0}, counts, "start_error", 1.0)
    assert lines[1].split() == ["seeds", "5", "read,", "0", "of", "them", "new", "pages"]


@pytest.mark.long
def test_processes_without_a_parent_say_so_and_that_the_crawl_goes_on(tmp_path):
    answers = {f"{host}/": reply(page(LINKS), HTML) for host in HOSTS}
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        fleet = started(tmp_path)
        hostile.wait_for(len(HOSTS))  # each process has begun
        fleet.kill()
        _, said = fleet.communicate(timeout=60)  # the processes have ended when their stderr has
    assert sorted(said.splitlines()) == [
        f"winnow: shard {shard} ends: the parent of the fleet has gone; the same scrapy fleet goes on where it ended"
        for shard in (0, 1)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "n_asked"),
    [(start_anew, 0), (start_scrapy, len(HOSTS))],
    ids=["at the start", "at work"],
)
def test_ctrl_c_is_no_lost_parent_and_no_traceback(tmp_path, start, n_asked):
    answers = {f"{host}/": reply(page(LINKS), HTML) for host in HOSTS}
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        fleet = started(tmp_path, start)
        deadline = time.monotonic() + 60
        while not n_asked and not children(fleet):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        hostile.wait_for(n_asked)
        fleet.send_signal(signal.SIGINT)
        out, said = fleet.communicate(timeout=60)
    assert (fleet.returncode, said) == (0, "")
    assert out.startswith("Crawl shutdown")
