"""``scrapy crawl``: Scrapy's own, with the spider, its arguments and its files checked first."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.addons import AddonManager
from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.spiderloader import get_spider_loader

from crawler.commands.base import (
    PROJECT_DEFAULTS,
    check_no_extras,
    check_profile,
    files_refused,
    one_line_errors,
    refuse,
)
from crawler.commands.hang_up import end_at_termination, stop_at_hang_up
from crawler.commands.setting_checks import check_log_file, check_objects, check_settings
from crawler.errors import InputError, StoppedError, WinnowError, tell
from crawler.telling import SEEN_LOG, where_more_is

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from scrapy.settings import BaseSettings

    from crawler.spiders.base import WinnowSpider

logger = logging.getLogger(__name__)

_HELP = """\
Run a spider. These are Winnow's, and their arguments (-a NAME=VALUE):

  odp       from an ODP dump, a category list (TSV, CSV) or a list of URLs
            -a seeds=FILE [-a category=PREFIX]
            [-a sitemaps=1] [-a feeds=1]  their links, too
            [-a links=0]                  none of pages: of a list of URLs
                                          these pages alone
  site      one host, or all hosts of its domain
            -a url=URL [-a scope=host|domain]
            [-a sitemaps=1] [-a feeds=1] [-a links=0]
  focused   links that lead to pages of a topic first (extra [focus])
            -a seeds=FILE -a topic=PREFIX
            [-a background=N]             seeds of other topics to learn from
            [-a min_relevance=P]          less relevant pages are rejected
            [-a ranks=FILE]               hosts' ranks of an earlier crawl
            [-a column=NAME]              the column of a topic in them
  bootcat   what a search service finds for tuples of keywords
            -a keywords=FILE | -a queries=FILE
            -a search=SERVICE   a SearXNG's address; brave or mojeek (with
                                -s SEARCH_KEY=…); or a URL with {query},
                                and {count}, {offset}, {start}, {page},
                                {page0}, {language}, {key}
            [-a urls=NAME.NAME]           where its JSON has the addresses
            [-a tuples=10] [-a tuple_size=3] [-a results=10]
            [-a random_seed=N] [-a language=CODE]
            [-a exclude=HOST,DOMAIN]      nothing of these is fetched, though
                                          it is found, or was queued before
            -a saved=GLOB       in place of a service: pages of results that
                                you saved from a browser
  warc      pages of WARC files; no link is followed
            -a paths=GLOB

Limits of all of them, over all runs of a crawl together; 0 is no limit:

  -a max_pages=N   -a pages_per_host=N
  -a max_depth=N   links from a seed; 0 is no limit here, too, as of Scrapy's
                   DEPTH_LIMIT, but for bootcat, which follows no link then;
                   of odp links=0 is the seeds alone
  -a max_hours=X   hours that the crawl ran
  -a max_bytes=N   bytes of answers, unpacked

-s URLS_ALLOW=REGEX, -s URLS_DENY=REGEX: of what is linked only URLs are fetched that the first is found in, and none that the second is found in, as in -s 'URLS_ALLOW=^https?://[^/]+[.]hr/'.

-a recrawl_after=7d (s, m, h or d) fetches pages again whose last visit is longer ago (not of warc). Limits count such pages as not fetched; those deeper than max_depth are left. A re-crawl that was stopped goes on with the command without it.

A crawl beyond loopback needs a user agent with an address of yours. Ctrl-C stops it within ten seconds, and so does the end of its terminal, unless nohup started it. The same command goes on where the last run ended, however it ended. One that follows other links is refused while pages of the earlier one wait in the corpus. With --nolog only progress (stderr) and summary (stdout) are left.

Examples:
  scrapy crawl site -a url=https://www.your-domain/ -s CORPUS_DIR=mine --nolog \\
    -s USER_AGENT="mybot/1.0 (+https://bot.your-domain/)"
  scrapy crawl odp -a seeds=seeds.tsv -a max_pages=10000 -s CORPUS_DIR=mine \\
    -s USER_AGENT="mybot/1.0 (+https://bot.your-domain/)"
  scrapy crawl warc -a paths='files/*.warc.gz' -s CORPUS_DIR=mine"""


class Command(CrawlCommand):
    """Replaces Scrapy's command of the same name; spiders of other projects run as ever."""

    def long_desc(self) -> str:
        return _HELP

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's options."""
        super().add_options(parser)
        one_line_errors(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the options and check the call, before a crawler process is made."""
        given = list(opts.spargs)
        with files_refused():
            super().process_options(args, opts)
            check_profile(opts)
        try:
            end_at_termination()
            self._check(args, opts, given)
        except WinnowError as error:
            sys.exit(refuse(error))
        except KeyboardInterrupt:
            sys.exit(self._interrupted("interrupted before it began"))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl; what keeps a crawl from starting becomes its one line and exit code 2."""
        try:
            self._run(args[0], opts)
        except KeyboardInterrupt:  # before the reactor hears signals
            self.exitcode = self._interrupted("interrupted before it began")

    def _interrupted(self, why: str) -> int:
        """Say *why* there was no page; return the exit code: of a shard 0, for with any other one it is started
        again.
        """
        assert self.settings is not None
        code = tell_nothing(why)
        return 0 if self.settings.get("CLUSTER_URL") else code

    def _run(self, spider: str, opts: argparse.Namespace) -> None:
        # Scrapy's handler looks through the whole stack when it is imported: seven times as long,
        # measured, where the engine would import it.
        import scrapy.core.downloader.handlers.http11  # noqa: F401

        from crawler.engine import is_told_to_stop
        from crawler.spiders.base import WinnowSpider

        assert self.crawler_process is not None
        assert self.settings is not None
        crawler = self._create_crawler(spider)
        if issubclass(crawler.spidercls, WinnowSpider):
            stop_at_hang_up(partial(is_told_to_stop, self.crawler_process))
        crawl: Any = self.crawler_process.crawl(crawler, **opts.spargs)
        self.crawler_process.start()
        failed = self.crawler_process.bootstrap_failed
        if isinstance(crawl, asyncio.Future) and (crawl.cancelled() or not crawl.done()):
            # The spider was not opened, or the process was told twice.
            self.exitcode = self._interrupted("interrupted; the same command goes on")
        else:
            self.exitcode = _exit_code(crawl, failed, more=where_more_is(self.settings))
        from crawler.extensions.progress import NOTHING_STAT
        from crawler.shards.cluster_ends import start_again_if_asked

        # One that did not start has no stats.
        stats = None if self.exitcode else crawler.stats
        if stats is not None and (why := stats.get_value(NOTHING_STAT)):
            self.exitcode = tell_nothing(why)
        try:
            start_again_if_asked(is_told_to_stop=is_told_to_stop(self.crawler_process))
        except InputError as error:
            self.exitcode = refuse(error)

    def _check(self, args: list[str], opts: argparse.Namespace, given: list[str]) -> None:
        assert self.settings is not None
        spider = check_spider(self.settings, args, opts.spargs, opts.set)
        if spider is None:
            return
        check_given_once(given)
        from crawler.commands.queue_checks import check_queue
        from crawler.durable.layout import SHARD, shard_name
        from crawler.fleet.blocks import check_alone
        from crawler.frontier.store.crawl_store import check_corpus
        from pipelines.corpus.manifest import check_overwritten

        folder = corpus_folder(self.settings)
        check_overwritten(folder)
        if self.settings.get("CLUSTER_URL"):
            from crawler.shards.cluster_settings import cluster_settings

            cluster_settings(self.settings)
        shard = shard_name(self.settings.getint("FLEET_SHARD"))
        if not (self.settings.get("FLEET_ADDRESS") or self.settings.get("CLUSTER_URL")):
            if shard != SHARD:
                raise InputError(
                    f"FLEET_SHARD is {int(shard)}, of a crawl without CLUSTER_URL; give both or none"
                )
            check_alone(folder)
        check_corpus(folder, shard)
        if not self.settings.get("FLEET_ADDRESS"):  # else its parent has asked
            check_queue(self.settings, spider, opts.spargs, folder, [shard])


def _exit_code(crawl: Any, has_failed: bool, *, more: str) -> int:
    """Return the exit code of the task, or Deferred, *crawl*, which has ended; say what ended it, where *more* is."""
    failure = error = crawl.exception() if isinstance(crawl, asyncio.Future) else None
    while error is not None:  # the engine that was not opened complains, too
        if isinstance(error, WinnowError):
            code = refuse(error)
            return 0 if isinstance(error, StoppedError) else code
        error = error.__cause__ or error.__context__
    if failure is not None:
        logger.error("The crawl has failed", exc_info=failure)
    if more != SEEN_LOG and (has_failed or failure is not None):
        why = f" ({type(failure).__name__}: {failure})" if failure is not None else ""
        tell(f"winnow: the crawl did not start{why}; {more}")
    return int(has_failed or failure is not None)


def tell_nothing(why: str) -> int:
    """Say *why* a crawl has ended without one page, and return exit code 1."""
    tell(f"winnow: {why}")
    return 1


def corpus_folder(settings: BaseSettings) -> Path:
    """Return the corpus folder that *settings* name, outside of a crawl too; `InputError` where it cannot be one."""
    folder = Path(settings.get("CORPUS_DIR") or PROJECT_DEFAULTS["CORPUS_DIR"])
    try:
        # The journal and the shards are opened by libraries that take nothing else.
        str(folder).encode()
        (folder / "frontier" / "fleet").exists()
    except (OSError, ValueError) as error:
        why = "not UTF-8" if isinstance(error, ValueError) else error.strerror
        raise InputError(f"CORPUS_DIR cannot be {str(folder)!r} ({why}); give another") from error
    return folder


def check_given_once(arguments: Iterable[str]) -> None:
    """Raise `InputError` when one of *arguments*, NAME=VALUE each, is given twice: the last alone would count."""
    names = Counter(argument.partition("=")[0] for argument in arguments)
    for name, times in names.items():
        if times > 1:
            raise InputError(f"-a {name} is given {times} times; give it once")


def check_spider(
    settings: BaseSettings, args: list[str], spargs: Mapping[str, str], asked: Iterable[str] = ()
) -> type[WinnowSpider] | None:
    """Return the spider that *args* name, None if it is not Winnow's; *asked* are the settings of the command line.

    Raises `InputError` when there is none of that name, or *spargs* or the settings are wrong for it.
    """
    check_no_extras(args, allowed=1)
    AddonManager.load_pre_crawler_settings(settings)  # add-ons may bring spiders
    check_objects(settings)
    loader = get_spider_loader(settings)
    names = ", ".join(sorted(loader.list()))
    if not names:
        raise InputError("there are no spiders here; run it in a project, the folder of scrapy.cfg")
    if not args:
        raise InputError(f"no spider is named; give one of {names}")
    if args[0] not in loader.list():
        raise InputError(f"there is no spider {args[0]!r}; give one of {names}")
    spider = loader.load(args[0])
    from crawler.spiders.base import WinnowSpider

    if not issubclass(spider, WinnowSpider):
        return None
    from crawler.extensions.address_guard import check_reactor, read_hosts
    from crawler.frontier.robots.contact import check_contact

    check_settings(settings, asked)
    check_reactor(settings)
    check_log_file(settings)
    spider.check(spargs, settings)
    if spider.follow_links:
        check_contact(settings["USER_AGENT"], settings.getlist("ALLOWED_PRIVATE_NETWORKS"))
    if hosts_file := settings.get("HOSTS_FILE"):
        read_hosts(hosts_file)
    return spider
