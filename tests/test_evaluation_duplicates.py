from __future__ import annotations

import gzip
import itertools
import json
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from pipelines.duplicates.shingles import containment, mutual_containment, resemblance, shingles
from pipelines.evaluation.duplicates import pair_scores
from pipelines.evaluation.duplicates.__main__ import main
from pipelines.evaluation.duplicates.default_index import default_methods
from pipelines.evaluation.duplicates.families import family_scores
from pipelines.evaluation.duplicates.judged import all_pairs, read_judged
from pipelines.evaluation.duplicates.measures import at, best, f1_difference, held_out
from pipelines.evaluation.duplicates.methods import COMBINED_DISTANCE, methods
from pipelines.evaluation.duplicates.pair_scores import Sets
from pipelines.evaluation.duplicates.peers import ngrams, peer_methods
from pipelines.evaluation.duplicates.simhash_features import weighted_simhash
from pipelines.evaluation.duplicates.table import as_object, run, screen

WORDS = ["".join(pair) + "s" for pair in itertools.product("abcdefghijklmnopqrst", repeat=2)][:300]
A = " ".join(WORDS[:200])
COPY = " ".join([*WORDS[:100], "OTHER", *WORDS[101:200]])
HALF = " ".join(WORDS[:100])
B = " ".join(WORDS[200:])
PAIRS = np.array([[0, 1], [0, 2], [0, 3]], dtype=np.int64)
HASHES = st.lists(st.integers(0, 20), max_size=12).map(lambda each: np.array(each, dtype=np.uint64))


def write_sets(folder):
    copycat = folder / "copycat-canonical-pairs"
    copycat.mkdir(parents=True)
    rows = [(A, COPY, "2"), (A, HALF, "0.5"), (A, B, "unknown"), (B, A, "0.5"), (B, B, "1")]
    with gzip.open(copycat / "pairs.jsonl.gz", "wt") as lines:
        for a, b, label in rows:
            lines.write(json.dumps({"text_a": a, "text_b": b, "label": label}) + "\n")
    articles = folder / "mccormick-articles"
    articles.mkdir()
    articles.joinpath("articles_100.train").write_text(f"t1 {A}\nt7 {B}\nt3 {COPY}\nt4 {HALF}\n")
    articles.joinpath("articles_100.truth").write_text("t3 t1\n")
    return folder


def test_sets_are_read_and_unknown_pairs_left_out(tmp_path):
    copycat, mccormick = read_judged(write_sets(tmp_path))
    assert copycat.is_duplicate.tolist() == [True, False, False, True]
    assert [copycat.texts[i] for i in copycat.pairs[1]] == [A, HALF]
    duplicates = mccormick.pairs[mccormick.is_duplicate].tolist()
    assert duplicates == [[0, 2]]
    assert len(mccormick.pairs) == 6


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\x1c"])
def test_signs_within_articles_end_no_line(tmp_path, sign):
    folder = write_sets(tmp_path)
    articles = folder / "mccormick-articles" / "articles_100.train"
    articles.write_text(f"t1 {A}{sign}{B}\r\nt3 {COPY}\n", encoding="utf-8")
    assert read_judged(folder)[1].texts == [f"{A}{sign}{B}", COPY]


def test_no_sets_and_broken_sets_are_told_in_one_line(tmp_path, capsys):
    with pytest.raises(InputError, match="neither"):
        read_judged(tmp_path)
    folder = write_sets(tmp_path)
    (folder / "copycat-canonical-pairs/pairs.jsonl.gz").write_bytes(b"no gzip")
    assert main([str(folder)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@given(HASHES, HASHES)
def test_pair_scores_are_those_of_sets(a, b):
    sets, pair = Sets.of([a, b]), np.array([[0, 1]])
    x, y = set(a.tolist()), set(b.tolist())
    common = len(x & y)
    assert pair_scores.n_common(sets, pair)[0] == common
    for score, whole in (
        (pair_scores.resemblances, len(x | y)),
        (pair_scores.containments, min(len(x), len(y))),
        (pair_scores.mutual_containments, max(len(x), len(y))),
    ):
        assert score(sets, pair)[0] == pytest.approx(common / whole if whole else 0)


def test_pair_scores_agree_with_the_functions_of_two_sets():
    sets = [shingles(text.split(), 3) for text in (A, COPY, HALF, B)]
    of_pairs = Sets.of(sets)
    for place, (i, j) in enumerate(PAIRS.tolist()):
        a, b = sets[i], sets[j]
        both = min(containment(a, b), containment(b, a))
        assert mutual_containment(a, b) == both
        assert pair_scores.mutual_containments(of_pairs, PAIRS)[place] == both
        shared = resemblance(a, b)
        assert pair_scores.resemblances(of_pairs, PAIRS)[place] == shared
        sizes = np.array([[a.size, b.size]], dtype=np.float64)
        estimated = pair_scores.mutual_of_resemblance(np.array([shared]), sizes)
        assert estimated[0] == pytest.approx(both)


def test_equal_places_leave_out_nothing_and_bits_count():
    signatures = np.array([[1, 2, 9, 9], [1, 3, 9, 9]], dtype=np.uint32)
    assert pair_scores.equal_places(signatures, np.array([[0, 1]]), 9)[0] == 1 / 4
    assert pair_scores.equal_bits(np.array([0b1011, 0], dtype=np.uint64), np.array([[0, 1]])) == [
        1 - 3 / 64
    ]


def test_texts_without_a_shingle_have_no_band_in_common():
    texts = ["", " .", A, COPY]
    for method in methods():
        if (
            method.name in {"minhash", "minhash-lsh", "broder-super-shingles"}
            and "w=1" not in method.title
        ):
            assert method.scores(texts, np.array([[0, 1], [0, 2], [2, 3]])).tolist()[:2] == [0, 0]
            assert method.scores(texts, np.array([[2, 3]]))[0] > 0


def test_the_combination_finds_what_both_find():
    """Henzinger 2006: Broder's pairs, of which those that are far by their words are left out."""
    rng = random.Random(5)
    words = [f"word{n}" for n in range(400)]
    # A word that is repeated makes few shingles, and most of the words.
    texts = [A, A, COPY, HALF, B]
    texts.append(" ".join(rng.sample(words, 120)) + " refrain" * 400)
    texts += [texts[-1].replace(" refrain", ""), texts[-1]]
    pairs = np.array([(i, j) for i in range(len(texts)) for j in range(i)])
    found = {method.title: method.scores(texts, pairs) for method in methods()}
    broder = found["broder-super-shingles w=3 6x14"]
    near = found["simhash words n=1"] >= 1 - COMBINED_DISTANCE / 64
    combined = found[f"broder-and-simhash w=3 6x14 distance={COMBINED_DISTANCE}"]
    assert combined.tolist() == [
        score if is_near else 0 for score, is_near in zip(broder, near, strict=True)
    ]
    assert ((broder >= 2 / 6) & ~near).any()
    assert ((broder >= 2 / 6) & near).any()


def test_measures():
    scores = np.array([0.9, 0.8, 0.8, 0.4, 0.1])
    truth = np.array([True, True, False, True, False])
    measured = at(scores, truth, 0.8)
    assert measured == (0.8, 2 / 3, 2 / 3, pytest.approx(2 / 3))
    # all but the last: 3 of 4 reported, all of 3 found; halfway between .4 and .1
    assert best(scores, truth) == (0.25, 3 / 4, 1.0, pytest.approx(6 / 7))
    assert at(scores, truth, 2) == (2, 0, 0, 0)
    assert best(scores[:0], truth[:0]).f1 == 0
    assert at(scores, np.zeros(5, dtype=np.bool_), 0.5).f1 == 0


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30))
def test_best_is_the_best_of_all_thresholds(pairs):
    scores = np.array([score for score, _ in pairs], dtype=np.float64)
    truth = np.array([label for _, label in pairs])
    found = best(scores, truth)
    assert found.f1 == max(at(scores, truth, each).f1 for each in scores)
    assert at(scores, truth, found.threshold).f1 == found.f1


def test_held_out_is_perfect_for_parted_scores_and_lower_than_best_for_noise():
    truth = np.arange(200) % 2 == 0
    assert held_out(truth * 1.0, truth) == 1
    noise = np.random.default_rng(1).random(200)
    assert held_out(noise, truth) < best(noise, truth).f1


def test_f1_difference_of_the_same_and_of_the_opposite():
    truth = np.arange(100) < 50
    same = f1_difference(truth, truth, truth)
    assert same == (0, 0, 0)
    worse = f1_difference(truth, truth & (np.arange(100) < 25), truth)
    assert worse.difference == pytest.approx(1 - 2 / 3)
    assert worse.low < worse.difference < worse.high


def test_families_pick_on_one_half_and_score_on_the_other():
    rng = np.random.default_rng(3)
    truth = np.arange(120) % 2 == 0
    scores = {f"noise {k}": rng.random(120) for k in range(20)} | {"good": truth * 1.0}
    noise = [name for name in scores if name != "good"]
    rows, halves = family_scores(scores, truth, {"noise": noise, "all": list(scores)})
    found = {row.family: row for row in rows}
    assert found["all"].f1 == 1
    assert (found["all"].picked, found["all"].picked_share) == ("good", 1.0)
    # the best of twenty rows of noise looks better on the pairs that it was picked on
    assert found["noise"].f1 < max(best(scores[name], truth).f1 for name in noise)
    assert (halves["all"] > halves["noise"]).all()


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.title)
def test_every_method_scores_copies_above_others(method):
    texts = [A, A, HALF, B]
    scores = method.scores(texts, PAIRS)
    assert scores.shape == (3,)
    assert ((scores >= 0) & (scores <= 1)).all()
    if "tf-idf" not in method.settings and "stop words" not in method.settings:
        assert scores[0] >= method.default
    assert scores[0] >= scores[2]


@pytest.mark.parametrize("method", default_methods(), ids=lambda method: method.title)
def test_the_default_tells_an_edited_copy_from_a_part(method):
    edited, part, other = method.scores([A, COPY, HALF, B], PAIRS) >= method.default
    assert edited
    assert not part
    assert not other


def test_weighted_simhash_is_a_majority_by_weight():
    hashes = np.array([0b01, 0b10, 0b10], dtype=np.uint64)
    assert weighted_simhash(hashes, np.array([5.0, 1.0, 1.0])) == 0b01
    assert weighted_simhash(hashes, np.array([1.0, 1.0, 1.0])) == 0b10
    assert weighted_simhash(hashes[:0], np.empty(0)) == 0


def test_peers_score_copies_at_one():
    found, missing = peer_methods()
    assert len({method.title for method in found}) == len(found)
    assert set(missing) <= {"datasketch", "rensa"}
    for method in found[:2]:
        assert method.scores([A, A, B], np.array([[0, 1], [0, 2]])).tolist() == [1, 0]


def test_ngrams_of_short_texts():
    assert ngrams("One two", 3) == ["one two"]
    assert ngrams("", 3) == []
    assert ngrams("a b c d", 3) == ["a b c", "b c d"]


def test_the_table_and_the_object_tell_the_same(tmp_path, capsys):
    folder = write_sets(tmp_path)
    quality = run(read_judged(folder), "default*")
    told = as_object(quality)
    assert [score["best"]["f1"] for score in told["scores"]] == [1.0] * 6
    assert "default exact" in screen(quality)
    assert len(screen(quality, curves=True).splitlines()) == 2 * 5 + 1
    assert main([str(folder), "--methods", "exact*", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [score["default"]["precision"] for score in printed["scores"]] == [1.0, 0.0]
    assert main([str(folder), "--methods", "none*"]) == 2


def test_the_default_is_compared_with_peers_where_both_were_run(tmp_path):
    sets = read_judged(write_sets(tmp_path))
    ours, peers = (run(sets, pattern) for pattern in ("default exact*", "peer/rensa-rminhash w=1"))
    assert ours.comparisons() == peers.comparisons() == []
    both = replace(ours, scores=ours.scores + peers.scores)
    assert [each.dataset for each in both.comparisons()] == [judged.name for judged in sets]
    assert {each.peer for each in both.comparisons()} <= {
        f"{score.method} {score.settings}" for score in peers.scores
    }


def test_all_pairs():
    assert all_pairs(3).tolist() == [[0, 1], [0, 2], [1, 2]]
    assert all_pairs(0).shape == (0, 2)


@pytest.mark.long
def test_the_default_is_not_worse_than_any_peer_at_its_best(shared):
    sets = read_judged(shared / "data/neardup")
    quality = run(sets, "[dp]e[fe][ar]*")  # default and peer/
    assert len(quality.comparisons()) == len(sets)
    for comparison in quality.comparisons():
        assert comparison.difference.difference >= 0, comparison
    picked = {row.family: row.f1 for row in quality.families["copycat"]}
    assert picked["default"] > picked["all peers"]
    f1 = {
        (score.dataset, score.settings): score.default.f1
        for score in quality.scores
        if score.method == "default"
    }
    assert f1["copycat", "exact"] > 0.81
    assert f1["copycat", "signature"] > 0.79
    assert all(f1[name, "exact"] == 1 for name, _ in f1 if name != "copycat")
