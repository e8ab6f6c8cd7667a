"""``scrapy gold``: packages changed, merged and listed, and wrong calls."""

from __future__ import annotations

import json
import shlex

import pytest

from crawler.page.words import evaluation_words
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.readers import linked_pages, open_dataset
from pipelines.evaluation.readers.gottron_zip import Package, write_package
from tests.gold_packages import blog, gold_work, golds, make, news
from tests.gold_standard import article, write_standard


@pytest.fixture
def work(tmp_path):
    return gold_work(tmp_path)


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
        ("make --rulez=@rules.toml", "unrecognized arguments: --rulez="),
        ("make @n.zip", "the following arguments are required: PAGES; see"),
        ("make @n.zip @pages", "give --rules or --texts, from which"),
        ("make @n.zip @pages --rules @rules.toml --texts @pages", "give --rules or --texts"),
        ("make @n.zip @pages --texts @none", "--texts @none is no folder; give that of"),
        ("make @n.zip @pages --texts @pages --site x", "--site is of --rules"),
        ("make @n.zip @pages --rules @none", "@none cannot be read as rules (No such file"),
        ("make @n.zip @pages --rules @rules.toml --site x", "--site x is in no rule; give one of news, blog"),
        ("make @n.zip @none.html --rules @rules.toml", "@none.html cannot be read (No such file"),
        ("make @n.zip @none.warc --rules @rules.toml", "@none.warc cannot be read as WARC"),
        ("make @n.zip @a.wacz --rules @rules.toml", "it is a ZIP file: unpack it, a WACZ has WARC files"),
        ("make @n.zip @rules.toml --rules gottron-2008", "or give the rule of pages without an address as --site"),
        ("make @n.zip @rules.toml --rules gottron-2008 --site wiki", "no page has a gold text: 1 no title (the first is 'rules.toml'); mend"),
        ("make @n.zip - --rules @rules.toml", "standard input has no name"),
        ("make @no/n.zip @pages --rules @rules.toml", "no folder @no for the package; make it"),
        ("make @p.zip @pages --rules @rules.toml", "@p.zip is there already; add to it"),
        ("make @n.zip @pages @pages/n0.html --rules @rules.toml", "two pages are called 'n0'; rename"),
        ("make @n.zip @package.html --rules @rules.toml --site blog", "'package' is no name of a document"),
        ("add @none.zip @pages --rules @rules.toml", "@none.zip does not exist; give the zip file of a package"),
        ("remove @p.zip nobody", "@p.zip has no document 'nobody'; `list` shows"),
        ("remove @p.zip in-b n0 n1 n2", "@p.zip would have no document left"),
        ("change @p.zip n0", "nothing to change; give --text"),
        ("change @p.zip x --url http://a.sample/", "has no document 'x'"),
        ("change @p.zip n0 --text @pages/empty.txt", "--text @pages/empty.txt has no word; give the gold"),
        ("change @p.zip n0 --url news.sample", "--url 'news.sample' is no address of the web; give one"),
        ("change @p.zip n0 --text @none", "@none cannot be read"),
        ("merge @n.zip @none", "@none does not exist"),
        ("merge @n.zip @p.zip --ids nobody", "no document with a gold text is selected; give other --ids or --only-language"),
        ("merge @n.zip @p.zip --ids n0 nobody", "no gold standard has a document 'nobody' with a gold text"),
        ("merge @n.zip @p.zip --ids n0 in-b --only-language en", "has a document 'in-b' with a gold"),
        ("make @n.zip @pages --rules @rules.toml --language English", "--language is 'English'; give a code of"),
        ("merge @n.zip @p.zip --language EN", "--language is 'EN'; give a code of ISO 639-1 such as de"),
        ("change @p.zip n0 --language en-US", "--language is 'en-US'; give a code"),
        ("change @p.zip n0 --language cz", "--language is 'cz'; give a code of ISO 639-1 such as de"),
        ("change @p.zip n0 --page @pages/nothing.html", "--page @pages/nothing.html is empty; give the page"),
        ("make - @pages --rules @rules.toml", "argument PACKAGE: it is '-', and no stream is one; name a file"),
        # Bytes that are no UTF-8, as of an older disk: a traceback.
        ("make @n.zip @pages --rules @rules.toml --name \udcff", "--name would be '\\udcff', which is not UTF-8"),
        ("make @n\udcff.zip @pages --rules @rules.toml", "--name would be 'n\\udcff', which is not UTF-8; give another"),
        ("merge @n.zip @p.zip --type \udcff", "--type would be '\\udcff', which is not UTF-8; give another"),
        ("make @n.zip @caf\udce9.html --rules @rules.toml --site blog", "'caf\\udce9' is no name of a document; rename"),
        ("merge @n.zip @p.zip --pages 0", "--pages is 0; give 1 or more"),
        ("merge @n.zip @p.zip @p.zip @p.zip", "two documents are 'in-b' in p; select one"),
        ("list @pages", "@pages is no zip file (Is a directory); give a package"),
        ("list ''", "argument PACKAGE: it is empty; name a file"),
        ("remove '' n0", "argument PACKAGE: it is empty; name a file"),
        ("merge @n.zip ''", "argument GOLD: it is empty; name a file"),
        ("list @rules.toml", "@rules.toml is no zip file"),
        ("lists @p.zip", "invalid choice: 'lists'"),
    ],
)  # fmt: skip
def test_wrong_calls(work, arguments, said):
    make(work)
    (work.folder / "package.html").write_bytes(blog(1)[0])
    (work.folder / "caf\udce9.html").write_bytes(blog(1)[0])
    (work.folder / "pages" / "nothing.html").write_bytes(b"\n")
    (work.folder / "pages" / "empty.txt").write_text(" - ", encoding="utf-8")
    (work.folder / "a.wacz").write_bytes((work.folder / "p.zip").read_bytes())
    code, out, err = work(*shlex.split(arguments))
    assert (code, out) == (2, "")
    assert err.startswith("winnow: ")
    assert err.count("\n") == 1
    assert said in err
    assert not list(work.folder.glob("n.zip*"))
