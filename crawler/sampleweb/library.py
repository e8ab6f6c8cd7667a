"""All texts of the sample web: titles and articles by (host, page number)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from crawler.sampleweb import article, text
from crawler.sampleweb.article import Article, Block, Brief
from crawler.sampleweb.layout import Layout
from crawler.sampleweb.resemblance import plant
from crawler.sampleweb.seeded import number, stream

if TYPE_CHECKING:
    from random import Random

    from crawler.sampleweb.hosts import Host, HostTable

# Bounds of the caches, in entries: a page links to about 40 titles of its own host.
_LAYOUTS = 512
_TITLES = 20_000
_ARTICLES = 64


class Library:
    """Writes every article when asked for; keeps a bounded number of the latest.

    *host* is always the index of a host that shows its own content, never a mirror's.
    """

    def __init__(self, table: HostTable) -> None:
        self.table = table
        self.layout = lru_cache(maxsize=_LAYOUTS)(self._layout)
        self.title = lru_cache(maxsize=_TITLES)(self._title)
        self.article = lru_cache(maxsize=_ARTICLES)(self._article)

    def fresh(self, host: Host, key: str, n_words: int) -> Article:
        """Write an article for the page of *host* that has no number but is called *key*."""
        rng = stream(self.table.seed, "article", host.content, key)
        title = text.title(rng, host.language, host.topic)
        return article.write(rng, Brief(host.language, host.topic, host.template, n_words), title)

    def _layout(self, host: int) -> Layout:
        return Layout(self.table, self.table.host(host))

    def _title(self, host: int, page: int) -> str:
        layout = self.layout(host)
        kind = layout.kind(page)
        if kind == "near":
            elder = layout.pair(page)
            return self.title(elder.host, elder.number)
        if kind == "copy":
            return self.title(host, layout.original(page))
        rng = stream(self.table.seed, "title", host, page)
        return text.title(rng, layout.host.language, layout.host.topic)

    def _article(self, host: int, page: int) -> Article:
        layout = self.layout(host)
        kind = layout.kind(page)
        if kind == "near":
            return self._near(layout, page)
        if kind == "copy":
            return self.article(host, layout.original(page))
        rng = stream(self.table.seed, "article", host, page)
        brief = Brief(
            layout.host.language,
            layout.host.topic,
            article.TWIN if layout.is_paired(page) else layout.host.template,
            self._length(rng, layout, page),
        )
        written = article.write(rng, brief, self.title(host, page))
        if kind != "quote":
            return written
        blocks = [*written.blocks]
        blocks.insert(min(2, len(blocks)), self.quotation(layout, page))
        return Article(written.title, tuple(blocks))

    def quoted(self, layout: Layout, page: int) -> tuple[int, int]:
        """Return (host, page) that *page*, which must be of kind ``quote``, quotes."""
        host = self.table.sister(layout.host.index)
        n_regular = self.layout(host).n_regular
        return host, 1 + number(self.table.seed, "quote", layout.host.index, page) % (n_regular - 1)

    def quotation(self, layout: Layout, page: int) -> Block:
        """Return the longest paragraph of the page that *page* quotes."""
        paragraphs = self.article(*self.quoted(layout, page)).blocks
        longest = max((b for b in paragraphs if b.kind in ("p", "post")), key=lambda b: len(b.text))
        return Block("quote", longest.text)

    def _length(self, rng: Random, layout: Layout, page: int) -> int:
        if layout.kind(page) == "thin":
            return article.THIN_WORDS
        n_words = article.draw_length(rng)
        if layout.is_paired(page):
            low, high = article.PAIR_WORDS
            return low + n_words % (high - low)
        return n_words

    def _near(self, layout: Layout, page: int) -> Article:
        pair = layout.pair(page)
        elder = self.article(pair.host, pair.number)
        rng = stream(self.table.seed, "plant", layout.host.index, page)
        language, topic = layout.host.language, layout.host.topic
        fresh = text.paragraphs(rng, language, topic, n_words=len(elder.text) // 6)
        return plant(rng, elder, pair.resemblance, "\n".join(fresh))
