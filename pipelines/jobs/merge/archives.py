"""Makes one corpus of several that were read from WARC files apart: ``scrapy export --merge``.

Reading WARC files needs no network, so that nothing has to be shared: each machine reads files of its own. The corpora
have the same shards, and give the same ids to other pages, so their pages are written anew, under ids of the new
corpus: of a page in several of them the capture counts that would if one crawl had read all the files
(crawler.frontier.store.united_pages). The corpus is as that crawl would have left it before it decides over duplicates,
and a crawl of further files may go on with it.

Memory: the page table of the new corpus (crawler.webgraph.pages.table), and of one folder at a time some 40 bytes a
page and 17 bytes an arc.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from crawler.durable.files import atomic_folder
from crawler.durable.journal import Journal
from crawler.durable.journals import open_readers
from crawler.durable.layout import journal_folder, shards_of
from crawler.durable.visits import CLAIMS
from crawler.errors import InputError
from crawler.webgraph.graph import Graph
from crawler.wording import counted
from pipelines.corpus.corpus import Corpus
from pipelines.corpus.manifest import read_manifest, write_manifest
from pipelines.corpus.rules import changes, together
from pipelines.corpus.shards import ShardSealer
from pipelines.jobs.corpus_copy import check_output
from pipelines.jobs.merge.closing_words import closing_words
from pipelines.jobs.merge.other_pages import OtherPages
from pipelines.jobs.replacing import move_stale

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from crawler.durable.sealing import Shard
    from crawler.urls import PageKey

    U64 = npt.NDArray[np.uint64]

# As a crawl seals by default.
SEAL_ROWS, SEAL_BYTES = 5_000, 64 * 2**20


class Store(Protocol):
    """What takes the pages: a crawl's store."""

    journal: Journal
    sealers: list[Any]

    def know(self, keys: Sequence[PageKey]) -> U64: ...
    def note_categories(self, of_hosts: Mapping[str, Sequence[str]]) -> None: ...
    def note_captures(self, rows: Sequence[tuple[int, bytes, bytes]]) -> None: ...
    def unite(self, pages: Sequence[Any]) -> tuple[int, int]: ...
    def add_rows(self, rows: Sequence[tuple[str, dict[str, Any]]]) -> None: ...
    def counts(self) -> dict[str, int]: ...
    def shards(self) -> list[Shard]: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ArchivesReport:
    """What was merged: *pages* of all folders, captures that were *replaced* by those of other folders, *hosts*.

    *rules*: the settings that were not the same when all pages were made, with their values.
    """

    output: str
    pages: int
    replaced: int
    hosts: int
    rules: dict[str, list[str]]

    def screen(self) -> str:
        """Return the report for a reader."""
        return (
            f"{self.output}: {counted(self.pages, 'page')}, {counted(self.hosts, 'host')}; "
            f"{counted(self.replaced, 'capture')} left for a later one in another folder\n"
            f"{closing_words(self.output, self.rules)}"
        )


def were_read_apart(folders: Iterable[Path]) -> bool:
    """Tell whether *folders* have a shard in common, and all have pages of WARC files: each was read by itself."""
    names: set[str] = set()
    has_common = False
    for folder in folders:
        shards = shards_of(folder)
        if not any(_has_claims(folder, shard) for shard in shards):
            return False
        has_common |= not names.isdisjoint(shards)
        names.update(shards)
    return has_common


def _has_claims(folder: Path, shard: str) -> bool:
    with (
        closing(Journal.open_reader(journal_folder(folder, shard))) as journal,
        journal.read() as txn,
    ):
        return txn.first_key(CLAIMS) is not None


def merge_archives(
    folders: Sequence[Path], output: Path, open_store: Callable[[Path], Store]
) -> ArchivesReport:
    """Write the corpus of all *folders* to *output*, a new folder, by the store that *open_store* opens there.

    Raises `InputError` when *output* is there, a page is in no WARC file, or the crawl of a folder is not at its end.
    """
    for folder in folders:
        check_output(folder, output)
    manifests = [read_manifest(folder) for folder in folders]
    rules = together(manifest.rules for manifest in manifests)
    try:
        with atomic_folder(output) as unfinished:
            store = open_store(unfinished)
            with closing(store):
                n_pages, n_replaced = _take_all(folders, store, unfinished)
                counts, shards = store.counts(), store.shards()
            settings = manifests[0].settings
            write_manifest(unfinished, settings=settings, counts=counts, shards=shards, rules=rules)
    except OSError as error:
        raise InputError(
            f"cannot write {output} ({error.strerror}); give another --output"
        ) from error
    return ArchivesReport(str(output), n_pages, n_replaced, counts["hosts"], changes(rules))


def _take_all(folders: Sequence[Path], store: Store, output: Path) -> tuple[int, int]:
    """Have *store*, of the corpus *output*, take the pages of *folders*; return how many it has, and what was
    replaced.
    """
    seal = ShardSealer(output, rows=SEAL_ROWS, n_bytes=SEAL_BYTES)
    store.sealers.append(seal)
    n_taken = n_left = n_documents = 0
    # A revisit in any folder may name the answer of another one: all are known before a page is judged.
    for folder in folders:
        with _opened(folder, store) as pages:
            for captures in pages.captures():
                store.note_captures(captures)
    for folder in folders:
        with _opened(folder, store) as pages:
            for chunk in pages.pages(n_documents):
                taken, left = store.unite(chunk)
                n_taken, n_left = n_taken + taken, n_left + left
            for rows in pages.rows():
                store.add_rows(rows)
            n_documents = pages.n_documents
    seal(store.journal, force=True)
    n_stale = move_stale(output, [store.journal])
    return n_taken - n_stale, n_left + n_stale


@contextmanager
def _opened(folder: Path, store: Store) -> Iterator[OtherPages]:
    """Yield the pages of *folder*, which have ids in *store*."""
    with open_readers(folder) as journals, Graph.open(folder) as graph:
        pages = OtherPages(Corpus(folder, *journals), graph, journals)
        for place, keys in pages.known():
            pages.learn(place, store.know(keys))
        store.note_categories(pages.categories())
        yield pages
