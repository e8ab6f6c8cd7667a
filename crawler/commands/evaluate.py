"""``scrapy evaluate``: scores cleaning methods and peers against gold text, with their speed."""

from __future__ import annotations

import json
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.commands.parsing import whole_number
from crawler.commands.setting_checks import try_to_write
from crawler.commands.terminal import terminal_line
from crawler.errors import InputError, refused_by_system
from crawler.wording import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

# name, default, help
_OPTIONS: tuple[tuple[str, str | None, str], ...] = (
    (
        "methods",
        "all",
        "names, NAME:OPTION=VALUE (lists of words by blanks, or @FILE), texts/FOLDER, proxy/URL, or all, methods, peers; by commas",
    ),
    ("measures", "token-f1,segments", "names of measures, or all; by commas"),
    (
        "hidden",
        "own",
        "text that the page's markup hides: keep, drop; own: winnow without, others with it",
    ),
    ("compare", None, "A,B: test whether A is better than B on the same pages"),
    ("limit", None, "pages of each set (default: all)"),
    ("without", None, "ids of pages that are left out; by commas"),
    ("jobs", "1", "processes; with more than one, times are noisier"),
    (
        "plot",
        None,
        "draw quality against time, and the sets, to this PNG, SVG or PDF file; of cs, ws, bow and sow a curve each, too",
    ),
    (
        "proxy",
        None,
        "serve the pages, cleaned by the one method named, by an HTTP proxy on this port",
    ),
)
_OF_PROXY = ("methods", "proxy")


class Command(WinnowCommand):
    """Options as in `_OPTIONS`; results on stdout, as tables or with ``--json`` as an object."""

    values = _OPTIONS
    flags = (
        ("presets", "methods with each preset, too"),
        ("json", "print one JSON object"),
    )

    def syntax(self) -> str:
        return "[options] DATASET ..."

    def short_desc(self) -> str:
        return "Score cleaning methods and peers against gold text"

    def long_desc(self) -> str:
        from pipelines.evaluation.measures import MARKED, MEASURES, POOLED
        from pipelines.evaluation.readers import LAYOUTS

        averaged, pooled = ", ".join([*MEASURES, *MARKED]), ", ".join(POOLED)
        return (
            "Score cleaning methods against gold standards, folders of pages with their main text. "
            "Prints precision, recall and F1 with standard errors, and CPU time. Other programs "
            "(trafilatura, readability and so on) are scored beside them when the extra [peers] is "
            "installed, and any other by what it wrote: texts/FOLDER is a folder, or one with a folder for "
            "each set, of ID.txt, or of ID.html, whose text counts; pages without a file count as failed. "
            "proxy/http://127.0.0.1:PORT is a proxy on this machine that cleans what is fetched through it: each page "
            "is served on loopback and asked for through it, as http://127.0.0.1:.../1.html and so on; with "
            ":upstream=PORT2 behind, by the page's own address, for which the proxy has to ask the proxy on PORT2, "
            "which is this command. Its time is that of the clock.\n\n"
            "Measures that are means over pages, with bootstrap standard errors, the median of F1 and its standard "
            f"deviation (sigma): {averaged}. Those of all pages of a set together, with F0.5: {pooled}. The macro "
            "average is the mean over sets.\n\n"
            f"Gold standards, told by their files: {', '.join(LAYOUTS)}. A set of your own (uniform) is a "
            "folder with pages/ID.html (or .html.gz), gold/ID.txt (the main text, UTF-8) and manifest.jsonl, a line "
            '{"id": "ID", "url": "http://...", "lang": "en"} for each page, of which only id must be '
            "there. A folder may hold several sets.\n\n"
            "Examples:\n"
            "  scrapy evaluate gold/\n"
            "  scrapy evaluate gold/ --methods winnow,peer/trafilatura --plot speed.png\n"
            "  scrapy evaluate gold/ --methods winnow,bte --compare winnow,bte\n"
            "  scrapy evaluate gold/ --methods winnow,texts/mine\n"
            "  scrapy evaluate gold/ --methods winnow,proxy/http://127.0.0.1:8118\n"
            "  scrapy evaluate gold/ --methods winnow --proxy 8080"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=len(args))
        if not args:
            raise InputError("no gold standard given; name a folder such as extraction/dev")
        if opts.proxy is not None:
            _check_proxy(opts)
        from pipelines.evaluation.harness.call import Call, evaluate_call, serve_call

        try:
            call = Call(
                paths=tuple(map(Path, args)),
                methods=_names(opts.methods),
                measures=_names(opts.measures),
                compared=_names(opts.compare) if opts.compare is not None else (),
                presets=opts.presets,
                hidden=opts.hidden,
                limit=opts.limit and whole_number("limit", opts.limit),
                without=_names(opts.without) if opts.without else (),
                jobs=whole_number("jobs", opts.jobs or "1"),
                plot=None if opts.plot is None else Path(opts.plot),
            )
            if opts.proxy is not None:
                serve_call(call, whole_number("proxy", opts.proxy), say=print)
                return
            if call.plot is not None:
                _check_plot(call.plot)
            with terminal_line() as write:
                progress = None if write is None else partial(_tell_pages, write)
                result = evaluate_call(call, progress=progress)
        except ValueError as error:
            raise InputError(f"{error}; see --help") from error
        print(json.dumps(result.as_json()) if opts.json else result.screen(_terminal_chars()))


def _check_proxy(opts: argparse.Namespace) -> None:
    """Raise :exc:`InputError` for an option that a proxy, which scores nothing, has no use for."""
    defaults = {name: default for name, default, _ in _OPTIONS if name not in _OF_PROXY}
    for name, default in {**defaults, "presets": False, "json": False}.items():
        if getattr(opts, name) != default:
            raise InputError(f"--{name} is not for --proxy; leave it out")


def _check_plot(plot: Path) -> None:
    """Raise :exc:`InputError` for a plot that cannot be written; that a run ends with it would lose its figures."""
    try:
        try_to_write(str(plot))
    except OSError as error:
        raise refused_by_system(error) from error


def _tell_pages(write: Callable[[str], None], dataset: str, n_pages: int) -> None:
    write(f"{counted(n_pages, 'page')}, {dataset} ")


def _terminal_chars() -> int | None:
    """Return how many characters a line of the terminal has that the results go to; None where they go elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))
