"""LAMIS: which pages of a site are tables of contents, and which are the articles that these lead to.

1. HITS over the links between pages of the site, each of a weight of 1 - H(anchor)
   (`crawler.ranking.hits.anchor_weights`), so that links of menus and notices count next to nothing.
2. The best hubs are the pages of contents (TOC).
3. InfoDiscoverer (`pipelines.templates.detectors.info_discoverer`) tells their informative blocks, by the greedy
   threshold.
4. Pages that an informative block links to are the articles.

*Source: Gottron 2008, section 3.3.7, of Kao, Lin, Ho and Chen 2004.* How many hubs are TOC pages is not told there:
those whose value is *hub_share* of the best one's or more are. Words' entropies are those of the pages of the site, and
the threshold is found over the blocks of TOC pages, of which alone it decides, the best `max_pages` of them; of one
page entropies would be 0. A page of contents is no article, though another one's informative block may link to it.
Links to other sites and nofollow ones do not count.

Where parts of a site do not link to each other, HITS finds the one that is linked most. Pages that are alike but for
their address, as a list in several orders, make each other's words common; none is left out.

Cost: three readings of the answers. Memory: that of the anchors, the words of twice `max_pages` pages, and the links of
TOC pages. Words are `WORDS_BYTES` at most, of which all pages have the same share: what a page has beyond it does not
count. They are that again while their blocks are weighed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice, takewhile
from sys import getsizeof
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import InputError
from crawler.page import LinkKind, PageRules
from crawler.ranking.corpus.answers import MadeBy, taken_of_pages
from crawler.ranking.hits.anchor_weights import page_anchors, weigh_anchors
from crawler.ranking.hits.hits import hits, page_links
from crawler.urls import host_name, page_key
from crawler.webgraph.graph import Graph
from crawler.wording import counted
from pipelines.templates.detectors.registry import get

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from crawler.page import PageLimits, PageModel
    from crawler.ranking.corpus.answers import StoredPage
    from crawler.ranking.hits.anchor_weights import WeighedAnchors
    from crawler.webgraph.csr import HostGraph
    from pipelines.templates.detectors.info_discoverer import InfoDiscoverer

    Ids = npt.NDArray[np.uint64]
    Ranked = list[tuple[float, str]]

DETECTORS = ("info-discoverer-sections", "info-discoverer")
N_SHOWN = 10
WORDS_BYTES = 512 * 2**20
_LIST_BYTES, _POINTER_BYTES = 56, 8
_HYPERLINKS = (LinkKind.A, LinkKind.AREA)


@dataclass(frozen=True, slots=True)
class LamisOptions:
    """*host*: a name, None for that of most pages; *hub_share*: see the module; *detector*: one of `DETECTORS`.

    *words_bytes*: what held words take of memory at most.
    """

    host: str | None = None
    hub_share: float = 0.1
    detector: str = DETECTORS[0]
    words_bytes: int = WORDS_BYTES

    def __post_init__(self) -> None:
        if not 0 < self.hub_share <= 1:
            raise InputError(f"--hub-share is {self.hub_share}; give above 0, up to 1")
        if self.detector not in DETECTORS:
            raise InputError(f"--method is {self.detector!r}; give {' or '.join(DETECTORS)}")


@dataclass(frozen=True, slots=True)
class StructureReport:
    """The informative structure of *host*: (hub value, URL) of TOC pages, (authority value, URL) of articles, the best
    first.
    """

    host: str
    pages: int
    """those that were read"""
    links: int
    """between pages of the site, of a weight above 0"""
    threshold: float
    contents: list[tuple[float, str]]
    articles: list[tuple[float, str]]

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"site        {self.host}, {counted(self.pages, 'page')} read",
            f"links       {self.links:,} with anchors that not all pages have",
            f"threshold   {self.threshold:g}, the entropy of informative blocks at most",
        ]
        for title, value, found in (
            ("contents", "hub", self.contents),
            ("articles", "authority", self.articles),
        ):
            more = f", the best {N_SHOWN}" * (len(found) > N_SHOWN)
            lines += ["", f"{title:11} {len(found):,}{more}", f"{value:>12}  url"]
            lines += [f"{number:12.4f}  {url}" for number, url in found[:N_SHOWN]]
        return "\n".join(lines)


def informative_structure(
    folder: Path,
    answers: Callable[[], Iterable[StoredPage]],
    options: LamisOptions,
    *,
    limits: PageLimits,
) -> StructureReport:
    """Return the informative structure of a site of the corpus in *folder*, of whose pages are *answers*.

    The last answer of a page counts. Raises :exc:`InputError` when there is no graph, no page of the site, or no link
    that counts.
    """
    with Graph.open(folder) as stored:
        host = _host_id(stored, options.host)
        key = stored.hosts()[host]
        made_by = MadeBy(limits, PageRules())
        of_host = partial(_of_host, answers, key)
        read = taken_of_pages(
            folder, of_host(), made_by, lambda graph, _number, page: page_anchors(graph, page)
        )
        if not read:
            raise InputError(f"no answer is of {host_name(key)}; give the WARC files of its pages")
        ranked = _Hits.of(stored.host_graph(), weigh_anchors(read), host)
        if not ranked.n_links:
            raise InputError(
                f"no link within {host_name(key)} has words that not all its pages have; give another --host"
            )
        tables = ranked.hubs(options.hub_share)
        detector, linked = _informative(folder, of_host, made_by, options, read=read, tables=tables)
        articles = linked[np.isin(linked, ranked.pages) & ~np.isin(linked, tables)]
        return StructureReport(
            host_name(key),
            len(read),
            ranked.n_links,
            detector.found_threshold,
            _ranked(stored, tables, ranked.hub[np.searchsorted(ranked.pages, tables)]),
            _ranked(stored, articles, ranked.authority[np.searchsorted(ranked.pages, articles)]),
        )


def _host_id(graph: Graph, name: str | None) -> int:
    """Return the HostID of the host *name*, by default that of most fetched pages."""
    if name is None:
        hosts, n_pages = np.unique(graph.captured() >> np.uint64(32), return_counts=True)
        if not len(hosts):
            raise InputError("no page of the corpus was fetched; crawl its pages first")
        return int(hosts[n_pages.argmax()])
    key = page_key(f"http://{name}/")
    for number, known in graph.hosts().items():
        if key is not None and known == key.host:
            return number
    raise InputError(f"--host {name!r} is no host of the corpus; give one as www.example.org")


def _of_host(answers: Callable[[], Iterable[StoredPage]], host: str) -> Iterator[StoredPage]:
    for answer in answers():
        key = page_key(answer.url)
        if key is not None and key.host == host:
            yield answer


class _Hits(NamedTuple):
    """Hub and authority values of the *pages* of a site, ascending, and how many links have a weight above 0."""

    pages: Ids
    hub: npt.NDArray[np.float64]
    authority: npt.NDArray[np.float64]
    n_links: int

    @classmethod
    def of(cls, graph: HostGraph, anchors: WeighedAnchors, host: int) -> _Hits:
        """Return those of the links of *graph* within *host*."""
        inside = graph.packed >> np.uint64(32) == host
        links = page_links(graph, base=inside)
        weights = anchors.of_links(links, graph)
        found = hits(links, weights=weights)
        n_links = int(np.count_nonzero(weights))
        return cls(graph.packed[inside], found.hub[inside], found.authority[inside], n_links)

    def hubs(self, share: float) -> Ids:
        """Return the pages whose hub value is *share* of the largest or more, the best first."""
        order = np.argsort(-self.hub, kind="stable")
        best: Ids = self.pages[order[self.hub[order] >= share * self.hub.max()]]
        return best


def _informative(
    folder: Path,
    answers: Callable[[], Iterable[StoredPage]],
    made_by: MadeBy,
    options: LamisOptions,
    *,
    read: Iterable[int],
    tables: Ids,
) -> tuple[InfoDiscoverer, Ids]:
    """Return the detector fitted to some of the pages *read*, and what informative blocks of *tables*, best first, link
    to.

    Of these the pages are ascending. No page is held: of a large site each hub may be a page of contents.
    """
    detector: InfoDiscoverer = get(options.detector)  # type: ignore[assignment]  # the two are InfoDiscoverer
    best = tables[: detector.max_pages].tolist()
    only = {*islice(read, detector.max_pages), *best}
    share = options.words_bytes // max(len(only), 1)
    words = taken_of_pages(
        folder,
        answers(),
        made_by,
        lambda _graph, _number, page: first_words(detector.read(page), share),
        only=only,
    )
    detector.learn(words.values())
    detector.find_threshold(words[number] for number in sorted(best))
    linked = taken_of_pages(
        folder,
        answers(),
        made_by,
        lambda graph, _number, page: _linked(graph, page, detector),
        only=set(tables.tolist()),
    )
    return detector, np.unique(np.concatenate([np.zeros(0, np.uint64), *linked.values()]))


def first_words(blocks: Iterable[list[str]], n_bytes: int) -> list[list[str]]:
    """Return the first *blocks* of words, and of the next one the first words, that take no more than *n_bytes* of
    memory.

    >>> first_words([["a", "mill"], ["by", "a", "river"]], 360)
    [['a', 'mill'], ['by', 'a']]
    """
    kept: list[list[str]] = []
    for block in blocks:
        n_bytes -= _LIST_BYTES
        sizes = (getsizeof(word) + _POINTER_BYTES for word in block)
        ends = [*takewhile(n_bytes.__ge__, accumulate(sizes))]
        if n_bytes < 0:
            break
        kept.append(block[: len(ends)])
        if len(ends) < len(block):
            break
        n_bytes -= ends[-1] if ends else 0
    return kept


def _linked(graph: Graph, page: PageModel, detector: InfoDiscoverer) -> Ids:
    """Return the known pages that informative blocks of *page* link to."""
    links = page.links
    # behind the last block there may be links, which are in none
    stays = np.append(detector.extract(page).blocks, False)
    targets, known = graph.find(links.key)
    chosen = known & np.isin(links.kind, _HYPERLINKS) & ~links.nofollow & stays[links.block]
    found: Ids = targets[chosen]
    return found


def _ranked(graph: Graph, pages: Ids, values: npt.NDArray[np.float64]) -> Ranked:
    urls = graph.urls(pages)
    return sorted(zip(values.tolist(), urls, strict=True), key=lambda each: (-each[0], each[1]))
