"""Rules of a robots.txt: RFC 9309's examples, broken and hostile files."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.frontier.robots.rules import MAX_SITEMAPS, parse_robots, product_token
from tests.traced_memory import least_traced

SITE = "http://shop.example"


def allowed(robots, path, agent="FooBot"):
    body = robots if isinstance(robots, bytes) else robots.encode()
    return parse_robots(body, agent).allows(SITE + path)


def lines(*rules, agent="FooBot"):
    return "\n".join((f"User-agent: {agent}", *rules))


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("Foobot", "foobot"),
        ("Foobot-Bar", "foobot-bar"),
        ("Foo_Bar", "foo_bar"),
        ("Foobot/2.1", "foobot"),
        ("Foobot*", "foobot"),
        ("Foobot Bar", "foobot"),
        ("ツ", ""),
        ("", ""),
        ("*", "*"),
        ("* all of you", "*"),
        ("*bot", ""),
    ],
)
def test_product_tokens(name, token):
    assert product_token(name) == token


@pytest.mark.parametrize("agent", ["win", "winnow-images", "ow", "winnowbot"])
def test_a_group_is_for_its_whole_token(agent):
    assert allowed(lines("Disallow: /", agent=agent), "/", "winnow")
    assert not allowed(lines("Disallow: /", agent="winnow/1.0"), "/", "Winnow")


def test_rfc_9309_section_5_1():
    robots = """User-Agent: *
        Disallow: *.gif$
        Disallow: /example/
        Allow: /publications/

        User-Agent: foobot
        Disallow:/
        Allow:/example/page.html
        Allow:/example/allowed.gif

        User-Agent: barbot
        User-Agent: bazbot
        Disallow: /example/page.html

        User-Agent: quxbot
    """
    page, gif, other = "/example/page.html", "/example/allowed.gif", "/other"
    expected = {
        "anybot": {page: False, gif: False, other: True, "/publications/a.gif": True},
        "foobot": {page: True, gif: True, other: False},
        "barbot": {page: False, gif: True, other: True},
        "bazbot": {page: False, gif: True, other: True},
        "quxbot": {page: True, gif: True, other: True},
    }
    found = {a: {path: allowed(robots, path, a) for path in ps} for a, ps in expected.items()}
    assert found == expected


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        # RFC 9309 sections 2.2.2 and 2.2.3, but for its "https://" in a query, which both of ours escape.
        ("/foo/bar?baz=quz", "/foo/bar?baz=quz", True),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", True),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", True),
        ("/path/file-with-a-%2A.html", "/path/file-with-a-b.html", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/a%2Fb", "/a/b", False),
        ("/find?q=a+b", "/find?q=a+b", True),
        ("/find?q=a%20b", "/find?q=a+b", True),
        ("/find?u=/a", "/find?u=%2Fa", True),
        ("/*?u=/a", "/find?u=%2Fa", True),
    ],
)
def test_escapes(pattern, path, matches):
    assert allowed(lines(f"Disallow: {pattern}"), path) is not matches


def test_the_file_itself_may_always_be_fetched():
    assert allowed(lines("Disallow: /"), "/robots.txt")


def test_other_records_end_no_group():
    robots = "User-agent: a\nSitemap: http://x/\nCrawl-delay: 3\nContent-Signal: ai-train=no\nUser-agent: b\nDisallow: /"
    assert [allowed(robots, "/", agent) for agent in "abc"] == [False, False, True]
    assert parse_robots(robots.encode(), "a").crawl_delay == 3
    assert parse_robots(robots.encode(), "b").crawl_delay is None


@pytest.mark.parametrize(
    ("values", "secs"),
    [
        (["2"], 2.0),
        (["0.5"], 0.5),
        (["2", "7", "3"], 7.0),
        (["-3"], None),
        (["nan"], None),
        (["inf"], None),
        (["soon"], None),
        (["-3", "4"], 4.0),
        (["0"], 0.0),
    ],
)
def test_crawl_delay(values, secs):
    robots = lines(*(f"Crawl-delay: {value}" for value in values), agent="*").encode()
    assert parse_robots(robots, "winnow").crawl_delay == secs


def test_signals_are_those_of_our_group():
    robots = b"""User-agent: *
Content-Signal: search=yes, ai-train=no
Allow: /
User-agent: winnow
Content-signal: ai-train=yes;ai-input=NO, what?
Content-Usage: train-ai=n
Disallow:
"""
    assert parse_robots(robots, "other").signals == ("ai-train=no", "search=yes")
    assert parse_robots(robots, "winnow").signals == ("ai-input=no", "ai-train=yes", "train-ai=n")


def test_sitemaps_are_everybodys_and_bounded():
    robots = "Sitemap: http://a.example/1.xml\nUser-agent: other\nDisallow: /\nsite-map: /2.xml\n"
    assert parse_robots(robots.encode(), "winnow").sitemaps == ("http://a.example/1.xml", "/2.xml")
    many = "".join(f"Sitemap: /{n}\n" for n in range(MAX_SITEMAPS + 5))
    assert len(parse_robots(many.encode(), "winnow").sitemaps) == MAX_SITEMAPS


def test_html_and_binary_files_hold_no_rules():
    for body in (b"<!doctype html><p>Disallow: /", bytes(range(256)) * 100, b"\0" * 1000):
        assert parse_robots(body, "winnow").matcher is None


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_byte_order_marks(codec):
    mark = b"\xfe\xff" if codec == "utf-16-be" else b""
    robots = mark + lines("Disallow: /é").encode(codec)
    assert not allowed(robots, "/é")
    assert allowed(robots, "/e")


def test_lines_end_where_the_standard_says():
    # Each of these ends a line for str.splitlines.
    for odd in ("\x0b", "\x0c", "\x1c", "\x85", "\u2028"):
        robots = lines(f"Allow: /a{odd}Disallow: /")
        assert allowed(robots, "/b")


HOSTILE = {
    "stars": lines("Disallow: /" + "*a" * 8000 + "b"),
    "many stars": lines(*["Disallow: /*a*a*a*a*b"] * 5000),
    "different stars": lines(*(f"Disallow: /*a*a*a{n}$" for n in range(4000))),
    "agents times rules": "\n".join(f"User-agent: a{n}" for n in range(10_000))
    + "\n"
    + "\n".join(f"Disallow: /{n}" for n in range(10_000)),
    "one agent times rules": "User-agent: *\n" * 10_000
    + "\n".join(f"Disallow: /{n}" for n in range(10_000)),
    "one line": "Disallow: " + "/*" * 250_000,
    "no end of words": "user agent " * 45_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_cost_no_more_than_their_bytes(name):
    """The work is counted in calls of Python, which quadratic or exponential matching would multiply."""
    body = HOSTILE[name].encode()[: 500 * 1024]
    calls = 0

    def count(frame, event, arg):
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        rules = parse_robots(body, "FooBot")
        n_parse, calls = calls, 0
        rules.allows(f"{SITE}/{'a' * 2000}")
    finally:
        sys.setprofile(None)
    assert n_parse <= 6 * len(body)
    assert calls <= len(body)


@pytest.mark.parametrize("pattern", ["/folder/%d/", "/folder/%d/*.html", "/a%d$", "/a/%d/*.html$"])
@pytest.mark.parametrize("n_rules", [1, 10, 200])
def test_memory_is_as_estimated(pattern, n_rules):
    body = lines(*(f"Disallow: {pattern % n}" for n in range(n_rules))).encode()

    def many():
        """Small objects that lie ready in Python's own lists are not traced."""
        kept = [parse_robots(body, "FooBot") for _ in range(max(2, 200 // n_rules))]
        for rules in kept:
            rules.allows(f"{SITE}/a")
        return kept

    kept, size, _ = least_traced(many)
    assert 0.6 <= size / len(kept) / kept[0].n_bytes <= 1.5


@given(st.binary(max_size=300), st.text(max_size=30))
def test_any_file_is_read(body, path):
    rules = parse_robots(b"User-agent: *\n" + body, "winnow")
    rules.allows(f"{SITE}/{path}")


PATTERN = st.text("/ab*$", min_size=1, max_size=8)


def slow_match(pattern, path):
    """RFC 9309 section 2.2.2 by recursion: does *pattern* match a prefix of *path*?"""
    if pattern in ("", "$"):
        return not pattern or not path
    if pattern[0] == "*":
        return slow_match(pattern[1:], path) or (bool(path) and slow_match(pattern, path[1:]))
    return path[:1] == pattern[0] and slow_match(pattern[1:], path[1:])


@given(
    st.lists(st.tuples(st.booleans(), st.text("/ab*", min_size=1, max_size=6), st.booleans()), max_size=4),
    st.text("/ab", max_size=8),
)  # fmt: skip
def test_the_longest_rule_decides(rules, path):
    written = [(allow, f"/{body}{'$' if end else ''}") for allow, body, end in rules]
    robots = lines(*(f"{'Allow' if allow else 'Disallow'}: {value}" for allow, value in written))
    matching = [(len(value), allow) for allow, value in written if slow_match(value, f"/{path}")]
    assert allowed(robots, f"/{path}") == max(matching, default=(0, True))[1]
