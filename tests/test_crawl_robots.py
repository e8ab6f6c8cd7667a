"""robots.txt over the wire: what its answers mean for a crawl, over restarts and outages."""

from __future__ import annotations

import gzip
import itertools
import random
from collections import Counter

import pytest

from crawler.frontier.robots.store import RobotsStore
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_answers import LATE
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

NO = b"User-agent: *\nDisallow: /\n"
PRIVATE = b"User-agent: *\nDisallow: /private\n"
LINKS = b'<a href="/two">2</a> <a href="/private/x">p</a>'
HOME = reply(page(LINKS), HTML)
BULK = b"# " + b"x" * 97 + b"\n"


def moved(path):
    return reply(b"", b"Location: " + path.encode(), status=b"301 Moved")


def status(text, body=b"", *headers):
    return reply(body, *headers, status=text)


# host: (answer to /robots.txt, may "/" be fetched)
FILES = {
    "none": (status(b"404 Not Found"), True),
    "forbidden": (status(b"403 Forbidden", NO), True),
    "gone": (status(b"410 Gone", NO), True),
    "ok": (reply(PRIVATE), True),
    "no": (reply(NO), False),
    "busy": (status(b"429 Too Many Requests"), False),
    "error": (status(b"500 Error", b"<html>sorry"), False),
    "later": (status(b"503 Later", b"", b"Retry-After: 7200"), False),
    "overflow": (status(b"503 Later", b"", LATE), False),
    "reset": (b"", False),
    "garbage": (b"\0\1 what\r\n\r\n", False),
    "nowhere": (status(b"302 Found"), True),
    "script": (status(b"302 Found", b"", b"Location: javascript:go()"), True),
    "loop": (moved("/robots.txt"), True),
    "five": (moved("/r1"), False),
    "six": (moved("/r0"), True),
    "away": (moved("http://no.sample/robots.txt"), False),
    "lost": (moved("http://error.sample/robots.txt"), False),
    "marked": (reply(b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /\r\n"), False),
    "bytes": (reply(bytes(range(128, 256)) + b"\n" + NO), False),
    # packed, and no header says so; cut; ten times as large as what is read; damaged at once; only the first of two
    "packed": (reply(gzip.compress(NO)), False),
    "cut": (reply(gzip.compress(NO + random.Random(1).randbytes(3000))[:-2000]), False),
    "bomb": (reply(gzip.compress(NO + bytes(5_000_000))), False),
    "bombed": (reply(gzip.compress(bytes(5_000_000) + b"\n" + NO)), True),
    "unpacked": (reply(b"\x1f\x8b\n" + NO), False),
    # the header says that it is packed, and it is not
    "plain": (reply(PRIVATE, b"Content-Encoding: gzip"), True),
    "longer": (reply(BULK * 5119 + NO), False),
    "toolong": (reply(BULK * 5121 + NO), True),
    "endless": (reply(NO + BULK * 30_000), False),
    "quiet": (reply(b"User-agent: *\nContent-Signal: ai-train=no\nDisallow:\n"), False),
    "slow": (reply(b"User-agent: *\nCrawl-delay: 1.1\n" + PRIVATE[14:]), True),
}  # fmt: skip
# Hosts that give no answer, and those whose answer, if only by being no HTTP, says nothing of the rules.
SILENT = ("reset",)
PARKED = ("busy", "error", "later", "overflow", "lost", "garbage")
HOPS = {f"{host}/r{n}": moved(f"/r{n + 1}") for host in ("five", "six") for n in range(5)}
ENDS = {"five/r5": reply(NO), "six/r5": reply(NO)}


def crawl(folder, *options):
    done = run_scrapy(
        "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO",
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", "DOWNLOAD_MAXSIZE=1000000", "-s", "FETCH_RETRY_SECS=0.2"),
        *options,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "] ERROR" not in done.stderr
    return Corpus.open(folder / "corpus")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """(what was asked in the first run, and in the second, when, the corpus after both)."""
    folder = tmp_path_factory.mktemp("robots")
    answers = {f"{host}/robots.txt": answer for host, (answer, _) in FILES.items()}
    answers |= {f"{host}/": HOME for host in FILES} | {f"{host}/two": HOME for host in FILES}
    hostile = Hostile(answers | HOPS | ENDS)
    signals = ("-s", "SIGNALS_OBEY=ai-train=no")
    with served_bytes(folder, hostile):
        crawl(folder, "-a", "pages_per_host=1", *signals)
        n_first = len(hostile.asked)
        corpus = crawl(folder, *signals)
    return hostile.asked[:n_first], hostile.asked[n_first:], hostile.asked_at[n_first:], corpus


def test_what_each_answer_lets_be_fetched(crawled):
    first, _, _, corpus = crawled
    assert {host: f"{host}/" in first for host in FILES} == {
        host: allowed for host, (_, allowed) in FILES.items()
    }
    reasons = {row["url"]: row["reason"] for row in corpus.rejected(["url", "reason"])}
    refused = {
        host: reasons.get(f"http://{host}.sample/") for host, (_, ok) in FILES.items() if not ok
    }
    assert refused.pop("quiet") == "signal_ai-train=no"
    assert {refused.pop(host) for host in SILENT} == {"connection"}
    assert {refused.pop(host) for host in PARKED} == {None}  # they stay queued, and the crawl ends
    assert set(refused.values()) == {"robots"}


def test_nothing_forbidden_is_ever_asked_for(crawled):
    first, second, _, _ = crawled
    open_to_all = {host for host, (answer, ok) in FILES.items() if ok and b"/private" not in answer}
    private = {asked.partition("/")[0] for asked in first + second if "/private" in asked}
    assert private == open_to_all


def test_files_are_asked_for_once_and_kept_over_a_restart(crawled):
    first, second, _, _ = crawled
    asked = Counter(path for path in first if path.endswith("/robots.txt"))
    # The rules of "no" are known to "away", or the other way round; "lost" may not ask a host in trouble.
    assert asked.pop("error/robots.txt") in {1, 2}
    asked.subtract({"error/robots.txt": -1, "loop/robots.txt": 5})
    asked.subtract({"endless/robots.txt": 1})  # once more, for its beginning
    asked.subtract({f"{host}/robots.txt": 2 for host in SILENT})  # with each attempt at the page
    assert asked == Counter({f"{host}/robots.txt": 1 for host in FILES})
    assert not [path for path in second if path.endswith("/robots.txt")]
    assert {"ok/two", "none/two", "slow/two"} <= set(second)


def test_a_crawl_delay_holds_over_a_restart(crawled):
    _, second, times, _ = crawled
    slow = [at for path, at in zip(second, times, strict=True) if path.startswith("slow/")]
    ok = [at for path, at in zip(second, times, strict=True) if path.startswith("ok/")]
    assert len(slow) == len(ok) == 1
    assert slow[0] - ok[0] > 0.3  # the delay of the last run had to end first


def test_an_outage_parks_the_pages_and_its_end_releases_them(tmp_path):
    """503 first, then rules; and two files that stay away longer than the 30 days, here 3 seconds."""
    later = status(b"503 Later")
    answers = {
        "back/robots.txt": [later, later, reply(PRIVATE)],
        "named/robots.txt": [status(b"503 Later", b"", b"Retry-After: 1"), reply(PRIVATE)],
        "lost/robots.txt": later,
        **{f"{host}/": HOME for host in ("back", "named", "lost", "silent")},
        **{f"{host}/two": HOME for host in ("back", "named", "lost")},
    }
    hostile = Hostile(answers, silent=frozenset({"silent/robots.txt"}))
    with served_bytes(tmp_path, hostile):
        crawl(
            tmp_path,
            *("-s", "ROBOTS_RETRY_SECS=0.4", "-s", "DOWNLOAD_TIMEOUT=2"),
            *("-s", "ROBOTS_RETRY_MAX_SECS=1", "-s", f"ROBOTS_UNREACHABLE_DAYS={3 / 86400}"),
        )
    back = [path for path in hostile.asked if path.startswith("back/")]
    assert back == ["back/robots.txt"] * 3 + ["back/", "back/two"]
    named = [n for n, path in enumerate(hostile.asked) if path == "named/robots.txt"]
    assert len(named) == 2
    assert hostile.asked_at[named[1]] - hostile.asked_at[named[0]] >= 1  # and not .4
    assert "named/two" in hostile.asked
    lost = [path for path in hostile.asked if path.startswith("lost/")]
    first = lost.index("lost/")
    assert 2 <= first <= 8  # asked again and again, and then taken as one that is not there
    assert {"lost/two", "lost/private/x"} <= set(lost[first:])
    silent = [path for path in hostile.asked if path.startswith("silent/")]
    assert silent[0] == "silent/robots.txt"
    assert "silent/" in silent[1:]
    times = dict(zip(reversed(hostile.asked), reversed(hostile.asked_at), strict=True))
    assert times["lost/"] - times["lost/robots.txt"] >= 3
    store = RobotsStore(tmp_path / "corpus" / "frontier" / "0000" / "robots")
    assert store.get("http://back.sample").body == PRIVATE
    assert store.get("http://lost.sample").n_failures == lost.count("lost/robots.txt")
    store.close(0.0)


def test_a_crawl_delay_that_is_taken_back_is_over(tmp_path):
    links = b"".join(b'<a href="/%d">x</a>' % n for n in range(4))
    files = [reply(b"User-agent: *\nCrawl-delay: 1.2\n"), reply(b"")]
    hostile = Hostile({"hasty/robots.txt": files, "hasty/": reply(page(links), HTML)})
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path, "-s", "ROBOTS_CACHE_SECS=1")
    assert hostile.asked[:2] == ["hasty/robots.txt"] * 2  # it was too old for the first page
    asked = zip(hostile.asked, hostile.asked_at, strict=True)
    pages = [at for path, at in asked if path[-1].isdigit()]
    assert pages[-1] - pages[0] < 2  # and not 3.6


@pytest.mark.slow
def test_pages_that_are_refused_cost_their_host_no_delay(tmp_path):
    links = b"".join(b'<a href="/private/%d">x</a>' % n for n in range(20))
    home = reply(page(b"<a href=/a>a</a>" + links + b"<a href=/b>b</a>"), HTML)
    answers = {f"much/{name}": reply(page(name.encode() * 40), HTML) for name in "ab"}
    hostile = Hostile(answers | {"much/robots.txt": reply(PRIVATE), "much/": home})
    with served_bytes(tmp_path, hostile):
        gaps = (f"{name}_DELAY_SECS=0.8" for name in ("HOST", "DOMAIN", "IP"))
        corpus = crawl(tmp_path, *itertools.chain.from_iterable(("-s", gap) for gap in gaps))
    assert [row["reason"] for row in corpus.rejected()].count("robots") == 20
    assert hostile.asked == ["much/robots.txt", "much/", "much/a", "much/b"]
    waits = [later - at for at, later in itertools.pairwise(hostile.asked_at)]
    assert min(waits) >= 0.78
    assert waits[-1] < 5  # and not 16


def test_a_damaged_folder_ends_the_crawl_and_rejects_no_page(tmp_path):
    folder = tmp_path / "corpus" / "frontier" / "0000" / "robots"
    folder.mkdir(parents=True)
    (folder / "data.mdb").write_bytes(bytes(range(256)) * 64)
    hostile = Hostile({"a/": HOME, "b/": HOME})
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            "crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "--nolog",
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
        )  # fmt: skip
    assert done.returncode == 2
    [line] = [line for line in done.stderr.splitlines() if line.startswith("winnow: ")]
    assert f"the robots.txt files in {folder} are damaged" in line
    assert line.endswith("delete that folder")
    assert hostile.asked == []
    assert not list((tmp_path / "corpus").glob("rejected/*"))
