"""Relevance models, link scores and host ranks, against what they are defined to be."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder
from crawler.errors import InputError
from crawler.focus import (
    HostRanks,
    HostRelevance,
    JournalsLearnt,
    LinkEvidence,
    LinkWeights,
    RelevanceModel,
    TemplateBlocks,
    learnt_row,
    learnt_rows,
    link_scores,
    read_host_ranks,
    read_row,
    relevance,
)
from crawler.focus.relevance import UNKNOWN
from crawler.focus.template_blocks import SEEN_PAGES
from crawler.seeds.topic_seeds import TopicSeeds

WIND = "the wind takes the chaff from the grain of the harvest"
RAIN = "a goal in the last minute of the match gave the club its cup"


def trained():
    model = RelevanceModel()
    for number in range(4):
        model.learn(f"{WIND} {number}", on_topic=True)
        model.learn(f"{RAIN} {number}", on_topic=False)
    return model


def test_a_model_tells_what_it_was_shown():
    on, off, nothing = trained().score(["grain and harvest", "the match, the goal", ""]).tolist()
    assert on > 0.5 > off
    assert nothing == UNKNOWN
    assert trained().score(["", "..."]).tolist() == [UNKNOWN, UNKNOWN]


def test_a_model_says_nothing_before_it_has_seen_both():
    model = RelevanceModel()
    for _ in range(6):
        model.learn(WIND, on_topic=True)
    assert not model.is_trained
    assert model.score([WIND]).tolist() == [UNKNOWN]


def test_one_page_of_each_is_enough_for_a_model():
    model = RelevanceModel()
    model.learn(RAIN, on_topic=False)
    model.learn(WIND, on_topic=True)
    on, off = model.score(["grain and harvest", "the match, the goal"]).tolist()
    assert on > 0.5 > off


@pytest.mark.parametrize("text", ["", " ", "*** \u2014 ***"])
def test_from_a_text_without_a_word_nothing_is_learnt(text):
    model = RelevanceModel()
    assert model.learn(WIND, on_topic=True)
    assert not model.learn(text, on_topic=False)
    assert (model.n_pages, model.is_trained) == ((0, 1), False)


def test_a_model_tells_what_it_keeps(monkeypatch):
    monkeypatch.setattr(relevance, "MAX_PAGES", 2)
    model = RelevanceModel()
    kept = [model.learn(text, on_topic=True) for text in (WIND, "", RAIN, WIND)]
    assert kept == [True, False, True, False]


def test_processes_of_a_fleet_learn_from_each_other(tmp_path):
    """Each page once, also those that come later; looks are further apart while there is nothing new."""
    journals = [Journal.open_writer(journal_folder(tmp_path, f"000{n}")) for n in range(2)]

    def learn(shard, n):
        row = learnt_row(n, f"{WIND} {n}", on_topic=True)
        journals[shard].write(lambda txn: txn.put(*row))

    learn(0, 1), learn(1, 2)
    others = JournalsLearnt(tmp_path, "0000")
    assert others.new(0.0) == [(f"{WIND} 2", True)]
    learn(1, 3), learn(0, 4)
    assert others.new(0.9) == []
    assert others.new(1.0) == [(f"{WIND} 3", True)]
    assert others.new(2.0) == []
    learn(1, 5)
    assert others.new(3.9) == []
    journal_folder(tmp_path, "0002").mkdir()  # one that has only just begun
    assert others.new(4.0) == [(f"{WIND} 5", True)]
    for journal in journals:
        journal.close()


def test_what_was_learnt_makes_the_same_model(tmp_path):
    journal = Journal.open_writer(tmp_path)
    rows = [
        learnt_row(n, f"{(RAIN, WIND)[n % 2]} \ud800 {n // 2}", on_topic=n % 2 > 0)
        for n in range(8)
    ]
    for row in [("extra", b"a", b""), *rows, ("extra", b"z", b"")]:
        journal.write(lambda txn, row=row: txn.put(*row))
    again, shown = RelevanceModel(), RelevanceModel()
    with journal.read() as txn:
        for n, row in enumerate(learnt_rows(txn)):
            text, on_topic = read_row(row.value)
            assert text == f"{(RAIN, WIND)[n % 2]} \ud800 {n // 2}"
            again.learn(text, on_topic=on_topic)
    for n in range(8):
        shown.learn(f"{(RAIN, WIND)[n % 2]} \ud800 {n // 2}", on_topic=n % 2 > 0)
    journal.close()
    assert again.n_pages == (4, 4)
    assert again.score([WIND, RAIN]).tolist() == shown.score([WIND, RAIN]).tolist()


def test_a_host_scores_by_its_pages_and_what_was_thought_before():
    hosts = HostRelevance()
    hosts.learn("com.good", 1.0)
    for _ in range(6):
        hosts.learn("com.bad", 0.0)
    # (2 * .5 + 1) / 3, (2 * .5) / 8
    found = hosts.score(["com.good", "com.new", "com.bad"])
    assert found.tolist() == pytest.approx([2 / 3, 0.5, 0.125])
    ranked = HostRelevance(HostRanks({"com.a": 1.0, "com.b": 2.0}))
    ranked.learn("com.b", 0.0)
    assert ranked.score(["com.a", "com.b", "com.c"]).tolist() == pytest.approx([0, 2 / 3, 0.5])
    assert hosts.score([]).tolist() == []


def test_equal_pages_make_equal_scores():
    texts = [WIND, RAIN, "wind and cup"]
    assert trained().score(texts).tolist() == trained().score(texts).tolist()


def evidence(page, anchor, host, is_main, density):
    return LinkEvidence(
        page,
        np.array([anchor], np.float32),
        np.array([host], np.float32),
        np.array([is_main]),
        np.array([density], np.float64),
    )


UNIT = st.floats(0, 1)


@given(UNIT, UNIT, UNIT, st.booleans(), st.floats(0, 40), UNIT)
def test_scores_are_those_of_the_formula(page, anchor, host, is_main, density, boilerplate):
    weights = LinkWeights(page=2, anchor=1, host=1, boilerplate=boilerplate)
    (score,) = link_scores(evidence(page, anchor, host, is_main, density), weights).tolist()
    place = 0.75 + 0.25 * min(density / 10, 1) if is_main else boilerplate
    assert score == pytest.approx(place * (2 * page + anchor + host) / 4, abs=1e-6)
    assert 0 <= score <= 1 + 1e-6


@pytest.mark.parametrize(
    "wrong", [{"page": 0, "anchor": 0, "host": 0}, {"page": -1}, {"boilerplate": 1.5}]
)
def test_wrong_weights_are_refused(wrong):
    with pytest.raises(ValueError, match="must be"):
        LinkWeights(**wrong)


def test_hosts_score_by_their_place():
    ranks = HostRanks({"org.a": 9.0, "org.b": 0.5, "org.c": 0.5, "org.d": 3.0})
    found = ranks.score(["org.a", "org.d", "org.b", "org.c", "org.unknown"]).tolist()
    assert found == pytest.approx([1, 2 / 3, 1 / 6, 1 / 6, 0.5])


def test_ranks_of_a_table_and_of_lines(tmp_path):
    table = tmp_path / "ranks.parquet"
    urls = ["http://a.org/x", "http://a.org/y", "http://b.org/"]
    parquet.write_table(pa.table({"url": urls, "rank": [1.0, 2.0, 4.0], "Arts": [9, 9, 1]}), table)
    lines = tmp_path / "ranks.tsv"
    lines.write_text("# host\trank\na.org\t1.5\nb.org\t4\n")
    for ranks in (read_host_ranks(table), read_host_ranks(tmp_path), read_host_ranks(lines)):
        assert ranks.score(["org.a", "org.b"]).tolist() == [0, 1]
    assert read_host_ranks(table, "Arts").score(["org.a", "org.b"]).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("none.tsv", None, r"cannot be read \(No such file"),
        ("n" * 300, None, r"cannot be read \(File name too long"),
        ("empty.tsv", b"", "holds no ranks"),
        ("words.tsv", b"a.org\t1\nb.org\n", "line 2: 'b.org' is no host, tab and number"),
        ("words.tsv", b"# a\xe2\x80\xa8b\r\nb.org\r\n", "line 2: 'b.org' is no host"),
        ("nan.tsv", b"a.org\tnan\n", "line 1"),
        ("bytes.tsv", b"\xff\xfe", "cannot be read"),
        ("text.parquet", b"no parquet", "cannot be read"),
    ],
)
def test_files_that_are_no_ranks(tmp_path, name, content, told):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_host_ranks(tmp_path / name)


def test_a_column_that_is_not_there(tmp_path):
    parquet.write_table(pa.table({"url": ["http://a.org/"]}), tmp_path / "ranks.parquet")
    with pytest.raises(InputError, match="no column 'Sports'; it has url"):
        read_host_ranks(tmp_path, "Sports")


SEEDS = "".join(
    f"Top/{topic}\thttp://{topic.lower().replace('/', '-')}{number}.example/\n"
    for topic in ("Arts", "Arts/Music", "Sports", "Health")
    for number in range(5)
)


def test_seeds_of_a_topic_and_of_others(tmp_path):
    path = tmp_path / "seeds.tsv"
    path.write_text(SEEDS)
    seeds = TopicSeeds(path, "Arts", 4)
    seeds.check()
    assert len(list(seeds.on_topic())) == 10
    background = seeds.background()
    assert len(background) == 4
    assert not any(seeds.is_on_topic(seed.categories) for seed in background)
    path.write_text("".join(reversed(SEEDS.splitlines(keepends=True))))
    assert seeds.background() == background


def test_a_url_of_several_categories_is_one_seed_of_the_background(tmp_path):
    path = tmp_path / "seeds.tsv"
    lines = [f"Top/{topic}\thttp://h{n}.example/\n" for n in range(9) for topic in ("B", "C", "D")]
    path.write_text("Top/A\thttp://a.example/\n" + "".join(lines))
    urls = [seed.url for seed in TopicSeeds(path, "A", 4).background()]
    assert len(set(urls)) == len(urls) == 4


@pytest.mark.parametrize(("topic", "told"), [("Games", "no seed in"), ("Top", "no seed outside")])
def test_seeds_of_one_kind_are_refused(tmp_path, topic, told):
    path = tmp_path / "seeds.tsv"
    path.write_text(SEEDS)
    with pytest.raises(InputError, match=told):
        TopicSeeds(path, topic, 4).check()


def test_a_block_of_many_pages_of_a_host_is_a_templates():
    blocks = TemplateBlocks()
    flags = [blocks.flags("com.a", ["menu", "menu", f"text {n}"]).tolist() for n in range(5)]
    assert flags == [[False] * 3] * 3 + [[True, True, False]] * 2
    assert not blocks.flags("com.b", ["menu"]).any()  # of another host
    assert blocks.flags("com.a", []).tolist() == []


def test_few_blocks_are_taken_for_a_templates_however_long_the_crawl():
    blocks = TemplateBlocks(1 << 12)
    n_wrong = 0
    for n in range(2_000):
        menu, *others = blocks.flags("com.a", ["menu", *(f"text {n} {k}" for k in range(20))])
        assert menu == (n >= SEEN_PAGES)
        n_wrong += sum(others)
    assert n_wrong < 0.01 * 2_000 * 20
