"""``scrapy fleet``: a crawl in several processes, into one corpus folder."""

from __future__ import annotations

import logging
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from scrapy.cmdline import execute

from crawler.commands.base import WinnowCommand
from crawler.commands.crawl import check_given_once, check_spider, corpus_folder, tell_nothing
from crawler.commands.hang_up import end_at_termination, stop_at_hang_up
from crawler.commands.shards_help import SHARDS_HELP
from crawler.errors import InputError, print_lines, tell
from crawler.kernels.compiling import listeners
from crawler.telling import ReadingTeller, where_more_is
from crawler.wording import noun

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from crawler.fleet.parent import FleetState
    from crawler.frontier.steering.stop_rule import StopRule
    from crawler.spiders.base import WinnowSpider

MAX_PROCESSES = 64


class Command(WinnowCommand):
    """Starts and watches the processes; decides over the duplicates when all are at their end."""

    def syntax(self) -> str:
        return "[options] <spider>"

    def short_desc(self) -> str:
        return "Run a spider in several processes, into one corpus"

    def long_desc(self) -> str:
        return (
            "Run one of Winnow's spiders in N processes on this machine, into one corpus. Arguments and "
            "settings are those of `scrapy crawl`. Each process owns the domains that hash to its number, "
            "and hands links to other domains over to their owners.\n"
            "\n"
            "max_pages counts the pages of all processes together, pages_per_host those of each host; of "
            "max_bytes each process has an equal share. A process that dies is started again. Ctrl-C "
            "stops all within 10 seconds, as the end of the terminal does. The same command, with the same N, goes on.\n"
            f"\n{SHARDS_HELP}\n"
            "Examples:\n"
            "  scrapy fleet odp -p 4 -a seeds=seeds.tsv -s CORPUS_DIR=mine --nolog\n"
            "  scrapy fleet --forget 2 -s CLUSTER_URL=redis://HOST:6379/0 \\\n"
            "    -s CLUSTER_NAME=spring"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "-a", dest="spargs", action="append", default=[], metavar="NAME=VALUE",
            help="set spider argument (may be repeated)",
        )  # fmt: skip
        parser.add_argument(
            "-p", "--processes", type=int, default=2, metavar="N", help="processes (default 2)"
        )
        parser.add_argument(
            "--forget", type=int, metavar="SHARD",
            help="no crawl: give up a machine's shard that is lost for good (with -s CLUSTER_URL=… and "
            "-s CLUSTER_NAME=…), so that the others go on without it",
        )  # fmt: skip

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        if opts.forget is not None:
            from crawler.shards.cluster_settings import forget_shard

            sys.stdout.write(forget_shard(self.settings, opts.forget) + "\n")
            return
        if self.settings["CLUSTER_URL"]:
            raise InputError(
                "scrapy fleet is for one machine; leave CLUSTER_URL out, or start each shard by itself "
                "with scrapy crawl"
            )
        if not 1 <= opts.processes <= MAX_PROCESSES:
            raise InputError(f"-p must be 1 to {MAX_PROCESSES}, got {opts.processes}; see --help")
        arguments = _named(opts.spargs)
        spider = check_spider(self.settings, args, arguments)
        if spider is None or spider.in_one_process:
            why = "is none of Winnow's" if spider is None else "runs in one process"
            raise InputError(f"spider {args[0]!r} {why}; run it with scrapy crawl")
        check_given_once(opts.spargs)
        self._run(args[0], opts, self._checked(spider, arguments))

    def _checked(self, spider: type[WinnowSpider], arguments: dict[str, str]) -> _Shown:
        """Return what shows the fleet in its corpus folder, which takes it; load what its processes need."""
        assert self.settings is not None
        from crawler.addon import Winnow
        from crawler.commands.loaded_crawl import load_crawl
        from crawler.commands.queue_checks import check_queue
        from crawler.durable.layout import shards_of
        from pipelines.corpus.manifest import check_overwritten
        from pipelines.stages.rules import rules_of

        folder = corpus_folder(self.settings)
        check_overwritten(folder)
        settings = self.settings.copy()
        Winnow().update_settings(settings)  # as its processes do
        rules = rules_of(settings)
        check_queue(settings, spider, arguments, folder, shards_of(folder))
        load_crawl(settings)
        return _Shown(self.settings, folder, rules)

    def _run(self, spider: str, opts: argparse.Namespace, shown: _Shown) -> None:
        assert self.settings is not None
        from crawler.extensions.steering import STOP_REASON, stop_rule_of
        from crawler.fleet.owners import check_division
        from crawler.fleet.parent import FleetJob, run_fleet
        from crawler.frontier.steering.fleet_stop import FleetStop

        stop_at_hang_up()
        started = time.monotonic()
        stop = FleetStop(shown.folder, stop_rule_of(self.settings))
        job = FleetJob(
            corpus_dir=shown.folder,
            n_shards=opts.processes,
            crawl=lambda shard, address: crawl_shard(spider, opts, shard, address),
            show=shown.line,
            note=shown.manifest,
            divide_by=check_division(self.settings["FLEET_DIVIDE_BY"]),
            show_secs=self.settings.getfloat("PROGRESS_SECS", 5.0),
            more=self._where_more_is(),
            is_over=lambda state: stop.is_over(state.stats),
            over_reason=STOP_REASON,
        )
        state = run_fleet(job)
        end_at_termination()  # its loop has given the signal back
        stop.is_over(state.stats)  # what came at last counts, too
        stop.save()
        if state.is_over:
            shown.end(state)
        shown.manifest(state)
        self._tell(state, stop.rule, time.monotonic() - started)

    def _where_more_is(self) -> str:
        """Return where its processes tell more of an error: they have a log, if no setting says that they have none."""
        assert self.settings is not None
        settings = self.settings.copy()
        settings.set("LOG_ENABLED", True, "command")
        return where_more_is(settings)

    def _tell(self, state: FleetState, rule: StopRule, secs: float) -> None:
        """Print the summary, and why nothing was fetched where that is so."""
        from crawler.extensions.summary import (
            corpus_lines,
            limit_lines,
            parked_lines,
            summary,
            why_nothing,
        )
        from crawler.frontier.hosts.parked import Parked, together
        from crawler.frontier.steering.report import summary_lines

        assert self.settings is not None
        counts = Counter(state.counts)  # nothing, where it was stopped before a process said a word
        lines = summary(state.stats, counts, state.reason, secs)
        lines += corpus_lines(state.stats, counts, state.reason, corpus_folder(self.settings))
        lines += parked_lines(together(Parked(*each) for each in state.parked))
        lines += limit_lines(state.limit)
        if state.n_restarts:
            lines.append(
                f"  restarted {state.n_restarts:>10,}  {noun(state.n_restarts, 'process')} that died"
            )
        lines += summary_lines(state.stats, rule)
        print_lines(lines)
        more = self._where_more_is()
        if why := why_nothing(state.stats, counts, state.reason, state.limit, more=more):
            self.exitcode = tell_nothing(why)


def crawl_shard(spider: str, opts: argparse.Namespace, shard: int, address: str) -> None:
    """Crawl as the process of *shard*, whose parent listens at *address*; raises `SystemExit` with the exit code."""
    ours = {
        "FLEET_ADDRESS": address,
        "FLEET_SHARD": shard,
        "FLEET_SHARDS": ",".join(map(str, range(opts.processes))),
        "PROGRESS_SECS": 0,
    }
    command = ["scrapy", "crawl", spider]
    for argument in opts.spargs:
        command += ["-a", argument]
    for setting in (*opts.set, *(f"{name}={value}" for name, value in ours.items())):
        command += ["-s", setting]
    for name in ("logfile", "loglevel"):
        if value := getattr(opts, name):
            command += [f"--{name}", value]
    if opts.nolog:
        command.append("--nolog")
    listeners.clear()  # of the parent's command
    sys.argv = command
    try:
        execute(command)
    finally:
        logging.shutdown()  # a fork runs nothing at its exit


def _named(arguments: list[str]) -> dict[str, str]:
    wrong = next((argument for argument in arguments if "=" not in argument), None)
    if wrong is not None:
        raise InputError(f"-a {wrong!r} is no NAME=VALUE; see --help")
    return dict(argument.split("=", 1) for argument in arguments)


class _Shown:
    """The one display, and the one manifest, of a fleet into *folder*."""

    def __init__(self, settings: Any, folder: Path, rules: list[dict[str, Any]]):
        from pipelines.corpus.manifest import settings_digest

        self.settings = settings
        self.folder = folder
        self.rules = rules
        self.digest = settings_digest(settings.copy_to_dict())
        self.last = (time.monotonic(), 0)

    def line(self, state: FleetState) -> None:
        """Write one line of progress."""
        from crawler.extensions.summary import progress_line

        if not state.counts.get("pages"):  # as in a crawl of one process
            return
        now, fetched = time.monotonic(), state.stats.get("fetch/pages", 0)
        rate = (fetched - self.last[1]) / max(now - self.last[0], 1e-9)
        self.last = (now, fetched)
        tell(progress_line(state.stats, state.counts, rate))

    def manifest(self, state: FleetState) -> None:
        """Write the manifest of all shards."""
        from crawler.durable.journals import stored_files
        from pipelines.corpus.manifest import write_manifest

        files = stored_files(self.folder)
        write_manifest(
            self.folder, settings=self.digest, counts=state.counts, shards=files, rules=self.rules
        )

    def end(self, state: FleetState) -> None:
        """Do what is left when all processes have ended; what Ctrl-C leaves undecided, the next run decides."""
        from crawler.fleet.parent import INTERRUPTED

        try:
            self._close(state)
        except KeyboardInterrupt:
            state.reason = INTERRUPTED

    def _close(self, state: FleetState) -> None:
        """Seal what the processes left, decide over the duplicates if all finished, and correct *state*."""
        from crawler.durable.journals import open_writers
        from crawler.fleet.parent import FINISHED
        from pipelines.jobs.dedup.crawl_end import (
            NOT_RANKED,
            can_close,
            close_crawl,
            leave_crawl,
        )
        from pipelines.stages.deduplicate import dedup_options, is_on

        options = dedup_options(self.settings)
        is_asked = state.reason == FINISHED and is_on(self.settings)
        is_ranked = can_close(self.folder, options)
        if is_asked and not is_ranked:
            tell(NOT_RANKED)
        with_blocks = self.settings.getfloat("DEDUP_BLOCKS_COVERAGE") > 0
        with open_writers(self.folder) as journals:
            if not (is_asked and is_ranked):
                leave_crawl(self.folder, journals)
                return
            progress = ReadingTeller("Deciding over duplicates", tell)
            end = close_crawl(
                self.folder, journals, options, with_blocks=with_blocks, progress=progress
            )
        for name, n_more in end.stats.items():
            state.stats[name] = state.stats.get(name, 0) + n_more
