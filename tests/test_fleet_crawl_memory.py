"""What a shard on several machines keeps by itself of the crawl."""

from __future__ import annotations

import pytest

from crawler.durable.files import temporary
from crawler.errors import FormatError, InputError
from crawler.fleet.crawl_memory import CrawlMemory


def test_what_is_known_never_falls_back(tmp_path):
    memory = CrawlMemory(tmp_path)
    memory.add_blocks([4, 2])
    memory.note_members(3, (0, 1), (0, 1), [1, 7])
    memory.note_members(2, (5,), (5,), [])
    memory.add_blocks([2, 9])
    known = CrawlMemory(tmp_path).known
    assert known == memory.known
    assert (known.blocks, known.version, known.members) == ((4, 2, 9), 3, (0, 1))
    assert (known.first, known.lost) == ((0, 1), (7,))


@pytest.mark.parametrize(
    ("written", "said"),
    [('{"format": 2}', "has format 2, this program reads 1"), ("{}", "damaged"), ("[", "damaged")],
)
def test_a_file_that_cannot_be_read_is_told(tmp_path, written, said):
    CrawlMemory(tmp_path).add_blocks([0])
    next(tmp_path.rglob("known.json")).write_text(written)
    with pytest.raises(FormatError, match=said):
        CrawlMemory(tmp_path)


def test_a_file_that_cannot_be_written_is_told(tmp_path):
    memory = CrawlMemory(tmp_path)
    memory.add_blocks([0])
    before = memory.known
    temporary(next(tmp_path.rglob("known.json"))).mkdir()
    with pytest.raises(
        InputError, match=r"cannot write .*known.json \(.*\); make room on the disk"
    ):
        memory.note_members(1, (0, 1), (0, 1), [])
    assert memory.known == before
