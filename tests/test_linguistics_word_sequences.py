"""Sequences of words: those of a slow version, their stop words, and the command."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.items import Page
from crawler.seeds.keywords import query_of, read_keywords
from pipelines.jobs.word_counts import Counted, list_lines, read_frequencies
from pipelines.linguistics import word_sequences
from pipelines.linguistics.keyness import Frequencies, count_lists, keywords, words_of
from pipelines.linguistics.word_sequences import FrequentWords, listed_stop_words, sequences_of
from tests.conftest import run_scrapy
from tests.facet_corpus import make_corpus, texts
from tests.laws_corpus import AT, url, write_pages

WORDS = ("mill", "wheel", "the", "of", "l'eau", "well-known", "मिल", "Straße")
STOP = frozenset({"the", "of"})
# What divides a sequence: signs, numbers, addresses, texts without spaces, and ends of lines.
ENDS = (",", ".", '"', "3", "1.5", "http://a.b/c", "a@b.de", "数据科学", "น้ำท่วม", "၁၂", "☃", "\n", "\u2028")  # fmt: skip
UNSEEN = ("\u200f", "\u200e")


@given(st.lists(st.sampled_from(WORDS + ENDS + UNSEEN), max_size=30), st.integers(2, 4))
def test_sequences_are_those_of_a_slow_version(tokens, longest):
    """All places at which a sequence may begin, and all at which it may end."""
    seen = [token for token in tokens if token not in UNSEEN]
    slow = Counter()
    for first in range(len(seen)):
        for last in range(first + 1, min(first + longest, len(seen))):
            words = seen[first : last + 1]
            if not set(words) & set(ENDS) and not {words[0], words[-1]} & STOP:
                slow[" ".join(words).lower()] += 1
    assert Counter(sequences_of(" ".join(tokens), range(2, longest + 1), STOP)) == slow


def test_what_is_held_of_texts_is_bounded(monkeypatch):
    text = "A (water) mill, a wind-mill; the water mill's 3 wheels. The sea bass"
    expected = sequences_of(text, range(2, 4), STOP)
    monkeypatch.setattr(word_sequences, "_MAX_PARTS", 3)
    monkeypatch.setattr(word_sequences, "_MAX_PART_CHARS", 5)
    word_sequences._PARTS.clear()
    assert sequences_of(text, range(2, 4), STOP) == expected
    assert 0 < len(word_sequences._PARTS) <= 3
    assert max(map(len, word_sequences._PARTS)) <= 5


def test_a_sequence_is_within_a_line():
    text = "Sea bass\nGrill: sea bass (sea) bass\tGrill sea\u00a0bass iPhone Pro手机 case"
    found = Counter(sequences_of(text, range(2, 3), ()))
    assert found == Counter(
        {"sea bass": 3, "bass grill": 1, "grill sea": 1, "bass iphone": 1, "iphone pro": 1}
    )


def test_a_colon_before_an_ending_does_not_divide():
    assert sequences_of("EU:n komissio, std:string here", range(2, 3), ()) == ["eu:n komissio"]


def test_what_has_digits_or_points_within_divides():
    """The "19th century" was a "th century"."""
    for text in (
        "the 19th century", "mid-19th century", "3M tape", "3.5M users", "1,000m run", "new mp3 player",
        "bob3@x.de now", "a b.c3@x.de", "see http://a.b/c3d?e now", "at www.a3.com", "2023年iPhone", "x_1 y",
        "at www.a.com now", "the U.S. law", "mills e.g. here", "this and/or that", "http://a.b/c?d=e f",
    ):  # fmt: skip
        found = sequences_of(text, range(2, 4), ())
        assert found == [], (text, found)
    assert sequences_of("a " + "b3.c" * 20_000 + " d", range(2, 3), ()) == []
    assert sequences_of("a water mill[3] is—a mill.", range(2, 3), ()) == [
        "a water",
        "water mill",
        "a mill",
    ]
    assert sequences_of("2023年iPhone Pro 3年間", range(2, 3), ()) == ["iphone pro"]


def test_stop_words_are_the_first_of_a_list():
    """The whole lists hold words of terms: "public", "social"."""
    english, german = listed_stop_words("en"), listed_stop_words("de")
    assert {"the", "of", "would"} <= english
    assert not {"public", "social"} & english
    assert "werden" in german
    assert len(english) == len(german) == 100
    # Lists of characters are none for words, and there is no list of Thai.
    assert listed_stop_words("zh") is listed_stop_words("th") is listed_stop_words("und") is None


def test_frequent_words_are_stop_words_without_a_list():
    words = FrequentWords()
    for number in range(300):
        letters = chr(97 + number % 10) + chr(97 + number // 10 % 10)
        words.add(f"the mill{letters}, 3 of the 数据 and")
    words.add("")
    # One in 25 of 103.
    assert words.stop_words() == {"the", "of", "and", "millaa"}
    few = FrequentWords()
    few.add("the mill of the town")
    assert few.stop_words() == frozenset()


@given(st.lists(st.lists(st.sampled_from(["mill", "the", "wheel", ","]), max_size=9), max_size=9))
def test_keywords_of_two_words_are_as_frequent_as_they_are(lists):
    """A million are a million of the sequences that are counted."""
    found = [sequences_of(" ".join(words), range(2, 3), STOP) for words in [*lists, ["mill"] * 2]]
    counts = Counter(sequence for each in found for sequence in each)
    for each in keywords(count_lists(found), count_lists([["a b"]])):
        assert each.per_million == pytest.approx(counts[each.word] * 1e6 / counts.total())
        assert each.documents == sum(each.word in sequences for sequences in found)


def test_lists_give_the_lengths_that_are_asked_for(tmp_path):
    path = tmp_path / "list.tsv"
    path.write_text(
        "the\t9\nSea  bass\t5\t2\nsea bass\t1\nmill\t4\nmill on the floss\t2\n", "utf-8"
    )
    words = read_frequencies(path)
    assert ([each.word for each in words.counts], words.n_words) == (["the", "mill"], 13)
    pairs = read_frequencies(path, Counted(lengths=range(2, 3)))
    assert (list(list_lines(pairs.counts)), pairs.n_words) == (["sea bass\t6\t2"], 6)
    # As a reference it would make keywords of all of them.
    with pytest.raises(InputError, match="no sequences of 3 words; give the --words"):
        read_frequencies(path, Counted(lengths=range(2, 4)))


def corpus_counts(lengths: range) -> Counter[str]:
    """What the made corpus has of *lengths*: no stop words, for its texts have no language and six words."""
    counts: Counter[str] = Counter()
    for text in texts():
        counts.update(words_of(text) if lengths[0] == 1 else ())
        longer = range(max(lengths[0], 2), lengths[-1] + 1)
        counts.update(sequences_of(text, longer, ()))
    return counts


@pytest.mark.parametrize(("given", "lengths"), [("2", range(2, 3)), ("1-3", range(1, 4))])
def test_the_command_counts_sequences_of_a_corpus(tmp_path, given, lengths):
    make_corpus(tmp_path)
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--words", given)
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {word: int(n) for word, n, _ in rows} == corpus_counts(lengths)
    path = tmp_path / "list.tsv"
    path.write_text(done.stdout, "utf-8")
    again = run_scrapy("keywords", "--corpus", path, "--counts", "--words", given)
    assert again.stdout == done.stdout, again.stderr


def test_bootcat_takes_a_sequence_as_a_keyword(tmp_path):
    corpus, reference, found = (tmp_path / name for name in ("a.tsv", "b.tsv", "words.txt"))
    corpus.write_text("sea bass\t9\t9\nclick here\t9\t9\nbass\t9\t9\n", "utf-8")
    reference.write_text("click here\t90\t9\nsea side\t2\t2\n", "utf-8")
    call = ["keywords", "--corpus", corpus, "--reference", reference, "--words", "2"]
    done = run_scrapy(*call)
    assert (done.returncode, done.stdout) == (0, "sea bass\n")
    found.write_text(done.stdout, "utf-8")
    assert query_of(read_keywords(found)) == '"sea bass"'
    done = run_scrapy(*call, "--without", found)
    assert done.returncode == 2


def test_terms_around_keywords_have_one_of_them(tmp_path):
    corpus, reference, keywords = (tmp_path / name for name in ("a.tsv", "b.tsv", "words.txt"))
    terms = (
        "sea bass",
        "grilled sea bass",
        "bass grill",
        "bass",
        "bass-grill",
        "sea",
        "click here",
    )
    corpus.write_text("".join(f"{term}\t9\t9\n" for term in terms), "utf-8")
    reference.write_text("on\t9\nclick on\t9\nclick on it\t9\n", "utf-8")
    call = ["keywords", "--corpus", corpus, "--words", "1-3", "--around", keywords]
    for written, found in (
        ('"Sea bass"\nhere\n', {"sea bass", "grilled sea bass", "click here"}),
        ("BASS\n", {"sea bass", "grilled sea bass", "bass grill", "bass"}),
    ):
        keywords.write_text(written, "utf-8")
        for more in (("--reference", reference), ("--ranks", "1-99")):
            done = run_scrapy(*call, *more)
            assert done.returncode == 0, done.stderr
            assert set(done.stdout.splitlines()) == found


@pytest.mark.parametrize("given", ["0", "3-2", "2-", "two", "10", "2-3-4"])
def test_wrong_lengths_are_one_line(tmp_path, given):
    done = run_scrapy("keywords", "--corpus", tmp_path, "--counts", "--words", given)
    assert done.returncode == 2
    assert f"--words is '{given}'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_was_forgotten_of_sequences_is_known():
    lists = [["a b"] * 50, *([f"c {number}"] for number in range(2000))]
    found = count_lists(lists, max_words=100)
    assert isinstance(found, Frequencies)
    assert found.counts[0].word == "a b"
    assert (found.n_words, found.max_missed > 0) == (2050, True)


PAGES = (
    ("en", "The sea bass of the grill.\nSea bass, the grill"),
    ("de", "Die Mühle the Mühle an der Straße"),
    ("zh", "数据 iPhone Pro手机 the case 科学"),
    # No list, few words: no stop words; all of them are frequent.
    ("th", "the sea น้ำท่วม the sea"),
    (None, "the sea of the sea"),
)
IN_PAGES = {
    "sea bass": (2, 1),
    "mühle the": (1, 1),
    "the mühle": (1, 1),
    "iphone pro": (1, 1),
    "the case": (1, 1),
    "the sea": (4, 2),
    "sea of": (1, 1),
    "of the": (1, 1),
}


def test_stop_words_are_those_of_the_language_of_the_text(tmp_path):
    pages = [
        Page(1, i, url(i), "a.com", AT, 200, language=language, text=text)
        for i, (language, text) in enumerate(PAGES)
    ]
    write_pages(tmp_path, pages)
    pairs = read_frequencies(tmp_path, Counted(lengths=range(2, 3)))
    assert {each.word: each[1:] for each in pairs.counts} == IN_PAGES
    assert pairs.n_words == 12
    english = read_frequencies(tmp_path, Counted(("en",), range(2, 3)))
    assert [each.word for each in english.counts] == ["sea bass"]
    with pytest.raises(InputError, match="no sequences of words of these languages"):
        read_frequencies(tmp_path, Counted(("en",), range(7, 8)))
    with pytest.raises(InputError, match="is in ja; its languages are de, en, th, und, zh"):
        read_frequencies(tmp_path, Counted(("ja",), range(2, 3)))
