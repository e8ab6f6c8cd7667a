"""Indirect evaluation: naive Bayes and k-means against slow versions, made sites that Gottron 2008, 5.1 tells of, the program."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler.commands.indirect_evaluation import main
from pipelines.evaluation.indirect.bags import tf_idf, word_counts
from pipelines.evaluation.indirect.clustering import clusters_f1, k_means
from pipelines.evaluation.indirect.naive_bayes import judged_by_folds, stratified_folds
from pipelines.evaluation.indirect.study import CategoryPage, enough_pages, mean_f1
from pipelines.evaluation.template_methods import Around
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, reply, served_bytes
from tests.traced_memory import least_traced

TEXTS = st.lists(
    st.lists(st.sampled_from("abcdef"), max_size=8).map(" ".join), min_size=2, max_size=9
)


def slow_answer(texts, label, fold):
    """Naive Bayes by counting words, one text after the other."""
    answers = []
    for text, own in zip(texts, fold, strict=True):
        known = [(t.split(), c) for t, c, f in zip(texts, label, fold, strict=True) if f != own]
        vocabulary = {word for words, _ in known for word in words}
        scores = {}
        for category in sorted({c for _, c in known}):
            words = [word for of, c in known if c == category for word in of]
            score = log(sum(c == category for _, c in known) / len(known))
            for word in text.split():
                if word in vocabulary:
                    score += log((words.count(word) + 1) / (len(words) + len(vocabulary)))
            scores[category] = score
        answers.append(scores)
    return answers


@given(TEXTS, st.randoms(use_true_random=False))
def test_naive_bayes_against_a_slow_version(texts, rng):
    label = [rng.randrange(3) for _ in texts]
    fold = [rng.randrange(2) for _ in texts]
    fold[:2] = [0, 1]
    answer = judged_by_folds(word_counts(texts), np.array(label), np.array(fold)).tolist()
    for taken, scores in zip(answer, slow_answer(texts, label, fold), strict=True):
        # Equal but for rounding counts as equal.
        assert scores[taken] == pytest.approx(max(scores.values()), abs=1e-9)


@given(TEXTS)
def test_weights_against_a_slow_version(texts):
    columns = sorted({word for text in texts for word in text.split()})
    rows = tf_idf(word_counts(texts)).toarray()
    assert rows.shape == (len(texts), len(columns))
    for row, text in zip(rows.tolist(), texts, strict=True):
        raw = [
            text.split().count(word)
            * log(len(texts) / sum(word in other.split() for other in texts))
            for word in columns
        ]
        length = sqrt(sum(value * value for value in raw))
        assert row == pytest.approx([value / length if length else 0 for value in raw])


def means_of(rows, label):
    return [rows[label == cluster].mean(axis=0) for cluster in np.unique(label)]


def deviation(rows, centres):
    """The sum of the squared distances of *rows* to the nearest of *centres*."""
    return sum(min(((row - centre) ** 2).sum() for centre in centres) for row in rows)


@given(
    st.lists(
        st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join),
        min_size=3,
        max_size=6,
    )
)
@example(["b", "b", "b", "c", "a b"])  # Of which no start leads to the best partition.
def test_k_means_ends_where_no_row_is_nearer_to_another_mean(texts):
    rows = tf_idf(word_counts(texts))
    label, dense = k_means(rows, 2, n_starts=3), rows.toarray()
    centres = means_of(dense, label)
    own = sum(
        ((dense[label == k] - centre) ** 2).sum()
        for k, centre in zip(np.unique(label), centres, strict=True)
    )
    assert own == pytest.approx(deviation(dense, centres), abs=1e-6)
    assert k_means(rows, 2, n_starts=3).tolist() == label.tolist()


@pytest.mark.parametrize(
    "texts",
    [
        ["a b", "c d", "a b b", "c d d", "a a b"],
        ["a", "a", "a", "b"],
        ["a x", "b x", "a y", "b y", "a z", "b z"],
        ["a b c", "a b d", "e f g", "e f h", "e f i"],
    ],
)
def test_k_means_finds_the_best_of_all_partitions(texts):
    rows = tf_idf(word_counts(texts))
    dense = rows.toarray()
    best = min(
        deviation(dense, means_of(dense, np.array(each)))
        for each in product((0, 1), repeat=len(texts))
    )
    found = means_of(dense, k_means(rows, 2, n_starts=30))
    assert deviation(dense, found) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize(("k", "n_starts"), [(0, 1), (4, 1), (2, 0)])
def test_k_means_of_wrong_numbers(k, n_starts):
    with pytest.raises(ValueError, match="must be"):
        k_means(word_counts(["a", "b", "c"]), k, n_starts=n_starts)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=20))
def test_f1_of_clusters_and_of_answers_against_slow_versions(pairs):
    clusters, label = (np.array(column) for column in zip(*pairs, strict=True))

    def f1(cluster, category):
        both = sum((k, c) == (cluster, category) for k, c in pairs)
        return (
            2 * both / (sum(k == cluster for k, _ in pairs) + sum(c == category for _, c in pairs))
        )

    sizes = Counter(label.tolist())
    best = {c: max(f1(k, c) for k in range(4)) if n else 0 for c, n in sizes.items()}
    wanted = sum(n * best[c] for c, n in sizes.items()) / len(pairs)
    assert clusters_f1(clusters, label) == pytest.approx(wanted)
    assert mean_f1(clusters, label) == pytest.approx(sum(f1(c, c) for c in sizes) / len(sizes))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.integers(2, 6))
def test_folds_are_stratified(label, n_folds):
    fold = stratified_folds(np.array(label), n_folds, seed=3)
    for category in [None, *set(label)]:
        sizes = [
            sum(f == number and category in {None, c} for c, f in zip(label, fold, strict=True))
            for number in range(n_folds)
        ]
        assert max(sizes) - min(sizes) <= 1


def category_pages(n, n_bytes=0):
    """*n* pages each of three categories, one of them none, in the order of no name."""
    for number in range(n):
        for category in ("b", "a", ""):
            body = bytes([number % 256]) * n_bytes
            yield CategoryPage(category, f"{number * 7 % n:03}", Around("", body))


def test_pages_that_are_left_out_are_counted():
    pages, n_left_out = enough_pages(category_pages(20), min_pages=20, max_pages=2)
    wanted = [("a", "000"), ("a", "001"), ("b", "000"), ("b", "001")]
    assert [page[:2] for page in pages] == wanted
    assert n_left_out == 60 - len(wanted)
    assert enough_pages(category_pages(20), min_pages=21, max_pages=40) == ([], 60)


def test_of_pages_that_are_left_out_no_body_is_held():
    n_bytes = 100_000
    _, _, most = least_traced(lambda: enough_pages(category_pages(100, n_bytes), 10, 2))
    assert most < 10 * n_bytes


NOISE = [f"noise{number}" for number in range(400)]


def write_pages(folder, *, hints):
    """Two categories of 24 pages each, on four sites: their *hints* in the menu and none in the text, or the other way."""
    rng = random.Random(5)
    for category, own in (
        ("cats", "purring whiskers kittens"),
        ("cars", "engines gearbox exhaust"),
    ):
        (folder / category).mkdir(parents=True)
        for n in range(24):
            sentences = "".join(
                f"<p>{own if not hints else ''} {' '.join(rng.choices(NOISE, k=25))}, as it was said there.</p>"
                for _ in range(4)
            )
            # Many advertisements of either category, or of the page's own.
            named = (
                own
                if hints
                else rng.choice(["purring whiskers kittens", "engines gearbox exhaust"])
            )
            menu = "".join(f"<li><a href=/{word}>{word}</a>" for word in named.split() * 9)
            page = f"<html><ul>{menu}</ul><h1>{rng.choice(NOISE)}</h1>{sentences}<ul>{menu}</ul>"
            url = f"http://{category}{n % 2}.sample/{n}"
            (folder / category / f"{n}.html").write_text(
                f"<!-- saved from url=({len(url):04})http://{url[7:]} -->\n{page}", encoding="utf-8"
            )
    return folder


def run(capsys, *arguments):
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as ended:
        code = ended.code
    return code, *capsys.readouterr()


def figures(capsys, folder, *options):
    code, out, err = run(capsys, folder, "--methods", "bte", "--json", *options)
    assert (code, err) == (0, "")
    told = json.loads(out)
    return told, {row["method"]: row for row in told["methods"]}


def test_cleaning_helps_where_the_text_tells_the_category(tmp_path, capsys):
    told, rows = figures(capsys, write_pages(tmp_path, hints=False))
    assert (told["categories"], told["left_out"]) == ({"cars": 24, "cats": 24}, 0)
    assert list(rows) == ["plain", "bte"]
    assert rows["bte"]["accuracy"] == rows["bte"]["f1"] == rows["bte"]["clusters_f1"] == 1
    assert rows["plain"]["accuracy"] < 0.8
    assert rows["plain"]["clusters_f1"] < 0.8
    assert rows["bte"]["accuracy_above_plain"][0] > 0.1
    assert rows["plain"]["accuracy_error"] == pytest.approx(sqrt(0.25 / 48), abs=0.02)


def test_menus_that_name_the_category_make_the_whole_page_look_better(tmp_path, capsys):
    """The distorted evaluation of section 5.1: the main text is found, and the score falls."""
    _, rows = figures(capsys, write_pages(tmp_path, hints=True))
    assert rows["plain"]["accuracy"] == rows["plain"]["clusters_f1"] == 1
    assert rows["bte"]["accuracy"] < 0.8
    assert rows["bte"]["accuracy_above_plain"][1] < 0


def test_screen_and_limits_of_pages(tmp_path, capsys):
    folder = write_pages(tmp_path, hints=True)
    (folder / "few").mkdir()
    (folder / "few" / "1.html").write_text("<p>x", encoding="utf-8")
    (folder / "cats" / "0.html").write_text("<p> - ", encoding="utf-8")
    code, out, _ = run(
        capsys,
        folder,
        "--methods",
        "keep-all, site-style-tree",
        "--max-pages",
        12,
        "--by-site",
        "--folds",
        2,
    )
    lines = out.splitlines()
    assert (code, lines[0]) == (0, "24 pages of 2 categories; 25 left out")
    assert [line.split()[0] for line in lines[3:-1]] == ["plain", "keep-all", "site-style-tree"]
    assert lines[3].split()[-1] == "1"
    assert "+0.000 to +0.000" in lines[4]
    assert lines[-1].startswith("Menus that name the category help")
    again = ("--methods", "keep-all", "--max-pages", 12, "--by-site", "--folds", 2)
    _, out, _ = run(capsys, folder, *again)
    assert out.splitlines()[4].split() == lines[4].split()


@pytest.mark.slow
def test_documents_of_a_corpus_have_the_categories_of_their_seeds(tmp_path, capsys):
    answers, seeds = {}, []
    for n in range(8):
        topic, word = ("Arts", "paintings") if n % 2 else ("Science", "molecules")
        text = (
            f"It is said of the {word} in room {n} that they were there before anybody else came to see them. "
            * 9
        )
        answers[f"{'ab'[n % 2]}/{n}"] = reply(
            f"<html lang=en><h1>{word} {n}</h1><p>{text}".encode(), HTML
        )
        seeds.append(f"Top/{topic}/Deep/{n}\thttp://{'ab'[n % 2]}.sample/{n}\n")
    (tmp_path / "seeds.tsv").write_text("".join(seeds), encoding="utf-8")
    with served_bytes(tmp_path, Hostile(answers)):
        done = run_scrapy(
            *("crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.tsv'}", "--nolog"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", "WARC_ENABLED=1"),
            *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "-s", "DEDUP_THRESHOLD=0"),
        )
    assert done.returncode == 0, done.stderr
    told, rows = figures(capsys, tmp_path / "corpus", "--min-pages", 4, "--folds", 2)
    assert told["categories"] == {"Top/Arts": 4, "Top/Science": 4}
    assert rows["bte"]["accuracy"] == 1
    # Deeper down each host has seeds of several categories, and its pages might be of any.
    code, _, err = run(capsys, tmp_path / "corpus", "--min-pages", 2, "--depth", 4)
    assert (code, "has 0 categories of 2 pages or more" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("@none", "@none is no folder; give that of a corpus, or of a folder a category"),
        ("@empty", "has 0 categories of 10 pages or more; two are needed"),
        ("@pages --min-pages 25", "has 0 categories of 25 pages"),
        ("@pages --min-pages 0", "--min-pages must be at least 1"),
        ("@pages --folds 1", "--folds must be at least 2, got 1"),
        ("@pages --runs 1", "--runs must be at least 2, got 1"),
        ("@pages --starts 0", "--starts must be at least 1, got 0"),
        ("@none --methods magic", "--methods magic: unknown"),
        ("@pages --depth x", "argument --depth: invalid int value"),
        ("@one --min-pages 1 --by-site", "--by-site: need 2 groups"),
    ],
)
def test_wrong_calls(tmp_path, capsys, arguments, said):
    write_pages(tmp_path / "pages", hints=True)
    (tmp_path / "empty").mkdir()
    for category in ("a", "b"):
        (tmp_path / "one" / category).mkdir(parents=True)
        (tmp_path / "one" / category / "1.html").write_text("<p>x", encoding="utf-8")
    code, out, err = run(capsys, *arguments.replace("@", f"{tmp_path}/").split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err.replace(f"{tmp_path}/", "@")
