"""Serves the explorer until it is interrupted."""

from __future__ import annotations

import socket
import sys
from typing import TYPE_CHECKING

import uvicorn

from crawler.errors import InputError

if TYPE_CHECKING:
    from starlette.applications import Starlette

# Seconds that open requests have when it is interrupted.
_LAST_SECS = 2


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to *host* and *port* (0: any that is free); raise `InputError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return socket.create_server(found[0][4][:2], family=found[0][0])
    except (OSError, UnicodeError) as error:  # the second for a name that is none
        why = error.strerror if isinstance(error, OSError) else "no name of a host"
        raise InputError(
            f"cannot listen on {host} port {port} ({why}); give another --port or --host"
        ) from error


def serve(app: Starlette, bound: socket.socket) -> None:
    """Serve *app* on *bound* until SIGINT or SIGTERM; its address is told on stderr."""
    host, port = bound.getsockname()[:2]
    named = f"[{host}]" if ":" in host else host
    sys.stderr.write(f"http://{named}:{port}/  (Ctrl-C ends it)\n")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=_LAST_SECS,
    )
    try:
        uvicorn.Server(config).run(sockets=[bound])
    except KeyboardInterrupt:
        return  # how it is ended
