"""The site and the focused crawl over a served sample web."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.focus import learnt_rows, read_row
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy, served_web
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

HOSTS, PAGES = 24, 300


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    with served_web(folder, "--hosts", str(HOSTS), "--pages", str(PAGES)):
        yield folder


def crawl(web, corpus, spider, *arguments):
    return run_scrapy(
        *("crawl", spider, "-s", f"CORPUS_DIR={corpus}", "-s", f"HOSTS_FILE={web / 'hosts.tsv'}"),
        *(() if "-L" in arguments else ("--nolog",)),
        *arguments,
    )


def seeds_of(web):
    return [line.split("\t") for line in (web / "seeds.tsv").read_text().splitlines()]


def rows_of(corpus):
    opened = Corpus.open(corpus)
    return [*opened.documents(["url", "host", "depth"]), *opened.rejected()]


def test_a_site_crawl_stays_on_its_site(web, tmp_path):
    _, url = seeds_of(web)[0]
    done = crawl(
        web, tmp_path, "site", "-a", f"url={url}", "-a", "max_depth=1", "-a", "max_pages=15"
    )
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path)
    assert len(rows) > 1
    assert {row["host"] for row in rows} == {url.split("/")[2]}
    assert {row["depth"] for row in rows} == {0, 1}


def test_a_site_crawl_that_goes_on_knows_where_its_address_led_to(tmp_path):
    """As http://example.org/ leads to http://www.example.org/; links and redirects to both are followed, and to no
    third host.
    """
    links = b"<a href=/1>1</a> <a href=http://a.sample/x>x</a> <a href=http://c.sample/>c</a>"
    hostile = Hostile({
        "a/": reply(b"", b"Location: http://b.sample/", status=b"301 Moved"),
        "b/": reply(page(links), HTML),
        "b/4": reply(page(b"4"), HTML),
        "b/1": reply(page(b"".join(b"<a href=/%d>n</a>" % n for n in range(2, 5))), HTML),
        "a/x": reply(page(b"x"), HTML),
        "c/": reply(page(b"c"), HTML),
        "b/2": reply(b"", b"Location: http://c.sample/", status=b"302 Found"),
        "b/3": reply(b"", b"Location: http://a.sample/y", status=b"302 Found"),
        "a/y": reply(page(b"y"), HTML),
    })  # fmt: skip
    with served_bytes(tmp_path, hostile):
        for limit in ("2", "0"):
            command = ("site", "-a", "url=http://a.sample/", "-a", f"max_pages={limit}")
            done = crawl(tmp_path, tmp_path / "corpus", *command)
            assert done.returncode == 0, done.stderr
    asked = {path for path in hostile.asked if not path.endswith("robots.txt")}
    assert asked == {"a/", "b/", "b/1", "a/x", "a/y", "b/2", "b/3", "b/4"}


@pytest.mark.parametrize(
    ("body", "header"),
    [
        (b"<meta http-equiv=refresh content='0; url=http://b.sample/'>", HTML),
        (b"<p>We have moved.", b"Refresh: 0; url=http://b.sample/"),
    ],
)
def test_a_site_whose_address_leads_on_by_a_refresh(tmp_path, body, header):
    links = b"<meta http-equiv=refresh content='9; url=http://c.sample/'><a href=/1>1</a>"
    hostile = Hostile({"a/": reply(body, HTML, header), "b/": reply(page(links), HTML)})
    hostile.answers |= {"b/1": reply(page(b"1"), HTML), "c/": reply(page(b"c"), HTML)}
    with served_bytes(tmp_path, hostile):
        done = crawl(tmp_path, tmp_path / "corpus", "site", "-a", "url=http://a.sample/")
    assert done.returncode == 0, done.stderr
    asked = {path for path in hostile.asked if not path.endswith("robots.txt")}
    assert asked == {"a/", "b/", "b/1"}


def test_a_site_chooses_the_language_unless_the_user_does(tmp_path):
    hostile = Hostile({"a/": reply(page(), HTML)})
    wish = ("-s", 'DEFAULT_REQUEST_HEADERS={"Accept-Language": "hr"}')
    with served_bytes(tmp_path, hostile):
        for options, languages in (((), []), (wish, ["hr", "hr"])):
            del hostile.heads[:]
            command = ("site", "-a", "url=http://a.sample/", *options)
            done = crawl(tmp_path, tmp_path / f"corpus-{len(options)}", *command)
            assert done.returncode == 0, done.stderr
            lines = [line for head in hostile.heads for line in head.splitlines()]
            assert [x[17:] for x in lines if x.startswith("Accept-Language: ")] == languages


def test_a_query_is_asked_for_as_it_is_linked(tmp_path):
    """As of wikis that read all of the query as the name of a page."""
    links = b"<a href='?WikiPage'>w</a> <a href='/?edit&amp;id=1'>e</a> <a href='/?q='>q</a>"
    hostile = Hostile({"a/": reply(page(links), HTML)})
    with served_bytes(tmp_path, hostile):
        done = crawl(tmp_path, tmp_path / "corpus", "site", "-a", "url=http://a.sample/")
    assert done.returncode == 0, done.stderr
    assert {"a/?WikiPage", "a/?edit&id=1", "a/?q="} <= set(hostile.asked)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "argument url is missing"),
        (("-a", "url=ftp://a.org/"), "url is 'ftp://a.org/'; give an address"),
        (("-a", "url=http://a.org/", "-a", "scope=world"), "scope is 'world'; give host or domain"),
        (
            ("-a", "url=http://a.org/", "-a", "url=http://b.org/"),
            "-a url is given 2 times; give it",
        ),
    ],
)
def test_wrong_arguments_of_a_site_crawl(web, tmp_path, arguments, told):
    done = crawl(web, tmp_path / "corpus", "site", *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_focused_crawl_learns_its_topic(web, tmp_path):
    topics = [category.split("/")[1] for category, _ in seeds_of(web)]
    topic = max(sorted(set(topics) - {"World"}), key=topics.count)
    done = crawl(
        *(web, tmp_path, "focused", "-a", f"seeds={web / 'seeds.rdf'}", "-a", f"topic={topic}"),
        *("-a", "max_pages=80", "-a", "background=12"),
    )
    assert done.returncode == 0, done.stderr
    rejected = [row["reason"] for row in Corpus.open(tmp_path).rejected()]
    assert 1 <= rejected.count("background") <= 12
    report = json.loads((tmp_path / "manifest.json").read_text())
    assert report["counts"]["fetched"] >= 40
    assert {on_topic for _, on_topic in learnt(tmp_path)} == {True, False}


def learnt(corpus):
    journal = Journal.open_reader(journal_folder(corpus))
    with journal.read() as txn:
        found = [read_row(row.value) for row in learnt_rows(txn)]
    journal.close()
    return found


def test_ranks_of_an_earlier_crawl_lead_a_focused_crawl(tmp_path):
    hosts = [f"h{n}" for n in range(8)]
    link = (
        "<p>one text that leads to <a href=http://%s.sample/>it</a> and says so in many words</p>"
    )
    answers = {f"{host}/": reply(page(host.encode()), HTML) for host in (*hosts, "off")}
    hostile = Hostile(
        answers | {"on/": reply(page("".join(link % host for host in hosts).encode()), HTML)}
    )
    with served_bytes(tmp_path, hostile):
        (tmp_path / "seeds.tsv").write_text("on\thttp://on.sample/\noff\thttp://off.sample/\n")
        ranks = "".join(f"{host}.sample\t{n * 5 % 8}\n" for n, host in enumerate(hosts))
        (tmp_path / "ranks.tsv").write_text(ranks)
        options = ("-a", f"seeds={tmp_path / 'seeds.tsv'}", "-a", "topic=on", "-a")
        alone = ("-s", "CONCURRENT_REQUESTS=1", "-s", 'FOCUS_WEIGHTS={"page": 0, "anchor": 0}')
        arguments = ("focused", *options, f"ranks={tmp_path / 'ranks.tsv'}", *alone)
        done = crawl(tmp_path, tmp_path / "corpus", *arguments)
    assert done.returncode == 0, done.stderr
    asked = [path[:2] for path in hostile.asked if path.startswith("h") and path.endswith("/")]
    assert asked == sorted(hosts, key=lambda host: -(hosts.index(host) * 5 % 8))


@pytest.mark.parametrize("missing", ["on", "off", "none"])
def test_a_topic_that_cannot_be_learnt_is_told(tmp_path, missing):
    """One page of the topic and one of others are enough: then it is told how many are of it."""
    answers = {f"{side}/": reply(page(side.encode()), HTML) for side in ("on", "off")}
    hostile = Hostile({name: answer for name, answer in answers.items() if name != f"{missing}/"})
    with served_bytes(tmp_path, hostile):
        lines = [f"{side}\thttp://{side}.sample/\n" for side in ("on", "off")]
        (tmp_path / "seeds.tsv").write_text("".join(lines), encoding="utf-8")
        options = ("-a", f"seeds={tmp_path / 'seeds.tsv'}", "-a", "topic=on")
        done = crawl(tmp_path, tmp_path / "corpus", "focused", *options)
    assert done.returncode == 0, done.stderr
    told = [" ".join(line.split()) for line in done.stdout.splitlines() if "  topic " in line]
    why = "too few to learn it, links were taken as they came"
    read = {
        "on": f"topic 0 pages of its seeds read, 1 of others': {why}",
        "off": f"topic 1 page of its seeds read, 0 of others': {why}",
    }
    assert told == [read.get(missing, "topic 1 page of it, as it was learnt, among 1 read")]


@pytest.mark.long
def test_a_focused_crawl_that_goes_on_knows_its_topic(web, tmp_path):
    topic = "World/Deutsch"
    arguments = ("focused", "-a", f"seeds={web / 'seeds.rdf'}", "-a", f"topic={topic}")
    for n_pages in (60, 70):
        limits = ("-a", f"max_pages={n_pages}", "-a", "background=12")
        done = crawl(web, tmp_path, *arguments, *limits, "-L", "INFO", "-s", "STATS_DUMP=1")
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
    told = dict(re.findall(r"'focus/(learnt/on|learnt/off)': (\d+)", done.stderr))
    assert {name: int(n) for name, n in told.items()} == {
        f"learnt/{('off', 'on')[on_topic]}": n
        for on_topic, n in Counter(on_topic for _, on_topic in learnt(tmp_path)).items()
    }


@pytest.mark.long
def test_the_processes_of_a_fleet_learn_the_topic_from_all_seeds(web, tmp_path):
    done = run_scrapy(
        *("fleet", "focused", "-p", "2", "-a", f"seeds={web / 'seeds.rdf'}", "-a", "topic=World"),
        # They look at each other's pages once a second; so the crawl takes some.
        *("-a", "background=12", "-L", "INFO", "-s", "STATS_DUMP=1", "-s", "HOST_DELAY_SECS=0.1"),
        *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", f"HOSTS_FILE={web / 'hosts.tsv'}"),
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    told = re.findall(r"'focus/learnt/(on|off|others)': (\d+)", done.stderr)
    sums = Counter()
    for name, number in told:
        sums[name] += int(number)
    assert [name for name, _ in told].count("others") == 2
    assert 0 < 2 * sums["others"] <= sums["on"] + sums["off"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-a", "topic=Arts"), "argument seeds is missing"),
        (("-a", "topic=Nothing/Here"), "no seed in category 'Nothing/Here'"),
        (("-a", "topic=Top"), "no seed outside category 'Top'"),
        (("-a", "topic=World", "-a", "background=none"), "background is 'none'"),
        (("-a", "topic=World", "-a", "min_relevance=2"), "min_relevance is '2'"),
        (("-a", "topic=World", "-a", "ranks=/none.tsv"), "ranks file /none.tsv cannot be read"),
        (
            ("-a", "topic=World", "-s", 'FOCUS_WEIGHTS={"x": 1}'),
            "has 'x'; give some of page, anchor",
        ),
        (("-a", "topic=World", "-s", 'FOCUS_WEIGHTS={"page": -1}'), "FOCUS_WEIGHTS is wrong"),
        (("-a", "topic=World", "-s", "LINK_LABELLER=no.such"), "module named 'no'; change LINK"),
    ],
)
def test_wrong_arguments_of_a_focused_crawl(web, tmp_path, arguments, told):
    seeds = () if "seeds is" in told else ("-a", f"seeds={web / 'seeds.tsv'}")
    done = crawl(web, tmp_path / "corpus", "focused", *seeds, *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_spider_that_cannot_be_made_is_one_line(web, tmp_path):
    fails = ("-s", "LINK_LABELLER=pipelines.boilerplate.registry.get")  # it takes a name
    seeds = ("-a", f"seeds={web / 'seeds.tsv'}", "-a", "topic=World")
    done = crawl(web, tmp_path / "corpus", "focused", *seeds, *fails)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "the crawl did not start (TypeError: " in done.stderr


def test_a_crawl_that_is_let_in_nowhere_says_what_lets_it_in(web, tmp_path):
    _, url = seeds_of(web)[0]
    done = crawl(
        web, tmp_path / "corpus", "site", "-a", f"url={url}", "-s", "ALLOWED_PRIVATE_NETWORKS=",
        "-s", "USER_AGENT=winnow (+https://you.edu/crawl)",
    )  # fmt: skip
    assert done.returncode == 1
    assert "fetch/private_address" in done.stdout
    assert "-s ALLOWED_PRIVATE_NETWORKS=" in done.stderr
