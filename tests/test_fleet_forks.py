"""The processes of a fleet: forks that keep nothing of their parent's but its modules and streams."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.forked_commands import complete_python

# A parent with what that of a fleet has: sockets, a loop, handlers of signals.
PROGRAM = """
import asyncio, signal, socket, sys
from pathlib import Path
from crawler.fleet.forks import Fork
from tests import test_fleet_forks

NAME = "winnow-shard-7"

async def run():
    ends = socket.socketpair()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, print, "told")
    fork = Fork(NAME, getattr(test_fleet_forks, sys.argv[1]))
    assert fork.is_alive
    while fork.is_alive and NAME not in Path(f"/proc/{fork.pid}/comm").read_text():
        await asyncio.sleep(0.01)
    fork.send_signal(signal.Signals(int(sys.argv[2])))
    codes = [await fork.wait(), await fork.wait()]
    assert not fork.is_alive
    fork.send_signal(signal.SIGKILL)  # to nobody
    print(*codes)

asyncio.run(run())
"""


def look():
    """Say on standard error what a fork has."""
    listed = os.listdir("/proc/self/fd")  # itself an open file, which is closed then
    found = {
        "open": sorted(int(name) for name in listed if Path(f"/proc/self/fd/{name}").exists()),
        "streams": [str(Path(f"/proc/self/fd/{number}").readlink()) for number in (0, 1)],
        "name": Path("/proc/self/comm").read_text(encoding="utf-8").strip(),
        "is_leader": os.getsid(0) == os.getpid(),
        "wakes": signal.set_wakeup_fd(-1),
        "interrupt": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
        "end": signal.getsignal(signal.SIGTERM) is signal.SIG_DFL,
        "ran": asyncio.run(asyncio.sleep(0, "in a loop of its own")),
    }
    sys.stderr.write(json.dumps(found))
    sys.exit(5)


def fail():
    raise ValueError("as it should")


def wait():
    signal.pause()


def test_a_fork_has_nothing_of_its_parents():
    done = complete_python("-c", PROGRAM, "look", str(int(signal.SIGCONT)))
    assert done.stdout.split() == ["5", "5"], done.stderr
    assert json.loads(done.stderr) == {
        "open": [0, 1, 2],
        "streams": ["/dev/null", "/dev/null"],
        "name": "winnow-shard-7",
        "is_leader": True,
        "wakes": -1,
        "interrupt": True,
        "end": True,
        "ran": "in a loop of its own",
    }


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_it(number):
    done = complete_python("-c", PROGRAM, "wait", str(int(number)))
    assert done.stdout.split() == [str(-number)] * 2, done.stderr


def test_an_error_is_told():
    done = complete_python("-c", PROGRAM, "fail", str(int(signal.SIGCONT)))
    assert done.stdout.split() == ["1", "1"]
    assert "ValueError: as it should" in done.stderr
