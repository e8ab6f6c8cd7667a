from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.durable.records import pack_record
from crawler.errors import FormatError
from crawler.page.links import LinkKind
from crawler.webgraph.arcs import files as arc_files
from crawler.webgraph.arcs.blocks import ArcBatch, ArcBlock, latest_arcs
from crawler.webgraph.arcs.files import ArcFile, read_arcs, read_blocks, write_arcs
from crawler.webgraph.arcs.records import arc_flags, pack_arcs, page_arcs, unpack_arcs
from crawler.webgraph.arcs.streams import Streams

# Ids of few hosts, so that arcs stay on their host; and any, up to the last of the last host.
NEAR = st.builds(lambda host, local: host << 32 | local, st.integers(0, 3), st.integers(0, 40))
LINKS = st.lists(st.tuples(NEAR | st.integers(0, 2**64 - 1), st.just(0) | st.integers(0, 255)))
PAGES = st.dictionaries(NEAR | st.integers(0, 2**64 - 1), LINKS, max_size=8)
SITE = {7 << 32 | page: [(7 << 32 | t, 0) for t in range(page, 300, 3)] for page in range(40)}


def arcs_of(source, links):
    targets = np.array([target for target, _ in links], dtype=np.uint64)
    return page_arcs(source, targets, np.array([flag for _, flag in links], dtype=np.uint8))


def batch_of(pages):
    """The batch of {source: links}."""
    arcs = [arcs_of(source, links) for source, links in sorted(pages.items())]
    empty = np.zeros(0, dtype=np.uint64)
    return ArcBatch(
        np.array([page.source for page in arcs], dtype=np.uint64),
        np.array([len(page.targets) for page in arcs], dtype=np.uint32),
        np.concatenate([empty, *(page.targets for page in arcs)]),
        np.concatenate([empty.astype(np.uint8), *(page.flags for page in arcs)]),
    )


def pages_of(batch):
    """{source: links} of a batch."""
    links = list(zip(batch.targets.tolist(), batch.flags.tolist(), strict=True))
    found, start = {}, 0
    for source, count in zip(batch.sources.tolist(), batch.counts.tolist(), strict=True):
        assert source not in found
        found[source] = links[start : start + count]
        start += count
    assert start == len(links)
    return found


def model_of(pages):
    return {source: sorted(set(links)) for source, links in pages.items()}


def slow_block(block):
    """The targets of a flat block, number by number as its streams are described."""

    def numbers(stream):
        found, number, shift = [], 0, 0
        for byte in stream.tolist():
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                found.append(number)
                number = shift = 0
        return iter(found)

    streams = Streams(*(numbers(stream) for stream in block.streams))
    host = local = -1
    found = {}
    for _ in range(block.n_sources):
        if step := next(streams.sources):
            local += step
        else:
            host += 1 + next(streams.sources)
            local = next(streams.sources)
        targets, before, left = [], -1, next(streams.n_local)
        while left:
            gap = next(streams.local)
            run = next(streams.local) if gap == 0 else 0
            targets += [(host, before + 1 + gap + k) for k in range(run + 1)]
            before, left = targets[-1][1], left - 1 - run
        other = -1
        for _ in range(next(streams.n_hosts)):
            other += 1 + next(streams.hosts)
            before = -1
            for _ in range(1 + next(streams.n_pages)):
                before += 1 + next(streams.foreign)
                targets.append((other, before))
        found[host << 32 | local] = sorted(host << 32 | local for host, local in targets)
    return found


def test_flags():
    kind = np.array([LinkKind.A, LinkKind.FEED, LinkKind.REDIRECT], dtype=np.uint8)
    flags = arc_flags(kind, np.array([True, False, False]))
    assert flags.tolist() == [1, LinkKind.FEED << 1, LinkKind.REDIRECT << 1]
    assert flags.dtype == np.uint8
    with pytest.raises(ValueError, match="kind must be at most 15, got 16"):
        arc_flags(np.array([16], dtype=np.uint8), np.array([False]))


@given(LINKS)
def test_a_page_s_arcs_are_a_set(links):
    arcs = arcs_of(7, links)
    assert list(zip(arcs.targets.tolist(), arcs.flags.tolist(), strict=True)) == sorted(set(links))


@given(PAGES, st.booleans())
def test_a_block_comes_back(pages, packed):
    block = ArcBlock.of(batch_of(pages), packed=packed)
    assert pages_of(block.batch()) == model_of(pages)
    assert block.sources().tolist() == sorted(pages)
    for nofollow in (True, False):
        lists = block.target_lists(nofollow=nofollow)
        expected = {
            source: sorted({target for target, flag in links if nofollow or not flag & 1})
            for source, links in pages.items()
        }
        starts = np.concatenate([[0], np.cumsum(lists.counts, dtype=np.int64)])
        assert {
            source: lists.targets[starts[i] : starts[i + 1]].tolist()
            for i, source in enumerate(lists.sources.tolist())
        } == expected


@given(PAGES)
def test_a_flat_block_read_slowly(pages):
    expected = {source: sorted({t for t, _ in links}) for source, links in pages.items()}
    assert slow_block(ArcBlock.of(batch_of(pages))) == expected


def test_the_bytes_of_a_page():
    """Written by hand from the description of the streams."""
    own, other = 5 << 32, 9 << 32
    links = [(own | t, 0) for t in (0, 1, 2, 3, 200)] + [(other | 1, 0), (other | 4, 3)]
    block = ArcBlock.of(batch_of({own | 2: links, own | 4: []}))
    streams = {name: list(getattr(block.streams, name).tolist()) for name in Streams._fields}
    assert streams == {
        "sources": [0, 5, 2, 2],
        "n_local": [5, 0],
        "local": [0, 3, 0x80 | (196 & 0x7F), 1],
        "n_hosts": [1, 0],
        "hosts": [9],
        "n_pages": [1],
        "foreign": [1, 2],
        "flags": [6, 3],
        "bits": [],
        "host_bits": [],
    }


def test_sources_out_of_order_are_refused():
    batch = batch_of({1: [], 2: []})
    with pytest.raises(ValueError, match="sources must ascend"):
        ArcBlock.of(ArcBatch(batch.sources[::-1], batch.counts, batch.targets, batch.flags))


@pytest.mark.parametrize("packed", [False, True])
def test_damaged_streams_end_in_an_error(packed):
    """Any byte of any stream changed, any stream cut: an error or other arcs, and nothing else."""
    pages = {**SITE, 7 << 32 | 50: [(t << 32 | t, t) for t in range(12)]}
    block = ArcBlock.of(batch_of(pages), packed=packed)
    rng = np.random.default_rng(5)
    outcomes = set()
    for name in Streams._fields:
        stream = getattr(block.streams, name)
        raw = stream.tobytes()
        for _ in range(60 if raw else 0):
            hurt = bytearray(raw)
            if rng.random() < 0.5:
                hurt[rng.integers(len(raw))] ^= 1 << int(rng.integers(8))
            else:
                del hurt[int(rng.integers(len(raw) // stream.itemsize)) * stream.itemsize :]
            streams = block.streams._replace(**{name: np.frombuffer(hurt, dtype=stream.dtype)})
            changed = ArcBlock(block.n_sources, block.n_targets, block.n_flags, streams)
            try:
                changed.batch()
                outcomes.add("read")
            except FormatError:
                outcomes.add("refused")
    assert outcomes == {"read", "refused"}


@given(st.lists(LINKS, min_size=1, max_size=5))
def test_a_record_comes_back(pages):
    batch = unpack_arcs(pack_arcs([arcs_of(source, page) for source, page in enumerate(pages)]))
    assert pages_of(batch) == model_of(dict(enumerate(pages)))


@given(st.lists(st.lists(st.tuples(st.integers(0, 4), LINKS), min_size=1), max_size=5))
def test_the_latest_capture_counts(records):
    model = {source: sorted(set(links)) for record in records for source, links in record}
    batch = latest_arcs(
        [unpack_arcs(pack_arcs([arcs_of(*capture) for capture in record])) for record in records]
    )
    assert pages_of(batch) == model
    assert batch.sources.tolist() == sorted(model)


@pytest.mark.parametrize(
    "value",
    [
        {"counts": [1, 0, 0]},
        {"counts": [-1, 0, 0], **dict.fromkeys(Streams._fields, b"")},
        {"counts": [1, 0, 0], **dict.fromkeys(Streams._fields, b"")},
        {"counts": [1, 0], **dict.fromkeys(Streams._fields, b"")},
        ["not a map"],
    ],
)
def test_damage_is_named(value):
    with pytest.raises(FormatError, match="damaged"):
        unpack_arcs(pack_record(value, 1))


@settings(max_examples=30)
@given(PAGES.filter(len), st.integers(1, 20), st.integers(1, 3))
def test_a_file_comes_back(tmp_path_factory, pages, block_arcs, group_rows):
    path = tmp_path_factory.mktemp("arcs") / "arcs.parquet"
    with pytest.MonkeyPatch.context() as patch:  # many blocks and row groups of few arcs
        patch.setattr(arc_files, "BLOCK_ARCS", block_arcs)
        patch.setattr(arc_files, "GROUP_ROWS", group_rows)
        assert write_arcs(path, [batch_of(pages)]) == len(pages)
    assert pages_of(read_arcs(path)) == model_of(pages)
    with ArcFile(path) as file:
        sources = [page for group in range(len(file)) for page in file.sources(group).tolist()]
    assert sources == sorted(pages)


def test_the_smaller_kind_of_block_is_written(tmp_path):
    write_arcs(tmp_path / "menu", [batch_of({p: [(t, 0) for t in range(60)] for p in range(900)})])
    rng = np.random.default_rng(3)
    write_arcs(
        tmp_path / "random",
        [batch_of({p: [(t, 0) for t in rng.integers(0, 4000, 9).tolist()] for p in range(4000)})],
    )
    sizes = [(tmp_path / name).stat().st_size for name in ("menu", "random")]
    packed = [
        any(len(block.streams.bits) for block in read_blocks(tmp_path / name))
        for name in ("menu", "random")
    ]
    assert packed == [False, True]
    # What the format takes for itself is some 5 kB.
    assert sizes[0] < 6_000
    assert (sizes[1] - 5_000) / 36_000 < 1.4


def test_files_out_of_order_are_refused(tmp_path):
    with pytest.raises(ValueError, match="must ascend from batch to batch"):
        write_arcs(tmp_path / "arcs", [batch_of({1: []}), batch_of({1: []})])


def test_damaged_files(tmp_path):
    path = tmp_path / "arcs.parquet"
    write_arcs(path, [batch_of(SITE)])
    content = path.read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(200):
        hurt = bytearray(content)
        hurt[rng.integers(len(hurt))] ^= 1 << int(rng.integers(8))
        path.write_bytes(hurt)
        try:  # a bit may be of those that Parquet does not read
            assert pages_of(read_arcs(path)) == model_of(SITE)
        except FormatError as error:
            assert "; " in str(error)  # noqa: PT017 (either outcome is right)
    for size in (0, 3, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(FormatError, match="is damaged"):
            read_arcs(path)


def test_other_versions_are_refused(tmp_path):
    path = tmp_path / "arcs.parquet"
    table = pa.table({"source_host": pa.array([1], type=pa.uint32())})
    pq.write_table(table, path)
    with pytest.raises(FormatError, match="has arcs format 1, this program 2; crawl again"):
        read_arcs(path)
    pq.write_table(table.replace_schema_metadata({"winnow_arcs_version": "3"}), path)
    with pytest.raises(FormatError, match="has arcs format 3"):
        read_arcs(path)
