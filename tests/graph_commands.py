"""Runs a command of the project in this process."""

from __future__ import annotations

import contextlib
import io
from importlib import import_module
from types import SimpleNamespace

from scrapy.cmdline import ScrapyArgumentParser
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS


def run_command(name, *arguments):
    """Return exit code, stdout and stderr of the command *name*."""
    command = import_module(f"crawler.commands.{name}").Command()
    command.settings = Settings(PROJECT_DEFAULTS)
    parser = ScrapyArgumentParser(prog=name, conflict_handler="resolve")
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        command.add_options(parser)
        opts, rest = parser.parse_known_args(list(map(str, arguments)))
        command.exitcode = 0
        command.run(rest, opts)
    return SimpleNamespace(code=command.exitcode, out=out.getvalue(), errors=errors.getvalue())
