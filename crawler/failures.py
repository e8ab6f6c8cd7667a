"""What a failed download is called: the slug that stands in ``rejected`` and in the stats.

=====================  ========================================================================
slug                   what happened
=====================  ========================================================================
``dns``                the name has no address, or nobody answered in time
``private_address``    its addresses must not be reached
``no_contact``         they are public, and the user agent names nobody who answers for the crawl
``timeout``            the answer was not complete in ``DOWNLOAD_TIMEOUT``
``connection``         refused, reset, or closed before an answer
``tls``                no agreement on encryption, or a certificate that must be valid is not
``bad_http``           what came is no HTTP
``header_too_large``   the header has no end
``too_large``          the body is larger than ``DOWNLOAD_MAXSIZE``, packed or unpacked
``content_encoding``   the body is not packed as it says, too often, or in a way that is not known
``robots``             robots.txt says no, or could not be had
``error_<exception>``  anything else
=====================  ========================================================================
"""

from __future__ import annotations

import zlib
from gzip import BadGzipFile

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)

# What the download handler flags an answer with whose body ended before its length, or within its chunks. One whose end
# is that of the connection has its own flag, and is whole (RFC 9112, 6.3).
CUT = "dataloss"


class FetchStoppedError(IgnoreRequest):
    """The crawl is closing and broke the fetch off: its page stays queued."""


# The first that fits counts; anything else is called by the name of its exception.
FAILURES: dict[type[BaseException], str] = {
    BadGzipFile: "content_encoding",  # an OSError too
    zlib.error: "content_encoding",
    CannotResolveHostError: "dns",
    DownloadTimeoutError: "timeout",
    DownloadCancelledError: "too_large",
    DownloadConnectionRefusedError: "connection",
    DownloadFailedError: "connection",
    ResponseDataLossError: "connection",
    OSError: "connection",
}

# Packages whose exceptions are their own: what Scrapy decompresses with, and encryption.
PACKAGES = {
    **dict.fromkeys(("brotli", "brotlicffi", "backports", "compression"), "content_encoding"),
    **dict.fromkeys(("OpenSSL", "service_identity"), "tls"),
}

# What Twisted's parser raises for bytes that are no HTTP, its own ParseError and BadResponseVersion among them.
NO_HTTP = (ValueError, KeyError)
NO_HTTP_NAMES = frozenset({"ParseError", "BadResponseVersion"})


class BadAnswer(Exception):  # noqa: N818  it names no error of the program
    """An answer, or a peer, that is given up; *reason* is its slug."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def failure_reason(error: BaseException) -> str:
    """Return the slug for a download that ended with *error*.

    >>> failure_reason(BadGzipFile()), failure_reason(ValueError()), failure_reason(BadAnswer("tls"))
    ('content_encoding', 'error_ValueError', 'tls')
    """
    if isinstance(error, BadAnswer):
        return error.reason
    if isinstance(error, DownloadFailedError) and (reason := _deeper_reason(error.__cause__)):
        return reason
    for kind, reason in FAILURES.items():
        if isinstance(error, kind):
            return reason
    if isinstance(error, IgnoreRequest):
        return ignore_reason(str(error))
    package = type(error).__module__.partition(".")[0]
    return PACKAGES.get(package, f"error_{type(error).__name__}")


def _deeper_reason(cause: BaseException | None) -> str | None:
    """Return the slug for what Twisted's *cause* gives as its own reasons, None for a lost connection."""
    for failure in getattr(cause, "reasons", ()):
        error = failure.value
        if isinstance(error, BadAnswer):
            return error.reason
        if type(error).__module__.partition(".")[0] in PACKAGES:
            return PACKAGES[type(error).__module__.partition(".")[0]]
        if isinstance(error, NO_HTTP) or type(error).__name__ in NO_HTTP_NAMES:
            return "bad_http"
    return None


def ignore_reason(message: str) -> str:
    """Return the slug for a request that a downloader middleware ignored with *message*.

    >>> ignore_reason("robots"), ignore_reason("body exceeded DOWNLOAD_MAXSIZE"), ignore_reason("")
    ('robots', 'too_large', 'ignored')
    """
    if "DOWNLOAD_MAXSIZE" in message:  # Scrapy's HttpCompressionMiddleware
        return "too_large"
    return message if message == "robots" else "ignored"
