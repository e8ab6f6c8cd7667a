"""Runs a command of the project in this process."""

from __future__ import annotations

import contextlib
import io
from importlib import import_module
from types import SimpleNamespace

from scrapy.cmdline import ScrapyArgumentParser
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS


def run_command(name, *arguments, ending=()):
    """Return exit code, stdout and stderr of the command *name*; that it ends the process by *ending* is caught."""
    command = import_module(f"crawler.commands.{name}").Command()
    command.settings = Settings(PROJECT_DEFAULTS)
    parser = ScrapyArgumentParser(prog=name, conflict_handler="resolve")
    out, errors = io.StringIO(), io.StringIO()
    command.exitcode = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            command.add_options(parser)
            opts, rest = parser.parse_known_args(list(map(str, arguments)))
            command.run(rest, opts)
        except ending as ended:
            command.exitcode = ended.code
    return SimpleNamespace(code=command.exitcode, out=out.getvalue(), errors=errors.getvalue())


def complete_command(name, *arguments):
    """Return what `run_command` does, also of a call that the parser refuses."""
    return run_command(name, *arguments, ending=SystemExit)
