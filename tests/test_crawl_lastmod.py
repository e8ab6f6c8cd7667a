"""Dates of sitemaps in a crawl that fetches pages again: what is newer than the last visit falls due at once."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.seeds.lastmod import Span, read_lastmod
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

XML = b"Content-Type: application/xml"
NAMES = ("new", "old", "bad", "future", "unsaid")


def sitemap(**lastmods):
    entries = "".join(
        f"<url><loc>http://s.sample/{name}</loc>"
        + (f"<lastmod>{lastmods[name]}</lastmod></url>" if name in lastmods else "</url>")
        for name in NAMES
    )
    return reply(f"<urlset>{entries}</urlset>".encode(), XML)


def crawl(folder, *options):
    done = run_scrapy(
        "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", "-L", "INFO", "-a", "sitemaps=1",
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", "HOST_DELAY_SECS=0", "-s", "IP_DELAY_SECS=0", "-s", "DOMAIN_DELAY_SECS=0", *options),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "] ERROR" not in done.stderr
    return done


def test_a_page_that_changed_falls_due_at_once_and_no_other(tmp_path):
    """The third crawl reads the sitemap again, finds all as it was, and asks for no page."""
    pages = {f"s/{name}": reply(page(name.encode() * 9), HTML) for name in NAMES}
    hostile = Hostile({**pages, "s/sitemap.xml": sitemap(), "s/": reply(page(b"home"), HTML)})
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path)
        assert {f"s/{name}" for name in NAMES} <= set(hostile.asked)
        # The second that the date names begins after the first visit, and is over before the next.
        time.sleep(2)
        now = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
        hostile.answers["s/sitemap.xml"] = sitemap(
            new=now, old="2001-02-03", bad="soon", future="2999-01-01"
        )
        hostile.asked.clear()
        second = crawl(tmp_path, "-a", "recrawl_after=9d", "-s", "STATS_DUMP=1")
        assert [path for path in hostile.asked if "robots" not in path] == [
            "s/sitemap.xml",
            "s/new",
        ]
        hostile.asked.clear()
        crawl(tmp_path, "-a", "recrawl_after=9d")
        assert [path for path in hostile.asked if "robots" not in path] == ["s/sitemap.xml"]
    stats = ("lastmod/sitemaps", "lastmod/due", "lastmod/old", "lastmod/bad", "lastmod/future")
    assert [name for name in stats if f"'{name}': 1," not in second.stderr] == []
    assert f"  due again {0:>10,}  pages, 1 sitemap, 1 more by lastmod\n" in second.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [reply(page(b"no sitemap"), HTML), reply(b"", b"Location: /", status=b"301 Moved Permanently")],
    ids=["page", "redirect"],
)
def test_what_is_no_sitemap_any_more_is_visited_as_other_pages_are(tmp_path, answer):
    pages = {f"s/{name}": reply(page(name.encode() * 9), HTML) for name in NAMES}
    hostile = Hostile({**pages, "s/sitemap.xml": sitemap(), "s/": reply(page(b"home"), HTML)})

    def asked(recrawl_after):
        hostile.asked.clear()
        crawl(tmp_path, "-a", f"recrawl_after={recrawl_after}")
        return {path for path in hostile.asked if "robots" not in path}

    with served_bytes(tmp_path, hostile):
        crawl(tmp_path)
        assert asked("9d") == {"s/sitemap.xml"}
        hostile.answers["s/sitemap.xml"] = answer
        assert asked("9d") == {"s/sitemap.xml"}
        assert asked("9d") == set()
        # Once its time has come, it may be one again.
        hostile.answers["s/sitemap.xml"] = sitemap()
        time.sleep(1)
        assert "s/sitemap.xml" in asked("1s")
        assert asked("9d") == {"s/sitemap.xml"}


FAILURES = {
    403: reply(b"", status=b"403 Forbidden"),
    410: reply(b"", status=b"410 Gone"),
    500: reply(b"", status=b"500 Internal Server Error"),
}


@pytest.fixture
def asked(tmp_path):
    """Crawl a host again; return what was asked for, but for robots.txt, in order."""
    pages = {f"s/{name}": reply(page(name.encode() * 9), HTML) for name in NAMES}
    hostile = Hostile({**pages, "s/sitemap.xml": sitemap(), "s/": reply(page(b"home"), HTML)})

    def asked(*options, answer):
        hostile.asked.clear()
        hostile.answers["s/sitemap.xml"] = answer
        crawl(tmp_path, *options, "-s", "FETCH_RETRIES=1", "-s", "FETCH_RETRY_SECS=0.1")
        return [path for path in hostile.asked if "robots" not in path]

    with served_bytes(tmp_path, hostile):
        yield asked


@pytest.mark.slow
@pytest.mark.parametrize("status", [403, pytest.param(410, marks=pytest.mark.long), 500])
def test_a_sitemap_that_fails_rests_as_other_pages_do(asked, status):
    fails, again = FAILURES[status], ("-a", "recrawl_after=9d")
    asked(answer=sitemap())
    assert asked(*again, answer=sitemap()) == ["s/sitemap.xml"]
    # Tried again within the run, where other pages are too, and not in the next one.
    assert asked(*again, answer=fails) == ["s/sitemap.xml"] * (2 if status == 500 else 1)
    assert asked(*again, answer=fails) == []
    assert asked(answer=fails) == []
    time.sleep(1)
    # When its time has come, twice as late if it is gone, it is asked; if it is as it was, it is a sitemap again.
    assert "s/sitemap.xml" in asked("-a", "recrawl_after=0.5s", answer=sitemap())
    assert asked(*again, answer=sitemap()) == ["s/sitemap.xml"]


@pytest.mark.parametrize("status", [403, 500])
def test_a_sitemap_that_never_was_one_is_not_asked_for_again(asked, status):
    first = asked(answer=FAILURES[status])
    assert first.count("s/sitemap.xml") == (2 if status == 500 else 1)
    assert asked(answer=sitemap()) == []
    assert asked("-a", "recrawl_after=9d", answer=sitemap()) == []


DAY = 86_400 * 10**6


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("1970-01-02", (1, 2)),
        ("1970-02", (31, 59)),
        ("1971", (365, 730)),
        (" 1970-01-01T12:00Z ", (0.5, 0.5 + 1 / 1440)),
        ("1970-01-02T01:00:00.123+01:00", (1, 1 + 1 / 86_400)),
        ("1970-01-01T23:00:00-0100", (1, 1 + 1 / 86_400)),
        ("1970-01-02 00:00:00", (1, 1 + 1 / 86_400)),
    ],
)
def test_spans(text, days):
    assert read_lastmod(text) == Span(*(round(day * DAY) for day in days))


@pytest.mark.parametrize(
    "text",
    ["", "today", "1970-13-01", "1970-02-30", "9999", "0000", "1970-01-01T25:00Z", "19700101"],
)
def test_what_is_no_date(text):
    assert read_lastmod(text) is None


@given(st.text(alphabet="0123456789-T:Z+. ٣", max_size=30))
def test_any_text(text):
    span = read_lastmod(text)
    assert span is None or span.start < span.end


def test_a_page_visited_on_the_day_of_its_change_is_due_once_when_that_is_over():
    """Visits on the day, asked on the day, on the next one, and after a visit then."""
    day = read_lastmod("1970-01-02")
    assert day is not None
    assert day.is_after(DAY - 1, now_us=DAY + 9)
    assert not day.is_after(DAY + 5, now_us=DAY + 9)
    assert day.is_after(DAY + 5, now_us=2 * DAY)
    assert not day.is_after(2 * DAY, now_us=3 * DAY)


def test_zones_are_compared_as_times():
    east, west = read_lastmod("2026-01-01T00:00+05:30"), read_lastmod("2025-12-31T10:30-08:00")
    assert east == west
    assert east.end - east.start == timedelta(minutes=1) // timedelta(microseconds=1)
