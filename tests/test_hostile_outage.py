"""The crawl's own network goes, and comes back.

==============================  =============================================================
item                            what comes of it
==============================  =============================================================
down for longer than a page     the crawl pauses, says so, and goes on by itself: no page is
is tried                        lost, none is fetched twice
stopped while it is down        in order; the same command gets what is left
hosts that are dead at the end  no outage: those that answered take connections
of a crawl
==============================  =============================================================
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time

import pytest
from scrapy.utils.test import get_crawler

from crawler.extensions.network_guard import NetworkGuard
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy, start_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, listening, page, reply

HOSTS = [f"h{n}" for n in range(12)]
PAGES = 8
# A page is out of attempts after three seconds.
QUICK = ("-s", "HOST_DELAY_SECS=0.2", "-s", "FETCH_RETRY_SECS=1", "-s", "IP_DELAY_SECS=0")
OUTAGE_SECS = 4.5
PAUSES = "the crawl pauses until the network is back"


def web():
    """Hosts with a chain of pages each."""
    answers = {}
    for host in HOSTS:
        for n in range(PAGES):
            link = f'<a href="http://{host}.sample/{n + 1}">next page</a>' if n + 1 < PAGES else ""
            body = page(f"{host} page {n} {link}".encode())
            answers[f"{host}/{n or ''}"] = reply(body, HTML)
    return Hostile(answers)


def write_hosts(folder, ports):
    (folder / "seeds.txt").write_text(
        "".join(f"http://{host}.sample/\n" for host in ports), encoding="utf-8"
    )
    (folder / "hosts.tsv").write_text(
        "".join(f"{host}.sample\t127.0.0.1\t{port}\n" for host, port in ports.items()),
        encoding="utf-8",
    )


def started(folder):
    return start_scrapy(*hosts_arguments(folder), *QUICK)


def wait_for(text, crawl):
    said = ""
    while text not in said:
        said = crawl.stderr.readline()
        assert said, "the crawl ended"


@pytest.fixture
def cut_off(tmp_path):
    """A crawl whose network went when it had half of the pages, the web, and its port."""
    hostile = web()
    with contextlib.ExitStack() as network:
        port = network.enter_context(listening(hostile))
        write_hosts(tmp_path, dict.fromkeys(HOSTS, port))
        crawl = started(tmp_path)
        hostile.wait_for(len(HOSTS) * PAGES // 2)
        network.close()
    wait_for(PAUSES, crawl)
    yield crawl, hostile, port
    if crawl.poll() is None:
        crawl.kill()
        crawl.communicate()


def check_all_pages_are_there(folder, hostile, n_out):
    """Each was fetched once, but for *n_out* that were on their way when the network went."""
    corpus = Corpus.open(folder / "corpus")
    copies = [row for row in corpus.rejected(["url", "stage"]) if row["stage"] == "deduplicate"]
    rows = [*corpus.documents(["url"]), *copies]
    urls = [f"http://{host}.sample/{n or ''}" for host in HOSTS for n in range(PAGES)]
    assert sorted(row["url"] for row in rows) == sorted(urls)
    assert corpus.n_rows("rejected") == len(copies)
    pages = [name for name in hostile.asked if not name.endswith("robots.txt")]
    assert len(pages) - len(set(pages)) <= n_out


def test_a_crawl_goes_on_when_its_network_is_back(cut_off, tmp_path):
    crawl, hostile, port = cut_off
    time.sleep(OUTAGE_SECS)
    with listening(hostile, port=port):
        out, err = crawl.communicate(timeout=60)
    assert crawl.returncode == 0, err
    assert "The network is back: the crawl goes on" in err
    assert "Traceback" not in err
    assert out.startswith("Crawl finished")
    check_all_pages_are_there(tmp_path, hostile, len(HOSTS))


@pytest.mark.long
def test_a_crawl_whose_network_is_down_stops_in_order_and_goes_on(cut_off, tmp_path):
    crawl, hostile, port = cut_off
    time.sleep(OUTAGE_SECS)
    crawl.send_signal(signal.SIGINT)
    _, err = crawl.communicate(timeout=10)
    assert crawl.returncode == 0, err
    assert "Traceback" not in err
    with listening(hostile, port=port):
        done = run_scrapy(*hosts_arguments(tmp_path), *QUICK)
    assert done.returncode == 0, done.stderr
    check_all_pages_are_there(tmp_path, hostile, len(HOSTS))


def test_dead_hosts_are_no_outage(tmp_path):
    """A crawl may have no others left at its end; it would wait for them for ever."""
    hostile = web()
    with listening(hostile) as port:
        with listening(hostile) as dead_port:
            pass
        ports = {host: port if n < 3 else dead_port for n, host in enumerate(HOSTS)}
        write_hosts(tmp_path, ports)
        done = run_scrapy(*hosts_arguments(tmp_path), *QUICK)
    assert done.returncode == 0, done.stderr
    assert PAUSES not in done.stderr
    reasons = [row["reason"] for row in Corpus.open(tmp_path / "corpus").rejected(["reason"])]
    assert reasons.count("connection") == len(HOSTS) - 3


async def reached(guard, *urls):
    return [await guard._is_reached(url) for url in urls]


def test_witnesses_are_reached_by_name_as_far_as_they_may_be():
    """By the system's names, where there is no HOSTS_FILE; never at an address that no page may lead to."""
    with listening(Hostile({})) as dead_port:
        pass
    with listening(Hostile({})) as port:
        urls = [f"http://localhost:{port}/", f"http://localhost:{dead_port}/", "http://x.invalid/"]
        for networks, expected in ((["127.0.0.0/8"], [True, False, False]), ([], [False] * 3)):
            settings = {"NETWORK_DOWN_HOSTS": 8, "ALLOWED_PRIVATE_NETWORKS": networks}
            guard = NetworkGuard.from_crawler(get_crawler(settings_dict=settings))
            assert asyncio.run(reached(guard, *urls)) == expected
