"""The training of winnow on a folder of made pages."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from crawler.page.links import no_references
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.method import DOUBT, probabilities
from pipelines.boilerplate.winnow.model_file import read_model
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.readers import open_dataset
from pipelines.evaluation.training.winnow.__main__ import main
from pipelines.evaluation.training.winnow.boosting import Settings, train_forest
from pipelines.evaluation.training.winnow.held_out import held_out, set_of
from pipelines.evaluation.training.winnow.pages import (
    Target,
    TrainingPage,
    training_page,
)
from pipelines.evaluation.training.winnow.spread import SPREADS, likeliest_spread
from tests.test_boilerplate_winnow import ARTICLE, SENTENCES


@pytest.fixture(scope="module")
def trainer():
    try:
        import lightgbm
    except OSError as error:
        pytest.skip(f"lightgbm cannot be loaded here: {error}")
    return lightgbm


@pytest.fixture
def made_sets(tmp_path):
    for name in ("first", "second"):
        folder = tmp_path / "sets" / name
        (folder / "pages").mkdir(parents=True)
        (folder / "gold").mkdir()
        rows = []
        for number in range(6):
            (folder / "pages" / f"{number}.html").write_text(ARTICLE, "utf-8")
            gold = f"How grain is cleaned\n{SENTENCES * 6}"
            (folder / "gold" / f"{number}.txt").write_text(gold, "utf-8")
            url = f"http://{name}{number}.example/"
            rows.append(json.dumps({"id": str(number), "url": url, "page_type": "article"}))
        (folder / "manifest.jsonl").write_text("\n".join(rows), "utf-8")
    return tmp_path / "sets"


@pytest.mark.usefixtures("trainer")
def test_the_same_pages_make_the_same_bytes(made_sets, tmp_path, capsys):
    for name in ("a", "b"):
        arguments = ["--data", str(made_sets), "--trees", "3", "--output", str(tmp_path / name)]
        assert main(arguments) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_model(tmp_path / "a").about["sets"] == ["first", "second"]
    printed = capsys.readouterr().out
    assert "leave one set out" in printed
    assert "likeliest spread" in printed


@pytest.mark.usefixtures("trainer")
def test_sets_can_be_left_out(made_sets, tmp_path):
    arguments = ["--data", str(made_sets), "--sets", "second", "--trees", "2", "--no-validation"]
    assert main([*arguments, "--output", str(tmp_path / "model")]) == 0
    assert read_model(tmp_path / "model").about["n_pages"] == 6


def test_unknown_sets_and_folders_are_refused_in_one_line(made_sets, tmp_path, capsys):
    assert main(["--data", str(made_sets), "--sets", "third"]) == 2
    assert main(["--data", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--output", "none/model", "cannot be written; name a file in a folder that can"),
        ("--output", "", "cannot be written; name a file in a folder that can"),
        ("--trees", "0", "--trees is 0; give a whole number of at least 1"),
        ("--seed", "-1", "--seed is -1; give a whole number of at least 0"),
    ],
)
def test_what_would_end_the_training_is_told_before(
    made_sets, tmp_path, capsys, option, value, told
):
    value = str(tmp_path / value) if option == "--output" else value
    assert main(["--data", str(made_sets), option, value]) == 2
    assert told in capsys.readouterr().err


def training_pages(folder):
    return [page for page in map(training_page, open_dataset(folder)) if page is not None]


@pytest.mark.usefixtures("trainer")
def test_held_out_pages_are_judged_by_forests_of_the_other_parts(made_sets):
    pages, settings = training_pages(made_sets), Settings(n_trees=3)
    found = held_out(pages, "main", settings, set_of)
    for name in ("first", "second"):
        others = [page for page in pages if page.dataset != name]
        forest = train_forest(others, "main", settings)
        for page, probability in zip(pages, found, strict=True):
            if page.dataset == name:
                assert probability.tolist() == probabilities(forest, page.x).tolist()


def test_a_part_that_is_alone_is_not_judged(made_sets):
    pages = training_pages(made_sets)[:2]
    assert held_out(pages, "main", Settings(n_trees=2), set_of) == [None, None]


@pytest.mark.parametrize(
    ("page_type", "gold", "is_forum"),
    [
        ("forum", SENTENCES * 6, True),
        ("article", SENTENCES * 6, False),
        # comments stand on the page, and the gold text has none of them
        (None, SENTENCES * 6, False),
        # it has some, beside a main text or without one
        (None, f"{SENTENCES * 6} I never knew that this is where the word comes from.", False),
        (None, "I never knew that this is where the word comes from.", None),
    ],
)
def test_the_kind_of_a_page_is_known_by_its_type_or_its_comments(page_type, gold, is_forum):
    page = GoldPage("made", "1", ARTICLE.encode(), gold=gold, page_type=page_type)
    assert training_page(page).is_forum is is_forum


@pytest.mark.parametrize(
    ("dataset", "page_id", "n_comments"),
    [
        ("wcxb-dev", "0363", 1),  # marked by the class of its comments' text
        ("wcxb-dev", "none", 0),  # of a set that was read: what stands there is none
        ("made", "0363", 2),  # unknown: guessed by its length
    ],
)
def test_comments_that_the_gold_leaves_out_are_as_they_were_marked(dataset, page_id, n_comments):
    said = "I never knew that this is where the word comes from, thank you for writing."
    notice = "Your email address will not be published. Required fields are marked, as they say."
    html = (
        f"<div class=article>{f'<p>{SENTENCES}</p>' * 6}</div><div id=comments><div class='x comment-content'>"
        f"<p>{said}</p></div><p>{notice}</p><p>Reply</p></div>"
    )
    gold = GoldPage(dataset, page_id, html.encode(), gold=SENTENCES * 6, page_type="article")
    page = training_page(gold)
    beside = page.full.wanted & ~page.main.wanted
    assert beside.sum() == n_comments
    assert not n_comments or beside[page.texts.index(said)]
    # what the trees for comments are asked of weighs more to them
    ratio = page.full.weight / page.main.weight
    assert ratio[:6].tolist() == [1.0] * 6
    assert ratio[page.texts.index(said)] == pytest.approx(3)


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 1.5, 2.5])
def test_the_spread_is_what_the_odds_of_pages_are_off_by(spread):
    random = np.random.default_rng(5)
    pages, found = [], []
    for _ in range(150):
        log_odds = random.uniform(-4, 4, 40)
        off = spread * random.normal()
        wanted = random.random(40) < 1 / (1 + np.exp(-log_odds - off))
        target = Target(wanted, np.ones(40))
        x = np.zeros((len(FEATURE_NAMES), 40), np.float32)
        gold = Counter({"word": 1})
        page = TrainingPage(
            *("made", "", [""] * 40, x, no_references(), np.ones(40), target, target),
            *(gold, (), (), None, False),
        )
        pages.append(page)
        found.append(1 / (1 + np.exp(-log_odds - DOUBT)))
    place = SPREADS.index(spread)
    near = SPREADS[max(place - 1, 0) : place + 2]
    assert likeliest_spread([*pages, *pages[:1]], [*found, None]) in near
