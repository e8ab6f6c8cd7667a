"""The page in a file of MHTML (RFC 2557), in which Chromium's browsers save a page with all that it shows."""

from __future__ import annotations

from email import message_from_bytes
from typing import NamedTuple

_HEAD_BYTES = 4096
# Fields that such files begin with; a page that tells of MHTML begins with a tag.
_FIRST = (b"from:", b"mime-version:", b"snapshot-content-location:", b"subject:", b"content-type:")


class RootPage(NamedTuple):
    """The bytes of the page, its address, "" where the file does not say it, and its media type."""

    body: bytes
    url: str
    content_type: str


def root_page(data: bytes) -> RootPage | None:
    r"""Return the page in *data*, the first of HTML; None if they are no MHTML, or have none.

    >>> root_page(b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n'
    ...           b'--b\nContent-Type: text/html\nContent-Location: http://a.test/\n\n<p>mill\n--b--')
    RootPage(body=b'<p>mill', url='http://a.test/', content_type='text/html')
    """
    head = data[:_HEAD_BYTES].lstrip().lower()
    if not head.startswith(_FIRST) or b"multipart/related" not in head:
        return None
    try:
        parts = [*message_from_bytes(data).walk()]
    except RecursionError:
        # Parts within parts, some thousand deep: no browser wrote that.
        return None
    for part in parts:
        if part.get_content_type() == "text/html":
            body = part.get_payload(decode=True)
            url, kind = (str(part.get(name, "")) for name in ("Content-Location", "Content-Type"))
            return RootPage(body, url.strip(), kind) if isinstance(body, bytes) else None
    return None
