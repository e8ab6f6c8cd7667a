"""Which requests are answered: those that name this machine, so that no page of the web reads the corpus.

A site may give its name the address of this machine and have a browser ask here in that name (DNS rebinding).
An address in the place of a name cannot be taken that way.
"""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Receive, Scope, Send

# RFC 9110 section 7.2: a name or an address, IPv6 in brackets, and a port.
_HOST = re.compile(r"(?:\[([^\]]*)\]|([^:\[\]]*))(?::[0-9]*)?")


class NamedHosts:
    """Middleware that answers requests to an address, and to one of *names*, in *app*; others by 400."""

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = {name.lower() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if names_machine(Headers(scope=scope).get("host", ""), self._names):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse("this server has another name", 400)(scope, receive, send)


def names_machine(header: str, names: Collection[str]) -> bool:
    """Tell whether the Host *header* is an address, or one of *names*, which are lower case.

    >>> [names_machine(each, {"localhost"}) for each in ("LocalHost:80", "[::1]:80", "a.example")]
    [True, True, False]
    """
    found = _HOST.fullmatch(header)
    if found is None:
        return False
    name = (found[1] or found[2] or "").lower()
    try:
        ip_address(name)
    except ValueError:
        return name in names
    return True


def names_of(host: str) -> list[str]:
    """Return the names of the machine that listens on *host*: its own where others may ask it."""
    try:
        is_own = ip_address(host).is_loopback
    except ValueError:
        is_own = host == "localhost"
    return ["localhost", host, *([] if is_own else [socket.gethostname()])]
