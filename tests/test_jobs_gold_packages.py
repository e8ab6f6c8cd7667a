"""``python -m crawler.commands.gold_packages``: packages of saved pages, WARC files and a corpus, changed, merged and scored."""

from __future__ import annotations

import gzip
import json
import shutil
from itertools import chain

import pytest

from crawler.commands.gold_packages import main
from crawler.page.words import evaluation_words
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.landmarks.rules import read_rules
from pipelines.evaluation.readers import linked_pages, open_dataset
from pipelines.evaluation.readers.gottron_zip import Package, write_package
from pipelines.jobs.gold_packages.making import ByRules, ServedPage
from tests.conftest import run_scrapy
from tests.gold_standard import MENU, SENTENCE, article, write_standard
from tests.graph_commands import run_command
from tests.hostile_server import HTML, Hostile, reply, served_bytes
from tests.warc_records import record

RULES = """
format = "winnow-gold-rules"
version = 1
[site.news]
hosts = ["news.sample"]
language = "en"
type = "news"
parts = [{ name = "title", tag = "h1" }, { name = "body", comments = ["text", "/text"] }]
exclude = [{ class = "ad" }]
[site.blog]
hosts = ["blog.sample", "a.sample"]
parts = [{ name = "post", tag = "div", class = "post" }]
"""
TYPE = "Content-Type: text/html; charset=utf-8"


def news(n):
    """A page of news.sample, and its gold text."""
    said = SENTENCE.format(n=n).strip()
    text = f"<p>{said}</p><p class=ad>buy</p><p>Ünd {said}</p>"
    page = f"<html>{MENU}<h1>News {n}</h1><!-- text -->{text}<!-- /text --><p>imprint"
    return page.encode(), f"News {n}\n{said}\nÜnd {said}"


def blog(n):
    said = SENTENCE.format(n=n).strip()
    return f"<html>{MENU}<div class=post>{said}</div>".encode(), said


@pytest.fixture
def work(tmp_path, capsys):
    """A folder with rules and saved pages, and what runs the program there: exit code, output, errors."""
    (tmp_path / "rules.toml").write_text(RULES, encoding="utf-8")
    pages = tmp_path / "pages"
    (pages / "in").mkdir(parents=True)
    saved = b"<!-- saved from url=(0020)http://news.sample/%d -->\n"
    for n in range(3):
        (pages / f"n{n}.html").write_bytes(saved % n + news(n)[0])
    (pages / "in" / "b.htm.gz").write_bytes(
        gzip.compress(b"<!-- saved from url=(21)http://www.blog.sample/ -->" + blog(7)[0])
    )
    (pages / "broken.html").write_bytes((saved % 9 + news(9)[0]).replace(b"<!-- /text -->", b""))
    (pages / "other.html").write_bytes(b"<!-- saved from url=(9)http://x.sample/ --><p>x")
    (pages / "none.html").write_bytes(b"<p>x")

    def run(*arguments):
        words = [str(tmp_path / word[1:]) if word.startswith("@") else word for word in arguments]
        try:
            code = main(words)
        except SystemExit as ended:
            code = ended.code
        out, err = capsys.readouterr()
        return code, out, err.replace(f"{tmp_path}/", "@")

    run.folder = tmp_path
    return run


def make(work, *options):
    assert work("make", "@p.zip", "@pages", "--rules", "@rules.toml", *options)[0] == 0
    return work.folder / "p.zip"


def golds(path):
    return {page.page_id: page.gold for page in open_dataset(path)}


def test_saved_pages_by_the_rules_of_their_hosts(work):
    code, out, _ = work("make", "@p.zip", "@pages", "--rules", "@rules.toml", "--name", "mine")
    assert code == 0
    assert out.endswith(
        "4 documents written; left out: 1 no address, 1 no end of body, 1 no rule\n"
    )
    pages = {page.page_id: page for page in open_dataset(work.folder / "p.zip")}
    assert {name: page.gold for name, page in pages.items()} == {
        "in-b": blog(7)[1], "n0": news(0)[1], "n1": news(1)[1], "n2": news(2)[1],
    }  # fmt: skip
    page = pages["n1"]
    assert (page.dataset, page.url, page.language) == ("mine", "http://news.sample/1", "en")
    assert (page.page_type, page.body.endswith(news(1)[0])) == ("news", True)
    assert pages["in-b"].language is None


def test_a_package_of_rules_is_scored(work):
    path = make(work)
    done = run_command("evaluate", path, "--methods", "keep-all", "--measures", "cs,bow", "--json")
    assert done.code == 0, done.errors
    told = done.out
    assert '"p"' in told
    # The whole page has all of the gold text, and more.
    rows = [row for row in _dicts(json.loads(told)) if row.keys() >= {"recall", "precision"}]
    assert rows
    assert all(row["recall"] == pytest.approx(1) and row["precision"] < 1 for row in rows)


def _dicts(told):
    if isinstance(told, dict):
        return [told, *chain.from_iterable(map(_dicts, told.values()))]
    return list(chain.from_iterable(map(_dicts, told))) if isinstance(told, list) else []


def test_the_language_of_a_rule_comes_before_that_of_the_crawl(work):
    source = ByRules(read_rules(work.folder / "rules.toml"))
    for url, (body, _), language in (
        ("http://news.sample/", news(1), "en"),
        ("http://blog.sample/", blog(1), "nl"),
    ):
        page = source.gold_page(ServedPage("x", url, body, TYPE, "nl"), body)
        assert page.language == language


def test_a_package_within_the_folder_of_its_pages_is_none_of_them(work):
    _, out, _ = work("make", "@pages/p.zip", "@pages", "--rules", "@rules.toml", "--json")
    left = {each["page_id"] for each in json.loads(out)["left_out"]}
    assert left == {"broken", "none", "other"}


def test_one_rule_for_all_pages(work):
    _, out, _ = work(
        "make", "@p.zip", "@pages", "--rules", "@rules.toml", "--site", "news", "--json"
    )
    told = json.loads(out)
    assert told["documents"] == ["n0", "n1", "n2"]
    assert {each["page_id"]: each["reason"] for each in told["left_out"]} == {
        "broken": "no end of body", "in-b": "no title", "none": "no title", "other": "no title",
    }  # fmt: skip


def test_pages_by_given_texts(work):
    texts = work.folder / "texts"
    texts.mkdir()
    (texts / "n0.txt").write_text("Näws", encoding="utf-8")
    (texts / "in-b.txt").write_text(" - ", encoding="utf-8")
    code, out, _ = work("make", "@p.zip", "@pages", "--texts", "@texts", "--language", "de")
    assert (code, out[out.index("1 doc") :]) == (
        0,
        "1 document written; left out: 5 no text, 1 empty text\n",
    )
    (page,) = open_dataset(work.folder / "p.zip")
    assert (page.page_id, page.gold, page.language) == ("n0", "Näws", "de")


def test_warc_files_the_last_answer_of_an_address_counts(work):
    old, new = "2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z"
    records = [
        record("http://news.sample/a", news(2)[0], TYPE, date=new),
        record("http://news.sample/a", news(1)[0], TYPE, date=old),
        record("http://blog.sample/", gzip.compress(blog(1)[0]), TYPE, "Content-Encoding: gzip"),
        record("http://blog.sample/x", b"\x1f\x8bno", TYPE, "Content-Encoding: gzip"),
        record("http://blog.sample/pdf", b"%PDF-1.4 " + blog(3)[0], TYPE),
        record("http://blog.sample/png", blog(4)[0], "Content-Type: image/png"),
        record("http://blog.sample/gone", blog(2)[0], TYPE, status="404 Not Found"),
    ]
    (work.folder / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    code, out, err = work("make", "@p.zip", "@a.warc.gz", "--rules", "@rules.toml")
    assert (code, err) == (0, "")
    assert out.endswith("2 documents written; left out: 2 no page, 1 undecodable\n")
    pages = {page.url: page for page in open_dataset(work.folder / "p.zip")}
    assert {url: page.gold for url, page in pages.items()} == {
        "http://news.sample/a": news(2)[1], "http://blog.sample/": blog(1)[1],
    }  # fmt: skip
    page = pages["http://news.sample/a"]
    assert page.content_type == "text/html; charset=utf-8"
    assert page.page_id.startswith("news.sample-")
    # The same page has the same id in each run.
    code, _, err = work("add", "@p.zip", "@a.warc.gz", "--rules", "@rules.toml")
    assert (code, f"has a document '{page.page_id}'" in err) == (2, True)


def test_linked_pages_are_those_that_documents_link_to(work):
    bodies = {
        "http://news.sample/a": news(1)[0]
        + b"<a href=/b>on</a> <a href=//x.sample/?q>off</a> <a href=/none>",
        "http://news.sample/b": b"<p>b <a href=/c>on</a>",
        "http://news.sample/c": b"<p>of a page that is none",
        "http://x.sample/?q": b"<p>x",
    }
    records = [record(url, body, TYPE) for url, body in bodies.items()]
    (work.folder / "a.warc.gz").write_bytes(b"".join(map(gzip.compress, records)))
    code, out, err = work("make", "@p.zip", "@a.warc.gz", "--rules", "@rules.toml", "--linked")
    assert (code, err) == (0, "")
    assert out.endswith("1 document written, 2 pages linked; left out: 2 no title, 1 no rule\n")
    wanted = {url: bodies[url] for url in ("http://news.sample/b", "http://x.sample/?q")}
    assert dict(linked_pages(work.folder / "p.zip")) == wanted
    # Without the option there are none.
    assert work("make", "@q.zip", "@a.warc.gz", "--rules", "@rules.toml")[0] == 0
    assert dict(linked_pages(work.folder / "q.zip")) == {}


@pytest.mark.slow
def test_documents_of_a_corpus(work, tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawled")
    body = (
        f"<html lang=en><a href=/b>on</a><div class=post>{SENTENCE.format(n=1) * 9}</div>".encode()
    )
    answers = {"a/": reply(body, HTML), "a/b": reply(b"<p>short", HTML)}
    with served_bytes(folder, Hostile(answers)):
        done = run_scrapy(
            *("crawl", "site", "-a", "url=http://a.sample/", "--nolog", "-s", "WARC_ENABLED=1"),
            *("-s", f"CORPUS_DIR={folder / 'corpus'}", "-s", f"HOSTS_FILE={folder / 'hosts.tsv'}"),
        )
    assert done.returncode == 0, done.stderr
    code, out, err = work("make", "@p.zip", str(folder / "corpus"), "--rules", "@rules.toml")
    assert (code, err) == (0, "")
    assert out.endswith("1 document written\n")
    (page,) = open_dataset(work.folder / "p.zip")
    assert (page.url, page.body, page.language) == ("http://a.sample/", body, "en")
    assert page.gold == (SENTENCE.format(n=1) * 9).strip()
    shutil.rmtree(folder / "corpus" / "warc")
    code, _, err = work("make", "@q.zip", str(folder / "corpus"), "--rules", "@rules.toml")
    assert (code, err.split("; ")[1:]) == (
        2,
        ["put those of its crawl there, or crawl with WARC_ENABLED=1\n"],
    )


def test_add_change_and_remove(work):
    path = make(work)
    (work.folder / "new.html").write_bytes(blog(5)[0])
    (work.folder / "new.txt").write_text("other", encoding="utf-8")
    before = golds(path)
    assert work("add", "@p.zip", "@new.html", "--rules", "@rules.toml", "--site", "blog")[0] == 0
    assert golds(path) == before | {"new": blog(5)[1]}
    assert (
        work(
            "change",
            "@p.zip",
            "n0",
            "--text",
            "@new.txt",
            "--url",
            "http://x.sample/",
            "--language",
            "nl",
        )[0]
        == 0
    )
    page = next(page for page in open_dataset(path) if page.page_id == "n0")
    assert (page.gold, page.url, page.language) == ("other", "http://x.sample/", "nl")
    assert work("change", "@p.zip", "n1", "--page", "@new.html")[0] == 0
    assert work("remove", "@p.zip", "new", "n2")[0] == 0
    bodies = {page.page_id: page.body for page in open_dataset(path)}
    assert bodies["n1"] == blog(5)[0]
    assert set(bodies) == {"in-b", "n0", "n1"}
    assert work("add", "@p.zip", "@pages/n0.html", "--rules", "@rules.toml", "--replace")[0] == 0
    assert golds(path)["n0"] == news(0)[1]
    assert [file.name for file in work.folder.glob("p.zip*")] == ["p.zip"]


def test_a_change_that_fails_leaves_the_package(work):
    path = make(work)
    before = path.read_bytes()
    code, _, err = work("add", "@p.zip", "@pages", "--rules", "@rules.toml")
    assert (code, err) == (
        2,
        "winnow: @p.zip has a document 'in-b'; add --replace, or rename the page\n",
    )
    assert path.read_bytes() == before
    assert [file.name for file in work.folder.glob("p.zip*")] == ["p.zip"]


def test_merge_takes_documents_of_any_gold_standard(work):
    make(work)
    write_standard(work.folder / "sets")
    linked = {"http://l.sample/": b"<p>linked"}
    write_package(
        work.folder / "l.zip",
        Package("l", "it"),
        [GoldPage("l", "n0", b"<p>x", gold="x")],
        linked=linked,
    )
    code, out, _ = work("merge", "@all.zip", "@p.zip", "@sets", "@l.zip", "--type", "mixed")
    assert (code, out.endswith("10 documents written\n")) == (0, True)
    path = work.folder / "all.zip"
    # Sets are read in the order of their names; a second document of a name has its set before it.
    assert set(golds(path)) == {"in-b", "n0", "n1", "n2", "0", "1", "2", "news-0", "news-1", "l-n0"}
    assert golds(path)["news-1"] == article(1)
    assert dict(linked_pages(path)) == linked
    assert {page.language for page in open_dataset(path)} == {"en", "it", None}
    code, _, _ = work(
        "merge", "@few.zip", "@p.zip", "@sets", "--ids", "n1", "n2", "--only-language", "en"
    )
    assert (code, set(golds(work.folder / "few.zip"))) == (0, {"n1", "n2"})
    drawn = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2), ("d", 3)):
        work("merge", f"@{name}.zip", "@p.zip", "@sets", "--pages", "2", "--seed", str(seed))
        drawn.append(set(golds(work.folder / f"{name}.zip")))
    assert {len(ids) for ids in drawn} == {4}
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2] or drawn[0] != drawn[3]


def test_linked_pages_stay(work):
    linked = {"http://l.sample/": b"<p>linked"}
    pages = [GoldPage("l", name, b"<p>x", gold="x") for name in ("a", "b")]
    write_package(work.folder / "l.zip", Package("l", "it", "old"), pages, linked=linked)
    assert work("remove", "@l.zip", "a")[0] == 0
    (page,) = open_dataset(work.folder / "l.zip")
    assert (page.page_id, page.language, page.page_type) == ("b", "it", "old")
    assert dict(linked_pages(work.folder / "l.zip")) == linked


def test_list(work):
    make(work)
    _, out, _ = work("list", "@p.zip", "--json")
    row = next(row for row in json.loads(out) if row["id"] == "n0")
    assert row.pop("bytes") > 100
    assert row == {
        "package": "p", "id": "n0", "language": "en", "type": "news", "words": len(evaluation_words(news(0)[1])), "url": "http://news.sample/0",
    }  # fmt: skip
    _, out, _ = work("list", "@p.zip")
    assert out.splitlines()[0].split() == [
        "package",
        "id",
        "language",
        "type",
        "bytes",
        "words",
        "url",
    ]
    assert out.splitlines()[1].split()[:2] == ["p", "in-b"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("make @n.zip @pages", "give --rules or --texts, from which"),
        ("make @n.zip @pages --rules @rules.toml --texts @pages", "give --rules or --texts"),
        ("make @n.zip @pages --texts @none", "--texts @none is no folder; give that of"),
        ("make @n.zip @pages --texts @pages --site x", "--site is of --rules"),
        ("make @n.zip @pages --rules @none", "@none cannot be read as rules (No such file"),
        ("make @n.zip @pages --rules @rules.toml --site x", "--site x is in no rule; give one of news, blog"),
        ("make @n.zip @none.html --rules @rules.toml", "@none.html cannot be read (No such file"),
        ("make @n.zip @none.warc --rules @rules.toml", "@none.warc cannot be read as WARC"),
        ("make @n.zip @a.wacz --rules @rules.toml", "it is a ZIP file: unpack it, a WACZ has WARC files"),
        ("make @n.zip @rules.toml --rules gottron-2008 --site wiki", "no page has a gold text: 1 no title (the first is 'rules.toml'); mend"),
        ("make @n.zip - --rules @rules.toml", "standard input has no name"),
        ("make @no/n.zip @pages --rules @rules.toml", "no folder @no for the package; make it"),
        ("make @p.zip @pages --rules @rules.toml", "@p.zip is there already; add to it"),
        ("make @n.zip @pages @pages/n0.html --rules @rules.toml", "two pages are called 'n0'; rename"),
        ("make @n.zip @package.html --rules @rules.toml --site blog", "'package' is no name of a document"),
        ("add @none.zip @pages --rules @rules.toml", "@none.zip is no zip file"),
        ("remove @p.zip nobody", "@p.zip has no document 'nobody'; `list` shows"),
        ("remove @p.zip in-b n0 n1 n2", "@p.zip would have no document left"),
        ("change @p.zip n0", "nothing to change; give --text"),
        ("change @p.zip x --url http://a.sample/", "has no document 'x'"),
        ("change @p.zip n0 --text @pages/empty.txt", "--text @pages/empty.txt has no word; give the gold"),
        ("change @p.zip n0 --url news.sample", "--url 'news.sample' is no address of the web; give one"),
        ("change @p.zip n0 --text @none", "@none cannot be read"),
        ("merge @n.zip @none", "@none does not exist"),
        ("merge @n.zip @p.zip --ids nobody", "no document with a gold text is selected; select others"),
        ("merge @n.zip @p.zip --ids n0 nobody", "no gold standard has a document 'nobody' with a gold text"),
        ("merge @n.zip @p.zip --ids n0 in-b --only-language en", "has a document 'in-b' with a gold"),
        ("merge @n.zip @p.zip --pages 0", "--pages is 0; give 1 or more"),
        ("merge @n.zip @p.zip @p.zip @p.zip", "two documents are 'in-b' in p; select one"),
        ("list @rules.toml", "@rules.toml is no zip file"),
        ("lists @p.zip", "invalid choice: 'lists'"),
    ],
)  # fmt: skip
def test_wrong_calls(work, arguments, said):
    make(work)
    (work.folder / "package.html").write_bytes(blog(1)[0])
    (work.folder / "pages" / "empty.txt").write_text(" - ", encoding="utf-8")
    (work.folder / "a.wacz").write_bytes((work.folder / "p.zip").read_bytes())
    code, out, err = work(*arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith("winnow: ")
    assert err.count("\n") == 1
    assert said in err
    assert not list(work.folder.glob("n.zip*"))
