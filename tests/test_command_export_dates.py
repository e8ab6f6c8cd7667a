"""``scrapy export --since --until``: documents by the day of their publication, or of their visit."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from crawler.items import Page
from tests.graph_commands import run_command
from tests.laws_corpus import url, write_pages

# Of each document: what it says of its publication, and when it was fetched, a moment before midnight in one.
DAYS = (
    ("2023-10-31", datetime(2025, 1, 1, 23, 59, 59, 999_999, UTC)),
    ("2023-11-01", datetime(2025, 1, 2, tzinfo=UTC)),
    ("2024-02-29", datetime(2025, 2, 3, tzinfo=UTC)),
    ("2024-12-31", datetime(2024, 12, 31, tzinfo=UTC)),
    (None, datetime(2025, 1, 2, 3, tzinfo=UTC)),
)


@pytest.fixture
def folder(tmp_path):
    pages = [
        Page(
            1, i, url(i), f"{'ab'[i % 2]}.com", at, 200, date=day, language=("de", "en")[i // 3], blocks=[],
            text=f"Text {i}", n_words=2,
        )
        for i, (day, at) in enumerate(DAYS)
    ]  # fmt: skip
    write_pages(tmp_path / "corpus", pages)
    return tmp_path / "corpus"


CHOSEN = [
    ((), "01234"),
    (("--since", "2023-11"), "123"),
    (("--since", "2023-11-02"), "23"),
    (("--until", "2023"), "01"),
    (("--until", "2023-10-31"), "0"),
    (("--since", "2024-02", "--until", "2024-02"), "2"),
    (("--since", "2024-03-01", "--until", "2024"), "3"),
    (("--since", "0001"), "0123"),
    (("--until", "2025-01-01", "--dates", "fetched"), "03"),
    (("--since", "2025-01-02", "--until", "2025-01", "--dates", "fetched"), "14"),
    (("--since", "2025", "--dates", "fetched"), "0124"),
    (("--since", "2024", "--language", "de", "--hosts", "a.com"), "2"),
]


@pytest.mark.parametrize(("options", "chosen"), CHOSEN)
def test_documents_of_some_days(folder, options, chosen):
    done = run_command("export", "--corpus", folder, "--format", "text", *options, "--json")
    assert done.code == 0, done.errors
    report = json.loads(done.out)
    assert (report["documents"], report["left_out"]) == (len(chosen), len(DAYS) - len(chosen))
    texts = (folder / "export" / "documents.txt").read_text("utf-8").split("\n\n")[:-1]
    assert texts == [f"Text {i}" for i in chosen]


def test_days_are_whole_in_every_format(folder):
    for kind in ("vertical", "tei", "jsonl", "parquet"):
        done = run_command(
            "export", "--corpus", folder, "--format", kind, "--since", "2024", "--json"
        )
        assert (done.code, json.loads(done.out)["documents"]) == (0, 2), done.errors


WRONG = [
    (("--since", "yesterday"), "--since is 'yesterday'; give a day, a month or a year, such as"),
    (("--until", "2024-13"), "--until is '2024-13'; give a day"),
    (("--until", "2023-02-29"), "--until is '2023-02-29'; give a day"),
    (("--since", "20240101"), "--since is '20240101'; give a day"),
    (("--since", "2024-01-01T00"), "--since is '2024-01-01T00'; give a day"),
    (("--since", "2024-1"), "--since is '2024-1'; give a day"),
    (("--since", "2024-02", "--until", "2023"), "--since 2024-02 is behind --until 2023; change"),
    (("--dates", "fetched"), "--dates goes with --since or --until; leave it out"),
    (("--since", "2024", "--dates", "made"), "--dates is 'made'; give one of published, fetched"),
    (
        ("--since", "2025"),
        "published since 2025; those with a date are of 2023-10-31 to 2024-12-31, 1 without one",
    ),
    (("--since", "2023", "--until", "2023-09"), "published since 2023 and until 2023-09; those"),
]


@pytest.mark.parametrize(("options", "told"), WRONG)
def test_wrong_days(folder, options, told):
    done = run_command("export", "--corpus", folder, "--format", "text", *options)
    assert (done.code, done.out) == (2, "")
    assert told in done.errors
    assert done.errors.count("\n") == 1
    assert not (folder / "export").exists()
    done = run_command("export", "--corpus", folder, "--format", "edges", *options)
    assert f"{options[0]} is for --format text, vertical" in done.errors


TOGETHER = [
    (("--since", "2024-12", "--language", "de"), "all that --language and --since or --until"),
    (
        ("--until", "2024-11", "--language", "en", "--hosts", "b.com"),
        "that --language, --hosts and",
    ),
    (
        ("--language", "en", "--since", "2024-02-29", "--until", "2024-02"),
        "all that --language and",
    ),
]


@pytest.mark.parametrize(("options", "told"), TOGETHER)
def test_what_some_have_each_and_none_together(folder, options, told):
    done = run_command("export", "--corpus", folder, "--format", "text", *options)
    assert (done.code, done.out) == (2, "")
    assert told in done.errors
    assert not (folder / "export").exists()
