"""Asks a search service, in bounded time and memory.

No part of a crawl: robots.txt and the rules for private addresses are for pages, a service is named by the user and may
stand on the same machine.
"""

from __future__ import annotations

import http.client
import math
import time
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from crawler.seeds.search_services import AnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_ANSWER_BYTES = 8 * 2**20
MAX_RETRY_SECS = 60.0
_PIECE_BYTES = 2**16
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504})


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows none: the key is for the service that was named."""

    def redirect_request(self, *_: object) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def ask(url: str, headers: Mapping[str, str], *, timeout_secs: float) -> bytes:
    """Return the answer to a request of *url*, unpacked by nobody: none is asked for packed.

    Raises `AnswerError`: ``http_<status>``, ``timeout``, ``unreachable``, ``too_large`` or ``bad_answer``.
    """
    deadline = time.monotonic() + timeout_secs
    request = urllib.request.Request(url, headers=dict(headers))  # noqa: S310 - only http and https come here
    try:
        with _opener.open(request, timeout=timeout_secs) as answer:
            return _read(answer, deadline)
    except urllib.error.HTTPError as error:
        with error:
            secs = _retry_secs(error.headers.get("Retry-After"))
        raise AnswerError(
            f"http_{error.code}", secs if error.code in _MAY_PASS else None
        ) from error
    except TimeoutError as error:
        raise AnswerError("timeout", 0.0) from error
    except urllib.error.URLError as error:
        is_late = isinstance(error.reason, TimeoutError)
        raise AnswerError("timeout" if is_late else "unreachable", 0.0) from error
    except (http.client.HTTPException, OSError, ValueError) as error:
        raise AnswerError("bad_answer", 0.0) from error


def _read(answer: http.client.HTTPResponse, deadline: float) -> bytes:
    pieces = []
    room = MAX_ANSWER_BYTES
    while piece := answer.read1(_PIECE_BYTES):
        pieces.append(piece)
        room -= len(piece)
        if room < 0:
            raise AnswerError("too_large")
        if time.monotonic() > deadline:
            raise AnswerError("timeout", 0.0)
    return b"".join(pieces)


def _retry_secs(value: str | None) -> float:
    """Return the seconds that a Retry-After says, 0 to MAX_RETRY_SECS; 0 where it says nothing that can be read."""
    if not value:
        return 0.0
    try:
        secs = float(value)
    except ValueError:
        try:
            secs = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return 0.0
    return min(max(secs, 0.0), MAX_RETRY_SECS) if math.isfinite(secs) else 0.0
