"""What a crawl tells its operator while it decides over duplicates of many documents."""

from __future__ import annotations

import re

import pytest

from crawler import telling
from tests.toy_duplicates import crawl, made_pages


@pytest.mark.parametrize("n_many", [10, 1000])
def test_a_closing_pass_over_many_documents_tells_how_far_it_is(
    tmp_path, capsys, monkeypatch, n_many
):
    """Without a log nothing was said for minutes."""
    monkeypatch.setattr(telling, "MANY_DOCUMENTS", n_many)
    crawl(tmp_path, made_pages(), LOG_ENABLED=False)
    told = re.findall(
        r"^Deciding over duplicates: ([0-9,]+) of ([0-9,]+) documents read$",
        capsys.readouterr().err,
        re.MULTILINE,
    )
    assert len(told) == (1 if n_many == 10 else 0)
    assert all(0 < int(n_behind) <= int(n) >= n_many for n_behind, n in told)


def test_how_far_a_reading_is_is_told_at_once_and_now_and_then(monkeypatch):
    told: list[str] = []
    progress = telling.ReadingTeller("Reading", told.append)
    progress(1, 9_999)
    for n_behind in (5_000, 12_345):
        progress(n_behind, 12_345)
    assert told == ["Reading: 5,000 of 12,345 documents read"]
    monkeypatch.setattr(telling, "AGAIN_SECS", 0.0)
    progress(12_345, 12_345)
    assert told[1:] == ["Reading: 12,345 of 12,345 documents read"]
