"""What a failed download is called: the slug that stands in ``rejected`` and in the stats."""

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

# Optional packages that Scrapy decompresses with: what they raise is of their own.
CODECS = frozenset({"brotli", "brotlicffi", "backports", "compression"})


def failure_reason(error: BaseException) -> str:
    """Return the slug for a download that ended with *error*.

    >>> failure_reason(BadGzipFile()), failure_reason(ValueError())
    ('content_encoding', 'error_ValueError')
    """
    for kind, reason in FAILURES.items():
        if isinstance(error, kind):
            return reason
    if isinstance(error, IgnoreRequest):
        return ignore_reason(str(error))
    if type(error).__module__.partition(".")[0] in CODECS:
        return "content_encoding"
    return f"error_{type(error).__name__}"


def ignore_reason(message: str) -> str:
    """Return the slug for a request that a downloader middleware ignored with *message*.

    >>> ignore_reason("robots"), ignore_reason("body exceeded DOWNLOAD_MAXSIZE"), ignore_reason("")
    ('robots', 'too_large', 'ignored')
    """
    if "DOWNLOAD_MAXSIZE" in message:  # Scrapy's HttpCompressionMiddleware
        return "too_large"
    return message if message == "robots" else "ignored"
