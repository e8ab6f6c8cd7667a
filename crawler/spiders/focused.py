"""The focused crawl: pages of a topic, and first what leads to more of them."""

from __future__ import annotations

import time
from dataclasses import fields
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np
from scrapy import signals
from scrapy.utils.misc import load_object

from crawler.durable.layout import shard_name
from crawler.engine import scheduler_of
from crawler.errors import InputError
from crawler.focus import (
    UNKNOWN,
    HostRelevance,
    JournalsLearnt,
    LinkEvidence,
    LinkWeights,
    RedisLearnt,
    RelevanceModel,
    TemplateBlocks,
    learnt_row,
    learnt_rows,
    link_scores,
    read_host_ranks,
    read_row,
)
from crawler.seeds.topic_seeds import TopicSeeds
from crawler.shards.cluster_settings import cluster_settings
from crawler.spiders.base import WinnowSpider, check_category, require
from crawler.spiders.first_pages import FirstPages
from crawler.urls import page_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from typing import Self

    import numpy.typing as npt
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from crawler.focus import OthersLearnt
    from crawler.focus.learnt_pages import LearntRow
    from crawler.items import Page
    from crawler.page import PageModel
    from crawler.page.links import Links

BACKGROUND = 100


class FocusedSpider(WinnowSpider):
    """``crawl focused -a seeds=FILE -a topic=PREFIX`` and the limits of every spider.

    The seeds under category *topic* are where the crawl begins; *background* seeds of other categories are
    fetched, too, for the relevance model to tell the topic from them: their links are not followed, their
    pages are rejected as ``background``. What a seed redirects to is taken for that seed. *min_relevance*, 0 to 1:
    pages below it are rejected as
    ``off_topic``; their links are followed, last. *ranks*: hosts' ranks of an earlier crawl
    (crawler.focus.host_ranks), *column* the column of a topic in them.

    The processes of a fleet learn from the pages of all seeds, read from each other's journals, or, on several
    machines, told through Redis. Settings: ``LINK_LABELLER``, ``FOCUS_WEIGHTS``. Stats: ``focus/learnt/on``,
    ``focus/learnt/off``, ``focus/learnt/others``, ``focus/pages``, ``focus/relevant`` (those of the topic's
    seeds, and others of relevance above .5), ``focus/dropped/<reason>``, ``focus/trained`` (1 once the topic can be
    told).
    """

    name = "focused"
    arguments = ("seeds", "topic", "background", "min_relevance", "ranks", "column")
    weights: LinkWeights
    labeller: Any
    others: OthersLearnt | None = None

    def __init__(
        self, seeds: str = "", topic: str = "", ranks: str | None = None, **arguments: Any
    ):
        super().__init__(**arguments)
        self.seeds = TopicSeeds(seeds, topic, int(arguments.get("background", BACKGROUND)))
        self.min_relevance = float(arguments.get("min_relevance", 0))
        column = arguments.get("column", "rank")
        self.hosts = HostRelevance(read_host_ranks(ranks, column) if ranks else None)
        self.relevance = RelevanceModel()
        self.templates = TemplateBlocks()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.weights = LinkWeights(**crawler.settings.getdict("FOCUS_WEIGHTS"))
        labeller = crawler.settings["LINK_LABELLER"]
        spider.labeller = load_object(labeller)() if labeller else None
        spider.others = _others_learnt(crawler.settings)
        if spider.others is not None:
            crawler.signals.connect(spider.others.close, signals.spider_closed)
        return spider

    @classmethod
    def check(cls, arguments: Mapping[str, str], settings: BaseSettings) -> None:
        super().check(arguments, settings)
        n_background = arguments.get("background", str(BACKGROUND))
        if not (n_background.isascii() and n_background.isdigit() and int(n_background)):
            raise InputError(f"background is {n_background!r}; give a whole number, 1 or more")
        _check_share("min_relevance", arguments.get("min_relevance", "0"))
        topic = require(arguments, "topic", "PREFIX")
        check_category(arguments, "topic")
        TopicSeeds(require(arguments, "seeds", "FILE"), topic, 1).check()
        if "ranks" in arguments:
            read_host_ranks(arguments["ranks"], arguments.get("column", "rank"))
        elif "column" in arguments:
            raise InputError("column is of -a ranks=FILE; give that, too, or leave it out")
        weights = settings.getdict("FOCUS_WEIGHTS")
        known = [field.name for field in fields(LinkWeights)]
        for name in weights:
            if name not in known:
                raise InputError(f"FOCUS_WEIGHTS has {name!r}; give some of {', '.join(known)}")
        try:
            LinkWeights(**weights)
        except (TypeError, ValueError) as error:
            raise InputError(f"FOCUS_WEIGHTS is wrong: {error}; see settings.project") from error
        if labeller := settings["LINK_LABELLER"]:
            try:
                load_object(labeller)
            except (ValueError, ImportError, NameError) as error:
                raise InputError(f"{error}; change LINK_LABELLER") from error

    @cached_property
    def first(self) -> FirstPages:
        """The pages that the crawl begins with; `scrapy parse` does not call `start`."""
        return FirstPages(self.seeds, scheduler_of(self.crawler).store)

    async def start(self) -> AsyncIterator[Any]:
        """Learn what an earlier run learnt, and hand the seeds to the frontier, background first."""
        scheduler = scheduler_of(self.crawler)
        with scheduler.store.journal.read() as txn:
            for row in learnt_rows(txn):
                text, on_topic = read_row(row.value)
                self._learn(text, on_topic=on_topic)
                self._tell_others(row)
        self._learn_of_others()
        await self.plant(self.first.background)
        await self.plant(self.seeds.on_topic())
        return
        yield  # an async generator without items

    def take_redirect(self, links: Links, url: str, depth: int) -> None:
        """Follow a redirect wherever it leads; note where that of a seed does."""
        self.first.redirect(page_key(url), depth, links.key)

    def parse(self, response: Response, **_: Any) -> Iterator[Page]:
        """Yield the page, its links in the order of their scores; learn from the page of a seed."""
        page: Page | None = response.meta.get("winnow_page")
        model = None if page is None else page.model
        if page is None or model is None:
            return
        self._learn_of_others()
        text = self._main_text(model)
        key = page_key(page.url)
        on_topic = self.first.is_on_topic(page, key)
        if on_topic is not None:
            self._learn_seed(model, text, on_topic=on_topic)
        relevance = float(self.relevance.score([text])[0])
        host = key.host if key is not None else ""
        self.hosts.learn(host, relevance)
        self.crawler.stats.inc_value("focus/pages")
        # Of half is what nothing is known of.
        is_relevant = relevance > UNKNOWN if on_topic is None else on_topic
        self.crawler.stats.inc_value("focus/relevant", int(is_relevant))
        if on_topic is False:
            model.links.follow[:] = False
            self._reject(model, "background")
            return
        self._score_links(model, host, 1.0 if on_topic else relevance)
        if relevance < self.min_relevance and not on_topic:
            self._reject(model, "off_topic")
            return
        yield page

    def _learn_seed(self, model: PageModel, text: str, *, on_topic: bool) -> None:
        if self._learn(text, on_topic=on_topic) and model.capture is not None:
            row = learnt_row(model.capture.page_id, text, on_topic=on_topic)
            model.capture.puts.append(row)
            self._tell_others(row)

    def _learn(self, text: str, *, on_topic: bool) -> bool:
        self.crawler.stats.inc_value(f"focus/learnt/{'on' if on_topic else 'off'}")
        is_kept = self.relevance.learn(text, on_topic=on_topic)
        self.crawler.stats.set_value("focus/trained", int(self.relevance.is_trained))
        return is_kept

    def _tell_others(self, row: LearntRow) -> None:
        if self.others is not None:
            self.others.tell(row)

    def _learn_of_others(self) -> None:
        if self.others is not None:
            for text, on_topic in self.others.new(time.monotonic()):
                self.crawler.stats.inc_value("focus/learnt/others")
                self._learn(text, on_topic=on_topic)

    def _main_text(self, model: PageModel) -> str:
        if self.labeller is None:
            return "\n".join(model.blocks.text)
        labels = self.labeller.label(model)
        model.kept, model.labels = labels.kept, labels.label
        return "\n".join(compress(model.blocks.text, model.kept))

    def _is_main(self, model: PageModel, host: str) -> npt.NDArray[np.bool_]:
        """Return which blocks with links are main text, and no template's."""
        links, texts = model.links, model.blocks.text
        is_main = np.ones(len(texts), np.bool_) if model.kept is None else model.kept.copy()
        linked = np.unique(links.block[links.block < len(texts)])
        is_main[linked] &= ~self.templates.flags(host, [texts[block] for block in linked.tolist()])
        return is_main

    def _score_links(self, model: PageModel, host: str, relevance: float) -> None:
        links = model.links
        if not len(links):
            return
        # Behind the last block there is none that a link could stand in.
        has_block = links.block < len(model.blocks)
        block = np.where(has_block, links.block, 0)
        n_blocks = len(model.blocks)
        is_main = self._is_main(model, host)
        density = model.blocks.text_density
        texts = [
            f"{anchor} {_address_words(key.local)}"
            for anchor, key in zip(links.anchor, links.key, strict=True)
        ]
        hosts = [key.host for key in links.key]
        evidence = LinkEvidence(
            page=relevance,
            anchor=self.relevance.score(texts),
            host=self.hosts.score(hosts),
            is_main=has_block & is_main[block] if n_blocks else has_block,
            density=density[block] if n_blocks else np.zeros(len(hosts)),
        )
        links.priority[:] = link_scores(evidence, self.weights)

    def _reject(self, model: PageModel, reason: str) -> None:
        self.crawler.stats.inc_value(f"focus/dropped/{reason}")
        if model.capture is not None:
            model.capture.reject(stage="focus", reason=reason)
            scheduler = scheduler_of(self.crawler)
            scheduler.finish(model.capture)


def _others_learnt(settings: BaseSettings) -> OthersLearnt | None:
    """Return what the other shards learn, None for a crawl of one process."""
    if settings["FLEET_ADDRESS"]:
        own = shard_name(settings.getint("FLEET_SHARD"))
        return JournalsLearnt(settings["CORPUS_DIR"], own)
    if not settings["CLUSTER_URL"]:
        return None
    keys, url, _, _ = cluster_settings(settings)
    from crawler.fleet import redis

    return RedisLearnt(redis.connect(url), keys, redis.FAILURES)


def _check_share(name: str, text: str) -> None:
    try:
        is_share = 0 <= float(text) <= 1
    except ValueError:
        is_share = False
    if not is_share:
        raise InputError(f"{name} is {text!r}; give a number from 0 to 1")


def _address_words(local: str) -> str:
    """Return the words of a local key: what stands between the signs of its path and query."""
    return "".join(
        character if character.isalpha() else " " for character in unquote(local.partition("/")[2])
    )
