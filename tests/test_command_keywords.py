"""``scrapy keywords``: what it prints, and wrong calls."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from pipelines.linguistics.keyness import log_likelihood
from tests.conftest import run_scrapy
from tests.facet_corpus import make_corpus, texts


@pytest.fixture
def lists(tmp_path):
    corpus, reference = tmp_path / "corpus.tsv", tmp_path / "reference.tsv"
    corpus.write_text("the\t60\t9\nmill\t20\t9\nwheel\t15\t9\nrare\t5\t1\n", encoding="utf-8")
    reference.write_text("the\t600\t99\nwheel\t9\t9\nmill\t1\t1\n", encoding="utf-8")
    return ["keywords", "--corpus", corpus, "--reference", reference]


def test_the_command_prints_keywords_a_line(lists, tmp_path):
    done = run_scrapy(*lists)
    assert (done.returncode, done.stdout) == (0, "mill\nwheel\n")
    done = run_scrapy(*lists, "--min-documents", "1", "--number", "1", "--json")
    assert json.loads(done.stdout)["word"] == "rare"
    (tmp_path / "known.txt").write_text("Mill\n", encoding="utf-8")
    done = run_scrapy(*lists, "--without", tmp_path / "known.txt", "--add", "100")
    assert (done.returncode, done.stdout) == (0, "wheel\n")


def test_the_command_scores_by_log_likelihood(lists):
    done = run_scrapy(*lists, "--measure", "log-likelihood", "--json", "--min-documents", "1")
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["word"] for each in found] == ["mill", "wheel", "rare"]
    assert {each["measure"] for each in found} == {"log-likelihood"}
    assert found[0]["score"] == pytest.approx(log_likelihood(20, 100, 1, 610))
    done = run_scrapy(*lists, "--json", "--number", "1")
    assert json.loads(done.stdout)["measure"] == "simple-maths"


def test_the_command_prints_ranks_and_counts(lists):
    done = run_scrapy(*lists[:3], "--ranks", "2-4", "--min-chars", "5")
    assert (done.returncode, done.stdout) == (0, "wheel\n")
    done = run_scrapy(*lists[:3], "--counts")
    assert (done.returncode, done.stdout) == (0, lists[2].read_text("utf-8"))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--counts",), "--reference"),
        (("--ranks", "9-2"), "--ranks"),
        (("--add", "0"), "--add"),
        (("--measure", "chi"), "--measure is 'chi'; give simple-maths or log-likelihood"),
        (("--measure", "log-likelihood", "--add", "5"), "--add goes with --measure simple-maths"),
        (("--ranks", "1-9", "--measure", "log-likelihood"), "--measure goes with --reference"),
        (("--number", "-1"), "--number"),
        (("--language", "German"), "--language"),
        (("--language", "en"), "--language is for texts"),
        (("--without", "none.txt"), "none.txt"),
        (("--around", "none.txt"), "none.txt"),
        (("--ranks", "1-9", "--number", "5"), "--number goes with --reference"),
        (("--ranks", "7-9"), "no word of these ranks is wanted; there are 4,"),
        (("--min-documents", "99"), "--min-documents"),
        (("extra",), "extra"),
    ],
)
def test_a_wrong_call_is_one_line(lists, more, told):
    done = run_scrapy(*(lists[:3] if more[0] == "--ranks" else lists), *more)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_the_words_of_a_corpus(tmp_path):
    make_corpus(tmp_path)
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts")
    assert done.returncode == 0, done.stderr
    counted = Counter(word for text in texts() for word in text.lower().split())
    shown = dict(line.split("\t")[:2] for line in done.stdout.splitlines())
    assert {word: int(n) for word, n in shown.items()} == counted
    again = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--language", "en, und")
    assert again.stdout == done.stdout, again.stderr
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--language", "xx")
    assert done.returncode == 2
    assert "languages" in done.stderr
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--language", "en,und,cz")
    assert done.returncode == 2
    assert "--language has 'cz', which no text of" in done.stderr


def test_a_folder_without_a_corpus_is_told(tmp_path):
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts")
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
