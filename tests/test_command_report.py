"""``scrapy report``: its counts against a slow count, its page, corpora of all states, wrong calls."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.items import Page
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.report.facts import MAX_VALUES, NONE, OTHERS, CorpusFacts, Counts, HostTotals
from pipelines.jobs.report.gather import gather
from pipelines.jobs.report.plots import N_LANGUAGES, plot_languages
from tests.graph_commands import run_command
from tests.laws_corpus import AT, block, url, write_pages


def run_report(*arguments):
    """Return exit code, stdout and stderr."""
    done = run_command("report", *arguments)
    return done.code, done.out, done.errors


def values(corpus, column):
    """Count documents and words by *column*, one document at a time."""
    found: dict[str, list[int]] = {}
    for row in Corpus.open(corpus).documents([column, "n_words"]):
        count = found.setdefault(NONE if row[column] is None else str(row[column]), [0, 0])
        count[0] += 1
        count[1] += row["n_words"]
    return found


def test_what_it_counts_of_a_crawl_is_what_a_slow_count_finds(small_crawl):
    _, corpus, _ = small_crawl
    code, out, err = run_report("--corpus", corpus, "--json", "--no-page")
    assert code == 0, err
    found = json.loads(out)
    documents = list(Corpus.open(corpus).documents())
    assert found["documents"] == len(documents)
    assert found["words"] == sum(row["n_words"] for row in documents)
    assert found["text_bytes"] == sum(len(row["text"].encode()) for row in documents)
    for column in ("language", "charset", "title_source", "depth", "method"):
        assert found[column] == values(corpus, column)
    blocks = [block for row in documents for block in row["blocks"]]
    assert found["kept_words"] == sum(block["words"] for block in blocks if block["kept"])
    assert {label: n for label, (n, _) in found["label"].items()} == Counter(
        block["label"] for block in blocks
    )
    lengths = Counter(str(2 ** (row["n_words"].bit_length() - 1)) for row in documents)
    assert found["lengths"] == lengths
    categories = Counter(path for row in documents for path in row["category"])
    assert {path: n for path, (n, _) in found["category"].items() if path != NONE} == categories
    rejected = Counter(f"{row['stage']}/{row['reason']}" for row in Corpus.open(corpus).rejected())
    assert found["rejected"] == rejected


def test_pages_and_hosts_are_those_of_the_journal_where_the_manifest_is_behind(
    small_crawl, tmp_path
):
    """As of a crawl that runs, or was killed, in its first minute."""
    corpus = shutil.copytree(small_crawl[1], tmp_path / "corpus")
    manifest = json.loads((corpus / "manifest.json").read_text("utf-8"))
    (corpus / "manifest.json").write_text(json.dumps(manifest | {"counts": {}}), "utf-8")
    code, out, err = run_report("--corpus", corpus, "--json", "--no-page")
    assert code == 0, err
    graph = json.loads(out)["graph"]
    assert graph["fetched"] > 100
    assert graph == {name: n for name, n in manifest["counts"].items() if name in graph}


def test_hosts_are_those_with_most_words(small_crawl):
    _, corpus, _ = small_crawl
    facts = gather(corpus, n_samples=0, n_hosts=5)
    words: Counter[str] = Counter()
    n_documents: Counter[str] = Counter()
    for row in Corpus.open(corpus).documents(["host", "n_words"]):
        words[row["host"]] += row["n_words"]
        n_documents[row["host"]] += 1
    assert [each.words for each in facts.largest_hosts] == [n for _, n in words.most_common(5)]
    for each in facts.largest_hosts:
        assert (each.documents, each.words) == (n_documents[each.host], words[each.host])
    assert facts.hosts.documents().tolist() == sorted(n_documents.values(), reverse=True)
    rejected = facts.hosts.totals[2].sum()
    assert rejected == facts.n_rejected == Corpus.open(corpus).n_rows("rejected")


@pytest.fixture(scope="module")
def told(small_crawl):
    """What the command says when it writes the report beside the corpus."""
    code, out, err = run_report("--corpus", small_crawl[1])
    assert code == 0, err
    return out


def test_the_page_holds_tables_and_plots_and_fetches_nothing(told, small_crawl):
    _, corpus, _ = small_crawl
    assert f"written  {corpus / 'report.html'}" in told
    assert "What became of the pages" in told
    page = (corpus / "report.html").read_text(encoding="utf-8")
    assert page.count("<img ") == 3  # no document of the sample web is dated
    assert "<script" not in page
    assert re.findall(r'src="(?!data:)', page) == []
    for title in ("Languages", "Metadata", "Hosts with most words", "A sample of the documents"):
        assert f"<h2>{title}" in page
    # As dark as the window that shows it, but for the plots, whose letters are black.
    assert "color-scheme: light dark" in page
    assert re.search(r"img [{][^}]*background: #fff", page)
    assert not re.search(r"\d %</td>", page)  # the sign stood on a line of its own
    assert re.search(r"\d&nbsp;%</td>", page)


@pytest.mark.usefixtures("told")
def test_it_is_the_same_at_each_run(small_crawl, tmp_path):
    _, corpus, _ = small_crawl
    assert run_report("--corpus", corpus, "--output", tmp_path / "again.html")[0] == 0
    assert (tmp_path / "again.html").read_bytes() == (corpus / "report.html").read_bytes()


def test_ranked_pages_are_shown_best_first(small_crawl, tmp_path):
    corpus = shutil.copytree(small_crawl[1], tmp_path / "corpus")
    assert run_command("pagerank", "--corpus", corpus).code == 0
    ranked = gather(corpus, n_samples=0, n_hosts=0).ranked
    assert len(ranked) == 10
    assert ranked == sorted(ranked, reverse=True)
    assert all(address.startswith("http") for _, address in ranked)
    shutil.copy(next((corpus / "documents").iterdir()), corpus / "ranks" / "pagerank.parquet")
    for command in (("report",), ("dedup", "--keep", "rank")):
        wrong = run_command(*command, "--corpus", corpus)
        assert wrong.code == 2
        assert "pagerank.parquet has ranks format none, this program 1; run" in wrong.errors


def test_a_sample_is_shown_as_text(tmp_path):
    pages = [
        Page(
            1,
            i,
            url(i),
            "a.com",
            AT,
            200,
            title="<b>&",
            text=f"<i>Text {i}</i> " * 100,
            n_words=200,
        )
        for i in range(20)
    ]
    write_pages(tmp_path / "corpus", pages)
    code, out, _ = run_report("--corpus", tmp_path / "corpus", "--samples", 3, "--json")
    samples = json.loads(out)["samples"]
    assert code == 0
    assert len({each["url"] for each in samples}) == 3
    assert all(len(each["text"]) == 600 for each in samples)
    page = (tmp_path / "corpus" / "report.html").read_text(encoding="utf-8")
    assert '<td class="left" dir="auto">&lt;i&gt;Text' in page  # which may be Arabic
    assert "<i>" not in page


def test_documents_without_words_dates_or_blocks_are_counted(tmp_path):
    empty = Page(1, 0, url(0), "a.com", AT, 200)
    dated = Page(
        *(7, 1, "http://b.com/", "b.com", AT + timedelta(days=2), 200),
        blocks=[block("two words", 0)],
        n_words=2,
        date="1999-01-01",
        category=["Top/Arts", "Top/Science"],
    )
    write_pages(tmp_path / "corpus", [empty, dated])
    facts = gather(tmp_path / "corpus", n_samples=5, n_hosts=5)
    assert (facts.n_documents, facts.n_words) == (2, 2)
    assert dict(facts.years) == {NONE: (1, 0), "1999": (1, 2)}
    assert dict(facts.categories) == {NONE: (1, 0), "Top/Arts": (1, 2), "Top/Science": (1, 2)}
    assert dict(facts.labels) == {"main": (1, 2)}
    assert facts.last - facts.first == timedelta(days=2)
    assert [each.host for each in facts.largest_hosts] == ["b.com", "a.com"]


def test_the_plot_of_languages_says_of_how_many_it_shows_some():
    facts = CorpusFacts("corpus")
    for n in range(N_LANGUAGES):
        facts.counted["language"].add(f"language {n}", 1, 10)
    assert plot_languages(facts).get_suptitle() == "Words by language"
    facts.counted["language"].add("rare", 1, 1)
    assert plot_languages(facts).get_suptitle() == "Words by language, 12 of 13"


def test_a_corpus_without_documents_has_a_page_without_plots(tmp_path):
    write_pages(tmp_path / "corpus", [])
    code, out, err = run_report("--corpus", tmp_path / "corpus")
    assert code == 0, err
    assert re.search(r"documents +0\n", out)
    assert "<img" not in (tmp_path / "corpus" / "report.html").read_text(encoding="utf-8")


def test_wrong_calls_are_told_in_one_line(tmp_path, small_crawl):
    _, corpus, _ = small_crawl
    (tmp_path / "file").write_text("")
    for arguments, told in (
        (("--corpus", tmp_path / "none"), "run a crawl first"),
        (("--corpus", corpus, "--samples", "many"), "--samples is 'many'; give a whole number"),
        (("--corpus", corpus, "--hosts", "-1"), "--hosts is '-1'; give a whole number"),
        (("--corpus", corpus, "--output", tmp_path / "file" / "a.html"), "give another --output"),
        (("--corpus", corpus, "--output", tmp_path), "a folder; name a file"),
        # before the corpus is read, which takes long
        (("--corpus", tmp_path / "none", "--output", tmp_path / "file" / "a"), "another --output"),
        (("--corpus", tmp_path / "none", "--output", "/dev/null"), "a device or a pipe; name a"),
        (
            ("--corpus", corpus, "--output", tmp_path / "r.html", "--no-page"),
            "leave it or --output",
        ),
        (("--corpus", corpus, "--output", "-"), "standard output has the tables; name a file"),
        (("more",), "more"),
    ):
        code, out, err = run_report(*arguments)
        assert code == 2, arguments
        assert out == ""
        assert told in err
        assert len(err.splitlines()) == 1


def test_rare_values_are_counted_together():
    counts = Counts()
    for i in range(2 * MAX_VALUES):
        counts.add(str(i), 1, 2)
    assert OTHERS not in counts
    counts.add("frequent", 9, 90)  # although it comes last
    assert len(counts) == MAX_VALUES + 1
    assert counts["frequent"] == (9, 90)
    assert counts[OTHERS] == (MAX_VALUES + 1, 2 * MAX_VALUES + 2)
    for i in range(MAX_VALUES):
        counts.add(f"new {i}", 1, 1)
    assert counts.by_words(2)[1] == ("frequent", (9, 90))
    assert counts.total == (3 * MAX_VALUES + 9, 5 * MAX_VALUES + 90)


@given(st.lists(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 9)), max_size=20)))
def test_totals_of_hosts_are_those_of_a_dictionary(batches):
    totals, slow = HostTotals(), Counter()
    for batch in batches:
        hosts, words = (
            (np.array(column, dtype=np.int64) for column in zip(*batch, strict=True))
            if batch
            else (np.zeros(0, np.int64),) * 2
        )
        totals.add(hosts, 0, np.ones(len(hosts), dtype=np.int64))
        totals.add(hosts, 1, words)
        for host, n_words in batch:
            slow[host] += n_words
    hosts = {host for batch in batches for host, _ in batch}
    assert totals.largest(6000) == sorted(
        hosts, key=lambda host: (-slow[host], -int(totals.totals[0][host]), host)
    )


@pytest.mark.parametrize("path", ["/", "."])
def test_a_folder_is_no_page(small_crawl, path):
    wrong = run_command("report", "--corpus", small_crawl[1], "--output", path)
    assert (wrong.code, wrong.errors.count("\n")) == (2, 1)
    assert f"--output is '{path}', a folder; name a file" in wrong.errors


def test_nothing_is_written_without_a_page(small_crawl, tmp_path):
    corpus = shutil.copytree(small_crawl[1], tmp_path / "corpus")
    (corpus / "report.html").unlink(missing_ok=True)
    assert run_report("--corpus", corpus, "--no-page")[0] == 0
    assert not (corpus / "report.html").exists()
    assert run_report("--corpus", corpus, "--json")[0] == 0
    assert (corpus / "report.html").exists()
