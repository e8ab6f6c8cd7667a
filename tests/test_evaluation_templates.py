"""Template detectors scored on the sites of a gold standard, and on pages with what they link to."""

from __future__ import annotations

import json

import pytest

from crawler.sampleweb.web import SampleWeb
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.measures.averages import macro
from pipelines.evaluation.readers.gottron_zip import Package, write_package
from pipelines.evaluation.template_detection import (
    PLAIN,
    Around,
    Seeds,
    row_of,
    scored,
    seeds_of,
    table_of,
)
from tests.forked_commands import complete_python
from tests.gold_standard import write_standard

NOTICE = "<div>whoever wants to print what stands here has to ask us before</div>"


def linking(n, targets):
    links = "".join(f"<li><a href={target}>to {target}</a>" for target in targets)
    own = f"the text of page {n} says what number{n} no other{n} page{n} says"
    return own, f"<html><body>{NOTICE}<p>{own}</p>{NOTICE}<ul>{links}</ul></body></html>".encode()


@pytest.fixture
def standard(tmp_path):
    return write_standard(tmp_path / "gold")


def test_pages_of_a_site(standard):
    """Of three pages menu and notice go; the blogs have two, and are left out."""
    (news,) = seeds_of(standard, 3)
    assert (news.site, len(news.pages), len(news.around)) == ("news.sample", 3, 3)
    plain, found = scored([news], PLAIN), scored([news], "bootstrapped")
    row = row_of("bootstrapped", found, plain)
    assert (row["f1"], row["recall"], row["precision"], row["fallbacks"]) == (1, 1, 1, 0)
    assert (row["pages"], row["sites"], row["sites_above_plain"]) == (3, 1, 1)
    assert row["f1_above_plain"][0] > 0
    assert "bootstrapped                1.000" in table_of([row])
    assert row_of(PLAIN, plain, plain)["sites_above_plain"] == 0


def test_pages_that_are_left_to_a_fallback(standard):
    seeds = list(seeds_of(standard / "blogs", 2))
    found = scored(seeds, "bootstrapped")
    assert found.n_fallbacks == 2
    assert found.by_site == scored(seeds, PLAIN).by_site
    other = scored(seeds, "bootstrapped+accb")
    assert (other.n_fallbacks, other.by_site) == (2, scored(seeds, "accb").by_site)


def test_pages_that_a_seed_links_to(tmp_path):
    """The package's other pages are of no use to a seed that does not link to them."""
    own, body = linking(0, ["/1", "http://b.sample/2", "#top", "/1", "/gone"])
    other, alone = linking(9, ["/gone"])
    linked = {
        "http://a.sample/1": linking(1, [])[1],
        "http://b.sample/2": linking(2, [])[1],
        "http://a.sample/3": linking(3, [])[1],
    }
    pages = [
        GoldPage("x", "0", body, url="http://a.sample/0", gold=own),
        GoldPage("x", "9", alone, url="http://a.sample/9", gold=other),
    ]
    write_package(tmp_path / "x.zip", Package("x"), pages, linked=linked)
    (seeds,) = seeds_of(tmp_path / "x.zip", 3)
    assert [page.url for page in seeds.pages] == ["http://a.sample/0"]
    urls = [each.url for each in seeds.around]
    assert urls == ["http://a.sample/0", "http://a.sample/1", "http://b.sample/2"]
    (score,) = scored([seeds], "bootstrapped").pages
    (plain,) = scored([seeds], PLAIN).pages
    assert score.recall == 1
    assert score.precision > plain.precision


def test_what_two_methods_keep(standard):
    """Menu and notice by the one, what has fewer than ten words by the other."""
    seeds = list(seeds_of(standard, 3))
    both, alone = (scored(seeds, name) for name in ("minimum-words&bootstrapped", "minimum-words"))
    assert both.by_site == alone.by_site
    assert scored(seeds, f"{PLAIN}&bootstrapped").by_site == scored(seeds, "bootstrapped").by_site
    blogs = list(seeds_of(standard / "blogs", 2))
    assert scored(blogs, f"{PLAIN}&bootstrapped").n_fallbacks == 2


@pytest.fixture(scope="module")
def sample_seeds():
    """Pages of the sample web, which knows the main text of each."""
    web, found = SampleWeb(1, 6, 120, plain=True), []
    for host in web.hosts():
        truths = [truth for truth in web.truths(host.name) if truth.main_text][:8]
        pages = [
            GoldPage(
                "sample", truth.url, answer.body, answer.content_type, truth.url, truth.main_text
            )
            for truth in truths
            for answer in [web.page(host.name, truth.url.removeprefix(host.root))]
        ]
        if len(pages) > 2:
            around = [Around(page.url, page.body, page.content_type) for page in pages]
            found.append(Seeds(host.name, pages, around))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["bootstrapped", "bootstrapped-cps", "bootstrapped-ctss", "dom-hash"]
)
def test_claims_of_the_thesis(sample_seeds, name):
    """Gottron 2008, section 7.2.3: F1 above all text on each package, recall near or equal to it."""
    plain, found = scored(sample_seeds, PLAIN), scored(sample_seeds, name)
    assert len(plain.by_site) > 3
    for site, scores in found.by_site.items():
        assert macro(scores).f1 > macro(plain.by_site[site]).f1 + 0.05
        assert macro(scores).recall > macro(plain.by_site[site]).recall - 0.03


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bootstrapped-tv", "distance must be one of cp, cps, ctss, got 'tv'"),
        ("ma+accb", "ma has no option 'fallback'"),
        ("bootstrapped+x", "unknown cleaning method 'x'"),
    ],
)
def test_unknown_methods(name, message):
    with pytest.raises(ValueError, match=message):
        scored([], name)


def run(*arguments):
    return complete_python("-m", "pipelines.evaluation.template_detection", *arguments)


def test_command(standard):
    done = run(str(standard), "--methods", "bootstrapped-cps,document-frequency", "--json")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["method"] for row in rows] == ["plain", "bootstrapped-cps", "document-frequency"]
    assert rows[1]["f1"] == rows[2]["f1"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none"], "none does not exist; give the folder"),
        (["", "--min-pages", "9"], "no site with 9 pages in the dataset; give a lower --min-pages"),
        (["none", "--min-pages", "0"], "--min-pages must be at least 1, got 0"),
        (["", "--methods", "x"], "--methods x: unknown method 'x'"),
        (["", "--methods", "winnow, x"], "--methods x: unknown method 'x'"),
    ],
)
def test_wrong_calls(standard, arguments, message):
    path, *others = arguments
    done = run(path or str(standard), *others)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    assert done.stderr.count("\n") == 1
