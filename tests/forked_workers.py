"""``pytest --workers N`` runs the tests in N forks of the process that has collected them.

A worker that starts anew imports and collects all tests once more, and starts one more process that scrapy
commands are forked from (tests/forked_commands.py): 17 seconds of CPU in all. Forks find both there. The tests
of a file run in one worker, in their order, as do the files that a worker takes one by one.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import multiprocessing
import os
import signal
from multiprocessing import connection

import pytest
from _pytest import runner

_forks = multiprocessing.get_context("fork")
# A file's number in the pipe that workers take the files from: a read of it is never divided.
_NUMBER_BYTES = 2


def pytest_addoption(parser):
    parser.addoption("--workers", type=int, default=0, help="run the tests in so many forks")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Run the collected tests in workers; what those report is reported here."""
    option = session.config.option
    if not option.workers or option.collectonly or session.testsfailed:
        return None
    files = [list(items) for _, items in itertools.groupby(session.items, lambda item: item.path)]
    numbers = _numbers(len(files))
    # Made before the forks, which share it.
    session.config._tmp_path_factory.getbasetemp()
    # Neither collected again nor, by that, copied in each worker.
    gc.collect()
    gc.freeze()
    workers = {}
    for _ in range(option.workers):
        reader, writer = multiprocessing.Pipe(duplex=False)
        process = _forks.Process(target=_work, args=(session, files, numbers, writer))
        process.start()
        writer.close()
        workers[reader] = process
    gc.unfreeze()
    os.close(numbers)
    try:
        _report(session, workers)
    finally:
        for process in workers.values():
            if process.is_alive() and (session.shouldfail or session.shouldstop):
                os.kill(process.pid, signal.SIGINT)
            process.join()
    return True


def _numbers(n_files):
    """Return a pipe that gives the number of each file to who reads it first."""
    reader, writer = os.pipe()
    os.write(writer, b"".join(n.to_bytes(_NUMBER_BYTES) for n in range(n_files)))
    os.close(writer)
    return reader


def _report(session, workers):
    """Report what *workers* send, till all have said that they have no more."""
    hook = session.config.hook
    at_work = dict.fromkeys(workers, "no test")
    while at_work:
        for reader in connection.wait(list(at_work)):
            try:
                name, data = reader.recv()
            except EOFError:
                session.shouldfail = f"a worker ended in {at_work[reader]}"
                raise session.Failed(session.shouldfail) from None
            if name == "started":
                at_work[reader] = data
            elif name == "ended":
                del at_work[reader]
            else:
                report = hook.pytest_report_from_serializable(config=session.config, data=data)
                hook.pytest_runtest_logreport(report=report)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)


class _Sender:
    """Hands on to the process that reports what a worker's tests report."""

    def __init__(self, config, send):
        self.config = config
        self.send = send

    def pytest_runtest_logstart(self, nodeid, location):
        self.send(("started", nodeid))

    def pytest_runtest_logreport(self, report):
        hook = self.config.hook
        data = hook.pytest_report_to_serializable(config=self.config, report=report)
        self.send(("report", data))


def _work(session, files, numbers, reports):
    """Run the tests of the *files* whose numbers this process is given."""
    # Shells have what they start in the background ignore it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    plugins = session.config.pluginmanager
    capture = plugins.getplugin("capturemanager")
    # Into files of its own.
    capture.stop_global_capturing()
    capture.start_global_capturing()
    plugins.unregister(name="terminalreporter")
    plugins.register(_Sender(session.config, reports.send))
    # Who interrupts all says so once.
    with contextlib.suppress(KeyboardInterrupt):
        try:
            for item, following in itertools.pairwise(
                itertools.chain(_items(files, numbers), [None])
            ):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        finally:
            runner.pytest_sessionfinish(session)
        reports.send(("ended", None))


def _items(files, numbers):
    while number := os.read(numbers, _NUMBER_BYTES):
        yield from files[int.from_bytes(number)]
