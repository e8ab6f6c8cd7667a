"""Crawls that follow other links than the one whose pages wait in a corpus: refused while they would fetch these."""

from __future__ import annotations

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

COMMANDS = [("crawl",), pytest.param(("fleet", "-p", "2"), marks=pytest.mark.long)]
SITE = ("-a", "url=http://a.sample/")


def text(host, *links):
    return reply(page(b"".join(b'<a href="%s">%s</a> ' % (to, host) for to in links)), HTML)


@pytest.fixture
def served(tmp_path):
    answers = {}
    for host in ("a", "b"):
        answers |= {
            f"{host}/": text(host.encode(), b"/1", b"/2"),
            f"{host}/1": text(host.encode(), b"/3"),
        }
    with served_bytes(tmp_path, hostile := Hostile(answers)):
        yield hostile


def crawl(folder, command, spider, *options):
    arguments = (*command, spider, "--nolog", "-s", f"CORPUS_DIR={folder / 'corpus'}", *options)
    if spider == "odp":
        arguments = (*arguments, "-a", f"seeds={folder / 'seeds.txt'}")
    return run_scrapy(*arguments, "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}")


def urls(folder):
    corpus = Corpus.open(folder / "corpus")
    return {row["url"] for row in (*corpus.documents(["url"]), *corpus.rejected(["url"]))}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_site_crawl_leaves_the_queue_of_a_stopped_crawl(served, tmp_path, command):
    done = crawl(tmp_path, command, "odp", "-a", "max_pages=3")
    assert done.returncode == 0, done.stderr
    n_asked = len(served.asked)
    refused = crawl(tmp_path, command, "site", *SITE)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        f"winnow: {tmp_path / 'corpus'} has 4 pages queued by a crawl that follows all links, this one "
        "follows links within a.sample; end that crawl by its own command first, give another CORPUS_DIR, "
        "or -s CORPUS_RULES_MAY_CHANGE=1 to fetch them by this one\n"
    )
    # One that has had all its pages would still plant its first page there.
    limited = crawl(tmp_path, command, "site", *SITE, "-a", "max_pages=3")
    assert (limited.returncode, limited.stderr) == (2, refused.stderr)
    assert len(served.asked) == n_asked
    done = crawl(tmp_path, command, "odp")
    assert done.returncode == 0, done.stderr
    assert urls(tmp_path) == {
        f"http://{host}.sample/{name}" for host in ("a", "b") for name in ("", "1", "2", "3")
    }
    done = crawl(tmp_path, command, "site", *SITE)
    assert done.returncode == 0, done.stderr


def test_sites_that_have_their_pages_do_not_keep_others_out(served, tmp_path):
    for host in ("a", "b"):
        options = ("-a", f"url=http://{host}.sample/", "-a", "pages_per_host=2")
        done = crawl(tmp_path, ("crawl",), "site", *options)
        assert done.returncode == 0, done.stderr
    assert len(urls(tmp_path)) == 4
    refused = crawl(tmp_path, ("crawl",), "site", *SITE)
    assert (
        "has 4 pages queued by a crawl that follows links within b.sample, this" in refused.stderr
    )
    done = crawl(tmp_path, ("crawl",), "site", *SITE, "-s", "CORPUS_RULES_MAY_CHANGE=1")
    assert done.returncode == 0, done.stderr
    assert len(urls(tmp_path)) >= 7


def test_another_site_plants_nothing_in_a_crawl_that_has_had_its_pages(served, tmp_path):
    first = ("-a", "max_pages=2")
    done = crawl(tmp_path, ("crawl",), "site", *SITE, *first)
    assert done.returncode == 0, done.stderr
    refused = crawl(tmp_path, ("crawl",), "site", "-a", "url=http://b.sample/", *first)
    assert refused.returncode == 2
    assert (
        "has 2 pages queued by a crawl that follows links within a.sample, this" in refused.stderr
    )
    done = crawl(tmp_path, ("crawl",), "site", *SITE)
    assert done.returncode == 0, done.stderr
    assert urls(tmp_path) == {f"http://a.sample/{name}" for name in ("", "1", "2", "3")}


def test_a_first_page_that_waits_beside_others_is_known_as_another_crawl_s(served, tmp_path):
    done = crawl(tmp_path, ("crawl",), "site", *SITE, "-a", "pages_per_host=2")
    assert done.returncode == 0, done.stderr
    limits = ("-a", "pages_per_host=2", "-a", "max_pages=2")
    served.answers["b/moved"] = reply(b"", b"Location: /1", status=b"301 Moved Permanently")
    may_change = ("-s", "CORPUS_RULES_MAY_CHANGE=1")
    for name, options in (("", limits), ("moved", (*limits, *may_change))):
        done = crawl(tmp_path, ("crawl",), "site", "-a", f"url=http://b.sample/{name}", *options)
        assert done.returncode == 0, done.stderr
    refused = crawl(tmp_path, ("crawl",), "site", *SITE)
    assert "by a crawl that follows links within b.sample, this one follows" in refused.stderr
    assert not any(asked.startswith("b") for asked in served.asked)
    # They are fetched, if that is wanted, and their host is not taken for one of the site.
    done = crawl(tmp_path, ("crawl",), "site", *SITE, *may_change)
    assert done.returncode == 0, done.stderr
    assert {asked for asked in served.asked if asked[0] == "b"} == {
        "b/robots.txt",
        "b/",
        "b/moved",
    }
