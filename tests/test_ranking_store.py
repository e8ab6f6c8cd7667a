"""The ranks file: what is in it, that it is whole or absent, and the best pages."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from crawler.errors import FormatError
from crawler.ranking import store
from crawler.ranking.corpus.ranks import old_ranks
from crawler.ranking.options import RankOptions
from crawler.ranking.store import best_pages, computed_as, read_ranks, write_ranks
from tests.ranking_graphs import graph_of

N_PAGES = store.ROW_GROUP_ROWS + 10


def urls(packed):
    assert len(packed) <= store.ROW_GROUP_ROWS, "the URLs of one row group at a time"
    return [f"http://h{page >> 32}.example/{page & 0xFFFFFFFF:06}" for page in packed.tolist()]


@pytest.fixture(scope="module")
def graph():
    return graph_of([5, N_PAGES - 5], [])


def test_ranks_are_read_as_they_were_written(tmp_path, graph):
    path = tmp_path / "ranks" / "pagerank.parquet"
    rank = np.random.default_rng(1).random(graph.n_pages)
    write_ranks(path, graph, rank, urls=urls, computed={"alpha": 0.85})
    table = read_ranks(path)
    assert table.column_names == ["host_id", "local_id", "url", "rank"]
    assert [str(field.type) for field in table.schema] == ["uint32", "uint32", "string", "double"]
    assert table["host_id"].to_pylist()[:6] == [0, 0, 0, 0, 0, 1]
    assert table["local_id"].to_pylist()[:6] == [0, 1, 2, 3, 4, 0]
    assert table["url"].to_pylist()[5] == "http://h1.example/000000"
    assert np.array_equal(table["rank"].to_numpy(), rank)
    assert json.loads(table.schema.metadata[b"winnow_ranks"]) == {"alpha": 0.85}
    assert pq.ParquetFile(path).metadata.num_row_groups == 2


def test_file_that_fails_half_way_leaves_the_old_one(tmp_path, graph):
    path = tmp_path / "pagerank.parquet"
    path.write_bytes(b"the old one")

    def failing(packed):
        if packed[0] > 0:  # the second row group
            raise RuntimeError("no such page")
        return urls(packed)

    with pytest.raises(RuntimeError):
        write_ranks(path, graph, np.ones(graph.n_pages), urls=failing, computed={})
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"the old one"


def test_other_version_and_other_file_are_refused(tmp_path):
    path = tmp_path / "pagerank.parquet"
    table = pa.table({"rank": [1.0]})
    pq.write_table(table.replace_schema_metadata({"winnow_ranks_version": "99"}), path)
    with pytest.raises(FormatError, match="ranks format 99, this program 1"):
        read_ranks(path)
    pq.write_table(table, path)
    with pytest.raises(FormatError, match="format none"):
        read_ranks(path)
    path.write_bytes(b"no parquet")
    with pytest.raises(FormatError, match="cannot be read"):
        read_ranks(path)
    with pytest.raises(FormatError, match="cannot be read"):
        read_ranks(tmp_path / "missing.parquet")


def test_old_ranks_are_a_start(tmp_path):
    path = tmp_path / "pagerank.parquet"
    old, now = graph_of([3, 2], []), graph_of([3, 1, 4], [])
    options = RankOptions(alpha=0.8)
    computed = {"alpha": 0.8, "dangling": "redistribute"}
    assert old_ranks(path, now, options) == (None, 0)
    rank = np.array([1, 2, 3, 4, 5.0])
    write_ranks(path, old, rank, urls=urls, computed=computed)
    assert computed_as(read_ranks(path)) == computed
    start, n_known = old_ranks(path, now, options)
    # pages 0:0, 0:1, 0:2, 1:0; what is new has the rank of a page that nobody links to
    assert n_known == 4
    assert start == pytest.approx([*rank[:4] / 3, *[0.2] * 4])
    # ranks of sum 1 are as good; those of other options are none
    write_ranks(path, old, rank / 5, urls=urls, computed={**computed, "scale": "sum"})
    assert read_ranks(path)["rank"].to_pylist() == pytest.approx(rank.tolist())
    assert read_ranks(path).column_names == ["host_id", "local_id", "url", "rank"]
    assert computed_as(read_ranks(path))["scale"] == "sum"
    assert old_ranks(path, now, options)[0] == pytest.approx(start)
    assert old_ranks(path, now, RankOptions(alpha=0.7)) == (None, 0)
    assert old_ranks(path, now, RankOptions(alpha=0.8, dangling="drop")) == (None, 0)
    write_ranks(path, old, rank, urls=urls, computed={})
    assert old_ranks(path, now, options) == (None, 0)


def test_best_pages_come_in_the_order_of_printed_rank_then_url(graph):
    rank = np.ones(graph.n_pages)
    rank[[7, 3]] = 9.0
    rank[6] = 9.0 + 1e-9  # prints like them
    rank[9] = 10.0
    assert best_pages(graph, rank, 5, urls=urls) == [
        (10.0, "http://h1.example/000004"),
        (9.0, "http://h0.example/000003"),
        (9.0, "http://h1.example/000001"),
        (9.0, "http://h1.example/000002"),
        (1.0, "http://h0.example/000000"),  # first of all the others
    ]
    assert best_pages(graph_of([1], []), np.ones(1), 10, urls=urls) == [
        (1.0, "http://h0.example/000000")
    ]
    assert best_pages(graph_of([], []), np.ones(0), 10, urls=urls) == []
