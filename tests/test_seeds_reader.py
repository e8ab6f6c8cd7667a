"""Seeds files: formats told from their content, packed files, what is refused, real samples."""

from __future__ import annotations

import bz2
import gzip
import os
from pathlib import Path

import pytest

from crawler.errors import InputError
from crawler.seeds import Seed, check_seeds, read_seeds

RECORD = b'<ExternalPage about="http://%s.example/"><topic>Top/%s</topic></ExternalPage>\n'
RDF = b"<RDF>" + RECORD % (b"a", b"Arts/Film") + RECORD % (b"b", b"ArtsX") + b"</RDF>"
TABLE = b"Top/Arts/Film\thttp://a.example/\nTop/ArtsX\thttp://b.example/\n"
SEEDS = [Seed("http://a.example/", ("Top/Arts/Film",)), Seed("http://b.example/", ("Top/ArtsX",))]

SAMPLES = Path(__file__).parents[2] / "shared" / "data" / "seeds"
needs_samples = pytest.mark.skipif(
    not SAMPLES.is_dir(), reason=f"real samples are not at {SAMPLES}"
)


@pytest.fixture
def seeds_file(tmp_path):
    def write(data: bytes) -> Path:
        path = tmp_path / "seeds.any"
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize(("data", "name"), [(RDF, "odp"), (TABLE, "lines")])
def test_format_is_told_from_the_content(seeds_file, data, name, pack):
    reader = read_seeds(seeds_file(pack(data)))
    assert reader.format == name
    assert list(reader) == SEEDS
    assert list(reader) == SEEDS  # a second pass starts anew
    assert (reader.n_seeds, reader.n_other_category, dict(reader.skipped)) == (2, 0, {})


@pytest.mark.parametrize("category", ["Top/Arts", "Arts", "Arts/Film/"])
@pytest.mark.parametrize("data", [RDF, TABLE])
def test_category_keeps_what_lies_under_it(seeds_file, data, category):
    path = seeds_file(data)
    reader = read_seeds(path, category=category)
    assert list(reader) == SEEDS[:1]
    assert (reader.n_seeds, reader.n_other_category) == (1, 1)
    check_seeds(path, category=category)


def test_empty_category_keeps_all(seeds_file):
    assert list(read_seeds(seeds_file(RDF), category="")) == SEEDS


REFUSED = [
    (b"", "is empty"),
    (b" \n\n", "is empty"),
    (b"# only a comment\n", "holds no usable seed"),
    (b"\x89PNG\r\n\x1a\n\0\0\0", "is binary"),
    ("http://a.example/\n".encode("utf-16"), "is UTF-16"),
    (b"<html><body>hello</body></html>", "no ODP dump"),
    (b'<RDF><Topic r:id="Top"><narrow r:resource="Top/Arts"/></Topic></RDF>', "give content.rdf"),
    (b'<RDF><Topic r:id="Top"><catid>1</catid></Topic></RDF>', "holds no usable seed"),
    (b"<RDF>" + b"<ExternalPage about='ftp://a.example/'></ExternalPage>" * 2, "scheme 2"),
    (b"hello world\nthis is no list\nhttp://a.example/\n", "line 1 ('hello world')"),
    (b"url,category\nx,y\n", "line 2 ('x,y')"),
    (gzip.compress(b"", mtime=0), "is empty"),
    (gzip.compress(RDF, mtime=0)[:-20], "is damaged"),
    (b"\x1f\x8bnonsense", "damaged"),
    (b"BZhnonsense", "damaged"),
]


@pytest.mark.parametrize(("data", "message"), REFUSED)
def test_file_that_holds_no_seeds_is_refused_in_one_line(seeds_file, data, message):
    with pytest.raises(InputError) as error:
        check_seeds(seeds_file(data))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_missing_file_and_folder_are_refused(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_seeds(tmp_path / "missing.rdf")
    with pytest.raises(InputError, match="directory"):
        read_seeds(tmp_path)


def test_a_pipe_which_cannot_be_read_twice_is_refused(tmp_path):
    os.mkfifo(tmp_path / "seeds")
    with pytest.raises(InputError, match="is a pipe; write"):
        read_seeds(tmp_path / "seeds")


def test_category_that_is_not_in_the_file_is_refused(seeds_file):
    with pytest.raises(InputError, match="no seed in category 'Top/Sports'"):
        check_seeds(seeds_file(RDF), category="Top/Sports")


def test_list_with_some_bad_lines_is_read(seeds_file):
    path = seeds_file(b"http://a.example/\nwhat is this\nhttp://b.example/\n")
    check_seeds(path)
    reader = read_seeds(path)
    assert len(list(reader)) == 2
    assert reader.skipped == {"bad_url": 1}


def test_stream_that_breaks_off_gives_what_came_before(seeds_file):
    # incompressible enough that the cut leaves many whole records
    rows = b"".join(RECORD % (b"h%d" % (i * 2654435761 % 2**32), b"Arts") for i in range(20_000))
    packed = gzip.compress(b"<RDF>" + rows)
    path = seeds_file(packed[: len(packed) // 2])
    check_seeds(path)
    reader = read_seeds(path)
    n_seeds = sum(1 for _ in reader)
    assert 0 < n_seeds < 20_000
    assert reader.skipped == {"damaged_stream": 1}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("record", [RECORD, b"Top/%s\thttp://%s.example/\n"])
def test_nothing_is_lost_before_the_damage(seeds_file, pack, record):
    rows = b"".join(record % (b"h%d" % i, b"Arts") for i in range(3000))
    reader = read_seeds(seeds_file(pack(rows) + b"not packed " * 99))
    assert sum(1 for _ in reader) == 3000


@needs_samples
@pytest.mark.parametrize(
    ("name", "n_seeds", "last"),
    [
        ("content_sample.rdf.u8", 6, Seed("http://www.shoonch.com/", ("Top/World/Armenian/Առողջություն",))),
        ("dmoz-sample-cosr-2016-01-31.rdf", 29, None),
        ("webdatacommons-hyperlinkgraph-h.tsv", 100, Seed("http://washingtonpost.com/", ())),
    ],
)  # fmt: skip
def test_real_samples(name, n_seeds, last):
    reader = read_seeds(SAMPLES / name)
    seeds = list(reader)
    assert len(seeds) == n_seeds
    assert not reader.skipped
    assert last in (None, seeds[-1])


@needs_samples
def test_real_structure_dump_is_refused():
    with pytest.raises(InputError, match=r"structure\.rdf.*give content\.rdf"):
        read_seeds(SAMPLES / "structure_sample.rdf.u8")
