"""Host keys: the host of a URL, with its labels reversed, so that a site's hosts sort together.

``www.example.com:8080`` has the key ``com.example.www:8080``; the scheme's default port is left out.
IP literals are not reversed. Source: URL living standard, sections 3.5 (host parsing) and 3.6
(IPv4); UTS #46 for international names, without its validity checks: a name that is no good does
not resolve. Stricter than the standard where DNS is: labels of letters, digits, ``-`` and ``_``,
at most 63 characters each and 253 in all.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import idna

# RFC 1035 section 2.3.4: 255 octets on the wire, of which two are the lengths' own.
MAX_HOST_CHARS = 253
# Entries of the caches below; a key and a name take about 200 bytes.
_CACHED_HOSTS = 1 << 16
_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# A name whose last label begins with a letter, as nearly all do: no address, and nothing to look at.
_PLAIN_NAME = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z][a-z0-9_-]{0,62}")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_MAX_PORT = 65535


@lru_cache(maxsize=_CACHED_HOSTS)
def host_key(scheme: str, authority: str) -> str | None:
    """Return the host key of *authority* (``user:password@host:port``) under *scheme*.

    Credentials are dropped. None when the host is missing or cannot be one, or the port is wrong.

    >>> host_key("http", "WWW.Example.com:80"), host_key("https", "[2001:DB8::1]:80")
    ('com.example.www', '[2001:db8::1]:80')
    """
    name = authority.lower()
    if len(name) <= MAX_HOST_CHARS and _PLAIN_NAME.fullmatch(name):
        return ".".join(name.split(".")[::-1])
    host, port = _split_port(authority.rpartition("@")[2])
    if port is None:
        return None
    key = _ipv6(host) if host.startswith("[") else _domain(host)
    if key is None or port in {0, _DEFAULT_PORTS[scheme]}:
        return key
    return f"{key}:{port}"


@lru_cache(maxsize=_CACHED_HOSTS)
def host_name(host_key: str) -> str:
    """Return the host that *host_key* stands for, with its port where the key has one.

    >>> host_name("com.example.www:8080"), host_name("127.0.0.1")
    ('www.example.com:8080', '127.0.0.1')
    """
    # No top-level domain begins with a digit: the first label tells an address from a name.
    if host_key[:1] == "[" or host_key[:1].isdigit():
        return host_key
    name, colon, port = host_key.partition(":")
    return ".".join(reversed(name.split("."))) + colon + port


def _split_port(host: str) -> tuple[str, int | None]:
    """Split *host* at its port; 0 when there is none, None when it is wrong."""
    name, colon, digits = host.rpartition(":")
    if not colon or digits.endswith("]"):
        return host, 0
    if not digits:
        return name, 0
    if not (digits.isascii() and digits.isdigit()):
        return name, None
    number = digits.lstrip("0")
    is_port = 0 < len(number) <= len(str(_MAX_PORT)) and int(number) <= _MAX_PORT
    return name, int(number) if is_port else None


def _ipv6(host: str) -> str | None:
    # A zone, which Python takes, means a network of the machine that asks, and may hold any character.
    if "%" in host:
        return None
    try:
        return f"[{ipaddress.IPv6Address(host[1:-1])}]" if host.endswith("]") else None
    except ValueError:
        return None


def _domain(host: str) -> str | None:
    name = host.lower()
    if not _NAME.fullmatch(name):
        name = _to_ascii(name) or ""
    name = name.removesuffix(".")
    if not _NAME.fullmatch(name) or len(name) > MAX_HOST_CHARS:
        return None
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(labels)
    if labels[-1][0].isdigit():
        return None
    return ".".join(reversed(labels))


def _to_ascii(host: str) -> str | None:
    """Return the ASCII form of the name *host*, percent-encoded or international, or None."""
    if "%" in host:
        try:
            host = unquote_to_bytes(host).decode()
        except UnicodeError:
            return None
    if host.isascii():
        return host.lower()
    try:
        mapped = idna.uts46_remap(host, std3_rules=False, transitional=False)
        return ".".join(_punycode(label) for label in mapped.split("."))
    except UnicodeError:
        return None


def _punycode(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def _ipv4(labels: list[str]) -> str | None:
    """Return the dotted form of the address that *labels* write in any of the forms of inet_aton."""
    numbers = [_ipv4_number(label) for label in labels]
    if len(numbers) > 4 or None in numbers:
        return None
    *head, last = (number for number in numbers if number is not None)
    if any(number > 255 for number in head) or last >= 256 ** (4 - len(head)):
        return None
    value = last + sum(number << (8 * (3 - place)) for place, number in enumerate(head))
    return str(ipaddress.IPv4Address(value))


def _ipv4_number(label: str) -> int | None:
    base = 16 if label.startswith("0x") else 8 if len(label) > 1 and label[0] == "0" else 10
    try:
        return int(label.removeprefix("0x") or "0", base)
    except ValueError:
        return None
