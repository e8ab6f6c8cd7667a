"""Scrapy commands as forks of a process that has imported them: more than a second less of each.

A fork has its own arguments, folder, environment and streams, and ends as any other process. What a
command forgot to import it would not miss: the sample crawl, fleets, and the tests of starting and
stopping and of the add-on start theirs anew.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.loaded_commands"])


def complete(arguments, folder, environment, *, timeout, stdin="", before=None):
    """Run ``scrapy`` to its end; return what :func:`subprocess.run` would, with text.

    *before*, a function of tests/before_commands.py, is called in the fork first.
    """
    with tempfile.TemporaryDirectory() as streams_folder:
        streams = [Path(streams_folder) / name for name in ("in", "out", "err")]
        for path, text in zip(streams, (stdin, "", ""), strict=True):
            path.write_text(text, encoding="utf-8")
        process = start(arguments, folder, environment, streams, before)
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(arguments, timeout)
        texts = [path.read_text(encoding="utf-8") for path in streams[1:]]
    return subprocess.CompletedProcess(arguments, process.exitcode, *texts)


def start(arguments, folder, environment, streams, before=None) -> ForkServerProcess:
    """Start ``scrapy`` with *arguments* on *streams*, the paths of its input, output and error."""
    return call(_run, arguments, folder, environment, streams, before)


def call(function, *arguments) -> ForkServerProcess:
    """Start a fork that does nothing but call *function*, which is no test module's."""
    process = _forks.Process(target=function, args=arguments)
    process.start()
    return process


def _run(arguments, folder, environment, streams, before):
    """Do as ``python -m scrapy`` does."""
    from scrapy.cmdline import execute

    for number, path in enumerate(streams):
        opened = os.open(path, os.O_WRONLY if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    if folder is not None:
        os.chdir(folder)
    sys.path.insert(0, os.getcwd())
    sys.warnoptions[:] = [environment["PYTHONWARNINGS"]]
    warnings.simplefilter(environment["PYTHONWARNINGS"])
    sys.argv = ["scrapy", *arguments]
    if before is not None:
        before()
    try:
        execute()
    finally:
        atexit._run_exitfuncs()
