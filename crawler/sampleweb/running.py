"""Running the sample web: its files, its server, and a command beside it.

*On disk*: ``web.json`` in the folder says which web is served: the options of the command.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from crawler.durable.files import write_atomic
from crawler.errors import InputError, cause
from crawler.sampleweb.seedfiles import RDF_FILE, write_seeds
from crawler.sampleweb.server import HOSTS_FILE, REQUESTS_FILE, SampleServer
from crawler.sampleweb.web import SampleWeb
from crawler.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

WEB_FILE = "web.json"

# What a shell adds to the number of the signal that ended a command.
_SIGNALLED = 128


def serve(
    sample: SampleWeb,
    folder: Path,
    *,
    port: int = 0,
    edition: int = 1,
    command: Sequence[str] = (),
) -> int:
    """Serve *edition* of *sample* until interrupted, or until *command* ends; return the exit code.

    Writes ``web.json`` and the seed files into *folder* first, the hosts file once it listens.
    """
    try:
        write_seeds(sample, folder)
        _name_web(folder, json.dumps(sample.options).encode() + b"\n")
        return asyncio.run(
            _serve(partial(SampleServer, sample, folder, port=port, edition=edition), command)
        )
    except OSError as error:
        raise InputError(f"cannot serve from {folder}: {cause(error)}; choose another") from error
    except KeyboardInterrupt:
        return 0


def _name_web(folder: Path, web: bytes) -> None:
    """Write *web* to the folder; requests for the same web go on in one log, over restarts."""
    path = folder / WEB_FILE
    if not path.exists() or path.read_bytes() != web:
        (folder / REQUESTS_FILE).unlink(missing_ok=True)
        write_atomic(path, web)


def read_web(
    folder: Path, *, seed: int | None = None, n_hosts: int | None = None, n_pages: int | None = None
) -> SampleWeb:
    """Return the web that was served from *folder*; arguments that are given must agree with it."""
    path = folder / WEB_FILE
    try:
        web = json.loads(path.read_text(encoding="utf-8"))
        served = (int(web["seed"]), int(web["hosts"]), int(web["pages"]))
        extras = bool(web.get("plain")), int(web.get("largest", 0)), int(web.get("traps", 0))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} does not name a sample web; serve it from there first") from error
    asked = (seed, n_hosts, n_pages)
    if any(a is not None and a != s for a, s in zip(asked, served, strict=True)):
        raise InputError(f"{path} is of another web than the options; leave them out")
    plain, largest, n_traps = extras
    return SampleWeb(*served, plain=plain, largest=largest, n_traps=n_traps)


async def _serve(make_server: Callable[[], SampleServer], command: Sequence[str]) -> int:
    async with make_server() as server:
        sample, folder = server.sample, server.folder
        sys.stderr.write(
            f"sampleweb: {counted(sample.table.n_hosts, 'host')} "
            f"on {counted(len(server.ports), 'address')}; "
            f"{folder / HOSTS_FILE}, {folder / RDF_FILE}\n"
        )
        if command:
            return await _run(command)
        await _interrupted()
        return 0


async def _run(command: Sequence[str]) -> int:
    """Run *command*, hand interrupts on to it, and return its exit code."""
    try:
        process = await asyncio.create_subprocess_exec(*command)
    except OSError as error:
        raise InputError(f"cannot run {command[0]!r}: {error.strerror}; check it") from error
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _pass_on, process, number)
    code = await process.wait()
    return code if code >= 0 else _SIGNALLED - code


def _pass_on(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    # A terminal sends SIGINT to the child as well; a second one would make Scrapy stop uncleanly.
    if number != signal.SIGINT:
        with suppress(ProcessLookupError):
            process.send_signal(number)


async def _interrupted() -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
