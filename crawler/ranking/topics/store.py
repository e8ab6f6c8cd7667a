"""Topic ranks in the corpus folder: ``ranks/topics.parquet``.

*On disk* (version 1). Parquet with zstd, one row a page in ascending PageId: ``host_id: uint32``,
``local_id: uint32``, ``url: string``, ``rank: float64`` (unbiased), and for each topic a column
``topic:<category path>: float32``; all on mean-1 scale. The schema's metadata hold
``winnow_topics_version``, which a reader refuses when it is not its own, and as JSON under
``winnow_topics`` how the ranks were made: the options, and of each topic ``name``, ``dimension``,
``pages`` (of its biasing set), ``kept`` (`crawler.ranking.topics.mixtures`). The file appears whole or not
at all.

Facets of one dimension exclude each other more or less, and those of two do not: the membership of a page in a topic
does not suffer from its being of a country, too (Kohlschütter 2011, section 3.4.2). Categories are topics, unless they
begin with the name of another dimension, as ``country:de`` and ``kind:press/weekly`` do.

Columns are computed a block at a time and rows are written page by page, so they pass through a
file of 4 bytes a page and topic (`crawler.ranking.topics.checkpoints`). Memory of writing: one row
group.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import check_readable
from crawler.errors import FormatError, InputError
from crawler.ranking.store import ROW_GROUP_ROWS, write_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.ranking.store import Urls
    from crawler.webgraph.csr import HostGraph

TOPICS_FILE = "ranks/topics.parquet"
FORMAT_VERSION = "1"
DIMENSION = "topic"
_NAMED_DIMENSION = re.compile(r"([a-z][a-z0-9_-]*):(?=[^\s/])")

_VERSION_KEY = b"winnow_topics_version"
_COMPUTED_KEY = b"winnow_topics"
_PREFIX = "topic:"


def dimension_of(category: str) -> str:
    """Return the dimension of facets that *category* is of.

    >>> [dimension_of(each) for each in ("country:de", "Top/Arts", "Arts: Film")]
    ['country', 'topic', 'topic']
    """
    named = _NAMED_DIMENSION.match(category)
    return named[1] if named else DIMENSION


@dataclass(frozen=True, slots=True)
class StoredTopic:
    """What the file says of a topic; see the module."""

    name: str
    pages: int
    kept: float
    dimension: str = DIMENSION

    @property
    def column(self) -> str:
        return _PREFIX + self.name


def write_topics(
    path: Path,
    graph: HostGraph,
    columns: tuple[npt.NDArray[np.floating], npt.NDArray[np.float32]],
    *,
    topics: Sequence[StoredTopic],
    urls: Urls,
    computed: Mapping[str, Any],
) -> None:
    """Write the unbiased rank and the topics' (*columns*) of the pages of *graph* to *path*.

    *urls* gives the URLs of packed PageIds; *computed* is stored beside the topics.
    """
    rank, spool = columns
    about = [
        {"name": t.name, "dimension": t.dimension, "pages": t.pages, "kept": t.kept} for t in topics
    ]
    metadata = {
        _VERSION_KEY: FORMAT_VERSION.encode(),
        _COMPUTED_KEY: json.dumps({**computed, "topics": about}, sort_keys=True).encode(),
    }
    by_name = {"rank": rank} | {topic.column: spool[i] for i, topic in enumerate(topics)}
    write_rows(path, graph, by_name, urls=urls, metadata=metadata)


class TopicFile:
    """A file of topic ranks, read a batch of pages at a time.

    ``topics``: its topics, in the order of their columns; ``computed``: how they were made. Raises
    :exc:`InputError` when there is none at *path*, :exc:`FormatError` when it is of another version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.exists():
            raise InputError(f"no {path}; run `scrapy pagerank --topics` first")
        try:
            metadata = pq.read_schema(path).metadata or {}
        except (OSError, pa.ArrowInvalid) as error:
            check_readable(path)
            raise FormatError(f"{path} cannot be read as Parquet; make it anew") from error
        version = metadata.get(_VERSION_KEY, b"none").decode()
        if version != FORMAT_VERSION:
            raise FormatError(
                f"{path} has topics format {version}, this program {FORMAT_VERSION}; make it anew"
            )
        self.computed: dict[str, Any] = json.loads(metadata[_COMPUTED_KEY])
        self.topics = [StoredTopic(**about) for about in self.computed["topics"]]

    @property
    def n_pages(self) -> int:
        return int(pq.read_metadata(self.path).num_rows)

    def batches(
        self,
    ) -> Iterator[tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64], npt.NDArray[np.float32]]]:
        """Yield (packed PageIds, unbiased ranks, topic ranks [k, rows]), pages ascending."""
        names = ["host_id", "local_id", "rank", *(topic.column for topic in self.topics)]
        with pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(batch_size=ROW_GROUP_ROWS, columns=names):
                columns = dict(zip(batch.schema.names, batch.columns, strict=True))
                host, local, rank = (
                    columns[name].to_numpy(zero_copy_only=False) for name in names[:3]
                )
                packed = host.astype(np.uint64) << np.uint64(32) | local.astype(np.uint64)
                ranks = np.zeros((len(self.topics), len(packed)), dtype=np.float32)
                for row, topic in enumerate(self.topics):
                    ranks[row] = columns[topic.column].to_numpy(zero_copy_only=False)
                yield packed, rank, ranks

    def column(self, name: str | None) -> npt.NDArray[np.floating]:
        """Return the ranks of the topic *name*, or the unbiased ones (None), of all pages.

        Raises :exc:`KeyError` for an unknown topic.
        """
        known = {topic.name: topic.column for topic in self.topics}
        column = "rank" if name is None else known[name]
        values: npt.NDArray[np.floating] = pq.read_table(self.path, columns=[column])[
            column
        ].to_numpy()
        return values
