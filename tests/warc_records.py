"""Records of WARC files for tests, byte by byte."""

from __future__ import annotations

TEXT = "This is a sentence of the main text, with words enough to be kept as content. " * 8


DATE = "2020-02-02T02:02:02Z"


def record(url: str, body: bytes, *headers: str, status: str = "200 OK", date: str = DATE) -> bytes:
    """One response record of a WARC 1.1 file."""
    http = "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def html(text: str, *links: str) -> bytes:
    anchors = "".join(f'<li><a href="{link}">link</a></li>' for link in links)
    return f"<html><title>T</title><ul>{anchors}</ul><p>{text}</p></html>".encode()


def chunked(body: bytes, size: int = 50) -> bytes:
    parts = [body[place : place + size] for place in range(0, len(body), size)]
    return b"".join(b"%x;x=1\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def segments(url, body):
    """A response in two segments, as WARC 1.1 has it: the second is no response, and has no head."""
    first, second = body[: len(body) // 2], body[len(body) // 2 :]
    kind = "Content-Type: text/html"
    head = record(url, first, kind).replace(b"\r\n", b"\r\nWARC-Segment-Number: 1\r\n", 1)
    tail = (
        "WARC/1.1\r\nWARC-Type: continuation\r\nWARC-Segment-Number: 2\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Length: {len(second)}\r\n\r\n"
    )
    return head + tail.encode() + second + b"\r\n\r\n"


def revisit(url: str, date: str, refers_to: str | None, *fields: str, block: bytes = b"") -> bytes:
    """A revisit record of a WARC 1.1 file, with more *fields* of its header, and a *block*."""
    named = [] if refers_to is None else [f"WARC-Refers-To-Date: {refers_to}"]
    lines = [
        "WARC/1.1",
        "WARC-Type: revisit",
        f"WARC-Target-URI: {url}",
        f"WARC-Date: {date}",
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>",
        *named,
        *fields,
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def notes(of: str, *fields: str, kind: str = "application/warc-fields") -> bytes:
    """A metadata record of a WARC 1.1 file about the record *of*, an id, with lines of *fields*."""
    block = "".join(f"{field}\r\n" for field in fields).encode()
    lines = (
        "WARC/1.1",
        "WARC-Type: metadata",
        f"WARC-Refers-To: <urn:uuid:{of}>",
        f"Content-Type: {kind}",
        f"Content-Length: {len(block)}",
    )
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def named(record: bytes, name: str) -> bytes:
    """The *record* with the id *name*."""
    return record.replace(b"00000000-0000-0000-0000-000000000000", name.encode(), 1)
