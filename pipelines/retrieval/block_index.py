"""An index of pages that can leave out short text: by minimum words, or minimum density, of a block.

A *selection* says which blocks of a page count: those of at least so many words, those of at least such a
text density, or those that a cleaner kept. The index has one field a selection, with the words of the
blocks that it selects, so that frequencies, lengths and the ranking are those of an index of the
selected text alone, and any selection can be searched without indexing anew.

*Source: Kohlschütter 2011, section 4.4.5*, who kept parallel indexes for each number of words and each density
and ranked by Lucene's formula of 2009; here the engine is tantivy and the formula BM25 (k1 = 1.2, b = .75).
Deviation: the number of pages in its formula counts those of which a selection has no word, too. Words are
:func:`crawler.page.words.evaluation_words`, not stemmed, no stop words; a query finds the pages with
any of its words. Of pages with the same score the one that was added first comes first.

Cost: a page is indexed once for each selection that has words of it. *On disk*: a folder of tantivy's, or
nothing, in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import tantivy

from crawler.page.words import evaluation_words, nfc

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


_WRITER_BYTES = 64_000_000
_PAGE_ID = "page_id"
_TOKENIZER = "words"
KINDS = ("words", "density", "kept")


class Selection(NamedTuple):
    """Which blocks count: *kind* ``words`` or ``density`` with a *minimum*, or ``kept``."""

    kind: str
    minimum: int = 0

    @property
    def field(self) -> str:
        """The name of its field."""
        return f"{self.kind}_{self.minimum}"

    def checked(self) -> Selection:
        """Return itself; ValueError when it is none."""
        if self.kind not in KINDS or self.minimum < 0:
            raise ValueError(
                f"a selection must be of {', '.join(KINDS)}, from 0 on; got {tuple(self)}"
            )
        return self


class IndexedPage(NamedTuple):
    """A page as the index takes it: one entry a block; *kept* None for all."""

    page_id: str
    texts: Sequence[str]
    n_words: Sequence[int]
    densities: Sequence[float]
    kept: Sequence[bool] | None = None


class BlockIndex:
    """An index of *pages* for *selections*, in memory, or in *folder*, which has to be empty."""

    def __init__(
        self,
        pages: Iterable[IndexedPage],
        selections: Iterable[Selection],
        folder: Path | None = None,
    ):
        self.selections = tuple(dict.fromkeys(each.checked() for each in selections))
        builder = tantivy.SchemaBuilder()
        builder.add_text_field(_PAGE_ID, stored=True, tokenizer_name="raw")
        for selection in self.selections:
            builder.add_text_field(selection.field, tokenizer_name=_TOKENIZER)
        self._schema = builder.build()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        self._index = tantivy.Index(self._schema, path=None if folder is None else str(folder))
        whitespace = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self._index.register_tokenizer(_TOKENIZER, whitespace)
        self.n_pages = self._write(pages)
        self._index.reload()
        self._searcher = self._index.searcher()
        # stored fields are slow to read, and the same pages are found again and again
        self._page_ids: dict[tuple[int, int], str] = {}

    def _write(self, pages: Iterable[IndexedPage]) -> int:
        writer = self._index.writer(_WRITER_BYTES, 1)
        n_pages = 0
        for page in pages:
            document = tantivy.Document()
            document.add_text(_PAGE_ID, page.page_id)
            words = [" ".join(evaluation_words(text)) for text in page.texts]
            for selection in self.selections:
                text = " ".join(
                    text
                    for text, is_in in zip(words, _selected(page, selection), strict=True)
                    if is_in
                )
                if text:
                    document.add_text(selection.field, text)
            writer.add_document(document)
            n_pages += 1
        writer.commit()
        writer.wait_merging_threads()
        return n_pages

    def ranking(self, query: str, selection: Selection, n_pages: int) -> list[str]:
        """Return the ids of the *n_pages* pages, at least 1, that suit *query* best, best first.

        Raises ValueError for a selection that was not indexed.
        """
        if selection not in self.selections:
            raise ValueError(f"selection {tuple(selection)} is not in the index")
        if n_pages < 1:
            raise ValueError(f"n_pages must be at least 1, got {n_pages}")
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, selection.field, word))
            for word in dict.fromkeys(evaluation_words(nfc(query)))
        ]
        if not terms:
            return []
        found = self._searcher.search(tantivy.Query.boolean_query(terms), n_pages, count=False)
        return [self._page_id(address) for _, address in found.hits]

    def _page_id(self, address: tantivy.DocAddress) -> str:
        key = (address.segment_ord, address.doc)
        if key not in self._page_ids:
            self._page_ids[key] = self._searcher.doc(address)[_PAGE_ID][0]
        return self._page_ids[key]


def _selected(page: IndexedPage, selection: Selection) -> Sequence[bool]:
    """Return which blocks of *page* the *selection* selects."""
    if selection.kind == "words":
        return [n >= selection.minimum for n in page.n_words]
    if selection.kind == "density":
        return [density >= selection.minimum for density in page.densities]
    return page.kept if page.kept is not None else [True] * len(page.texts)
