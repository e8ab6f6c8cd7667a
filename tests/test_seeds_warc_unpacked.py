"""WARC files that are packed as a whole, in a gzip member, a frame of Zstandard, or a few: read as plain ones are."""

from __future__ import annotations

import gzip
import random
from itertools import islice

import pytest

from crawler.durable.zstandard import zstd
from crawler.seeds import warc_unpacked
from crawler.seeds.warc import WarcReader
from crawler.seeds.warc_frames import FrameUnpacker
from crawler.seeds.warc_unpacked import UnpackedMember
from tests.warc_records import html, record

SIZES = (10, 300, 5000, 90_000)


@pytest.fixture(autouse=True)
def few_marks(monkeypatch):
    """So that small files have all that they can have, and lose some."""
    monkeypatch.setattr(warc_unpacked, "_MARK_BYTES", 20_000)
    monkeypatch.setattr(warc_unpacked, "_MOST_MARKS", 4)
    monkeypatch.setattr(warc_unpacked, "_HELD_BYTES", 10_000)


def made(rng, n, sizes=SIZES):
    """*n* records of as many pages, and their bodies."""
    bodies = [html("".join(rng.choices("abcdef ", k=rng.choice(sizes)))) for _ in range(n)]
    return [record(f"http://a.sample/{i}", body) for i, body in enumerate(bodies)], bodies


def found(path, data):
    """What is read of *data*, but for its places, and what is told."""
    path.write_bytes(data)
    reader = WarcReader(path)
    responses = [(each.url[16:], each.body, each.truncated) for each in reader]
    return responses, reader.n_damages, reader.skipped, reader.broken


PACKERS = {"gz": gzip.compress, "zst": zstd.compress}


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("seed", range(40))
def test_cut_records_are_read_as_in_a_plain_file(tmp_path, seed, kind):
    rng = random.Random(seed)
    records, bodies = made(rng, rng.randrange(2, 7))
    for cut in rng.sample(range(len(records)), rng.choice([0, 1, 2])):
        n_lost = rng.randrange(5, len(bodies[cut]) + rng.choice([0, 100]))
        records[cut] = records[cut][:-n_lost]
    plain = b"".join(records)
    expected = found(tmp_path / "plain.warc", plain)
    assert found(tmp_path / f"packed.warc.{kind}", PACKERS[kind](plain)) == expected


@pytest.mark.parametrize("is_cut", [False, True])
def test_members_behind_one_that_is_damaged_are_read_and_all_before_its_damage(tmp_path, is_cut):
    rng = random.Random(7)
    records, bodies = made(rng, 9, sizes=(5000,))
    members = [gzip.compress(b"".join(records[n : n + 3])) for n in (0, 3, 6)]
    damaged = gzip.compress(b"".join(records[:2])) if is_cut else members[0]
    members[0] = damaged[:-400] if is_cut else damaged[:-8] + b"\0" * 8
    responses, n_damages, _, broken = found(tmp_path / "some.warc.gz", b"".join(members))
    assert (n_damages > 0, broken is not None) == (True, True)
    whole = {name: body for name, body, is_truncated in responses if not is_truncated}
    assert whole == {f"{n}": body for n, body in enumerate(bodies) if n not in (1, 2) or not is_cut}


def test_frames_behind_one_that_is_damaged_are_read_and_all_before_its_damage(tmp_path):
    records, bodies = made(random.Random(7), 9, sizes=(5000,))
    frames = [zstd.compress(b"".join(records[n : n + 3])) for n in (0, 3, 6)]
    # Two blocks, of which the second begins with a kind that there is not.
    packer = zstd.ZstdCompressor()
    first = packer.compress(b"".join(records[:2]), zstd.ZstdCompressor.FLUSH_BLOCK)
    frames[0] = first + b"\x07\xff" + packer.compress(records[2], packer.FLUSH_FRAME)
    responses, n_damages, _, broken = found(tmp_path / "some.warc.zst", b"".join(frames))
    assert (n_damages > 0, broken is not None) == (True, True)
    assert [(name, body) for name, body, _ in responses] == [
        (f"{n}", body) for n, body in enumerate(bodies) if n != 2
    ]


def test_a_frame_that_needs_a_dictionary_is_read_behind_a_record_that_was_cut(tmp_path):
    records, _ = made(random.Random(8), 6)
    dictionary = zstd.train_dict([b"%d %s" % (n, records[n % 6][:400]) for n in range(99)], 2000)
    content = dictionary.dict_content
    head = b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content
    plain = b"".join((*records[:2], records[2][:-9], *records[3:]))
    data = head + zstd.compress(plain, zstd_dict=dictionary)
    expected = found(tmp_path / "a.warc", plain)
    assert found(tmp_path / "a.warc.zst", data) == expected


@pytest.mark.parametrize("kind", PACKERS)
def test_sources_go_on_behind_a_record_that_was_cut(tmp_path, kind):
    records, _ = made(random.Random(1), 5)
    name = f"a.warc.{kind}"
    (tmp_path / name).write_bytes(PACKERS[kind](b"".join((records[0][:-9], *records[1:]))))
    sources = [response.source for response in WarcReader(tmp_path / name)]
    assert sources == [f"{name}:0", *(f"{name}:0+{n}" for n in range(1, 5))]


@pytest.mark.parametrize("kind", PACKERS)
def test_any_place_is_read_again(tmp_path, kind):
    rng = random.Random(2)
    plain, path = rng.randbytes(70_000) + b"same" * 50_000 + rng.randbytes(70_000), tmp_path / "a"
    path.write_bytes(b"before" + PACKERS[kind](plain) + b"behind")
    unpacker = FrameUnpacker(path, 6, None) if kind == "zst" else None
    with UnpackedMember(path, 6, unpacker=unpacker) as member, member.again() as other:
        for _ in range(200):
            place, n_bytes = rng.randrange(len(plain) + 9), rng.choice([1, 100, 40_000])
            reader = rng.choice([member, other])
            assert reader.seek(place) == min(place, len(plain)) == reader.tell()
            assert reader.read(n_bytes) == plain[place : place + n_bytes]
        assert member.is_whole()
        assert path.read_bytes()[member.end :] == b"behind"


@pytest.mark.parametrize("kind", PACKERS)
def test_what_was_unpacked_last_is_not_unpacked_again(tmp_path, kind):
    plain, path = random.Random(3).randbytes(300_000), tmp_path / "a"
    path.write_bytes(PACKERS[kind](plain))
    unpacker = FrameUnpacker(path, 0, None) if kind == "zst" else None
    with UnpackedMember(path, 0, unpacker=unpacker) as member:
        assert member.read(200_000) == plain[:200_000]
        path.write_bytes(b"")
        for place in (199_000, 190_000, 195_000):
            assert member.seek(place) == place
            assert member.read(200_000 - place) == plain[place:200_000]


@pytest.mark.parametrize("kind", PACKERS)
def test_no_cut_record_has_the_file_unpacked_from_its_begin(tmp_path, kind):
    """It is not opened again once it is read, and so may be gone."""
    records, _ = made(random.Random(4), 40, sizes=(300,))
    records[5:35:5] = [each[:-50] for each in records[5:35:5]]
    path = tmp_path / f"a.warc.{kind}"
    path.write_bytes(PACKERS[kind](b"".join(records)))
    responses = iter(WarcReader(path))
    urls = [next(responses).url]
    path.unlink()
    urls += [response.url for response in islice(responses, 37)]
    assert urls == [f"http://a.sample/{n}" for n in range(38)]
