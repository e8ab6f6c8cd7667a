"""The sampled fingerprints against slow versions, the published examples and figures."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates.fingerprints import pugh_henzinger
from pipelines.duplicates.fingerprints.heintze import PrefixCounts, lowest_hashes
from pipelines.duplicates.fingerprints.i_match import IMatch, is_match
from pipelines.duplicates.fingerprints.pugh_henzinger import (
    equal_list_probability,
    independent_lists,
    n_equal_lists,
    partition_lists,
)
from pipelines.duplicates.fingerprints.rolling import window_hashes
from pipelines.duplicates.fingerprints.shivakumar_garcia_molina import line_fingerprint
from pipelines.duplicates.fingerprints.sif import sif_fingerprint
from pipelines.duplicates.fingerprints.winnowing import (
    density,
    lowest_of_windows,
    winnow,
)
from pipelines.duplicates.shingles import resemblance

units = st.lists(st.integers(0, 2**32 - 1), max_size=40)
texts = st.text("ab ", max_size=80)


def random_text(rng, n_words):
    letters = np.array(list(string.ascii_lowercase))
    return [
        "".join(rng.choice(letters, size=size))
        for size in rng.integers(2, 9, size=n_words).tolist()
    ]


@given(units, st.integers(1, 6))
def test_rolled_hashes_are_those_of_the_windows(values, n):
    hashes = window_hashes(np.array(values, dtype=np.uint32), n)
    each = [
        window_hashes(np.array(values[i : i + n], dtype=np.uint32), n)[0]
        for i in range(len(values) - n + 1)
    ]
    assert hashes.tolist() == each


def test_lists_of_the_published_sentence(monkeypatch):
    """Pomikálek 2011, 3.2.3: a hash that sends {eat, but}, {to, live}, {do, not} to three lists."""
    sentence = ["eat", "to", "live", "but", "do", "not", "live", "to", "eat"]
    places = {"eat": 0, "but": 0, "to": 1, "live": 1, "do": 2, "not": 2}
    # Hashes of one's own: the place in the lowest digit.
    numbers = {word: 3 * i + place for i, (word, place) in enumerate(places.items(), start=5)}
    monkeypatch.setattr(
        pugh_henzinger,
        "ngram_hashes",
        lambda words, n: np.array([numbers[word] for word in words], dtype=np.uint64),
    )
    lists = partition_lists(sentence, 3)
    alone = [
        partition_lists(part.split(), 3) for part in ("eat but eat", "to live live to", "do not")
    ]
    assert [int(lists[i]) for i in range(3)] == [int(alone[i][i]) for i in range(3)]
    assert all(alone[i][j] == 0 for i in range(3) for j in range(3) if i != j)


def test_empty_lists_match_none():
    a, b = partition_lists(["one"], 64), partition_lists(["two"], 64)
    assert n_equal_lists(a, b) == 0
    assert n_equal_lists(partition_lists([]), partition_lists([])) == 0
    assert n_equal_lists(a, a) == 1


@pytest.mark.parametrize(
    ("n", "p", "k", "expected"),
    [(4, 0.1, 10, 0.82), (8, 0.1, 10, 0.9676), (16, 0.1, 20, 0.8743), (16, 0.02, 100, 0.8974)],
)
def test_probability_of_an_equal_list(n, p, k, expected):
    assert equal_list_probability(n, p, k) == pytest.approx(expected, abs=5e-5)


def test_changed_words_leave_lists_as_the_formula_says():
    rng = np.random.default_rng(3)
    n_trials, n_found = 150, 0
    for _ in range(n_trials):
        words = random_text(rng, 200)
        changed = words.copy()
        for place in rng.choice(200, size=5, replace=False).tolist():
            changed[place] = "".join(random_text(rng, 3))
        # Ten words differ: five went, five came.
        pair = [independent_lists(each, 4, p=0.0625, words_a_list=200) for each in (words, changed)]
        n_found += n_equal_lists(*pair) > 0
    expected = equal_list_probability(4, 0.0625, 10)
    sigma = (expected * (1 - expected) / n_trials) ** 0.5
    assert n_found / n_trials == pytest.approx(expected, abs=4 * sigma)


def test_longer_documents_get_fewer_words_a_list():
    words = [f"w{i}" for i in range(1000)]
    assert n_equal_lists(independent_lists(words), independent_lists(words[:998])) > 0


@given(st.lists(st.sampled_from(["a b", "c", "", "  ", "d"]), max_size=9), st.integers(1, 4))
def test_line_chunks(lines, n_lines):
    text = "\n".join(lines)
    full = [line for line in lines if line.strip()]
    apart = {tuple(full[i : i + n_lines]) for i in range(0, len(full), n_lines)}
    assert len(line_fingerprint(text, n_lines)) == len(apart)
    slid = (
        {tuple(full[i : i + n_lines]) for i in range(max(len(full) - n_lines + 1, 1))}
        if full
        else ()
    )
    assert len(line_fingerprint(text, n_lines, sliding=True)) == len(slid)


def test_sif_keeps_one_of_256_and_finds_what_is_shared():
    rng = np.random.default_rng(11)
    shared = " ".join(random_text(rng, 4000))
    a = sif_fingerprint(" ".join(random_text(rng, 4000)) + " " + shared)
    b = sif_fingerprint(shared + " " + " ".join(random_text(rng, 4000)))
    assert len(a) / 44_000 == pytest.approx(1 / 256, rel=0.25)
    assert resemblance(a, b) == pytest.approx(1 / 3, abs=0.12)
    assert not len(sif_fingerprint("short"))


def test_heintze_lowest_and_rarest():
    rng = np.random.default_rng(12)
    common = " ".join(random_text(rng, 300))
    documents = [f"{common} {' '.join(random_text(rng, 300))}" for _ in range(4)]
    counts = PrefixCounts()
    for document in documents:
        counts.add(document)
    for document in documents:
        assert len(lowest_hashes(document)) == len(counts.rarest(document)) == 100
    # The rarest are not those of what all have in common; the lowest are, in part.
    assert resemblance(counts.rarest(documents[0]), counts.rarest(documents[1])) < 0.1
    assert resemblance(lowest_hashes(documents[0]), lowest_hashes(documents[1])) > 0.15
    assert resemblance(lowest_hashes(documents[0]), lowest_hashes(documents[0].upper())) == 1
    assert not len(lowest_hashes("too short"))
    assert not len(counts.rarest(""))


@given(st.lists(st.integers(0, 9), max_size=40), st.integers(1, 8))
def test_lowest_of_windows(values, w):
    hashes = np.array(values, dtype=np.uint64)
    w_here = min(w, len(values))
    kept = set()
    for start in range(len(values) - w_here + 1) if values else ():
        window = values[start : start + w_here]
        kept.add(start + max(i for i, value in enumerate(window) if value == min(window)))
    assert lowest_of_windows(hashes, w).tolist() == sorted(kept)


@given(texts, texts, texts)
def test_shared_passages_are_found(before, shared, after):
    t, k = 8, 3
    a, b = winnow(shared, t, k), winnow(before + shared + after, t, k)
    if len(shared) >= t:
        assert set(a.hashes.tolist()) & set(b.hashes.tolist())
    assert (a.positions <= max(len(shared) - k, 0)).all()


@pytest.mark.parametrize("w", [4, 10, 26])
def test_density_of_winnowing(w):
    """2 / (w + 1), not as printed."""
    hashes = np.random.default_rng(w).integers(0, 2**64, size=200_000, dtype=np.uint64)
    measured = len(lowest_of_windows(hashes, w)) / len(hashes)
    assert measured == pytest.approx(density(w), rel=0.01)
    assert 2 / w - measured > 0.005 / w


def test_i_match():
    rng = np.random.default_rng(4)
    vocabulary = random_text(rng, 400)
    documents = [" ".join(rng.choice(vocabulary, size=80).tolist()) for _ in range(60)]
    method = IMatch(documents, n_random=10)
    digests = [method.digests(document) for document in documents]
    assert not any(is_match(digests[0], other) for other in digests[1:])
    # The order of words and words of no other document do not matter.
    moved = " ".join(reversed(documents[0].split())) + " unheardof"
    assert is_match(digests[0], method.digests(moved))
    assert digests[0][0] == method.digests(moved)[0]
    # One word of the lexicon less: some random part does without it.
    lost = next(word for word in documents[0].split() if word in method.lexicon)
    less = method.digests(" ".join(word for word in documents[0].split() if word != lost))
    assert less[0] != digests[0][0]
    assert is_match(digests[0], less)
    assert not is_match(method.digests(""), method.digests(""))
