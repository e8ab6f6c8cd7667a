"""Google's table of what a robots.txt allows, and its lines, ends and marks."""

from __future__ import annotations

import pytest

from crawler.frontier.robots.rules import MAX_LINE_BYTES
from tests.test_robots_rules import allowed, lines

# The facts of google/robotstxt, robots_test.cc (2019 to 2023), in our own words: a file, an agent, paths
# that may be fetched, paths that may not. Left out: an empty URL or agent, which a crawl does not have,
# and URLs that are not percent-encoded, which ours always are.
THREE_GROUPS = """allow: /before/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
"""
GOOGLE = [
    ("line: as it should be", lines("disallow: /"), "FooBot", [], ["/x/y"]),
    ("line: unknown fields", "foo: FooBot\nbar: /", "FooBot", ["/x/y"], []),
    ("line: no colons", "user-agent FooBot\ndisallow /", "FooBot", [], ["/x/y"]),
    ("groups: two of one agent", THREE_GROUPS, "FooBot", ["/x/b", "/z/d"], ["/y/c", "/before/"]),
    ("groups: rules behind blank lines", THREE_GROUPS, "BarBot", ["/y/c", "/w/a"], ["/z/d", "/before/"]),
    ("groups: rules of the next one", THREE_GROUPS, "BazBot", ["/z/d"], ["/before/"]),
    ("case of fields", "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /", "FooBot", ["/x/y"], ["/a/b"]),
    ("mixed case of fields", "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /", "FooBot", ["/x/y"], ["/a/b"]),
    ("case of agents", lines("Allow: /x/", "Disallow: /", agent="FOO BAR"), "foo", ["/x/y"], ["/a/b"]),
    ("agent up to a space", "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /",
     "Foo", ["/x/y"], ["/a"]),
    ("all, and one", "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /", "FooBot", [], ["/x/y"]),
    ("all, for another", "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /", "BarBot", ["/x"], []),
    ("no group for us", lines("disallow: /", agent="BarBot"), "QuxBot", ["/x/y"], []),
    ("empty file", "", "FooBot", ["/x/y"], []),
    ("case of paths", lines("disallow: /X/"), "FooBot", ["/x/y"], ["/X/y"]),
    ("longest: disallow", lines("disallow: /x/page.html", "allow: /x/"), "FooBot", [], ["/x/page.html"]),
    ("longest: allow", lines("allow: /x/page.html", "disallow: /x/"), "FooBot", ["/x/page.html"], ["/x/"]),
    ("empty patterns", lines("disallow: ", "allow: "), "FooBot", ["/x/page.html"], []),
    ("a draw", lines("disallow: /", "allow: /"), "FooBot", ["/x/page.html"], []),
    ("a draw of long ones", lines("disallow: /x/p.html", "allow: /x/p.html"), "FooBot", ["/x/p.html"], []),
    ("with and without slash", lines("disallow: /x", "allow: /x/"), "FooBot", ["/x/"], ["/x"]),
    ("star counts as one", lines("allow: /page", "disallow: /*.html"), "FooBot", ["/page"], ["/page.html"]),
    ("longer than the star", lines("allow: /x/page.", "disallow: /*.html"), "FooBot",
     ["/x/page.html"], ["/x/y.html"]),
    ("ours alone counts", "User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/", "FooBot",
     ["/x/page"], ["/y/page"]),
    ("delimiters in a query", lines("Disallow: /", "Allow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par"),
     "FooBot", ["/foo/bar?qux=taz&baz=http://foo.bar?tar&par"], ["/foo/bar?qux=t"]),
    ("raw UTF-8", lines("Disallow: /", "Allow: /foo/ツ"), "FooBot", ["/foo/%E3%83%84"], ["/foo/%E3"]),
    ("escaped UTF-8", lines("Disallow: /", "Allow: /foo/%E3%83%84"), "FooBot", ["/foo/%E3%83%84"], []),
    ("star within", lines("Disallow: /foo/bar/quz", "Allow: /foo/*/qux"), "FooBot",
     ["/foo/quz", "/foo//quz", "/foo/bax/quz"], ["/foo/bar/quz"]),
    ("end", lines("Disallow: /foo/bar$", "Allow: /foo/bar/qux"), "FooBot",
     ["/foo/bar/qux", "/foo/bar/", "/foo/bar/baz"], ["/foo/bar"]),
    ("comments", lines("# Disallow: /", "Disallow: /foo/quz#qux", "Allow: /"), "FooBot",
     ["/foo/bar"], ["/foo/quz"]),
    ("index.html is its folder", "User-Agent: *\nAllow: /slash/index.html\nDisallow: /", "foobot",
     ["/slash/", "/slash/index.html"], ["/slash/index.htm", "/other"]),
    ("prefix", lines("disallow: /", "allow: /fish"), "FooBot",
     ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fishheads/yummy.html", "/fish.html?id=a"],
     ["/bar", "/Fish.asp", "/catfish", "/?id=fish"]),
    ("prefix with a star", lines("disallow: /", "allow: /fish*"), "FooBot",
     ["/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.html?id=anything"],
     ["/bar", "/Fish.bar", "/catfish", "/?id=fish"]),
    ("folder", lines("disallow: /", "allow: /fish/"), "FooBot",
     ["/fish/", "/fish/salmon", "/fish/?salmon", "/fish/salmon.html", "/fish/?id=anything"],
     ["/fish", "/fish.html", "/Fish/Salmon.html"]),
    ("ending anywhere", lines("disallow: /", "allow: /*.php"), "FooBot",
     ["/filename.php", "/folder/filename.php?parameters", "//folder/any.php.file.html", "/filename.php/",
      "/index?f=filename.php/"],
     ["/bar", "/php/", "/index?php", "/windows.PHP"]),
    ("ending at the end", lines("disallow: /", "allow: /*.php$"), "FooBot",
     ["/filename.php", "/folder/filename.php"],
     ["/filename.php?parameters", "/filename.php/", "/filename.php5", "/php/", "/filename?php",
      "/aaaphpaaa", "//windows.PHP"]),
    ("star between", lines("disallow: /", "allow: /fish*.php"), "FooBot",
     ["/fish.php", "/fishheads/catfish.php?parameters"], ["/Fish.PHP"]),
    ("precedence: page", lines("allow: /p", "disallow: /"), "FooBot", ["/page"], []),
    ("precedence: folder", lines("allow: /folder", "disallow: /folder"), "FooBot", ["/folder/page"], []),
    ("precedence: ending", lines("allow: /page", "disallow: /*.htm"), "FooBot", [], ["/page.htm"]),
    ("precedence: home", lines("allow: /$", "disallow: /"), "FooBot", ["/"], ["/page.html"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("robots", "agent", "open_paths", "closed_paths"),
    [row[1:] for row in GOOGLE],
    ids=[row[0] for row in GOOGLE],
)
def test_google_table(robots, agent, open_paths, closed_paths):
    assert [path for path in open_paths if not allowed(robots, path, agent)] == []
    assert [path for path in closed_paths if allowed(robots, path, agent)] == []


def test_google_long_lines_are_cut():
    # "GoogleOnly_LineTooLong": the rule is what stands before the limit.
    room = MAX_LINE_BYTES - len("disallow: ") - len("/x/")
    long_path = "/x/" + "a" * room
    robots = lines(f"disallow: {long_path}/qux")
    assert allowed(robots, "/fux")
    assert not allowed(robots, f"{long_path}/fux")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_google_line_ends_and_byte_order_marks(end, mark):
    robots = mark + end.join(("User-agent: FooBot", "Disallow: /a", "", "Disallow: /b")).encode()
    assert [allowed(robots, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_google_byte_order_mark_elsewhere_spoils_its_line():
    assert allowed(b"\xef\x11\xbfUser-Agent: FooBot\nDisallow: /", "/a")
    assert allowed(b"User-Agent: FooBot\n\xef\xbb\xbfDisallow: /", "/a")
