"""Pages that were not there, looked at again by a re-crawl: after their time, in one row each, also after kills."""

from __future__ import annotations

import shutil
from collections import Counter
from functools import partial

import pytest

from crawler.durable.journals import open_readers, open_writers
from crawler.durable.keys import u64_of
from crawler.durable.visits import VISITED, pack_visit, unpack_visit
from pipelines.corpus.corpus import Corpus
from tests.before_commands import kill_at_step
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, hosts_arguments, page, reply, served_bytes

NOT_FOUND = reply(b"", status=b"404 Not Found")
GONE = reply(b"", status=b"410 Gone")
BROKEN = reply(b"", status=b"500 Internal Server Error")
DAY_US = 86_400 * 10**6
QUICK = (
    *("-s", "HOST_DELAY_SECS=0", "-s", "IP_DELAY_SECS=0", "-s", "DOMAIN_DELAY_SECS=0"),
    *("-s", "FETCH_RETRIES=0", "-s", "DEDUP_THRESHOLD=0"),
)


def text(name):
    return reply(page(b" ".join([name.encode()] * 40)), HTML)


def home(host, names):
    links = b" ".join(b'<a href="/%s">x</a>' % name.encode() for name in names)
    return reply(page(host.encode() * 9 + links), HTML)


def crawl(folder, *options, fleet=False, **more):
    arguments = hosts_arguments(folder)
    if fleet:
        arguments = ["fleet", *arguments[1:], "-p", "2"]
    done = run_scrapy(*arguments, *QUICK, *options, **more)
    if not more:
        assert done.returncode == 0, done.stderr
        assert "] ERROR" not in done.stderr
    return done


def age(folder, days):
    """Put all visits to the pages of the corpus *days* back."""

    def put_back(txn):
        for key, row in list(txn.scan(VISITED)):
            visit = unpack_visit(row)
            older = visit._replace(visited_us=visit.visited_us - days * DAY_US)
            txn.put(VISITED, key, pack_visit(older))

    with open_writers(folder / "corpus") as journals:
        for journal in journals:
            journal.write(put_back)


def rows_of(folder):
    """Path → row of each page; there is one a page."""
    corpus = Corpus.open(folder / "corpus")
    rows = [*corpus.documents(), *corpus.rejected()]
    found = {path_of(row): row for row in rows}
    assert len(found) == len(rows)
    return found


def path_of(row):
    return row["url"].removeprefix("http://").replace(".sample", "")


def told(folder, table, column):
    rows = Corpus.open(folder / "corpus").rows(table, ["url", column])
    return sorted((path_of(row), row[column]) for row in rows)


NAMES = ("late", "gone", "broken", "kept")


def missed():
    """The page of a site, and others that are not there at the first visit, the second, or ever."""
    return {
        "s/": home("s", NAMES),
        "s/late": [NOT_FOUND, text("late")],
        "s/gone": GONE,
        "s/broken": [BROKEN, text("broken")],
        "s/kept": [text("kept"), NOT_FOUND],
    }


def asked_again(folder, hostile, *options):
    """Crawl what is due; return what was asked for, and the summary."""
    hostile.asked.clear()
    done = crawl(folder, "-a", "recrawl_after=7d", *options)
    return sorted(path for path in hostile.asked if "robots" not in path), done.stdout


def test_pages_are_asked_for_after_their_time_and_not_for_ever(tmp_path):
    hostile = Hostile(missed())
    asked = partial(asked_again, tmp_path, hostile)
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path)
        first = rows_of(tmp_path)
        assert asked()[0] == []
        age(tmp_path, 10)
        # What is gone rests twice as long as what was there, or could not be had.
        paths, summary = asked()
        assert paths == ["s/", "s/broken", "s/kept"]
        assert "due again          3  pages" in summary
        assert [summary.count(f"    {outcome} ") for outcome in ("found", "gone")] == [1, 1]
        second = rows_of(tmp_path)
        assert (second["s/kept"]["reason"], second["s/kept"]["stage"]) == ("status_404", "fetch")
        assert second["s/kept"]["fetched_at"] > first["s/kept"]["fetched_at"]
        assert "broken broken" in second["s/broken"]["text"]
        assert second["s/late"] == first["s/late"]
        age(tmp_path, 5)
        paths, summary = asked()
        assert paths == ["s/gone", "s/late"]
        # Its row is the one that it had: nothing is rejected.
        assert summary.count("    status_410 ") == 1
        assert "fetch/status_410 " not in summary
        age(tmp_path, 27)  # the first miss of "kept" is 32 days ago, the second of "gone" 27
        assert asked("-s", "RECRAWL_GONE_TIMES=1")[0] == ["s/", "s/broken", "s/kept", "s/late"]
        assert asked()[0] == []
        age(tmp_path, 2)
        assert asked()[0] == ["s/gone"]
    last = rows_of(tmp_path)
    assert "late late" in last["s/late"]["text"]
    assert last["s/gone"] == first["s/gone"]
    assert last["s/kept"] == second["s/kept"]
    replaced = [("s/broken", "found"), ("s/kept", "gone"), ("s/late", "found")]
    assert told(tmp_path, "replaced", "reason") == replaced
    visits = [visit for visit in told(tmp_path, "visits", "outcome") if "status" in visit[1]]
    assert visits == [*2 * [("s/gone", "status_410")], ("s/kept", "status_404")]


HOSTS = "abcd"
PAGES = [f"p{number}" for number in range(6)]
AGAIN = ("-a", "recrawl_after=0.001s", "-s", "COMMIT_GROUP_PAGES=3", "-s", "SEAL_ROWS=5")


def answers(visit):
    """Of each host: pages that are not there at the first visit, or at the second, or at both, or at none."""
    found = {f"{host}/": home(host, PAGES) for host in HOSTS}
    for host in HOSTS:
        for number, name in enumerate(PAGES):
            is_there = [number % 2 == 0, number % 3 == 0][visit]
            lost = GONE if number == 5 and visit else NOT_FOUND
            found[f"{host}/{name}"] = text(f"{host}{name}") if is_there else lost
    return found


def outcome_of(folder):
    """What a corpus came to, but for times."""
    columns = ("status", "text", "stage", "reason")
    rows = {path: [row.get(name) for name in columns] for path, row in rows_of(folder).items()}
    return rows, told(folder, "replaced", "reason"), Counter(told(folder, "visits", "outcome"))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """(folder of a crawl of the first answers, what the second ones make of it), while the second are served."""
    folder = tmp_path_factory.mktemp("missed")
    hostile = Hostile(answers(0))
    with served_bytes(folder / "first", hostile):
        crawl(folder / "first")
        hostile.answers = answers(1)
        shutil.copytree(folder / "first", folder / "second")
        crawl(folder / "second", *AGAIN)
        yield folder / "first", outcome_of(folder / "second")


def test_a_re_crawl_finds_and_loses_pages(served):
    _, (rows, replaced, visits) = served
    reasons = {path: row[3] for path, row in rows.items()}
    for host in HOSTS:
        assert [reasons[f"{host}/{name}"] for name in PAGES] == [
            None, "status_404", "status_404", None, "status_404", "status_410",
        ]  # fmt: skip
        assert (f"{host}/p3", "found") in replaced
        assert {(f"{host}/{name}", "gone") for name in ("p2", "p4", "p5")} <= set(replaced)
        assert visits[f"{host}/p1", "status_404"] == visits[f"{host}/p0", "same_answer"] == 1
    assert len(replaced) == 4 * len(HOSTS)


@pytest.mark.parametrize(
    ("step", "number"),
    [
        ("after commit", 1),
        ("before commit", 6),
        *(
            pytest.param(*each, marks=pytest.mark.long)
            for each in (("after commit", 2), ("after commit", 8), ("seal renamed", 1),
                         ("rewrite written", 1), ("rewrite renamed", 2), ("rewrite committed", 1))
        ),
    ],
)  # fmt: skip
def test_killed_and_gone_on_it_comes_to_the_same(served, tmp_path, step, number):
    first, expected = served
    folder = tmp_path / "killed"
    shutil.copytree(first, folder)
    done = crawl(folder, *AGAIN, before=partial(kill_at_step, step, number))
    assert done.returncode == -9, done.stderr
    crawl(folder, *AGAIN[2:])
    # Killed before its start was committed, it is to be told again.
    if not Corpus.open(folder / "corpus").n_rows("visits"):
        crawl(folder, *AGAIN)
    assert outcome_of(folder) == expected


def test_a_fleet_comes_to_the_same(tmp_path, served):
    _, expected = served
    hostile = Hostile(answers(0))
    with served_bytes(tmp_path, hostile):
        crawl(tmp_path, fleet=True)
        hostile.answers = answers(1)
        crawl(tmp_path, *AGAIN, fleet=True)
    assert outcome_of(tmp_path) == expected
    hosts = []
    with open_readers(tmp_path / "corpus") as journals:
        for journal in journals:
            with journal.read() as txn:
                hosts.append({u64_of(key) >> 32 for key in txn.keys(VISITED)})
    assert len(hosts) == 2
    assert not hosts[0] & hosts[1]
