"""The words of a call of ``scrapy pagerank``: what they mean, which are wrong, which go together."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from crawler.errors import InputError
from crawler.ranking.corpus.job_texts import (
    MOST_TLDS,
    OPTIONS,
    check_used,
    read_job,
    read_listed,
    read_options,
    read_topic_options,
    read_topics,
)
from crawler.ranking.corpus.topics import TopicOptions
from crawler.ranking.options import RankJob, RankOptions


def texts_of(**given):
    """The words of a call with *given*, the others as by default."""
    defaults = {name.replace("-", "_"): default for name, default, _ in OPTIONS}
    words = {name: None if word is None else str(word) for name, word in defaults.items()}
    return {**words, **given}


def read_all(texts):
    return read_options(texts), read_job(texts), read_topic_options(texts)


def test_defaults_are_those_of_the_classes():
    assert read_options(texts_of()) == RankOptions()
    assert read_job(texts_of()) == RankJob()
    assert read_job(texts_of(engine="spark", master="local[2]")).method == "partitioned"
    assert read_options(texts_of(mean_change="1e-3", max_iterations="7")) == RankOptions(
        mean_change=1e-3, max_iterations=7
    )
    assert read_options(texts_of(internal_share="0")).internal_share == 0
    assert read_job(texts_of(speeds="4,2,1,1")).speeds == (4, 2, 1, 1)
    topics = read_topic_options(
        texts_of(topic_depth="3", topic_pages="descendants", partitions="2")
    )
    assert topics == TopicOptions(max_depth=3, descendants=True, min_pages=1, threads=2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alpha": "much"}, "--alpha is 'much'; give a number"),
        ({"tolerance": "0"}, "tolerance must be at least"),
        ({"mean_change": ""}, "--mean-change is ''; give a number"),
        ({"internal_share": "half"}, "--internal-share is 'half'; give a number"),
        ({"partitions": "2.5"}, "--partitions is '2.5'; give a number"),
        ({"engine": "flink"}, "engine must be one of local, spark, got 'flink'"),
        ({"engine": "spark", "method": "jacobi"}, "method must be partitioned with engine spark"),
        ({"speeds": "1,x"}, "--speeds is '1,x'; give numbers, as 4,2,1,1"),
        ({"speeds": "1,0"}, r"speeds must be above 0, got \(1.0, 0.0\)"),
        ({"start": "hot"}, "--start is 'hot'; give cold or warm"),
        ({"topic_pages": "all"}, "--topic-pages is 'all'; give own or descendants"),
        ({"topic_depth": "0"}, "--topic-depth must be at least 1, got 0"),
        ({"topic_min_pages": "0"}, "--topic-min-pages must be at least 1, got 0"),
    ],
)
def test_wrong_words(given, message):
    with pytest.raises(ValueError, match=message):
        read_all(texts_of(**given))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"master": "local[2]"}, "--master is for --engine spark; leave it out"),
        (
            {"method": "jacobi", "checkpoint_secs": "5"},
            "--checkpoint-secs is for --method host-blocks; leave it out",
        ),
        ({"speeds": "2,1"}, "--speeds is for --method partitioned"),
        ({"speeds": "2,1", "engine": "spark"}, "--speeds is for --method partitioned"),
        (
            {"speeds": "2,1", "method": "partitioned", "partitions": "3"},
            "--partitions is 3, but --speeds of 2",
        ),
        ({"arrays": "mapped", "method": "jacobi"}, "--arrays is for --method host-blocks"),
        ({"partitions": "4", "method": "jacobi"}, "for --method host-blocks or partitioned"),
        ({"topic_depth": "2"}, "--topic-depth is for --topics"),
        ({"topics": "seeds", "engine": "spark"}, "--engine is not for --topics"),
        ({"topics": "seeds", "scale": "sum"}, "--scale is not for --topics"),
        ({"topics": "seeds", "mean_change": "1e-3"}, "--mean-change is not for --topics"),
        (
            {"tolerance": "1e-3", "mean_change": "1e-3"},
            "--tolerance does nothing with --mean-change",
        ),
        (
            {"engine": "spark", "internal_share": ".5"},
            "--internal-share is for --engine local; leave it out",
        ),
    ],
)
def test_options_that_would_do_nothing(given, message):
    with pytest.raises(ValueError, match=message):
        check_used(texts_of(**given))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"engine": "spark", "master": "local[2]", "partitions": "4"},
        {"method": "partitioned", "speeds": "2,1", "partitions": "2"},
        {"topics": "seeds", "topic_pages": "descendants", "partitions": "1"},
        {"partitions": "2", "arrays": "mapped", "alpha": ".5", "scale": "sum"},
        {"method": "jacobi", "internal_share": "0"},
    ],
)
def test_options_that_go_together(given):
    check_used(texts_of(**given))


def test_topics_are_a_file_or_those_of_seeds_and_of_top_level_domains(tmp_path):
    path = tmp_path / "a,b.tsv"
    path.write_text("Top/A\thttp://www.a.sample/\n")
    listed = [("Top/A", "http://www.a.sample/", 1.0)]
    for text, pages, tlds in (
        ("seeds", None, 0),
        ("seeds,tld", None, MOST_TLDS),
        ("tld,seeds", None, MOST_TLDS),
        ("tld", [], MOST_TLDS),
        (str(path), listed, 0),
        (f"{path},tld", listed, MOST_TLDS),
    ):
        found = read_topics(text)
        assert (found if found is None else list(found)) == pages
        assert read_topic_options(texts_of(topics=text)).tlds == tlds
    with pytest.raises(
        InputError,
        match=r"cannot read tldx \(.*\); give .*UTF-8, or `seeds`, `tld` or `seeds,tld`$",
    ):
        read_topics("tldx")
    for text in ("", " ", ",", "tld,", ",tld"):
        with pytest.raises(ValueError, match=r"--topics is '.*'; give a file, or `seeds`, `tld`"):
            read_topic_options(texts_of(topics=text))


def test_line_without_a_tab(tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_text("Top/A\thttp://www.a.sample/\nTop/B http://www.b.sample/\n")
    with pytest.raises(InputError, match=r"line 2 of .* is no CATEGORY<tab>URL; give lines"):
        list(read_listed(path))
    path.write_bytes(b"Top/\xff\thttp://www.a.sample/\n")
    with pytest.raises(InputError, match=r"cannot read .*give a file in UTF-8"):
        list(read_listed(path))


def test_weights_of_a_topic_file(tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_text("A\thttp://a.sample/\t0.5\nA\tb c\t1e-3 \nA\thttp://c.sample/\t\nB\td\t0\n")
    assert [weight for _, _, weight in read_listed(path)] == [0.5, 1e-3, 1, 0]
    for wrong in ("-1", "nan", "inf", "1e999", "much", "1\t2", "0,5"):
        path.write_text(f"A\thttp://a.sample/\nA\thttp://b.sample/\t{wrong}\n")
        with pytest.raises(
            InputError, match=r"the weight in line 2 of .* is '.*'; give a number of 0 or more"
        ):
            list(read_listed(path))


def test_a_topic_file_is_read_to_its_end_before_what_it_is_for(tmp_path):
    """A wrong last line is told at once, and not once the graph was loaded; a pipe can be read but once."""
    path, pipe = tmp_path / "topics.tsv", tmp_path / "pipe"
    path.write_text("Top/A\thttp://www.a.sample/\nTop/B http://www.b.sample/\n")
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=r"line 2 of .* is no CATEGORY<tab>URL"):
        read_topics(str(path))
    path.write_text("Top/A\thttp://www.a.sample/\n")
    listed = [("Top/A", "http://www.a.sample/", 1.0)]
    assert list(read_topics(str(path))) == listed
    with ThreadPoolExecutor() as pool:
        pool.submit(pipe.write_text, path.read_text())
        assert list(read_topics(str(pipe))) == listed


def test_a_category_has_one_spelling(tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_text("Top/A/\thttp://www.a.sample/\n/Top//A\thttp://www.b.sample/\n")
    assert {category for category, _, _ in read_listed(path)} == {"Top/A"}
    path.write_text("//\thttp://www.a.sample/\n")
    with pytest.raises(InputError, match="is no CATEGORY<tab>URL"):
        list(read_listed(path))


def test_a_byte_order_mark_is_no_part_of_a_category(tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_bytes(b"\xef\xbb\xbfTop/A\thttp://www.a.sample/\n")
    assert list(read_listed(path)) == [("Top/A", "http://www.a.sample/", 1.0)]
