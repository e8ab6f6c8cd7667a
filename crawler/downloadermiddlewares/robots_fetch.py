"""Fetching a robots.txt: redirects followed, one time limit for all of it, no more than its beginning."""

from __future__ import annotations

import asyncio
import time
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from scrapy import signals
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest, StopDownload
from scrapy.http import Request
from scrapy.http.request import NO_CALLBACK

from crawler.downloadermiddlewares.host_turns import HostTurns
from crawler.failures import CUT, FetchStoppedError, failure_reason
from crawler.frontier.hosts.health import is_trouble
from crawler.frontier.outcome import retry_after_secs

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from crawler.frontier.robots.record import RobotsRecord

# RFC 9309 section 2.3.1.2: "at least five consecutive redirects".
MAX_REDIRECTS = 5

# Of a file that is packed, whatever its headers say: RFC 1952; for zlib, with its head. A piece that is damaged is
# lost.
_GZIP_MAGIC, _GZIP_WBITS, _PIECE_BYTES = b"\x1f\x8b", 31, 512

# A page that is asked for by https fails as its robots.txt does, at once; those that the host has by http are not to
# wait for it.
_NO_ENCRYPTION = "tls"

# What the time limit leaves of a second is not worth a connection.
_MIN_SECS = 0.1


class RobotsAnswer(NamedTuple):
    """The answer at the end of the redirects; *status* 0: there was none.

    *failure* says how the host itself failed to answer (crawler.failures), if it did; *retry_after_secs*
    when the answer asks to be asked for again. *site*: whose file it is, where redirects led to that of another.
    """

    status: int
    body: bytes = b""
    cache_control: str = ""
    failure: str = ""
    retry_after_secs: float | None = None
    site: str = ""


class RobotsFetcher:
    """Fetches robots.txt files through the crawl's own downloader; never raises for what a site does.

    *timeout_secs* bounds the downloads of one file together, redirects included; between two of them it waits for
    *host_delay_secs*, and before another host for that one's turn (`HostTurns`). A file that *known* tells of another
    site is not fetched again. A file beyond ``DOWNLOAD_MAXSIZE`` is asked for once more, and that answer ends after
    *max_bytes*; one that was cut on its way, too. Stats: ``robots/fetched``, ``robots/status/<code>``, ``robots/cut``,
    ``robots/asked_again``, ``robots/known_elsewhere``. Meta: ``winnow_robots`` marks the requests,
    ``winnow_robots_left`` the bytes that one still takes.
    """

    def __init__(
        self,
        crawler: Crawler,
        known: Callable[[str], RobotsRecord | None],
        *,
        timeout_secs: float,
        host_delay_secs: float,
        max_bytes: int,
    ):
        self.crawler = crawler
        self.timeout_secs = timeout_secs
        self.host_delay_secs = host_delay_secs
        self.max_bytes = max_bytes
        self.known = known
        self.turns = HostTurns(crawler, timeout_secs)
        self.n_cutting = 0

    async def fetch(self, url: str) -> RobotsAnswer:
        """Fetch the robots.txt at *url*."""
        origin, status = url, 0
        deadline = time.monotonic() + self.timeout_secs
        for n_redirects in range(MAX_REDIRECTS + 1):
            asked_for = time.monotonic()
            async with self.turns.turn(url, origin) as may_ask:
                deadline += time.monotonic() - asked_for
                if not may_ask:
                    return RobotsAnswer(0)
                if n_redirects and (answer := self._known(url)):
                    return answer
                response = await self._download(url, deadline)
            if isinstance(response, str):
                # A redirect to a host that does not answer says nothing of this one.
                return RobotsAnswer(0, failure="" if n_redirects else response)
            status = response.status
            self._count(status)
            target = redirect_target(url, response)
            if target is None:
                return self._answer(response, _file_of(url) if n_redirects else "")
            if deadline - time.monotonic() < _MIN_SECS:
                return RobotsAnswer(0)
            url = target
            deadline = await self._rest(deadline)
        return RobotsAnswer(status)

    def _count(self, status: int) -> None:
        self.crawler.stats.inc_value("robots/fetched")
        self.crawler.stats.inc_value(f"robots/status/{status}")

    def _known(self, url: str) -> RobotsAnswer | None:
        """Return what is known of the file at *url*, while it holds, if it is the rules of a site."""
        site, now = _file_of(url), time.time()
        record = self.known(site) if site else None
        if record is None or not record.body or not record.is_fresh(now) or record.n_failures:
            return None
        self.crawler.stats.inc_value("robots/known_elsewhere")
        return RobotsAnswer(record.status, record.body, f"max-age={record.expires_at - now:.0f}")

    def _answer(self, response: Response, site: str) -> RobotsAnswer:
        caching = b",".join(response.headers.getlist("Cache-Control")).decode("latin-1")
        body = plain(response.body, self.max_bytes)
        header = (response.headers.get("Retry-After") or b"").decode("latin-1")
        wait = retry_after_secs(header, datetime.now(UTC))
        return RobotsAnswer(response.status, body, caching, retry_after_secs=wait, site=site)

    async def _rest(self, deadline: float) -> float:
        """Leave the host alone for its delay; return *deadline*, which waits too."""
        started = time.monotonic()
        await asyncio.sleep(self.host_delay_secs)
        return deadline + time.monotonic() - started

    async def _download(self, url: str, deadline: float) -> Response | str:
        """Return the answer of *url*, or how the host failed to give one, "" when it is not to blame."""
        try:
            response = await self._ask(url, deadline)
            if CUT in response.flags and 200 <= response.status < 300:
                # Rules may be missing. Once more, since the lengths of some servers are always wrong.
                self.crawler.stats.inc_value("robots/asked_again")
                response = await self._ask(url, await self._rest(deadline))
            return response
        except DownloadCancelledError:
            return await self._beginning(url, deadline)
        except FetchStoppedError:
            raise
        except IgnoreRequest as error:
            # Scrapy's HttpCompressionMiddleware says so of a body that grows beyond the limit.
            return await self._beginning(url, deadline) if "MAXSIZE" in str(error) else ""
        except Exception as error:  # noqa: BLE001  every way a download can fail means "no answer" here
            reason = failure_reason(error)
            return reason if is_trouble(None, reason) or reason == _NO_ENCRYPTION else ""

    async def _ask(self, url: str, deadline: float, **meta: int) -> Response:
        secs = max(_MIN_SECS, deadline - time.monotonic())
        request = Request(
            url,
            priority=1000,
            meta={"winnow_robots": True, "download_timeout": secs, **meta},
            callback=NO_CALLBACK,
            dont_filter=True,
        )
        if meta:
            request.headers["Accept-Encoding"] = "identity"
        assert self.crawler.engine is not None
        return await self.crawler.engine.download_async(request)

    async def _beginning(self, url: str, deadline: float) -> Response | str:
        """Fetch the first *max_bytes* of a file that has no end in sight."""
        self.crawler.stats.inc_value("robots/cut")
        deadline = await self._rest(deadline)
        # The signal is sent for every piece of every page: it is heard only while there is need.
        if not self.n_cutting:
            self.crawler.signals.connect(self._bytes_received, signals.bytes_received)
        self.n_cutting += 1
        try:
            return await self._ask(url, deadline, winnow_robots_left=self.max_bytes)
        except FetchStoppedError:
            raise
        except Exception:  # noqa: BLE001  as above
            return ""
        finally:
            self.n_cutting -= 1
            if not self.n_cutting:
                self.crawler.signals.disconnect(self._bytes_received, signals.bytes_received)

    def _bytes_received(self, data: bytes, request: Request, **_: Any) -> None:
        left = request.meta.get("winnow_robots_left")
        if left is None:
            return
        request.meta["winnow_robots_left"] = left - len(data)
        if left <= len(data):
            raise StopDownload(fail=False)


def plain(body: bytes, max_bytes: int) -> bytes:
    """Return the first *max_bytes* of *body*, unpacked where it is gzip: some servers send such a file without a word.

    What comes before a place where it is cut or damaged counts; what is damaged at its beginning is taken for no gzip.
    """
    if not body.startswith(_GZIP_MAGIC):
        return body[:max_bytes]
    unpacker, pieces = zlib.decompressobj(_GZIP_WBITS), []
    left = max_bytes
    try:
        for start in range(0, len(body), _PIECE_BYTES):
            if left <= 0 or unpacker.eof:
                break
            pieces.append(unpacker.decompress(body[start : start + _PIECE_BYTES], left))
            left -= len(pieces[-1])
    except zlib.error:
        pass
    return b"".join(pieces) or body[:max_bytes]


def redirect_target(url: str, response: Response) -> str | None:
    """Return where *response*, the answer of *url*, redirects to; None when it leads nowhere."""
    location = response.headers.get("Location")
    if not (300 <= response.status < 400 and location):
        return None
    try:
        target = urljoin(url, location.decode("latin-1").strip())
    except ValueError:
        return None
    return target if target.startswith(("http://", "https://")) else None


def site_of(url: str) -> str:
    """Return the site that *url* belongs to, as robots.txt files do: scheme, host and port.

    >>> site_of("https://user:pass@A.example:8080/b?c")
    'https://a.example:8080'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def _file_of(url: str) -> str:
    """Return the site whose robots.txt is at *url*, "" when none is."""
    site = site_of(url)
    return site if url == f"{site}/robots.txt" else ""
