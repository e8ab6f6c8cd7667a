"""Scrapy commands as forks of a process that has imported them: more than a second less of each.

A fork has its own arguments, folder, environment and streams, and ends as any other process. What a
command forgot to import it would not miss: the sample crawl, and the tests of starting, stopping and
killing and of other projects, start theirs anew.
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


def complete(arguments, folder, environment, *, timeout, stdin=""):
    """Run ``scrapy`` to its end; return what :func:`subprocess.run` would, with text."""
    with tempfile.TemporaryDirectory() as streams_folder:
        streams = [Path(streams_folder) / name for name in ("in", "out", "err")]
        for path, text in zip(streams, (stdin, "", ""), strict=True):
            path.write_text(text, encoding="utf-8")
        process = start(arguments, folder, environment, streams)
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(arguments, timeout)
        texts = [path.read_text(encoding="utf-8") for path in streams[1:]]
    return subprocess.CompletedProcess(arguments, process.exitcode, *texts)


def start(arguments, folder, environment, streams) -> ForkServerProcess:
    """Start ``scrapy`` with *arguments* on *streams*, the paths of its input, output and error."""
    process = _forks.Process(target=_run, args=(arguments, folder, environment, streams))
    process.start()
    return process


def _run(arguments, folder, environment, streams):
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
    try:
        execute()
    finally:
        atexit._run_exitfuncs()
