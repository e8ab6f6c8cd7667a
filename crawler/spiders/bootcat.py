"""The crawl of what a search service finds for tuples of keywords.

*Source: Baroni and Bernardini 2004, "BootCaT: bootstrapping corpora and terms from the web"; Pomikálek 2011, 1.3.2.*
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from crawler.errors import InputError, refused_by_system, tell
from crawler.seeds import Seed
from crawler.seeds.keywords import draw_queries, read_queries, shortfall
from crawler.seeds.saved_results import check_saved, find_saved, read_saved, without_results
from crawler.seeds.search_asking import ask
from crawler.seeds.search_record import Search, SearchRecord
from crawler.seeds.search_services import AnswerError, service_of
from crawler.seeds.source import refuse_pipe
from crawler.spiders.base import WinnowSpider, require
from crawler.urls.named_hosts import is_of_hosts, named_hosts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from crawler.seeds.search_services import SearchService

# Arguments that are whole numbers: least, most and default.
NUMBERS = {
    "tuple_size": (1, 20, 3),
    "tuples": (1, 10_000, 10),
    "results": (1, 1_000, 10),
    "random_seed": (0, 10**15, 0),
}
_OF_SEARCHES = ("keywords", "queries", "search", "urls", "language", *NUMBERS)
_CODE = re.compile(r"[A-Za-z0-9_-]+")
TRIES = 3
RETRY_SECS = 2.0
TIMEOUT_SECS = 30.0
# Searches in a row that fail before no more are asked for.
MAX_FAILURES = 3


class BootcatSpider(WinnowSpider):
    """``crawl bootcat -a keywords=FILE -a search=SERVICE``, or ``-a saved=GLOB``, and the limits of every spider.

    Draws ``tuples`` tuples of ``tuple_size`` keywords, asks the service for ``results`` addresses for each, and then
    fetches these; with ``max_depth`` what they link to as well, so many links away. ``queries=FILE`` in place of
    keywords has the queries themselves. What was answered is kept in the corpus folder and not asked again. A page's
    categories are the queries that found pages of its host. ``saved`` names pages of results from a browser in place of
    a service; their titles stand for queries. Of hosts that ``exclude`` names nothing is fetched: neither what is found,
    nor what an earlier run has queued, nor where redirects and links lead.

    Settings: ``SEARCH_KEY``, ``SEARCH_DELAY_SECS``. Stats: ``searches/asked``, ``searches/known`` (from an earlier
    run), ``searches/urls``, ``searches/failed/<reason>``, ``searches/left`` (not asked, for what failed before);
    ``seeds/read``, ``seeds/new``, ``seeds/skipped/no_key``, ``seeds/skipped/excluded``.
    """

    name = "bootcat"
    in_one_process: ClassVar[bool] = True
    record: SearchRecord
    arguments = ("keywords", "queries", "search", "urls", "language", "saved", "exclude", *NUMBERS)

    def __init__(self, **arguments: Any):
        taken = {name: arguments.pop(name, "") for name in self.arguments}
        super().__init__(**arguments)
        self.page_links = bool(self.limits.max_depth)
        self.asked = taken
        self.excluded_hosts = _excluded(taken["exclude"])

    @classmethod
    def check(cls, arguments: Mapping[str, str], settings: BaseSettings) -> None:
        super().check(arguments, settings)
        if settings.get("CLUSTER_URL"):
            raise InputError("spider 'bootcat' runs in one process; leave CLUSTER_URL out")
        _excluded(arguments.get("exclude", ""))
        if arguments.get("saved"):
            given = [name for name in _OF_SEARCHES if arguments.get(name)]
            if given:
                raise InputError(f"{given[0]} is for searches; leave it out, or saved")
            check_saved(find_saved(arguments["saved"]))
            return
        require(arguments, "search", "http://127.0.0.1:8888")
        language = arguments.get("language", "en")
        if not _CODE.fullmatch(language):
            raise InputError(f"language is {language!r}; give a code of the service, such as en")
        search_service(arguments, settings)
        read_query_list(arguments)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.record = SearchRecord(Path(crawler.settings["CORPUS_DIR"]))
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Ask, and hand what is found to the frontier; yields nothing, the frontier makes the requests."""
        found = []
        if self.asked["saved"]:
            paths = find_saved(self.asked["saved"])
            for path in paths:
                found.append(read_saved(path))
                await asyncio.sleep(0)
            if empty := [path for path, page in zip(paths, found, strict=True) if not page.urls]:
                self._tell(without_results(empty))
        else:
            service = search_service(self.asked, self.crawler.settings)
            queries = read_query_list(self.asked)
            self._tell_shortfall(len(queries))
            await self._ask_all(service, queries)
        # What earlier runs were told is among it: a crash may have come before its pages were queued.
        await self._plant_all([*self.record.all_urls(), *found])
        return
        yield  # an async generator without items

    async def _ask_all(self, service: SearchService, queries: Sequence[str]) -> None:
        stats = self.crawler.stats
        wanted = parse_number(self.asked, "results")
        n_failures = 0
        searches = [Search(service.source, query, self.asked["language"]) for query in queries]
        for place, search in enumerate(searches):
            if self.record.urls(search, wanted) is not None:
                stats.inc_value("searches/known")
                continue
            stats.inc_value("searches/asked")
            try:
                urls, n_asked = await self._search(service, search, wanted)
                # Of a service that failed half-way no more is taken as asked: the next run asks for the rest.
                self.record.add(search, n_asked, urls)
            except OSError as error:
                self._tell(str(refused_by_system(error)))
                return
            except AnswerError as error:
                stats.inc_value(f"searches/failed/{error.reason}")
                n_failures += 1
                if error.retry_secs is None or n_failures == MAX_FAILURES:
                    stats.inc_value("searches/left", len(searches) - place - 1)
                    self._tell(
                        f"{service.name} does not answer ({error.reason}); see that it does, and start again"
                    )
                    return
                continue
            n_failures = 0
            stats.inc_value("searches/urls", len(urls))
        if not n_failures and not any(self.record.urls(search, wanted) for search in searches):
            self._tell(
                f"no answer of {service.name} names an address at {service.urls}; ask for other words, or look at an answer and say by urls where they are"
            )

    async def _search(
        self, service: SearchService, search: Search, wanted: int
    ) -> tuple[list[str], int]:
        """Return *wanted* addresses at most, and for how many the service was asked.

        Raises `AnswerError` when it gave none for an error.
        """
        found: dict[str, None] = {}
        for page in range(-(-wanted // service.page_results)):
            url = service.page_url(search.query, page=page, language=search.language)
            try:
                urls = service.result_urls(await self._answer(url, service.headers))
            except AnswerError as error:
                if not found:
                    raise
                if error.retry_secs is None:
                    break  # there are no further pages
                self.crawler.stats.inc_value(f"searches/failed/{error.reason}")
                return list(found), len(found)
            n_before = len(found)
            found.update(dict.fromkeys(urls))
            if len(found) == n_before or len(found) >= wanted:
                break
        return list(found)[:wanted], wanted

    async def _answer(self, url: str, headers: Mapping[str, str]) -> bytes:
        delay = self.crawler.settings.getfloat("SEARCH_DELAY_SECS")
        own = {"User-Agent": self.crawler.settings["USER_AGENT"], **headers}
        for n_tries in range(1, TRIES + 1):
            await asyncio.sleep(delay)
            try:
                return await in_thread(
                    partial(ask, url, own, timeout_secs=TIMEOUT_SECS), TIMEOUT_SECS
                )
            except AnswerError as error:
                if error.retry_secs is None or n_tries == TRIES:
                    raise
                await asyncio.sleep(max(error.retry_secs, RETRY_SECS**n_tries))
        raise AssertionError("unreachable")

    async def _plant_all(self, results: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Hand every address of *results* to the frontier with all queries that found it: its page is fetched once."""
        queries: dict[str, list[str]] = {}
        for query, urls in results:
            for url in urls:
                # A slash would make a path of a category.
                queries.setdefault(url, []).append(query.replace("/", " "))
        kept = [url for url in queries if not is_of_hosts(url, self.excluded_hosts)]
        self.crawler.stats.inc_value("seeds/skipped/excluded", len(queries) - len(kept))
        await self.plant(Seed(url, tuple(queries[url])) for url in kept)

    def _tell_shortfall(self, drawn: int) -> None:
        """Say so when there are not as many tuples as somebody has asked for."""
        if self.asked["keywords"] and self.asked["tuples"]:
            size, n = (parse_number(self.asked, name) for name in ("tuple_size", "tuples"))
            why = shortfall(self.asked["keywords"], drawn=drawn, size=size, n=n)
            if why is not None:
                self._tell(why)

    def _tell(self, why: str) -> None:
        """Say *why* searches failed, or results are fewer; without a log it stands between the lines of progress."""
        if self.crawler.settings.getbool("LOG_ENABLED"):
            self.logger.error("%(why)s", {"why": why})
        else:
            tell(why)


def search_service(arguments: Mapping[str, str], settings: BaseSettings) -> SearchService:
    """Return the service that *arguments* name; raise `InputError` where there is none."""
    return service_of(
        arguments["search"], urls=arguments.get("urls", ""), key=settings.get("SEARCH_KEY") or ""
    )


def _excluded(text: str) -> list[str]:
    return named_hosts(text.split(",") if text else (), "exclude")


def read_query_list(arguments: Mapping[str, str]) -> list[str]:
    """Return the queries that *arguments* ask for; raise `InputError` where they are wrong, or a file is."""
    keywords, queries = arguments.get("keywords"), arguments.get("queries")
    numbers = {name: parse_number(arguments, name) for name in NUMBERS}
    if bool(keywords) == bool(queries):
        raise InputError("give either -a keywords=FILE or -a queries=FILE")
    if queries:
        refuse_pipe(Path(queries), "queries")
        return read_queries(queries)
    assert keywords is not None
    refuse_pipe(Path(keywords), "keywords")
    return draw_queries(
        keywords,
        size=numbers["tuple_size"],
        n=numbers["tuples"],
        random_seed=numbers["random_seed"],
    )


def parse_number(arguments: Mapping[str, str], name: str) -> int:
    """Return argument *name*, one of NUMBERS; raise `InputError` for what is out of its range."""
    least, most, default = NUMBERS[name]
    text = str(arguments.get(name) or default)
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise InputError(f"{name} is {text[:30]!r}; give a whole number from {least} to {most}")
    return int(text)


async def in_thread(work: Callable[[], bytes], timeout_secs: float) -> bytes:
    """Return what *work* does in a thread of its own, which nobody waits for at the end of the program.

    Raises what it raises, and `AnswerError` when it takes longer than *timeout_secs*.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bytes] = loop.create_future()

    def settle(tell: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            tell(value)

    def run() -> None:
        try:
            told = partial(settle, done.set_result, work())
        except Exception as error:  # noqa: BLE001 - it is raised where it is awaited
            told = partial(settle, done.set_exception, error)
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(told)

    Thread(target=run, name="search", daemon=True).start()
    try:
        return await asyncio.wait_for(done, timeout_secs)
    except TimeoutError as error:
        raise AnswerError("timeout", 0.0) from error
