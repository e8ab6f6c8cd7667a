"""``scrapy clean``: removes the boilerplate of pages on disk."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

from crawler.commands.base import WinnowCommand, check_no_extras, refuse
from crawler.commands.segmenter import segmenter_of
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

    from crawler.page import PageLimits, PageModel, PageRules
    from pipelines.boilerplate.labels import Cleaner, Labels

_FORMATS = ("text", "markdown", "json", "html")
_LINKED_FORMATS = ("markdown", "json")
# Those of `pipelines.boilerplate.renderers`, which load slowly.
_RENDERS = ("extract", "mark", "delete", "hide", "replace", "restructure")


class Command(WinnowCommand):
    """Cleans files or standard input; the text goes to stdout, one block a line."""

    def syntax(self) -> str:
        return "[options] FILE|FOLDER|- ..."

    def short_desc(self) -> str:
        return "Clean pages from disk or standard input"

    def long_desc(self) -> str:
        return (
            "Print the main text of HTML or plain text files, or of standard input for '-'. Files packed "
            "by gzip are unpacked. A file that is no page is named, and passed over; one without main text "
            "is named, too. Of a folder all files are read, in the order of their names, its folders' too; "
            "but none that is hidden, or that is no page by its name, such as a picture or a script.\n"
            "\n"
            "--format json prints one object a file, on a line: method, file (- for standard input), title, author, "
            "date and description (each with its source, as title_source), site_name, page_type, charset, "
            "declared_language, text, and blocks, each with its label and densities; null where the page does not "
            "say. --links adds links: href, anchor, and block, where in blocks the kept text of the link begins.\n"
            "\n"
            "--format html makes a page for a browser. It shows every block, coloured by its label, and why: for "
            "winnow the chance of the block and what pushed it most, for other methods the rule, number, step or "
            "element that decided. A diagram has the text density of the blocks and the borders of segments. --render "
            "gives the page's own markup back, and takes out or marks what is not main text (Gottron 2008, 4.3); a "
            "policy that it puts first keeps a browser from running the page's scripts and from loading anything.\n"
            "\n"
            "Blocks are divided as the method was published for, unless -s PAGE_INLINE=… says otherwise. "
            "Options of winnow: preset (precision, balanced, recall, or a number from 0 to 1), "
            "comments (auto, keep, cut), least (from 0 to 1, 0.2: what the best choice must promise, "
            "else the page has no main text) and model (a file that `python -m "
            "pipelines.evaluation.training.winnow` has trained on pages of your own, in place of the method's). "
            "A stop list for justext is given as stop_list=@FILE.\n"
            "\n"
            "Examples:\n"
            "  scrapy clean page.html\n"
            "  scrapy clean --format markdown --links page.html\n"
            "  scrapy clean --format html page.html > blocks.html\n"
            "  scrapy clean --option preset=recall --option comments=keep *.html\n"
            "  scrapy clean --format json saved/ > pages.jsonl\n"
            "  scrapy clean --method justext --option stop_list=@words.txt page.html\n"
            "  scrapy clean --method bte:mode=shortest page.html"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        from pipelines.boilerplate.registry import methods

        default = self.default_settings["CLEAN_METHOD"]
        known = ", ".join(methods())
        for name, text in (
            (
                "method",
                f"{known}, or peer/…; NAME:OPTION=VALUE with options (default: setting CLEAN_METHOD, {default})",
            ),
            ("charset", "encoding that the server named (default: as the page says, or a guess)"),
            ("format", f"{', '.join(_FORMATS)} (default text)"),
            ("render", f"{', '.join(_RENDERS)}: the page's own markup instead of a format"),
        ):
            parser.add_argument(f"--{name}", metavar="NAME", help=text)
        parser.add_argument(
            "--option", metavar="NAME=VALUE", action="append", default=[],
            help="an option of the method; may be given again",
        )  # fmt: skip
        parser.add_argument(
            "--links", action="store_true", help="keep the links; for markdown and json"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        given_names = _named(args)
        names = _checked(given_names, opts)
        from pipelines.jobs.clean_pages import (
            check_inputs,
            labels_of_page,
            lost_of_page,
            read_page,
            shown_name,
        )
        from pipelines.jobs.named_cleaner import cleaner_of

        assert self.settings is not None
        is_named = opts.method is not None
        method = opts.method if is_named else self.settings["CLEAN_METHOD"]
        # Options of the setting are those of its own method.
        given = {} if is_named else self.settings.getdict("CLEAN_OPTIONS")
        named_by = "--method" if is_named else "CLEAN_METHOD"
        cleaner = cleaner_of(method, opts.option, settings=given, named_by=named_by)
        limits, rules = self._limits_and_rules(cleaner)
        segmenter = segmenter_of(self.settings) if opts.format == "html" else None
        check_inputs(given_names, opts.charset)
        is_set_off = opts.format in {None, "text", "markdown"} and not opts.render
        n_shown = 0
        for name in names:
            try:
                model = read_page(name, opts.charset, limits, rules)
                labels = labels_of_page(cleaner, model, name)
                if segmenter is not None:
                    model.segments = segmenter.segment(model.blocks)
                text = _shown(name, model, labels, cleaner=cleaner, method=method, opts=opts)
            except InputError as error:  # the other pages are none the worse for it
                self.exitcode = refuse(error)
                continue
            sys.stdout.write(("\n" if is_set_off and n_shown else "") + text)
            n_shown += 1
            if lost := lost_of_page(name, model):
                sys.stderr.write(f"winnow: {lost}\n")
            if not labels.kept.any():
                sys.stderr.write(f"winnow: {shown_name(name)} has no main text by {method}\n")

    def _limits_and_rules(self, cleaner: Cleaner) -> tuple[PageLimits, PageRules]:
        from crawler.page import page_limits
        from pipelines.jobs.clean_pages import page_rules_of

        assert self.settings is not None
        # Our own default has the priority of commands; what a project or -s says has a higher one.
        priority = self.settings.getpriority("PAGE_INLINE") or 0
        is_set = priority > SETTINGS_PRIORITIES["command"]
        try:
            return page_limits(self.settings), page_rules_of(
                cleaner,
                hidden=self.settings["PAGE_HIDDEN"],
                inline=self.settings["PAGE_INLINE"] if is_set else None,
            )
        except ValueError as error:
            raise InputError(f"setting PAGE_…: {error}") from error


def _named(args: list[str]) -> list[str]:
    """Return the names of files in *args*; behind ``--`` all are names, by the shell's custom."""
    end = args.index("--") if "--" in args else len(args)
    check_no_extras(args[:end], allowed=end)
    return args[:end] + args[end + 1 :]


def _checked(args: list[str], opts: argparse.Namespace) -> list[str]:
    """Return the files that *args* mean; raise :exc:`InputError` for a wrong call."""
    from pipelines.jobs.page_files import page_files

    if opts.format is not None and opts.format not in _FORMATS:
        raise InputError(f"--format is {opts.format!r}; give one of {', '.join(_FORMATS)}")
    if opts.render is not None and opts.render not in _RENDERS:
        raise InputError(f"--render is {opts.render!r}; give one of {', '.join(_RENDERS)}")
    if opts.render and opts.format:
        raise InputError("--render and --format were both given; give one of them")
    if opts.links and opts.format not in _LINKED_FORMATS:
        raise InputError(f"--links needs --format {' or '.join(_LINKED_FORMATS)}; give one of them")
    if not args:
        raise InputError("no file given; name one or more, or - for standard input")
    names = page_files(args)
    is_page = opts.format == "html" or opts.render not in {None, "extract"}
    if is_page and len(names) > 1:
        raise InputError(f"{len(names)} files for one HTML page; name one file")
    return names


def _shown(
    name: str,
    model: PageModel,
    labels: Labels,
    *,
    cleaner: Cleaner,
    method: str,
    opts: argparse.Namespace,
) -> str:
    """Return what is printed of one page."""
    from pipelines.boilerplate.renderers import RENDERERS, markdown
    from pipelines.jobs.clean_pages import cleaned_page, shown_name

    if opts.format == "json":
        record = {"method": method, **cleaned_page(name, model, labels, with_links=opts.links)}
        return json.dumps(record, ensure_ascii=False) + "\n"
    if opts.format == "html":
        return _inspected(shown_name(name), model, cleaner, method, labels)
    if opts.format == "markdown":
        text = markdown(model, labels, with_links=opts.links)
    else:
        text = RENDERERS[opts.render or "extract"](model, labels)
    return f"{text}\n" if text else ""


def _inspected(name: str, model: PageModel, cleaner: Cleaner, method: str, labels: Labels) -> str:
    from pipelines.boilerplate.renderers.inspector import inspector

    reasons = getattr(cleaner, "reasons", None)
    why = None if reasons is None else reasons(model)
    return inspector(model, labels, method=method, name=name, reasons=why) + "\n"
