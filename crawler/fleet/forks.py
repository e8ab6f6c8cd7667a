"""The processes of a fleet as forks of their parent: they share what it has imported, and start in a fraction of the
time.

A fork keeps nothing of its parent's but modules and streams: no socket, no lock, no event loop, no handler of
signals. It is a session of its own, so that an interrupt of the terminal reaches the parent alone.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_forks = multiprocessing.get_context("fork")


class Fork:
    """A process that does *work* and ends, with the code of its `SystemExit`; ``ps`` and ``top`` show its *name*.

    To be made in an event loop, by a process without threads of its own.
    """

    def __init__(self, name: str, work: Callable[[], object]) -> None:
        self._process = _forks.Process(target=_become, args=(name, work), name=name)
        with warnings.catch_warnings():
            # Python warns from 3.12 on: of threads, too, of libraries that see to forks, as OpenBLAS does.
            warnings.filterwarnings("ignore", ".*use of fork", DeprecationWarning)
            self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid
        loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = loop.create_future()
        # The sentinel of multiprocessing is an open file of the fork, which closes all it finds.
        self._descriptor = os.pidfd_open(self.pid)
        loop.add_reader(self._descriptor, self._end)

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)
        self._process.join()
        assert self._process.exitcode is not None
        self._ended.set_result(self._process.exitcode)

    @property
    def is_alive(self) -> bool:
        """Tell whether the end of the process has not been noticed."""
        return not self._ended.done()

    async def wait(self) -> int:
        """Wait for the end; return the exit code, less than 0 for a signal."""
        return await asyncio.shield(self._ended)

    def send_signal(self, number: signal.Signals) -> None:
        """Send the process a signal, if it is alive."""
        if self.is_alive:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


def _become(name: str, work: Callable[[], object]) -> None:
    """Let go of all that is the parent's, and do *work*."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # by nohup
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    asyncio.set_event_loop(None)
    for number in map(int, os.listdir("/proc/self/fd")):  # how many there may be can be a billion
        if number > 2:
            with suppress(OSError):  # what listed them is closed
                os.close(number)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(null, stream)
    os.close(null)
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name, encoding="utf-8")
    work()
