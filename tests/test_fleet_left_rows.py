"""What the processes of a fleet leave to their parent: rows that wait in the journals, when all have finished."""

from __future__ import annotations

import signal
from functools import partial

import pytest

from crawler.durable.journals import stored_files
from pipelines.corpus.corpus import Corpus
from tests.before_commands import interrupt_parent_at_the_end, signal_parent_at_step
from tests.conftest import SMALL_WEB, run_scrapy, served_web
from tests.test_fleet_crawl import assert_same, fleet_arguments
from tests.test_kill import end_state
from tests.toy_fleet import waiting_rows


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    with served_web(folder, *SMALL_WEB):
        yield folder


@pytest.mark.long
def test_what_waits_when_the_parent_is_killed_is_read_and_closed_by_the_next(
    tmp_path, web, small_crawl
):
    corpus = tmp_path / "corpus"
    killed = run_scrapy(
        *fleet_arguments(web, corpus, 2), before=partial(signal_parent_at_step, "before commit")
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert all(waiting_rows(corpus))
    outcome, arcs, _, kept, _ = end_state(corpus)
    expected = end_state(small_crawl[1])
    assert (outcome, arcs) == (expected[0], expected[1])
    assert expected[3]
    indexed = run_scrapy("index", "--corpus", corpus, "--json")
    assert f'"documents": {len(kept)}' in indexed.stdout, indexed.stderr
    done = run_scrapy(*fleet_arguments(web, corpus, 2))
    assert done.returncode == 0, done.stderr
    assert_same(corpus, small_crawl[1])
    assert waiting_rows(corpus) == [0, 0]
    # Written once, by the parent: what a process seals would have been written anew.
    assert {file.serial for file in stored_files(corpus) if file.kind == "documents"} == {1}


def interrupt_at(step, number=signal.SIGINT):
    return partial(signal_parent_at_step, step, number)


@pytest.mark.slow
@pytest.mark.parametrize(
    "before",
    [
        pytest.param(interrupt_parent_at_the_end, id="over", marks=pytest.mark.long),
        pytest.param(interrupt_at("before commit"), id="before commit", marks=pytest.mark.long),
        pytest.param(interrupt_at("before commit", signal.SIGTERM), id="terminated"),
        *(
            pytest.param(interrupt_at(step), id=step, marks=pytest.mark.long)
            for step in ("rewrite written", "change decided")
        ),
    ],
)
def test_the_same_command_ends_a_pass_that_was_interrupted(tmp_path, web, small_crawl, before):
    corpus = tmp_path / "corpus"
    stopped = run_scrapy(*fleet_arguments(web, corpus, 2), before=before)
    assert stopped.returncode == 0, stopped.stderr
    assert stopped.stdout.startswith("Crawl shutdown")
    assert "Traceback" not in stopped.stderr
    done = run_scrapy(*fleet_arguments(web, corpus, 2))
    assert done.returncode == 0, done.stderr
    assert_same(corpus, small_crawl[1])
    assert waiting_rows(corpus) == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "is_provisional", "said"),
    [
        ("DEDUP_KEEP=rank", True, "Nothing is ranked"),
        ('ITEM_PIPELINES={"pipelines.stages.deduplicate.DeduplicateStage": null}', False, ""),
    ],
)
def test_nothing_waits_when_nothing_is_decided(tmp_path, web, setting, is_provisional, said):
    folder = tmp_path / "corpus"
    done = run_scrapy(*fleet_arguments(web, folder, 1, "-a", "max_pages=90", "-s", setting))
    assert done.returncode == 0, done.stderr
    assert said in done.stderr
    assert waiting_rows(folder) == [0]
    corpus = Corpus.open(folder)
    assert corpus.n_rows("documents") > 40
    assert bool(corpus.n_rows("provisional")) == is_provisional
    assert is_provisional or not any(row["duplicate_of"] for row in corpus.rejected())
