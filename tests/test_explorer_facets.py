"""The explorer's search of a corpus with topics: facets that are highlighted and mixed, as a list and as a tree."""

from __future__ import annotations

import pytest

from crawler.ranking.corpus.topics import rank_topics
from pipelines.jobs.facets.run import Facet, answer, facet_tree
from pipelines.jobs.facets.search import FacetOptions
from pipelines.jobs.index.run import index_corpus
from tests.explorer_site import Site
from tests.facet_corpus import append_documents, document, listed_topics, make_corpus


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explored") / "corpus"
    make_corpus(folder)
    rank_topics(folder, listed=listed_topics())
    index_corpus(folder)
    with Site(folder) as served:
        yield served


def names_of(links):
    return [link.text_content().rsplit(maxsplit=1)[0] for link in links]


def test_facets_are_highlighted_from_a_quarter_on(site):
    found = answer(site.folder, "alpha", n_results=20)
    assert {facet.highlighted for facet in found.facets} == {False, True}
    tree = site.tree("/search?q=alpha")
    links = tree.xpath("//div[@class='facets']/a")
    assert names_of(links) == [facet.name for facet in found.facets]
    strong = tree.xpath("//div[@class='facets']/a[@class='strong']")
    assert names_of(strong) == [facet.name for facet in found.facets if facet.highlighted]
    # The topics of each result stand below it, the surest first.
    for place, result in enumerate(found.results, 1):
        shown = "".join(tree.xpath(f"//ol/li[{place}]/div[@class='note']/text()"))
        topics = sorted(result.memberships.items(), key=lambda item: (-item[1], item[0]))
        assert shown == ", ".join(f"{name} {membership:.2f}" for name, membership in topics)


def test_facets_are_mixed_by_links(site):
    one = site.tree("/search?q=alpha&facet=Sports")
    assert names_of(one.xpath("//a[@class='chosen']")) == ["Top/Sports"]
    (both,) = one.xpath("//a[@title='rank by Top/Arts/Film, too']/@href")
    mixed = site.tree(both)
    assert names_of(mixed.xpath("//a[@class='chosen']")) == ["Top/Arts/Film", "Top/Sports"]
    wanted = answer(site.folder, "alpha", chosen=["Top/Arts/Film", "Top/Sports"], n_results=20)
    assert mixed.xpath("//div[@class='address']/text()") == [each.url for each in wanted.results]
    (less,) = mixed.xpath("//a[@title='rank without Top/Sports']/@href")
    assert names_of(site.tree(less).xpath("//a[@class='chosen']")) == ["Top/Arts/Film"]
    assert site.tree("/search?q=alpha").xpath("//a[@class='chosen' or @title]") == []


def test_facets_are_also_a_tree(site):
    names = ["Top/B/C/D", "Top/A/X", "Top/B", "Top/A", "Top/B/E", "Importance"]
    tree = facet_tree([Facet(name, 0.5, highlighted=True) for name in names])
    assert [(level, facet.name) for level, facet in tree] == [
        (0, "Top/B"),
        (1, "Top/B/C/D"),
        (1, "Top/B/E"),
        (0, "Top/A"),
        (1, "Top/A/X"),
        (0, "Importance"),
    ]
    rows = site.tree("/search?q=alpha").xpath("//details/div")
    levels = {row[0].text: row.get("style") for row in rows}
    assert levels["Top/Arts"] == "padding-inline-start: 0.0rem"
    assert levels["Top/Arts/Film"] == "padding-inline-start: 1.5rem"


def test_size_of_samples_and_least_membership_are_fields(site):
    tree = site.tree("/search?q=alpha&facet=Sports&k=5&theta=0.4")
    wanted = answer(
        site.folder, "alpha", FacetOptions(sample=5, theta=0.4), chosen=["Sports"], n_results=20
    )
    usual = answer(site.folder, "alpha", chosen=["Sports"], n_results=20)
    assert [facet.share for facet in wanted.facets] != [facet.share for facet in usual.facets]
    shown = {f"{facet.name} {facet.share:.0%}" for facet in wanted.facets}
    assert {
        link.text_content() for link in tree.xpath("//div[@class='facets']//a[not(@title)]")
    } == {
        *shown,
        "all topics",
    }
    form = tree.forms[1]
    assert dict(form.form_values()) == {
        "q": "alpha",
        "facet": "Top/Sports",
        "k": "5",
        "theta": "0.4",
    }
    # The links and the next query have them, too.
    links = tree.xpath("//div[@class='facets']//a/@href")
    assert all("&k=5&theta=0.4" in link for link in links)
    assert dict(tree.forms[0].form_values()) == {"q": "alpha", "k": "5", "theta": "0.4"}
    plain = site.tree("/search?q=alpha&k=&theta=")
    assert dict(plain.forms[1].form_values()) == {"q": "alpha", "k": "100", "theta": "0.1"}
    assert dict(plain.forms[0].form_values()) == {"q": "alpha"}


@pytest.mark.parametrize(
    "wrong",
    [
        "k=0",
        "k=many",
        "theta=0",
        "theta=nan",
        "theta=-1",
        "k=1.5",
        "theta=1e999",
        "theta=inf",
        f"k={'9' * 5000}",
    ],
)
def test_other_sizes_are_refused(site, wrong):
    status, _, body = site.ask(f"/search?q=alpha&{wrong}")
    assert status == 422
    assert "these are none" in body


def test_samples_larger_than_all_results_are_taken(site):
    body = site.ask("/search?q=alpha&k=1000")[2]
    assert site.ask(f"/search?q=alpha&k={10**30}")[2].replace(f"{10**30}", "1000") == body


def test_results_say_whether_they_or_their_hosts_are_listed(tmp_path):
    ids = make_corpus(tmp_path).tolist()
    told = [(["Top/Arts"], 0), (["Top/Arts", "Top/Sports"], 2), ([], 0), ([], None)]
    rows = [
        {**document(i, ids[i], "omega", later=100), "category": category, "depth": depth}
        for i, (category, depth) in enumerate(told)
    ]
    append_documents(tmp_path, rows)
    index_corpus(tmp_path)
    with Site(tmp_path) as served:
        tree = served.tree("/search?q=omega")
    shown = {
        li.xpath("string(div[@class='address'])"): li.xpath("string(div[@class='note listed'])")
        for li in tree.xpath("//ol/li")
    }
    assert [shown[row["url"]] for row in rows] == [
        "a seed; its host is listed in Top/Arts",
        "no seed, but its host is listed in Top/Arts, Top/Sports",
        "",
        "",
    ]
    # Without ranks there are no facets to count.
    assert not tree.xpath("//form[@class='sample']")
