"""``scrapy keywords`` of scripts that do not part words, which are counted by their characters."""

from __future__ import annotations

import pytest

from pipelines.linguistics.keyness import count_lists, words_of
from tests.conftest import run_scrapy


@pytest.mark.parametrize(
    ("option", "words"),
    [("--without", {"水車", "の研", "研究"}), ("--around", {"機械", "械学", "学習"})],
)
def test_longer_keywords_are_known_by_what_is_counted_of_them(tmp_path, option, words):
    """`--without` left nothing out, and `--around` kept nothing."""
    lines = [
        f"{each.word}\t{each.occurrences}\t9\n"
        for each in count_lists([words_of("機械学習、水車、の研究")]).counts
    ]
    for name, text in (
        ("corpus.tsv", "".join(lines)),
        ("reference.tsv", "です\t9\n"),
        ("words.txt", "機械学習\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    lists = ("--corpus", tmp_path / "corpus.tsv", "--reference", tmp_path / "reference.tsv")
    done = run_scrapy("keywords", *lists, option, tmp_path / "words.txt")
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == words
