"""What a hostile web answers: each page ends as one row with its reason, in time and in memory.

The answers and what comes of each stand in tests/hostile_answers.py. With a time-out of 2 s and 1 MB
a page:

======================================  =====================================================
answer                                  what comes of it
======================================  =====================================================
a byte a second, line, header, body,    ``timeout``; how long each takes at most is shown by
chunks, interim answers; silence        tests/test_hostile_deadlines.py
no end of body or chunks                ``too_large``, at the first megabyte
64 MB of header: one line, many, short  ``header_too_large``, at 256 KiB
ones, folded, interim answers
headers whose name is none or has       kept
blanks behind it, an empty line before,
a first line that continues none
length wrong, none, twice, no number    kept as far as it came; ``bad_http``, ``too_large``
body of which nothing comes, bad chunks ``connection``
no HTTP, statuses out of range          ``bad_http``, ``invalid_status``
bombs in gzip, deflate, br, zstd, also  ``too_large`` (40 MB of zeros; unpacked in pieces)
with a 128 MB window, and nested
packed more than five times, damaged,   ``content_encoding``
by a coding that nobody knows
the same of a redirect or an error      what its status says
gzip among names that pack nothing, or  kept
as a transfer coding
plain, whatever coding it names         kept
redirects without end, to itself, in a  ``redirect``: an arc, its target fetched once or not
circle, to file, ftp, data, javascript  at all
credentials, cookies                    never sent
======================================  =====================================================

Peak memory of the crawl with all of them: see MORE_BYTES.

The other items of a hostile web:

========================================  ======================================================
deep and huge HTML                        tests/test_page_hostile.py
XML bombs, external entities: sitemaps,   tests/test_seeds_sitemaps.py, ``test_hostile_files_…``;
feeds; ODP                                tests/test_seeds_odp.py, ``test_comment_and_doctype_…``
addresses (SSRF, rebinding)               tests/test_hostile_addresses.py
encryption, names                         tests/test_hostile_tls.py
cleaners that spin, allocate, die         tests/test_hostile_cleaner.py
pages that end the crawl                  tests/test_hostile_crash.py
disks, clocks                             tests/test_hostile_disk.py, tests/test_hostile_clock.py
memory over many pages                    tests/test_hostile_memory.py
========================================  ======================================================
"""

from __future__ import annotations

import pytest

from pipelines.corpus.corpus import Corpus
from tests.hostile_answers import SLOW, all_answers
from tests.hostile_server import (
    HTML,
    Crawled,
    Endless,
    Hostile,
    crawl_measured,
    page,
    reply,
    served_bytes,
)

TIMEOUT_SECS = 2
SETTINGS = ("-s", "DOWNLOAD_MAXSIZE=1000000", "-s", "FETCH_RETRIES=0", "-s", "DEDUP_THRESHOLD=0")
pytestmark = pytest.mark.slow

# What all these answers may take beyond a crawl of harmless and slow ones.
MORE_BYTES = 100 * 2**20
# REDIRECT_MAX_HOPS
MAX_HOPS = 5

CREDENTIALS = b'<a href="http://user:secret@cookies.sample/linked">x</a>'
COOKIE = b"Set-Cookie: session=secret; Domain=.sample"
LOGIN = b"WWW-Authenticate: Basic realm=x"
FOUND = b"302 Found"

# Of a page that is not fetched, and has no row.
NEVER = "never"

# More than a page a host, by host and path: what is answered, and what comes of it.
SITES = {
    "noindex/": (reply(page(), HTML, b"X-Robots-Tag: noindex"), "noindex"),
    "preview/": (reply(page(), HTML, b"X-Robots-Tag: max-image-preview:none"), None),
    "otherbot/": (reply(page(), HTML, b"X-Robots-Tag: otherbot: noindex"), None),
    "nofollow/": (reply(page(b'<a href="/unasked">x</a>'), HTML, b"X-Robots-Tag: nofollow"), None),
    "robotsaway/": (reply(page(), HTML), None),
    "robotsendless/": (reply(page(), HTML), None),
    "robotsgone/": (reply(page(), HTML), None),
    # Its robots.txt cannot be had: the host waits for it.
    "robotsbomb/": (reply(page(), HTML), NEVER),
    "utf8/": (reply(b"", "Location: /café".encode(), status=FOUND), "redirect"),
    "utf8/caf%C3%A9": (reply(page(), HTML), None),
    "cookies/": (reply(page(CREDENTIALS), HTML, COOKIE), None),
    "cookies/linked": (
        reply(b"", b"Location: http://me:secret@asks.sample/new", COOKIE, status=FOUND), "redirect"
    ),
    "asks/": (reply(b"", LOGIN, status=b"401 No"), "status_401"),
    "asks/new": (reply(b"", LOGIN, status=b"407 No"), "status_407"),
    "hops/": (reply(page(b'<a href="/0">x</a>'), HTML), None),
    **{f"hops/{n}": (reply(b"", b"Location: /%d" % (n + 1), status=FOUND), "redirect") for n in range(21)},
}  # fmt: skip
ROBOTS = {
    "robotsgone/robots.txt": reply(
        page(), HTML, b"Content-Encoding: gzip", status=b"404 Not Found"
    ),
    "robotsaway/robots.txt": reply(b"", b"Location: http://[::1", status=FOUND),
    "robotsendless/robots.txt": Endless(reply(b"User-agent: *\n"), b"Disallow: /x\n" * 999),
}


def outcomes(corpus):
    """URL → None for a text that is kept, or that others have too, else the reason."""
    folder = Corpus.open(corpus)
    rows = [(row["url"], None) for row in folder.documents(["url"])]
    rows += [
        (row["url"], None if row["reason"].startswith("duplicate") else row["reason"])
        for row in folder.rejected(["url", "reason"])
    ]
    assert len(rows) == len(dict(rows))
    return dict(rows)


def check_quiet(done: Crawled):
    assert done.returncode == 0, done.err
    assert "Traceback" not in done.err
    assert "] ERROR" not in done.err


# A host of each slow kind, and one whose robots.txt is of that kind.
SLOW_ANSWERS = {f"{name}/": answer for name, (answer, _) in SLOW.items()} | {
    f"robots{i}/robots.txt": answer for i, (answer, _) in enumerate(SLOW.values())
}
MOST_ROUNDS = 5


def crawl_slow(folder, slow):
    """Crawl the hosts of *slow* answers and some that are not; return the server and what the crawl did."""
    hostile = Hostile(slow | {f"good{i}/": reply(page(), HTML) for i in range(20)})
    with served_bytes(folder, hostile):
        done = crawl_measured(folder, *SETTINGS, "-s", f"DOWNLOAD_TIMEOUT={TIMEOUT_SECS}")
    check_quiet(done)
    found = outcomes(folder / "corpus")
    hosts = {name.partition("/")[0] for name in slow}
    assert {found[f"http://{host}.sample/"] for host in hosts} == {"timeout"}
    assert all(found[f"http://good{i}.sample/"] in {None, "timeout"} for i in range(20))
    asked = [name for name in hostile.asked if name in slow]
    assert sorted(asked) == sorted({closed.host_and_path for closed in hostile.closed})
    return hostile, done


@pytest.fixture(scope="module")
def slowly(tmp_path_factory):
    """The crawl of slow answers, and which of them it asked for and closed.

    What is over before its request could be sent, on a machine that is busy, is not asked for: it is
    crawled again until all were.
    """
    folder, left, first, closed = tmp_path_factory.mktemp("slow"), dict(SLOW_ANSWERS), None, set()
    for n in range(MOST_ROUNDS):
        hostile, done = crawl_slow(folder / str(n), left)
        first = first or done
        closed |= {answer.host_and_path for answer in hostile.closed}
        left = {name: answer for name, answer in left.items() if name not in closed}
        if not left:
            break
    return first, closed


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """The server of all other answers, the crawl, and what came of each page."""
    folder = tmp_path_factory.mktemp("hostile")
    answers = {f"{host}/": answer for host, (answer, _) in all_answers().items()}
    answers |= {asked: answer for asked, (answer, _) in SITES.items()} | ROBOTS
    answers["robotsbomb/robots.txt"] = answers["bombgzip/"]
    hostile = Hostile(answers)
    with served_bytes(folder, hostile):
        done = crawl_measured(folder, *SETTINGS, "-s", "DOWNLOAD_TIMEOUT=120")
    return hostile, done, outcomes(folder / "corpus")


def test_every_answer_has_its_reason(crawled):
    _, done, found = crawled
    check_quiet(done)
    expected = {f"http://{host}.sample/": reason for host, (_, reason) in all_answers().items()}
    for asked, (_, reason) in SITES.items():
        host, _, path = asked.partition("/")
        if reason != NEVER:
            expected[f"http://{host}.sample/{path}"] = reason
    for n in range(MAX_HOPS + 1, 21):
        del expected[f"http://hops.sample/{n}"]
    assert found == expected


def test_reasons_are_counted(crawled):
    _, done, found = crawled
    counted = dict(
        line.split()[:2] for line in done.out.splitlines() if line.startswith("    fetch/")
    )
    for reason in ("bad_http", "header_too_large", "too_large", "content_encoding", "connection"):
        assert int(counted[f"fetch/{reason}"]) == list(found.values()).count(reason)


def test_every_page_is_asked_for_once(crawled):
    hostile, _, _ = crawled
    pages = [asked for asked in hostile.asked if not asked.endswith("/robots.txt")]
    never = {"robotsbomb/", *(f"hops/{n}" for n in range(MAX_HOPS + 1, 21))}
    assert sorted(pages) == sorted({f"{host}/" for host in all_answers()} | SITES.keys() - never)


def test_redirect_loops_and_chains_end(crawled):
    hostile, _, _ = crawled
    hops = [asked for asked in hostile.asked if asked.startswith("hops/") and asked[5:].isdigit()]
    assert hops == [f"hops/{n}" for n in range(MAX_HOPS + 1)]
    for host in ("itself", "there", "back"):
        assert hostile.asked.count(f"{host}/") == 1


def test_credentials_and_cookies_are_not_sent(crawled):
    hostile, _, found = crawled
    assert {"cookies/", "cookies/linked", "asks/", "asks/new"} <= set(hostile.asked)
    sent = "".join(hostile.heads).lower()
    for header in ("cookie:", "authorization:", "referer:"):
        assert header not in sent
    assert "secret" not in sent
    assert not any("secret" in url for url in found)


def test_each_slow_answer_is_closed_by_the_crawl(slowly):
    # After how long is shown by the reactor's clock: tests/test_hostile_deadlines.py.
    assert slowly[1] == SLOW_ANSWERS.keys()


def test_memory_of_hostile_answers_is_bounded(crawled, slowly):
    assert crawled[1].peak_bytes < slowly[0].peak_bytes + MORE_BYTES
