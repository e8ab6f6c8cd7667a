"""References resolved one by one and as a batch."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.urls import page_key, page_keys, page_url, resolve

# From so many references on a kernel reads them.
MIN_BATCH = 8

BASE = "http://www.example.com/a/b/page.html?old=1#top"

RESOLVED = [
    ("next.html", "http://www.example.com/a/b/next.html"),
    ("./next.html", "http://www.example.com/a/b/next.html"),
    ("../next.html", "http://www.example.com/a/next.html"),
    ("../../../../x", "http://www.example.com/x"),
    ("..", "http://www.example.com/a/"),
    ("/root", "http://www.example.com/root"),
    ("?new=2", "http://www.example.com/a/b/page.html?new=2"),
    ("", "http://www.example.com/a/b/page.html?old=1"),
    ("#frag", "http://www.example.com/a/b/page.html?old=1"),
    ("//other.org/x", "http://other.org/x"),
    ("\\\\other.org\\x", "http://other.org/x"),
    ("https://other.org", "https://other.org/"),
    ("HTTP://Other.org:80/?b=1&a=2", "http://other.org/?a=2&b=1"),
    ("http:next.html", "http://www.example.com/a/b/next.html"),  # same scheme: relative
    ("https:other.org/x", "https://other.org/x"),  # another scheme: an authority
    ("http:/other.org", "http://www.example.com/other.org"),
    ("http:\\other.org", "http://www.example.com/other.org"),
    ("http:\\/other.org", "http://other.org/"),
    ("https:/other.org", "https://other.org/"),
    ("  next\n.html\t", "http://www.example.com/a/b/next.html"),
    ("/%E4%B8%AD%20x%2F%c3", "http://www.example.com/%E4%B8%AD%20x%2F%C3"),
    ("/x?b=%2F+c&a=%41&z&=", "http://www.example.com/x?=&a=A&b=%2F+c&z"),
    ("/x?b&a=&a&%61&Wiki%20Page", "http://www.example.com/x?Wiki+Page&a&a&a=&b"),
    ("?&", "http://www.example.com/a/b/page.html"),
    ("/x?b=a/c:1&a=(2)", "http://www.example.com/x?a=%282%29&b=a%2Fc%3A1"),
    ("/x?a=b=c&a=b", "http://www.example.com/x?a=b&a=b%3Dc"),
    ("a:b", None),  # a scheme of its own
    ("./a:b", "http://www.example.com/a/b/a:b"),
    ("mailto:x@example.com", None),
    ("javascript:void(0)", None),
    ("tel:+49", None),
    ("http://", None),
    ("a" * 20_000, None),
    ("x?q=\ud800", "http://www.example.com/a/b/x?q=%EF%BF%BD"),
    ("x\ud800", "http://www.example.com/a/b/x%EF%BF%BD"),
]

references = st.one_of(
    st.text(max_size=40),
    st.sampled_from([href for href, _ in RESOLVED]),
    st.text("/.:?#&=%2eaAé \\;@[]|+-_~\n", max_size=25),
    st.builds(
        "{}{}{}".format,
        st.sampled_from(
            [
                *(
                    "",
                    "/",
                    "//a.com",
                    "//a.com:x",
                    "//u@a.com/",
                    "http://b.org",
                    "https://c.net:81",
                ),
                *("http://", "http:", "HTTPS:", "../", "./", "mailto:", "javascript:"),
            ]
        ),
        st.text("ab/.%:;", max_size=12),
        st.lists(st.sampled_from([*"?&=ab1+%#/", "%20", "%2F", "%2f", "%C3", "%41"])).map("".join),
    ),
)


@pytest.mark.parametrize(("href", "expected"), RESOLVED)
def test_resolves_as_a_browser_does(href, expected):
    (key,) = page_keys([href], BASE)
    assert (None if key is None else page_url(key)) == expected


@given(st.lists(references, max_size=20), st.sampled_from([BASE, "https://é.fr", "no url", ""]))
def test_batch_equals_the_single_form(hrefs, base):
    urls = [resolve(base, href) for href in hrefs]
    assert page_keys(hrefs, base) == [None if url is None else page_key(url) for url in urls]


@given(
    st.lists(
        references | st.text("/.%2eEfF3bé\ud800 {\\\\?#&=a", max_size=14),
        min_size=MIN_BATCH,
        max_size=40,
    ),
    st.sampled_from([BASE, "https://é.fr/x/.y?a=b", "http://1/", "no url"]),
    st.sampled_from(["utf-8", "gb18030", "cp037"]),
    st.sampled_from([40, 2048]),
)
def test_many_at_once_equal_the_single_form(hrefs, base, charset, max_chars):
    urls = [resolve(base, href, charset=charset) for href in hrefs]
    expected = [None if url is None else page_key(url, max_chars=max_chars) for url in urls]
    assert page_keys(hrefs, base, charset=charset, max_chars=max_chars) == expected


@pytest.mark.parametrize("query", ["", "?b=2&a=%41&&c&a=+%2f", "?=&x y=z;&%zz=%", "?a b&a%20b&"])
def test_each_form_of_an_ordinary_reference_among_many(query):
    starts = ["", "/", "x", "/x/", "//a.com", "//a.com/x", "http://b.org:8", "https://1:443/", "a:"]
    ends = [
        "",
        "#top",
        "#é ?a=b",
        "%2F",
        "%2f",
        "..",
        "/..x",
        "/./",
        "/%2e%2E",
        ":b",
        "é",
        " ",
        " x",
    ]
    hrefs = [
        f"{start}{end}{query}{mark}" for start in starts for end in ends for mark in ("", "#f")
    ]
    urls = [resolve(BASE, href) for href in hrefs]
    assert page_keys(hrefs, BASE) == [None if url is None else page_key(url) for url in urls]


def test_more_fields_or_bytes_of_the_base_than_the_kernel_has_room_for():
    many = "&".join(f"{name}={name}" for name in range(100, 0, -1))
    deep = "http://a.com/" + 1500 * "x" + "/"
    hrefs = [f"/{number}?{many}" for number in range(10)] + [f"{n}" for n in range(800)]
    urls = [resolve(deep, href) for href in hrefs]
    assert page_keys(hrefs, deep, max_chars=4000) == [page_key(url, max_chars=4000) for url in urls]


@given(st.text("ab/.-?=&1", max_size=20).filter(lambda href: "//" not in href and href != "?"))
def test_agrees_with_the_standard_library_on_plain_references(href):
    # urljoin drops empty segments and keeps the old query for "?"; the URL standard does neither.
    assert page_keys([href], BASE) == [page_key(urljoin(BASE, href.strip()))]


def test_without_a_base_only_absolute_references_have_keys():
    assert page_keys(["/a", "b", "", "http://x.org/"], "about:blank")[:3] == [None] * 3
    assert page_keys(["http://x.org/"], "about:blank") == [("org.x", "0/")]


def test_query_is_escaped_in_the_charset_of_the_page():
    assert resolve(BASE, "/s?q=é", charset="latin-1") == "http://www.example.com/s?q=%E9"
    assert page_keys(["/s?q=中"], BASE, charset="gb18030") == [("com.example.www", "0/s?q=%D6%D0")]
    # What the charset lacks, and a charset that does not exist, fall back to UTF-8.
    for charset in ("latin-1", "no such charset", "utf-16"):
        assert page_keys(["/s?q=中"], BASE, charset=charset) == [
            ("com.example.www", "0/s?q=%E4%B8%AD")
        ]


def test_length_limit_holds_for_both_ways():
    assert page_keys(["/ordinary", "/é"], BASE, max_chars=25) == [None, None]
