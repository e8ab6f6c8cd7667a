"""Pages of the sample web: the same from the same seed, and what the page model reads is the answer."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from statistics import fmean
from urllib.parse import urlsplit

import pytest
from lxml import etree, html
from xxhash import xxh3_64_hexdigest

from crawler.page import build_page
from crawler.page.words import density_tokens, evaluation_words
from crawler.sampleweb.hosts import TEMPLATES
from crawler.sampleweb.web import SampleWeb
from crawler.urls import canonical_url, page_url
from pipelines.boilerplate import registry
from tests.forked_commands import complete_python

IN_ANOTHER_PROCESS = "from tests.test_sampleweb_pages import digest; print(digest(1))"


@pytest.fixture(scope="module")
def web():
    return SampleWeb()


def samples(web, count=10):
    """Yield (host, truth) of the first *count* pages of each host that shows its own."""
    for host in web.hosts():
        if host.content == host.index:
            for truth in islice(web.truths(host.name), count):
                yield host, truth


@pytest.fixture(scope="module")
def sampled(web):
    return list(samples(web))


def special_truths(web):
    for host in web.hosts():
        for path in web.places.specials(host):
            yield host, web.truth(host.root + path)


def answer(web, host, truth):
    return web.page(host.name, truth.url.removeprefix(host.root))


def digest(seed):
    web = SampleWeb(seed, 16, 60)
    parts = [
        web.page(host.name, path).body for host in web.hosts() for path in web.pages(host.name)
    ]
    parts += [repr(truth).encode() for host in web.hosts() for truth in web.truths(host.name)]
    return xxh3_64_hexdigest(b"".join(parts))


@pytest.mark.slow
def test_same_seed_same_web_in_every_process():
    done = complete_python("-c", IN_ANOTHER_PROCESS)
    assert done.stdout.strip() == digest(1) != digest(2)


def test_order_of_calls_means_nothing(web):
    paths = [(host.name, path) for host in islice(web.hosts(), 3) for path in web.pages(host.name)]
    other = SampleWeb()
    forwards = [web.page(*place).body for place in paths[:60]]
    backwards = [other.page(*place).body for place in reversed(paths[:60])]
    assert forwards == backwards[::-1]


def test_every_url_is_canonical(web):
    for host in web.hosts():
        for path in islice(web.pages(host.name), 30):
            assert canonical_url(host.root + path) == host.root + path


@pytest.mark.slow
def test_pages_have_the_arcs_and_the_words_of_the_answers(web, sampled):
    for host, truth in (*sampled[::3], *special_truths(web)):
        sent = answer(web, host, truth)
        if sent.status != 200 or not truth.is_text:
            continue
        model = build_page(sent.body, url=truth.url, content_type=sent.content_type)
        links = model.links
        arcs = {
            (page_url(key), bool(no)) for key, no in zip(links.key, links.nofollow, strict=True)
        }
        assert arcs == set(truth.arcs), truth.url
        words = Counter(evaluation_words(" ".join(model.blocks.text)))
        assert words == Counter(evaluation_words(f"{truth.main_text}\n{truth.boilerplate}")), (
            truth.url,
            host.charset,
            model.charset,
        )
        assert (model.noindex, model.nofollow) == (truth.noindex, truth.nofollow)


def test_about_93_percent_of_the_links_stay_on_their_host(sampled):
    arcs = [
        (host, arc) for host, truth in sampled if "mirrored" not in host.roles for arc in truth.arcs
    ]
    inside = sum(urlsplit(arc.target).netloc == host.name for host, arc in arcs)
    assert inside / len(arcs) == pytest.approx(0.93, abs=0.02)


def test_links_to_other_hosts_follow_topic(web, sampled):
    topical = total = 0
    for host, truth in sampled:
        for arc in truth.arcs:
            other = web.table.find(urlsplit(arc.target).netloc)
            if other.index != host.index:
                total += 1
                topical += other.topic == host.topic
    # By chance it would be one in twelve.
    assert topical / total > 0.5


def test_arcs_lead_to_pages_of_the_web(web):
    for _, truth in samples(web, 2):
        for arc in truth.arcs:
            assert web.place(arc.target).kind != "missing"


def test_dangling_pages_exist(web):
    host = next(host for host in web.hosts() if "dangling" in host.roles)
    n_arcs = [len(truth.arcs) for truth in web.truths(host.name)]
    assert 0 < n_arcs.count(0) < len(n_arcs)


def test_documents_have_main_text_enough(sampled):
    for host, truth in sampled:
        n_words = len(density_tokens(truth.main_text))
        if truth.thin:
            assert n_words < 50
        elif truth.kind in ("regular", "near", "copy", "quote"):
            assert n_words >= 60, truth.url
        assert truth.language == host.language


def word_f1(kept, main):
    found, known = Counter(evaluation_words(kept)), Counter(evaluation_words(main))
    return 2 * (found & known).total() / (found.total() + known.total())


@pytest.mark.slow
@pytest.mark.parametrize("template", TEMPLATES)
def test_cleaning_is_worth_it_and_not_too_easy(web, sampled, template):
    keep_all, tree = [], []
    cleaner = registry.get("numwords-tree")
    for host, truth in sampled:
        if host.template != template or truth.thin or not truth.main_text:
            continue
        sent = answer(web, host, truth)
        page = build_page(sent.body, url=truth.url, content_type=sent.content_type)
        blocks = page.blocks
        kept = cleaner.label(page).kept
        keep_all.append(word_f1(" ".join(blocks.text), truth.main_text))
        text = " ".join(text for text, keep in zip(blocks.text, kept, strict=True) if keep)
        tree.append(word_f1(text, truth.main_text))
    assert fmean(keep_all) < 0.75
    assert 0.75 < fmean(tree) < 0.97


def named_texts(web, host, truth):
    """Yield (name, is main text) of each text of the page inside an element with class or id."""
    main = set(truth.main_text.splitlines())
    tree = html.fromstring(answer(web, host, truth).body.decode(host.charset.codec))
    for element in tree.iter(etree.Element):
        names = element.get("class", "").split() + element.get("id", "").split()
        texts = {text.strip() for text in (element.text, *(e.tail for e in element)) if text}
        for text in texts - {""}:
            yield from ((name, text in main) for name in names)


def test_class_names_do_not_tell_content_from_boilerplate(web):
    """What names mean on half of the hosts, taken for an answer, is no help on the other half."""
    learnt, asked = Counter(), []
    for host, truth in samples(web, 2):
        for name, is_main in named_texts(web, host, truth):
            if host.content % 16 < 8:
                learnt[name] += 1 if is_main else -1
            else:
                asked.append((name, is_main))
    main = [name for name, is_main in asked if is_main]
    assert len(main) > 100
    assert len(main) < len(asked) / 2
    # Names that told would find most of it; what is found is chance.
    assert sum(learnt[name] > 0 for name in main) < 0.15 * len(main)


def test_class_names_differ_from_host_to_host(web):
    first, second = (web.replies.maker.site(index) for index in (0, 8))
    assert first.host.template == second.host.template
    assert first.name("title") != second.name("title")


def test_one_template_differs_from_host_to_host(web):
    hosts = [host for host in web.hosts() if host.template == "divsoup"]
    styles = {web.replies.maker.site(host.content).style for host in hosts}
    assert len(styles) == len({host.content for host in hosts})
