"""Crawls that fetch nothing do not look like a success; those that go on with nothing left do."""

from __future__ import annotations

import pytest

from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

CONTACT = ("-s", "USER_AGENT=winnow (+https://corpus.uni.edu/crawl)", "--nolog")
MEND = "ALLOWED_PRIVATE_NETWORKS=10.0.0.0/8, or 127.0.0.0/8 by SCRAPY_PROJECT=local"
FORBIDDEN = reply(b"User-agent: *\nDisallow: /\n")


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/", "http://0x7f.1/x", "http://[::1]:80/"])
def test_a_site_at_a_private_address_is_refused_before_the_start(tmp_path, url):
    options = ("-a", f"url={url}", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "--nolog")
    done = run_scrapy("crawl", "site", *options, profile="default")
    assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, "")
    assert done.stderr.startswith(f"winnow: url {url!r} is not fetched (private_address); ")
    assert MEND in done.stderr
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("command", [("crawl",), ("fleet", "-p", "1", "-s", "PROGRESS_SECS=0")])
def test_seeds_at_private_addresses(tmp_path, command):
    (tmp_path / "seeds.txt").write_text("http://10.1.2.3/\nhttp://10.1.2.4/\n", encoding="utf-8")
    arguments = ("odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", *CONTACT)
    called = (*command, *arguments, "-s", f"CORPUS_DIR={tmp_path / 'corpus'}")
    done = run_scrapy(*called, profile="default")
    assert done.returncode == 1
    assert done.stdout.startswith("Crawl finished after ")
    assert done.stderr.startswith(
        "winnow: not one page was fetched (fetch/private_address 2); let "
    )
    assert done.stderr.count("\n") == 1
    assert f"{MEND}; then -a recrawl_after=1s asks again\n" in done.stderr
    # Whoever lets them in, and no more, was told of no page.
    again = run_scrapy(*called, profile="local")
    why = "2 pages could not be had"
    assert again.stderr == (
        f"winnow: not one page was fetched ({why}); -a recrawl_after=1s asks again\n"
    )


def crawl(folder, *options):
    files = (f"CORPUS_DIR={folder / 'corpus'}", f"HOSTS_FILE={folder / 'hosts.tsv'}")
    settings = [word for value in files for word in ("-s", value)]
    return run_scrapy(
        "crawl", "odp", "-a", f"seeds={folder / 'seeds.txt'}", *settings, *options, "--nolog"
    )


def test_one_page_is_enough_and_nothing_left_is_no_failure(tmp_path):
    hostile = Hostile({"no/robots.txt": FORBIDDEN, "no/": page(), "later/": reply(page(), HTML)})
    with served_bytes(tmp_path, hostile):
        (tmp_path / "seeds.txt").write_text("http://no.sample/\n", encoding="utf-8")
        done = crawl(tmp_path)
        assert done.returncode == 1
        assert done.stderr.endswith(
            "(fetch/robots 1); look at what it was given, and at the network\n"
        )
        (tmp_path / "seeds.txt").write_text("http://later.sample/\n", encoding="utf-8")
        for fetched in ("1  page", "0  pages"):
            done = crawl(tmp_path)
            assert (done.returncode, done.stderr) == (0, "")
            assert f"fetched            {fetched}," in done.stdout


def test_redirects_are_no_pages(tmp_path):
    """As of a site that wants a cookie: it sends all to a page that sends them back."""
    moved = {
        f"{host}/": reply(b"", b"Location: " + target, status=b"302 Found")
        for host, target in (
            ("a", b"/login"),
            ("b", b"http://no.sample/"),
            ("c", b"http://d.sample/"),
        )
    }
    back = {"a/login": moved["a/"].replace(b"/login", b"/")}
    hostile = Hostile({**moved, **back, "no/robots.txt": FORBIDDEN, "d/": reply(page(), HTML)})
    look = "look at where it redirects to, which leads to no page"
    with served_bytes(tmp_path, hostile):
        for host, options, why in (
            ("a", (), f"(fetch/redirect 2); {look}"),
            (
                "b",
                (),
                "(fetch/redirect 1, fetch/robots 1); look at what it was given, and at the network",
            ),
            ("a", ("-a", "max_pages=1"), None),
            ("c", (), None),
        ):
            arguments = ("site", "-a", f"url=http://{host}.sample/", *options, "--nolog")
            settings = (
                f"CORPUS_DIR={tmp_path / host}{len(options)}",
                f"HOSTS_FILE={tmp_path / 'hosts.tsv'}",
            )
            done = run_scrapy(
                "crawl", *arguments, *(word for each in settings for word in ("-s", each))
            )
            said = f"winnow: not one page was fetched {why}\n" if why else ""
            assert (done.returncode, done.stderr) == (int(why is not None), said), host


def test_a_crawl_whose_pages_could_not_be_had_says_how_they_are_asked_for_again(tmp_path):
    """As after a start without a network: the same command finds nothing left to do."""
    with served_bytes(tmp_path, Hostile({"a/": reply(page(), HTML)})):
        pass
    once = ("-s", "FETCH_RETRIES=0")
    assert "(fetch/connection 1); look at" in crawl(tmp_path, *once).stderr
    for options, mend in (
        (once, "-a recrawl_after=1s asks again"),
        ((*once, "-a", "recrawl_after=0.001s"), "look at what it was given, and at the network"),
    ):
        done = crawl(tmp_path, *options)
        assert done.returncode == 1
        why = "1 page could not be had"
        assert done.stderr == f"winnow: not one page was fetched ({why}); {mend}\n"


def test_pages_that_are_due_again_at_a_limit_are_no_failure(tmp_path):
    answer = reply(page(b"word " * 400), HTML)
    with served_bytes(tmp_path, Hostile({"a/": answer, "b/": answer})):
        for options in ((), ("-a", "recrawl_after=0.001s"), ()):
            done = crawl(tmp_path, "-a", "max_bytes=3000", *options)
            assert (done.returncode, done.stderr) == (0, ""), options
            assert "limit      max_bytes  is reached" in done.stdout


def test_a_file_without_answers(tmp_path):
    head = (
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Length: 0\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n\r\n"
    )
    (tmp_path / "info.warc").write_bytes(head.encode() + b"\r\n\r\n")
    options = ("-a", f"paths={tmp_path / 'info.warc'}", "-s", f"CORPUS_DIR={tmp_path / 'corpus'}")
    done = run_scrapy("crawl", "warc", *options, "--nolog")
    assert done.returncode == 1, done
    told, why = done.stderr.splitlines()
    assert told.endswith("info.warc holds no answer to a request, only records of type warcinfo")
    assert why.startswith("winnow: not one page was fetched (nothing was there); ")
