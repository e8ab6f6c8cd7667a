"""What a crawl's user allows and denies, in a crawl over the wire: of links, redirects and what is queued."""

from __future__ import annotations

import pytest

from crawler.frontier.steering.url_filter import UrlFilter
from crawler.urls import page_key, page_url
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

PATHS = ("news/1", "news/2", "news/1?print=1", "shop/1", "news/away", "news/here")


def answers():
    links = b"".join(b"<a href='/%s'>x</a>" % path.encode() for path in PATHS)
    found = {f"a/{path}": reply(page(path.encode()), HTML) for path in (*PATHS, "out", "news/in")}
    return found | {
        "a/": reply(page(links), HTML),
        "a/news/away": reply(b"", b"Location: /out", status=b"302 Found"),
        "a/news/here": reply(b"", b"Location: /news/in", status=b"302 Found"),
    }


def crawl(folder, *options):
    done = run_scrapy(
        *("crawl", "site", "-a", "url=http://a.sample/", "--nolog", *options),
        *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        *("-s", "DEDUP_THRESHOLD=0"),
    )
    assert done.returncode == 0, done.stderr
    return done


ALL = {f"a/{path}" for path in (*PATHS, "out", "news/in")}
NEWS = {path for path in ALL if path.startswith("a/news/")}


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), ALL),
        (("URLS_ALLOW=^http://a[.]sample/news/",), NEWS),
        (("URLS_DENY=[?&]print=|/shop/",), ALL - {"a/news/1?print=1", "a/shop/1"}),
        (("URLS_ALLOW=/news/", "URLS_DENY=[?]"), NEWS - {"a/news/1?print=1"}),
    ],
)
def test_of_links_and_redirects_those_are_fetched_that_may_be(tmp_path, options, asked):
    hostile = Hostile(answers())
    with served_bytes(tmp_path, hostile):
        done = crawl(tmp_path, *(part for option in options for part in ("-s", option)))
    assert {path for path in hostile.asked if path != "a/robots.txt"} == {"a/"} | asked
    n_left_out = len(ALL - asked)
    line = f"  left out  {n_left_out:>10,}  link"
    assert line in done.stdout if n_left_out else "left out" not in done.stdout


@pytest.mark.parametrize(
    ("allow", "refused"),
    [
        ("/članci/", [1]),
        ("^http://bücher[.]", [0]),
        ("^(?!.*/članci/)", [0]),
        ("/%C4%8Dlanci/", [1]),
        ("^http://xn--bcher-kva[.]", [0]),
    ],
)
def test_letters_beyond_ascii_are_found_as_people_and_as_urls_write_them(allow, refused):
    urls = [
        page_url(page_key(url))
        for url in ("http://a.sample/Članci/članci/%2f", "http://bücher.sample/%FF")
    ]
    by_allow, by_deny = UrlFilter(allow=allow), UrlFilter(deny=allow)
    assert [n for n, url in enumerate(urls) if by_allow.refusal(url)] == refused
    assert [n for n, url in enumerate(urls) if not by_deny.refusal(url)] == refused


def test_what_is_queued_obeys_it_when_the_crawl_goes_on(tmp_path):
    hostile = Hostile(answers())
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path, "-a", "max_pages=1")
        crawl(tmp_path, "-s", "URLS_DENY=/news/")
    assert {path for path in hostile.asked if path != "a/robots.txt"} == {"a/", "a/shop/1"}
    rejected = Corpus.open(tmp_path / "corpus").rejected(["url", "stage", "reason"])
    reasons = {row["url"].partition("sample")[2]: (row["stage"], row["reason"]) for row in rejected}
    denied = [f"/{path}" for path in PATHS if path.startswith("news/")]
    assert {path for path, why in reasons.items() if why == ("frontier", "url_denied")} == {*denied}


def test_pages_that_are_fetched_already_stay_when_they_are_due_again(tmp_path):
    hostile = Hostile(answers())
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path)
        n_asked = len(hostile.asked)
        done = crawl(tmp_path, "-a", "recrawl_after=0.01s", "-s", "URLS_DENY=/news/")
    again = {path for path in hostile.asked[n_asked:] if path != "a/robots.txt"}
    assert again == {"a/", "a/shop/1", "a/out"}, done.stdout
    assert f"    {'url_denied':<32} {6:>8,}" in done.stdout  # with these all that were due again
    kept = {row["url"] for row in Corpus.open(tmp_path / "corpus").documents(["url"])}
    assert "http://a.sample/news/1" in kept


def test_a_recrawl_fetches_what_was_refused_and_may_be_fetched_now(tmp_path):
    """One wrong expression takes all that is queued; so it is for pages that were fetched before, or not found."""
    again = ("-a", "recrawl_after=0.01s", "-s")
    hostile = Hostile(answers() | {"a/news/2": reply(b"", status=b"404 Not Found")})
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path, "-a", "max_pages=1")
        crawl(tmp_path, "-s", "URLS_ALLOW=/newss/")
        done = crawl(tmp_path, *again, "URLS_ALLOW=/newss/")
        assert set(hostile.asked) == {"a/robots.txt", "a/"}
        assert f"    {'url_not_allowed':<32} {6:>8,}" in done.stdout
        crawl(tmp_path, *again, "URLS_ALLOW=/news/")
    assert set(hostile.asked) == {"a/robots.txt", "a/"} | NEWS
    corpus = Corpus.open(tmp_path / "corpus")
    kept = {row["url"].partition("sample/")[2] for row in corpus.documents(["url"])}
    assert kept == {"", "news/1", "news/1?print=1", "news/in"}
    reasons = {
        row["url"].partition("sample/")[2]: row["reason"]
        for row in corpus.rejected(["url", "reason"])
    }
    assert (reasons["news/2"], reasons["shop/1"]) == ("status_404", "url_not_allowed")


def test_what_is_no_regular_expression_is_one_line(tmp_path):
    done = run_scrapy(
        *("crawl", "site", "-a", "url=http://a.sample/", "-s", "URLS_DENY=(", "-s"),
        f"CORPUS_DIR={tmp_path / 'corpus'}",
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "winnow: the setting URLS_DENY is '('; give a regular expression such as /news/|[?&]id=\n"
    )
