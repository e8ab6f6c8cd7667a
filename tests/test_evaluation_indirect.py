"""Indirect evaluation: made sites that Gottron 2008, 5.1 tells of, ``scrapy categories``."""

from __future__ import annotations

import json
import random
from math import sqrt

import pytest

from tests.conftest import run_scrapy
from tests.graph_commands import complete_command
from tests.hostile_server import HTML, Hostile, reply, served_bytes

NOISE = [f"noise{number}" for number in range(400)]


def write_pages(folder, *, hints):
    """Two categories of 24 pages each, on four sites: their *hints* in the menu and none in the text, or the other
    way.
    """
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


def run(*arguments):
    done = complete_command("categories", *arguments)
    return done.code, done.out, done.errors


def figures(folder, *options):
    code, out, err = run(folder, "--methods", "bte", "--json", *options)
    assert (code, err) == (0, "")
    told = json.loads(out)
    return told, {row["method"]: row for row in told["methods"]}


def test_cleaning_helps_where_the_text_tells_the_category(tmp_path):
    told, rows = figures(write_pages(tmp_path, hints=False))
    assert (told["categories"], told["left_out"]) == ({"cars": 24, "cats": 24}, 0)
    assert list(rows) == ["plain", "bte"]
    assert rows["bte"]["accuracy"] == rows["bte"]["f1"] == rows["bte"]["clusters_f1"] == 1
    assert rows["plain"]["accuracy"] < 0.8
    assert rows["plain"]["clusters_f1"] < 0.8
    assert rows["bte"]["accuracy_above_plain"][0] > 0.1
    assert rows["plain"]["accuracy_error"] == pytest.approx(sqrt(0.25 / 48), abs=0.02)


def test_menus_that_name_the_category_make_the_whole_page_look_better(tmp_path):
    """The distorted evaluation of section 5.1: the main text is found, and the score falls."""
    _, rows = figures(write_pages(tmp_path, hints=True))
    assert rows["plain"]["accuracy"] == rows["plain"]["clusters_f1"] == 1
    assert rows["bte"]["accuracy"] < 0.8
    assert rows["bte"]["accuracy_above_plain"][1] < 0


def test_screen_and_limits_of_pages(tmp_path):
    folder = write_pages(tmp_path, hints=True)
    (folder / "few").mkdir()
    (folder / "few" / "1.html").write_text("<p>x", encoding="utf-8")
    (folder / "cats" / "0.html").write_text("<p> - ", encoding="utf-8")
    code, out, _ = run(
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
    _, out, _ = run(folder, *again)
    assert out.splitlines()[4].split() == lines[4].split()


def test_empty_categories_are_named_and_the_others_judged(tmp_path):
    folder = write_pages(tmp_path, hints=True)
    (folder / "birds" / "of prey").mkdir(parents=True)
    (folder / "boats").mkdir()
    (folder / "boats" / "logo.png").write_bytes(b"PNG")
    told, rows = figures(folder)
    assert (told["categories"], told["empty_categories"]) == (
        {"cars": 24, "cats": 24},
        ["birds", "boats"],
    )
    assert rows["plain"]["accuracy"] == 1
    _, out, _ = run(folder, "--methods", "bte", "--folds", 2, "--runs", 2)
    assert out.splitlines()[1] == "2 categories without a page: birds, boats"


@pytest.mark.slow
def test_documents_of_a_corpus_have_the_categories_of_their_seeds(tmp_path):
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
    told, rows = figures(tmp_path / "corpus", "--min-pages", 4, "--folds", 2)
    assert told["categories"] == {"Top/Arts": 4, "Top/Science": 4}
    assert rows["bte"]["accuracy"] == 1
    # Deeper down each host has seeds of several categories, and its pages might be of any.
    code, _, err = run(tmp_path / "corpus", "--min-pages", 2, "--depth", 4)
    assert (code, "has 0 categories of 2 pages or more" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("@none", "@none is no folder; give that of a corpus, or of a folder a category"),
        ("@empty", "has 0 categories of 10 pages or more; two are needed"),
        ("", "no pages given; name a corpus, or a folder with"),
        (
            "@hollow",
            "has 0 categories of 10 pages or more; 1 category without a page: a; two are needed",
        ),
        ("@pages --min-pages 25", "has 0 categories of 25 pages"),
        ("@pages --min-pages 0", "--min-pages must be at least 1"),
        ("@pages --folds 1", "--folds must be at least 2, got 1"),
        ("@pages --by-site --seed -1", "--seed must be at least 0, got -1"),
        ("@pages --runs 1", "--runs must be at least 2, got 1"),
        ("@pages --starts 0", "--starts must be at least 1, got 0"),
        (
            "@none --methods magic",
            "--methods magic: unknown method 'magic'; known are the cleaners that",
        ),
        (
            "@none --methods bte,site-style-trees",
            "unknown method 'site-style-trees'; did you mean site-style-tree?",
        ),
        ("@none --methods winow", "unknown method 'winow'; did you mean winnow? known are"),
        ("@pages --depth x", "--depth is 'x'; give a whole number"),
        ("@one --min-pages 1 --by-site", "--by-site: need 2 groups"),
    ],
)
def test_wrong_calls(tmp_path, arguments, said):
    write_pages(tmp_path / "pages", hints=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "hollow" / "a").mkdir(parents=True)
    for category in ("a", "b"):
        (tmp_path / "one" / category).mkdir(parents=True)
        (tmp_path / "one" / category / "1.html").write_text("<p>x", encoding="utf-8")
    code, out, err = run(*arguments.replace("@", f"{tmp_path}/").split())
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err.replace(f"{tmp_path}/", "@")
