"""``scrapy explore``: a local web page over a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.commands.corpus_folder import corpus_of
from crawler.commands.segmenter import segmenter_of
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from crawler.explorer.inspect import PageInspector

_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    ("corpus", None, "corpus folder (default: setting CORPUS_DIR)"),
    ("host", "127.0.0.1", "address it listens on; any other lets others read the corpus"),
    ("port", "8000", "port it listens on, 0 for any that is free"),
)
_MAX_PORT = 65535


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; the address is told on stderr."""

    values = _OPTIONS

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Look at a corpus in the browser"

    def long_desc(self) -> str:
        return (
            "Serve a web page over a corpus folder until it is interrupted: search (after `scrapy index`; "
            "with facets when there are ranks), each page block by block with labels and densities, "
            "hosts, rejected pages by reason, and the report. Why a block was kept is shown for pages "
            "whose answers the crawl kept (WARC_ENABLED). It only reads, and may run while a crawl goes "
            "on.\n"
            "\n"
            "Example:\n"
            "  scrapy explore --corpus mine --port 8000"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        if not opts.port.isdecimal() or len(opts.port) > 5 or int(opts.port) > _MAX_PORT:
            raise InputError(f"--port is {opts.port!r}; give a number, 0 to {_MAX_PORT}")
        from crawler.explorer.app import make_app
        from crawler.explorer.hosts import names_of
        from crawler.explorer.serve import listening, serve
        from crawler.explorer.state import Explorer

        explorer = Explorer(corpus_of(self.settings, opts))
        app = make_app(explorer, self._inspector(), names_of(opts.host))
        with listening(opts.host, int(opts.port)) as bound:
            serve(app, bound)

    def _inspector(self) -> PageInspector:
        """Return what shows why blocks are kept, by the settings that a crawl here would have."""
        from crawler.explorer.inspect import PageInspector
        from crawler.page import page_limits
        from pipelines.boilerplate.registry import DEFAULT_METHOD
        from pipelines.evaluation.peers import PREFIX
        from pipelines.evaluation.watched_method import Limits, WatchedMethod
        from pipelines.jobs.clean_pages import page_rules_of
        from pipelines.jobs.named_cleaner import cleaner_of

        assert self.settings is not None
        method, options = self.settings["CLEAN_METHOD"], self.settings.getdict("CLEAN_OPTIONS")
        secs = self.settings.getfloat("CLEAN_WORKER_SECS")
        worker = secs, self.settings.getint("CLEAN_WORKER_BYTES")
        cleaner = cleaner_of(method, settings=options, named_by="CLEAN_METHOD", worker=worker)
        hidden, inline = self.settings["PAGE_HIDDEN"], self.settings["PAGE_INLINE"]
        try:
            rules = page_rules_of(cleaner, hidden=hidden, inline=inline)
            # Of ours the default alone is known to take little of any page.
            is_watched = method != DEFAULT_METHOD and not method.startswith(PREFIX)
            limits = Limits(page_secs=worker[0], memory_bytes=worker[1])
            watched = WatchedMethod(method, options, cleaner, limits)
            judge = watched if is_watched else cleaner
            return PageInspector(
                method, judge, page_limits(self.settings), rules, segmenter_of(self.settings)
            )
        except ValueError as error:
            raise InputError(f"setting PAGE_…: {error}") from error
