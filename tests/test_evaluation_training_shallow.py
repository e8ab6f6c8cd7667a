"""Cross-validation and the table of shallow classifiers, on made folders of gold pages."""

from __future__ import annotations

import gzip
import itertools
import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.page import build_page
from pipelines.boilerplate.shallow_features import ALL, LOCAL
from pipelines.evaluation.gold import BAD, GOOD, UNCERTAIN, GoldPage, NodeLabel
from pipelines.evaluation.training import shallow
from pipelines.evaluation.training.classifiers import Instances, ZeroR
from pipelines.evaluation.training.cross_validation import (
    class_scores,
    cross_validated,
    folds,
    weighted_auc,
)
from pipelines.evaluation.training.decision_tree import DecisionTree
from pipelines.evaluation.training.information_gain import information_gains
from pipelines.evaluation.training.shallow_examples import (
    NAMES,
    block_classes,
    read_examples,
)

SENTENCES = [
    f"In the {year}th year of the {thing} nobody in town could say how it had all begun, "
    f"and so the {thing} went on until the mayor had enough of it."
    for year, thing in itertools.product((3, 5, 7), ("bridge", "flood", "market"))
]


@pytest.fixture(scope="module")
def gold_folder(tmp_path_factory):
    """Twelve pages of six sites: a menu, a heading, two paragraphs, a footer."""
    folder = tmp_path_factory.mktemp("gold")
    (folder / "pages").mkdir()
    (folder / "gold").mkdir()
    rows = []
    for number in range(12):
        first, second = SENTENCES[number % 9], SENTENCES[(number + 4) % 9]
        html = (
            "<title>Town</title><body><ul><li><a href=/>Home</a><li><a href=/a>All news</a></ul>"
            f"<h1>What happened in week {number}</h1><p>{first}</p><p>{second}</p>"
            "<table><caption>Rain in the week</caption></table><div>Terms of use</div></body>"
        )
        gold = f"What happened in week {number}\n{first}\n{second}\nRain in the week\n"
        (folder / "pages" / f"{number}.html").write_text(html, encoding="utf-8")
        (folder / "gold" / f"{number}.txt").write_text(gold, encoding="utf-8")
        rows.append({"id": str(number), "url": f"http://site{number % 6}.example/{number}"})
    manifest = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "manifest.jsonl").write_text(manifest, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def examples(gold_folder):
    return read_examples([gold_folder])


def test_examples(examples):
    assert examples.features.shape == (12 * 7, len(NAMES))
    assert set(ALL) | set(LOCAL) <= set(NAMES)
    assert examples.label[:7].tolist() == [0, 0, 2, 1, 1, 3, 0]
    assert len(set(examples.page.tolist())) == 12
    assert len(set(examples.site.tolist())) == 6
    frequency = examples.features[:7, NAMES.index("frequency")]
    assert frequency[[0, 6]].tolist() == [12, 12]
    two = examples.instances(["words", "a"])
    assert two.label[:7].tolist() == [0, 0, 1, 1, 1, 1, 0]
    assert two.features[:2].tolist() == [[1, 1], [2, 1]]
    by_site = examples.instances(["words"], n_classes=4, by_site=True)
    assert len(set(by_site.group.tolist())) == 6
    with pytest.raises(ValueError, match="n_classes must be 2 or 4, got 3"):
        examples.instances(["words"], n_classes=3)


def test_labels_of_text_nodes_are_taken_first():
    html = b"<p>one two three</p><p>four five six</p><p>seven eight</p><h2>nine ten</h2>"
    blocks = build_page(html, url="http://a.example/", content_type=None).blocks
    texts = ("one two three", "four five six", "seven eight", "nine ten")
    labels = (GOOD, UNCERTAIN, BAD, GOOD)
    nodes = tuple(NodeLabel(*pair) for pair in zip(texts, labels, strict=True))
    gold = GoldPage("made", "1", html, gold="seven eight", node_labels=nodes)
    assert block_classes(blocks, gold).tolist() == [1, 3, 0, 2]


def test_classes_that_a_standard_names_are_taken(tmp_path):
    texts = {"one two three": "0", "a headline": "1", "full text here": "2", "fact box": "3"}
    texts |= {"more of it": "4", "I liked it": "5"}
    marked = "".join(f'<p><span class="x-nc-sel{n}">{text}</span>' for text, n in texts.items())
    for name in ("original", "annotated"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.html").write_text(f"<h2>{marked}</h2>", encoding="utf-8")
    examples = read_examples([tmp_path])
    # Kohlschütter 2011, section 4.4.3: comments are full text; related content is content of neither other class.
    assert examples.instances(["words"], n_classes=4).label.tolist() == [0, 2, 1, 3, 0, 1]
    assert examples.instances(["words"]).label.tolist() == [0, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("manifest", "said"),
    [("", "names no page"), ('{"id": "a", "with": ["one"]}', "no page has gold text")],
)
def test_no_gold_pages(tmp_path, manifest, said):
    (tmp_path / "manifest.jsonl").write_text(manifest, encoding="utf-8")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html.gz").write_bytes(gzip.compress(b"<p>one"))
    with pytest.raises(InputError, match=said):
        read_examples([tmp_path])


@given(st.lists(st.integers(0, 30), min_size=1), st.integers(2, 10), st.integers(0, 3))
def test_folds_keep_groups_together(group, n_folds, seed):
    group = np.array(group)
    if len(set(group.tolist())) < 2:
        with pytest.raises(ValueError, match="need 2 groups and 2 folds at least, got 1"):
            folds(group, n_folds, seed)
        return
    fold = folds(group, n_folds, seed)
    for number in set(group.tolist()):
        assert len(set(fold[group == number].tolist())) == 1
    assert set(fold.tolist()) == set(range(min(n_folds, len(set(group.tolist())))))
    sizes = [len(set(group[fold == number].tolist())) for number in set(fold.tolist())]
    assert max(sizes) - min(sizes) <= 1
    assert folds(group, n_folds, seed).tolist() == fold.tolist()


pairs = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(1, 3)), max_size=12)


@given(pairs)
def test_weighted_auc_is_the_share_of_pairs(drawn):
    won = total = 0.0
    for one, other in itertools.product(drawn, drawn):
        if one[1] and not other[1]:
            total += one[2] * other[2]
            won += one[2] * other[2] * (1 if one[0] > other[0] else 0.5 * (one[0] == other[0]))
    score, is_such, weight = (np.array([row[i] for row in drawn]) for i in range(3))
    found = weighted_auc(score.astype(float), is_such.astype(bool), weight.astype(float))
    assert found == pytest.approx(won / total if total else 0.5)


def test_class_scores_of_a_constant_answer():
    # Table 4.9: ZeroR has precision p^2, recall p and F1 2p^2/(1 + p) with p the share of content
    label = np.array([1] * 638 + [0] * 362)
    instances = Instances(np.zeros((1000, 1)), label, np.ones(1000), np.arange(1000), 2)
    scores = class_scores(np.tile([0.362, 0.638], (1000, 1)), instances)
    assert np.round(scores, 3).tolist() == [0.407, 0.638, 0.497, 0.638, 0.5]


def test_class_scores_are_weighted():
    label = np.array([0, 0, 1, 1])
    instances = Instances(np.zeros((4, 1)), label, np.array([3.0, 1, 2, 2]), np.arange(4), 2)
    scores = class_scores(np.array([[1, 0], [0, 1], [0, 1], [0, 1.0]]), instances)
    # class 0: P 1, R 3/4, FP 0; class 1: P 4/5, R 1, FP 1/4; both weigh 4
    assert scores.precision == pytest.approx(0.9)
    assert scores.recall == pytest.approx(0.875)
    assert scores.f1 == pytest.approx((6 / 7 + 8 / 9) / 2)
    assert scores.false_positives == pytest.approx(0.125)


def test_cross_validation_learns_what_can_be_learned(examples):
    instances = examples.instances(LOCAL)
    tree = cross_validated(lambda: DecisionTree(min_weight=20), instances)
    assert tree.f1 == 1
    assert cross_validated(ZeroR, instances).f1 < tree.f1


@pytest.mark.parametrize("row", shallow.ROWS)
def test_every_row_of_the_table(row, examples):
    line = shallow.table_line(row, examples, n_classes=4, by_site=True, min_weight=20)
    assert 0 < line.scores.recall <= 1
    assert shallow.shown(line).split()[0] == row
    text = shallow.learned(row, examples, n_classes=4, min_weight=20)
    assert "boilerplate" in text or "full text" in text


def test_command(gold_folder, capsys):
    rows = ["words-links-simplified", "zeror"]
    shallow.main([str(gold_folder), "--rows", *rows, "--min-weight", "20"])
    lines = capsys.readouterr().out.split("\n")
    assert lines[0] == "12 pages, 6 sites, 84 blocks, 900 words"
    assert [line.split()[0] for line in lines[2:6]] == [rows[0], rows[0], rows[1], rows[1]]
    shallow.main([str(gold_folder), "--tree", "words", "--classes", "2", "--min-weight", "20"])
    out = capsys.readouterr().out
    assert "\nwords, 2 classes:\n" in out
    assert "content (" in out
    with pytest.raises(InputError, match="row 'magic' is unknown; give some of zeror"):
        shallow.main([str(gold_folder), "--rows", "magic"])
    with pytest.raises(InputError, match="--min-weight is 0; give a finite number"):
        shallow.main([str(gold_folder), "--min-weight", "0"])
    with pytest.raises(InputError, match="--seed is -1; give a whole number of at least 0"):
        shallow.main([str(gold_folder), "--seed", "-1"])


def test_information_gain_is_that_of_the_classes_in_its_bins(gold_folder, capsys):
    label = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    told = label.astype(np.float64)
    half = np.array([0, 0, 1, 0, 1, 1, 1, 1.0])
    features = np.stack([np.arange(8) % 3, half, told], axis=1)
    instances = Instances(features, label, np.ones(8), np.arange(8), 2)
    gains = information_gains(instances, ["noise", "half", "told"], min_weight=1)

    def h(*shares):
        return -sum(share * np.log2(share) for share in shares if share)

    whole = h(3 / 8, 5 / 8)
    left = 3 / 8 * h(2 / 3, 1 / 3) + 5 / 8 * h(1 / 5, 4 / 5)
    assert [name for name, _ in gains] == ["told", "half", "noise"]
    assert [gain for _, gain in gains][:2] == pytest.approx([whole, whole - left])
    # Both of its bins are of the same answer.
    same = instances._replace(
        label=np.array([0, 0, 0, 0, 0, 0, 1, 1]), features=np.arange(8.0)[:, None] // 4
    )
    ((_, gain),) = information_gains(same, ["half"], min_weight=1)
    assert gain == pytest.approx(h(1 / 4, 3 / 4) - h(1 / 2, 1 / 2) / 2)
    heavy = information_gains(instances, ["noise", "half", "told"], min_weight=4)
    assert [gain for _, gain in heavy] == [0, 0, 0]
    shallow.main([str(gold_folder), "--gains", "--classes", "2", "--min-weight", "20"])
    lines = capsys.readouterr().out.split("\n")
    assert lines[3] == "information gain in bits, 2 classes:"
    assert len(lines[4:-1]) == len(NAMES) == 70


def test_folds_need_two_groups(gold_folder, tmp_path, capsys):
    folder = shutil.copytree(gold_folder, tmp_path / "gold")
    manifest = folder / "manifest.jsonl"
    rows = [{"id": str(number), "url": "http://site.example/"} for number in range(12)]
    manifest.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    few = ["--min-weight", "20", "--classes", "2"]
    with pytest.raises(InputError, match="all gold text is of one site; give folders of more"):
        shallow.main([str(folder), "--by-site", "--rows", "zeror", *few])
    manifest.write_text(json.dumps(rows[0]), encoding="utf-8")
    with pytest.raises(InputError, match="all gold text is of one page; give folders of more"):
        shallow.main([str(folder), *few])
    # What is learned of all takes no folds.
    shallow.main([str(folder), "--tree", "words", *few])
    assert "words, 2 classes:" in capsys.readouterr().out


def test_dimensions_are_those_of_the_published_table():
    dimensions = {row: len(names) for row, (_, names) in shallow.ROWS.items()}
    assert dimensions["local"] == 23
    assert dimensions["local-quotients"] == 25
    assert dimensions["words-links-simplified"] == dimensions["density-links"] == 6
    assert dimensions["local-around"] == 64
    assert dimensions["local-around-frequency"] == 67


@pytest.mark.long
def test_more_features_are_better_on_shared_pages(shared):
    examples = read_examples([shared / "data" / "extraction" / "train" / "krdwrd-canola"])
    f1 = {
        row: shallow.table_line(row, examples).scores.f1
        for row in ("zeror", "1r-words", "words-links-simplified", "local-around")
    }
    assert f1["zeror"] < f1["1r-words"] < f1["words-links-simplified"] < f1["local-around"]
