"""The processes of an evaluation: one that dies is told in a line, and none tells of Ctrl-C itself."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import wait

import pytest

from crawler.commands.hang_up import end_at_termination
from crawler.errors import InputError
from pipelines.evaluation.harness.pool import in_processes

# A process that is started imports this module before it makes its lane.
BLOCKED_AT_IMPORT = signal.pthread_sigmask(signal.SIG_BLOCK, ())


class Told:
    """A lane that tells how its process hears Ctrl-C; it dies of some pages, and others last."""

    def result(self, page, _dataset):
        if page.dataset == "its process":
            return os.getpid()
        if page.dataset == "long":
            time.sleep(600)
        if page.dataset == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        now = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        return signal.SIGINT in BLOCKED_AT_IMPORT, now, signal.getsignal(signal.SIGINT)

    def close(self):
        """Nothing is open."""


class Page:
    """What a lane is given: the name of a set."""

    def __init__(self, dataset):
        self.dataset = dataset


@pytest.mark.slow
def test_processes_hear_an_interrupt_once_they_run_and_end_without_a_word():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    told = list(in_processes(iter([Page("told")] * 3), Told, 2))
    assert told == [(True, set(), signal.SIG_DFL)] * 3
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_a_process_that_dies_is_one_line():
    with pytest.raises(InputError, match="was ended, perhaps for lack of memory; give fewer"):
        list(in_processes(iter([Page("told"), Page("deadly")]), Told, 1))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_the_one_that_started_them_however_it_ends(number):
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    parent = spawn.Process(target=_evaluate, args=(there,))
    parent.start()
    there.close()
    processes = {here.recv() for _ in range(4)}
    watched = [os.pidfd_open(process) for process in processes]
    try:
        os.kill(parent.pid, number)
        parent.join(timeout=30)
        assert parent.exitcode == (0 if number == signal.SIGTERM else -number)
        for end in watched:
            assert wait([end], timeout=30)
    finally:
        parent.kill()
        for end in watched:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(end, signal.SIGKILL)
            os.close(end)


def _evaluate(pipe):
    """Tell of two processes' pages, of which the last ends late."""
    end_at_termination()
    pages = [Page(name) for name in (*["its process"] * 4, "long")]
    with suppress(KeyboardInterrupt):
        for process in in_processes(iter(pages), Told, 2):
            pipe.send(process)
