"""How well the hosts of an earlier crawl rank for the topic: a file that a focused crawl reads.

*Formats.* Parquet files as ``scrapy pagerank`` writes them (columns ``url`` and ``rank``, or the column of a
topic): a host has the mean rank of its pages. Or text: a host name and a number a line, with a tab between.

A host's score is its place among all hosts of the file, from 0 for the lowest to 1 for the highest; equal
ranks share their mean place. A host that is not in the file has :data:`UNKNOWN`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import InputError, cause
from crawler.urls import page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

UNKNOWN = 0.5


class HostRanks:
    """The scores of hosts by their keys; memory: about 150 bytes a host."""

    def __init__(self, ranks: Mapping[str, float]) -> None:
        values = np.array(list(ranks.values()), np.float64)
        order = np.sort(values)
        places = np.searchsorted(order, values, "left") + np.searchsorted(order, values, "right")
        scores = (places - 1) / (2 * max(len(values) - 1, 1))
        self._scores = dict(zip(ranks, scores.tolist(), strict=True))

    def __len__(self) -> int:
        return len(self._scores)

    def score(self, host_keys: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return the scores of hosts, float32[n]."""
        return np.array([self._scores.get(key, UNKNOWN) for key in host_keys], np.float32)


def read_host_ranks(path: Path | str, column: str = "rank") -> HostRanks:
    """Read the ranks in the file or folder *path*; raise `InputError` when there are none."""
    path = Path(path)
    try:
        path.stat()  # in a folder that may not be entered, exists() raises
    except OSError as error:
        raise InputError(
            f"ranks file {path} cannot be read ({cause(error)}); give what `scrapy pagerank` wrote"
        ) from error
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path]
    ranks: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for file in files:
        rows = _parquet_rows(file, column) if file.suffix == ".parquet" else _text_rows(file)
        for key, rank in rows:
            total = ranks[key]
            total[0] += rank
            total[1] += 1
    if not ranks:
        raise InputError(
            f"{path} holds no ranks; give what `scrapy pagerank` wrote, ranks/pagerank.parquet in its corpus"
        )
    return HostRanks({key: total / n for key, (total, n) in ranks.items()})


def _parquet_rows(file: Path, column: str) -> Iterator[tuple[str, float]]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(file) as source:
            names = source.schema_arrow.names
            if column not in names or "url" not in names:
                raise InputError(
                    f"{file} has no column {column!r}; it has {', '.join(names)}; give url and one of "
                    "ranks, as `scrapy pagerank` writes them to ranks/pagerank.parquet"
                )
            for batch in source.iter_batches(columns=["url", column]):
                for url, rank in zip(*batch.to_pydict().values(), strict=True):
                    key = page_key(url) if url else None
                    if key is not None and rank is not None:
                        yield key.host, float(rank)
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            f"{file} cannot be read ({cause(error)}); give a Parquet file of ranks"
        ) from error


def _text_rows(file: Path) -> Iterator[tuple[str, float]]:
    try:
        # Not splitlines(), whose numbers of lines are no editor's where U+2028 stands in a comment.
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file} cannot be read ({cause(error)}); give lines of host and rank"
        ) from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        host, _, rank = line.partition("\t")
        key = page_key(f"http://{host.strip()}/")
        try:
            value = float(rank)
        except ValueError:
            value = math.nan
        if key is None or not math.isfinite(value):
            raise InputError(
                f"{file}, line {number}: {line[:60]!r} is no host, tab and number; mend or remove it"
            )
        yield key.host, value
