"""``scrapy export --format markdown``: documents of a crawl with the structure of their pages."""

from __future__ import annotations

import json
import shutil

import pytest

from pipelines.corpus.corpus import Corpus
from pipelines.jobs.templates.remove import remove_templates
from pipelines.jobs.text_export.options import TextExportOptions
from pipelines.jobs.text_export.run import export_documents
from tests.conftest import run_scrapy
from tests.graph_commands import run_command
from tests.hostile_server import HTML, Hostile, reply, served_bytes
from tests.template_corpus import Stored, made_site, maker, removal
from tests.toy_duplicates import crawl

LONG = (
    "It is said of this town that nobody who came to it by the river ever left it again by road. "
)
PAGE = f"""<html><body><nav><ul><li><a href=/>Home</a><li><a href=/b>Next</a></ul></nav><article>
<h1>The town of {{0}}</h1><p>{LONG}Some 10<sup>6</sup> people <em>live</em> there, <a href=/b>they say</a>.</p>
<ol><li>{LONG}</li><li>{LONG}Twice.</li></ol><pre>def f():

    return {{0}}</pre><p>{LONG * 3}</p></article></body></html>"""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawled")
    answers = {f"a/{name}": reply(PAGE.format(name).encode(), HTML) for name in ("", "b")}
    with served_bytes(folder, Hostile(answers)):
        done = run_scrapy(
            *("crawl", "site", "-a", "url=http://a.sample/", "--nolog", "-s", "DEDUP_THRESHOLD=0"),
            *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
            *("-s", "WARC_ENABLED=1", "-s", "QUALITY_LANGUAGES="),
        )
    assert done.returncode == 0, done.stderr
    return folder / "corpus"


def exported(folder, *options):
    done = run_command("export", "--corpus", folder, "--format", "markdown", *options, "--json")
    assert done.code == 0, done.errors
    report = json.loads(done.out)
    with open(report["file"], encoding="utf-8") as file:
        return report, {row["url"]: row for row in map(json.loads, file)}


def test_a_document_has_the_structure_of_its_page(crawled, tmp_path):
    report, rows = exported(crawled, "--output", tmp_path)
    assert (report["documents"], report["no_markdown"]) == (2, {})
    assert report["file"] == str(tmp_path / "documents.md.jsonl")
    row = rows["http://a.sample/b"]
    said = LONG.strip()
    assert row["markdown"] == (
        f"# The town of b\n\n{LONG}Some 10<sup>6</sup> people *live* there, they say.\n\n"
        f"1. {said}\n2. {LONG}Twice.\n\n```\ndef f():\n\n    return b\n```\n\n{(LONG * 3).strip()}"
    )
    stored = {row["url"]: row["text"] for row in Corpus.open(crawled).documents(["url", "text"])}
    assert {url: row["text"] for url, row in rows.items()} == stored
    assert "blocks" not in row


def test_links(crawled, tmp_path):
    _, rows = exported(crawled, "--links", "--output", tmp_path)
    assert "[they say](<http://a.sample/b>)." in rows["http://a.sample/"]["markdown"]


def test_a_corpus_of_other_folders_names_its_files(crawled, tmp_path):
    shutil.copytree(crawled, tmp_path / "corpus", ignore=shutil.ignore_patterns("warc"))
    done = run_command("export", "--corpus", tmp_path / "corpus", "--format", "markdown")
    assert done.code == 2
    assert "give --warc, or crawl with WARC_ENABLED=1" in done.errors
    _, rows = exported(tmp_path / "corpus", "--warc", crawled / "warc" / "*.warc.gz")
    assert all(row["markdown"] for row in rows.values())


def test_documents_without_are_counted_and_written(tmp_path):
    """Answers that are gone, or are other ones by now: the text is there all the same."""
    pages = made_site()
    crawl(tmp_path / "corpus", pages)
    options = TextExportOptions("markdown", min_words=1)
    answers = maker(Stored(pages, **{"1": b"gone", "2": b"<p>other", "3": b"image", "4": b""}))
    report = export_documents(tmp_path / "corpus", options, output=tmp_path, pages=answers)
    assert report.no_markdown.keys() == {"no_answer", "other_blocks", "no_page", "undecodable"}
    n_lost = sum(report.no_markdown.values())
    assert f"{n_lost} have no Markdown: no_answer " in report.screen()
    with open(report.file, encoding="utf-8") as file:
        rows = {row["url"]: row for row in map(json.loads, file)}
    assert {url: row["text"].split("\n") for url, row in rows.items()} == pages
    assert sum(row["markdown"] is None for row in rows.values()) == n_lost
    assert rows["http://b.com/0"]["markdown"] == "\n\n".join(pages["http://b.com/0"])


def test_blocks_that_a_job_removed_are_gone(tmp_path):
    pages = made_site()
    crawl(tmp_path / "corpus", pages)
    answers = maker(Stored(pages))
    remove_templates(tmp_path / "corpus", answers, removal(), output=tmp_path / "out")
    report = export_documents(
        tmp_path / "out", TextExportOptions("markdown"), output=tmp_path, pages=answers
    )
    assert not report.no_markdown
    with open(report.file, encoding="utf-8") as file:
        for row in map(json.loads, file):
            assert row["markdown"].split("\n\n") == row["text"].split("\n")


def test_pages_must_be_given(tmp_path):
    crawl(tmp_path / "corpus", made_site())
    with pytest.raises(ValueError, match="Markdown needs the pages"):
        export_documents(tmp_path / "corpus", TextExportOptions("markdown"), output=tmp_path)


def test_templates_are_found_on_pages_with_code(crawled):
    """Their blocks are those of the documents, though these have the lines of the code."""
    done = run_command("templates", "remove", "--corpus", crawled, "--min-pages", "2", "--json")
    assert json.loads(done.out)["left"] == {"small_cluster": 2}
