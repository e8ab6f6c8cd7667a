"""Scrapy commands, and other programs, as forks of a process that has imported them: up to two seconds less of each.

A fork has its own arguments, folder, environment and streams, and ends as any other process. What a command
forgot to import it would not miss: the sample crawl, the fleet of tests/test_fleet_crawl.py, and tests of
the add-on and of how text is coded start theirs anew.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import pickle
import runpy
import signal
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import forkserver
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

ROOT = Path(__file__).parent.parent
# Tells the workers of a test run where the process is that they fork.
SHARED = "TESTS_FORK_SERVER"
_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["tests.loaded_commands"])


def share() -> None:
    """Start the process that the workers of a test run fork: each would take seconds to import all that it has.

    On large pages of memory, where there are such: half of a fork's time is that of copying the table of its pages.
    """
    os.environ["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    # Its forks compile what no other process does (tests/compiled_once.py), which asks for the name alone.
    os.environ[SHARED] = ""
    forkserver.ensure_running()
    del os.environ["GLIBC_TUNABLES"]
    server = vars(forkserver._forkserver)
    place = server["_forkserver_address"], server.get("_forkserver_authkey")
    os.environ[SHARED] = pickle.dumps(place).hex()


class _SharedServer(forkserver.ForkServer):
    """As a worker sees it: it stands for as long as the controller of the workers."""

    def __init__(self, address, authkey):
        super().__init__()
        self._forkserver_address, self._forkserver_authkey = address, authkey
        self._forkserver_alive_fd = os.open(os.devnull, os.O_RDONLY)

    def ensure_running(self):
        pass


if SHARED in os.environ and "PYTEST_XDIST_WORKER" in os.environ:
    _server = _SharedServer(*pickle.loads(bytes.fromhex(os.environ[SHARED])))
    forkserver.connect_to_new_process = _server.connect_to_new_process


def complete(arguments, folder, environment, *, timeout, stdin="", before=None):
    """Run ``scrapy`` to its end; return what :func:`subprocess.run` would, with text.

    *before*, a function of tests/before_commands.py, is called in the fork first.
    """
    return _complete(_run, arguments, folder, environment, before, timeout=timeout, stdin=stdin)


def complete_python(*arguments, environment=os.environ, timeout=240):
    """Run ``python`` with *arguments*, ``-c`` or ``-m`` first, as :func:`complete` does ``scrapy``."""
    return _complete(_run_python, arguments, ROOT, dict(environment), timeout=timeout)


def _complete(function, arguments, *others, timeout, stdin=""):
    with tempfile.TemporaryDirectory() as streams_folder:
        streams = [Path(streams_folder) / name for name in ("in", "out", "err")]
        for path, text in zip(streams, (stdin, "", ""), strict=True):
            path.write_text(text, encoding="utf-8")
        process = call(function, streams, arguments, *others)
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(arguments, timeout)
        texts = [path.read_text(encoding="utf-8") for path in streams[1:]]
    return subprocess.CompletedProcess(arguments, process.exitcode, *texts)


def start(arguments, folder, environment, streams, before=None) -> ForkServerProcess:
    """Start ``scrapy`` with *arguments* on *streams*, the paths of its input, output and error; None is closed."""
    return call(_run, streams, arguments, folder, environment, before)


def call(function, *arguments) -> ForkServerProcess:
    """Start a fork that does nothing but call *function*, which is no test module's."""
    process = _forks.Process(target=function, args=arguments)
    process.start()
    return process


class Running:
    """A fork of ``scrapy`` that runs, to be handled as a :class:`subprocess.Popen` of text.

    *log*, an open file, takes what it prints and says; without one ``stdout`` and ``stderr`` are to be read.
    With *has_input* what is written to ``stdin`` is its input, else it has none. *before* as of :func:`complete`.
    """

    def __init__(self, arguments, folder, environment, *, log=None, has_input=False, before=None):
        self.args = arguments
        if has_input:
            given_in, stdin = os.pipe()
            given, self.stdin = [given_in], os.fdopen(stdin, "w", encoding="utf-8")
        else:
            given = [os.open(os.devnull, os.O_RDONLY)]
        if log is None:
            (out, given_out), (err, given_err) = os.pipe(), os.pipe()
            self.stdout = os.fdopen(out, encoding="utf-8")
            self.stderr = os.fdopen(err, encoding="utf-8")
            given += [given_out, given_err]
        else:
            given += [os.dup(log.fileno()), os.dup(log.fileno())]
        streams = [_Sent(number) for number in given]
        what = (self._become, streams, arguments, folder, environment)
        self._process = call(*what) if before is None else call(*what, before)
        for number in given:
            os.close(number)
        assert self._process.pid is not None
        self.pid = self._process.pid

    @staticmethod
    def _become(*parts):
        _run(*parts)

    @property
    def returncode(self):
        return self._process.exitcode

    def poll(self):
        return self._process.exitcode

    def wait(self, timeout=None):
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout)
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout=None):
        """Return what it printed and said until it, and all that it has started, ended."""
        with ThreadPoolExecutor(2) as readers:
            texts = [readers.submit(stream.read) for stream in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            found = tuple(text.result() for text in texts)
        self.stdout.close()
        self.stderr.close()
        return found


class RunningPython(Running):
    """A fork of ``python`` that runs, ``-c`` or ``-m`` first among its arguments; it has an input."""

    def __init__(self, arguments, folder, environment):
        super().__init__(arguments, folder, environment, has_input=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()
        self.wait()

    def communicate(self, timeout=None):
        self.stdin.close()
        return super().communicate(timeout)

    @staticmethod
    def _become(*parts):
        _run_python(*parts)


class _Sent:
    """The number of an open file, which is another one in the process that it is sent to."""

    def __init__(self, number):
        self.number = number

    def __reduce__(self):
        return _received, (DupFd(self.number),)


def _received(duplicate):
    return duplicate.detach()


def _run(streams, arguments, folder, environment, before=None):
    """Become ``scrapy``."""
    _become_another(streams, folder, environment)
    _execute(arguments, before)


def _run_python(streams, arguments, folder, environment):
    """Become ``python``, but for what is imported already."""
    _become_another(streams, folder, environment)
    _open_streams()
    sys.path[:0] = [os.getcwd(), *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    option, what, *others = arguments
    sys.argv = [option, *others]
    if option == "-m":
        sys.modules.pop(what, None)
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(what, {"__name__": "__main__"})


def _become_another(streams, folder, environment):
    """Take *streams*, paths or numbers of open files, and the others in place of the parent's."""
    for number, stream in enumerate(streams):
        opened = stream
        if stream is None:
            os.close(number)
            continue
        if isinstance(stream, Path):
            opened = os.open(stream, os.O_WRONLY if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # which the environment says
    if folder is not None:
        os.chdir(folder)


def _open_streams():
    """Make the standard streams anew: those there are know whether they can seek in what is no longer behind them."""
    sys.stdin = _stream(0)
    sys.stdout = _stream(1, "w")
    sys.stderr = _stream(2, "w", 1, "utf-8", "backslashreplace")


def _stream(number, mode="r", buffering=-1, encoding="utf-8", errors=None):
    """Return the stream of file *number*; None where that is closed, as Python does when it starts."""
    try:
        os.fstat(number)
    except OSError:
        return None
    return open(number, mode, buffering, encoding, errors, closefd=False)


def _execute(arguments, before=None):
    """Do as ``python -m scrapy`` does."""
    from scrapy.cmdline import execute

    _open_streams()
    sys.path.insert(0, os.getcwd())
    sys.warnoptions[:] = [os.environ["PYTHONWARNINGS"]]
    assert sys.warnoptions == ["default"], "what scrapy_environment sets"
    warnings.simplefilter("default")
    sys.argv = ["scrapy", *arguments]
    sys.orig_argv = [sys.executable, "-m", "scrapy", *arguments]  # a shard starts itself again so
    if before is not None:
        before()
    try:
        execute()
    finally:
        atexit._run_exitfuncs()
