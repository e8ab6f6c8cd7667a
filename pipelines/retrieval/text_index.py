"""The search index of a corpus: main texts, ranked by BM25.

The thesis ranks by Lucene's TF x IDF of 2009 (Kohlschütter 2011, section 3.3.1 and 3.4.4); here the engine is tantivy
and the formula BM25 (k1 = 1.2, b = .75), so text scores, and products with ranks, are not the published ones. Words are
:func:`crawler.page.words.search_words`, not stemmed, no stop words, in Greek without their marks. A query finds the
pages with any of its words (:mod:`pipelines.retrieval.queries`); words in double quotes have to stand in that order.
Pages of the same score come in the order in which they were added.

*On disk* (format 5; in 1 words were cut at combining marks, in 2 a Turkish İ was no i, in 3 Greek words had their
marks, in 4 Arabic ones their tatweels). A folder of tantivy's; a commit is durable and whole. Fields: ``page_id``
(packed PageId; indexed, fast), ``fetched_at`` (microseconds since 1970; fast), ``url`` and ``title`` (stored),
``text`` (positions, not stored). What has been indexed is read from the index itself, so there is no second truth that
a crash could set apart from it. A reader sees the last commit while another process writes; it needs no right to
write. Readers refuse another format, a writer empties it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import tantivy

from crawler.durable.files import check_readable
from crawler.errors import FormatError, InputError, cause
from crawler.page.greek_letters import without_tonos
from crawler.page.words import search_words
from pipelines.retrieval.damage import Damage
from pipelines.retrieval.queries import query_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

# Part of the schema: an index of other words is of another format.
_TOKENIZER = "words-5"
# Documents listed at once by `TextIndex.pages`: a hit is an object of about 100 bytes.
_LISTED = 200_000
_LAST_ID = 2**64 - 1
_WRITER_BYTES = 128_000_000
# Files that the engine locks to read, too, and those that it writes for their owner alone.
_LOCK = ".lock"
_PRIVATE = ("meta.json", ".managed.json")


class IndexedText(NamedTuple):
    """A document as the index takes it."""

    page_id: int
    fetched_at: int
    url: str
    title: str
    text: str


class Hits(NamedTuple):
    """The best pages of a query, best first: packed PageIds, scores; and how many it found in all."""

    page_ids: npt.NDArray[np.uint64]
    scores: npt.NDArray[np.float64]
    n_found: int


class TextIndex:
    """The index in *folder*, as of its last commit when this was made; see the module.

    Raises :exc:`InputError` when there is none, :exc:`FormatError` when it is damaged or another one;
    damage within its files shows only when they are read.
    """

    def __init__(self, folder: Path) -> None:
        check_readable(folder)
        if not (folder / "meta.json").exists():
            raise InputError(f"no search index in {folder}; run `scrapy index` first")
        self._index = _open(folder) if _may_lock(folder) else self._open_linked(folder)
        self._schema = self._index.schema
        self._searcher = self._index.searcher()
        self._damage = Damage(folder)

    def _open_linked(self, folder: Path) -> tantivy.Index:
        """Return the index in *folder*, which the engine cannot open or lock, by way of a folder of links to its files."""
        links = Path(tempfile.mkdtemp(prefix="winnow-index-"))
        weakref.finalize(self, shutil.rmtree, links, ignore_errors=True)
        for file in folder.iterdir():
            if file.suffix != _LOCK:
                (links / file.name).symlink_to(file.resolve())
        return _open(links, folder)

    @property
    def n_documents(self) -> int:
        return int(self._searcher.num_docs)

    def search(self, query: str, limit: int) -> Hits:
        """Return the *limit* pages, at least 1, that suit *query* best.

        A query without words finds none.
        """
        if limit < 1:
            raise ValueError(f"limit must be at least 1, got {limit}")
        parsed = self._parse(query)
        if parsed is None:
            return Hits(np.zeros(0, np.uint64), np.zeros(0), 0)
        with self._damage:
            # tantivy reserves memory for as many as are asked for
            found = self._searcher.search(parsed, max(1, min(limit, self._searcher.num_docs)))
            addresses = [address for _, address in found.hits]
            values = self._searcher.fast_field_values("page_id", addresses) if addresses else []
            ids = np.array(values, dtype=np.uint64)
        scores = np.array([score for score, _ in found.hits], dtype=np.float64)
        n_found = int(found.count)  # type: ignore[attr-defined]  # its stubs lack it
        return Hits(ids, scores, n_found)

    def _parse(self, query: str) -> tantivy.Query | None:
        clauses = []
        for words, is_quoted in query_words(query):
            if len(words) > 1:
                found = tantivy.Query.phrase_query(self._schema, "text", [*words])
            else:
                found = self._term("text", words[0])
            clauses.append((tantivy.Occur.Must if is_quoted else tantivy.Occur.Should, found))
        return tantivy.Query.boolean_query(clauses) if clauses else None

    def _term(self, field: str, value: str | int) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value)

    def shown(self, page_id: int) -> tuple[str, str]:
        """Return URL and title of the page *page_id*; raise :exc:`KeyError` when it is not in the index."""
        with self._damage:
            hits = self._searcher.search(self._term("page_id", page_id), 1, count=False).hits
            document = self._searcher.doc(hits[0][1]) if hits else None
        if document is None:
            raise KeyError(page_id)
        return document["url"][0], document["title"][0]

    def pages(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """Return the packed PageIds of all documents, ascending, and when they were fetched."""
        ids: list[npt.NDArray[np.uint64]] = [np.zeros(0, np.uint64)]
        times: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
        first = 0
        while first <= _LAST_ID:
            after = tantivy.Query.range_query(
                self._schema, "page_id", tantivy.FieldType.Unsigned, first, _LAST_ID
            )
            with self._damage:
                hits = self._searcher.search(
                    after, _LISTED, count=False, order_by_field="page_id", order=tantivy.Order.Asc
                ).hits
                if not hits:
                    break
                ids.append(np.array([page_id for page_id, _ in hits], dtype=np.uint64))
                fetched = self._searcher.fast_field_values("fetched_at", [each for _, each in hits])
                times.append(np.array(fetched, dtype=np.int64))
            first = hits[-1][0] + 1
        return np.concatenate(ids), np.concatenate(times)


class TextIndexWriter:
    """Adds to the index in *folder*, which is made; one process at a time.

    Raises :exc:`InputError` when another process writes, or the folder cannot be made; so does all that it does
    when it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # The engine takes a folder that is read-only for damaged.
            tempfile.TemporaryFile(dir=folder).close()
            meta = folder / "meta.json"
            if meta.exists() and _engine_index(folder, folder).schema != _schema():
                # All that it holds is in the corpus. The first commit removes its other files.
                meta.unlink()
            is_new = not meta.exists()
            self._index = tantivy.Index(_schema(), path=str(folder)) if is_new else _open(folder)
        except (OSError, ValueError) as error:  # the engine's for a full disk is a ValueError
            raise InputError(
                f"cannot write the index in {folder} ({cause(error)}); mend that and run it again"
            ) from error
        self._index.register_tokenizer(_TOKENIZER, _analyzer())
        try:
            self._writer = self._index.writer(_WRITER_BYTES, 1)
        except ValueError as error:
            raise InputError(
                f"another process is writing the index in {folder}; wait until it ends"
            ) from error
        self._folder = folder
        if is_new:
            self.commit()

    def add(self, document: IndexedText) -> None:
        """Add *document*; it is found after the next commit."""
        added = tantivy.Document()
        added.add_unsigned("page_id", document.page_id)
        added.add_integer("fetched_at", document.fetched_at)
        added.add_text("url", document.url)
        added.add_text("title", document.title)
        added.add_text("text", " ".join(search_words(without_tonos(document.text))))
        with self._told():
            self._writer.add_document(added)

    def remove(self, page_ids: Iterable[int]) -> None:
        """Remove the documents of *page_ids* that have been added so far."""
        for page_id in page_ids:
            # by query: the engine's removal by term takes every number for a signed one
            query = tantivy.Query.term_query(self._index.schema, "page_id", page_id)
            self._writer.delete_documents_by_query(query)

    def commit(self) -> None:
        """Make durable and visible what has been done."""
        with self._told():
            self._writer.commit()
        _let_read(self._folder)

    def close(self) -> None:
        """Wait for merges; what was not committed is lost."""
        with self._told():
            self._writer.wait_merging_threads()
        _let_read(self._folder)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise as :exc:`InputError` that the engine could not write: it has a ValueError, from whatever comes next."""
        try:
            yield
        except ValueError as error:
            raise InputError(
                f"cannot write the index in {self._folder} ({error}); make room on its disk and run it again"
            ) from error


def _let_read(folder: Path) -> None:
    """Give the files that the engine keeps for their owner alone the mode of *folder*, as all others have."""
    mode = folder.stat().st_mode & 0o666
    for path in (folder / name for name in _PRIVATE):
        with suppress(FileNotFoundError, PermissionError):  # another user's was left as it is
            path.chmod(mode)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("page_id", indexed=True, fast=True)
    builder.add_integer_field("fetched_at", fast=True)
    for name in ("url", "title"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("text", tokenizer_name=_TOKENIZER)
    return builder.build()


def _analyzer() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def _may_lock(folder: Path) -> bool:
    try:
        str(folder).encode()
    except UnicodeEncodeError:  # the engine takes no such name
        return False
    return all(os.access(path, os.W_OK) for path in (folder, *folder.glob(f"*{_LOCK}")))


def _open(place: Path, folder: Path | None = None) -> tantivy.Index:
    """Return the index at *place*, which links to the files of *folder* if that is given."""
    folder = folder or place
    index = _engine_index(place, folder)
    if index.schema != _schema():
        raise FormatError(f"the index in {folder} is of another format; run `scrapy index`")
    index.register_tokenizer(_TOKENIZER, _analyzer())
    return index


def _engine_index(place: Path, folder: Path) -> tantivy.Index:
    with Damage(folder):
        return tantivy.Index.open(str(place))
