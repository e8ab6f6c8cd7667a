"""Whom a site may ask about a crawl: the contact in its user agent.

Source: RFC 9110 section 10.1.5 and RFC 9309 section 2.2.1, whose example names a page that tells the
purpose of the crawl. A crawl beyond loopback must name a page or a mail address; one that belongs to
Scrapy, or to nobody (RFC 2606), is none.
"""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

_CONTACT = re.compile(
    r"https?://(?P<page>[^\s/;,()<>\"']+)|[\w.+-]{1,64}@(?P<mail>[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})",
    re.IGNORECASE,
)
# Scrapy's own user agent names its site; RFC 2606 sections 2 and 3.
_NOBODY = re.compile(
    r"(?:.*\.)?(?:scrapy\.org|example\.(?:com|net|org)|example|invalid|localhost|test)\.?",
    re.IGNORECASE,
)


def contact(user_agent: str) -> str | None:
    """Return the page or the mail address that *user_agent* names, None for none that somebody has.

    >>> contact("winnow/0.1 (+https://corpus.uni.edu/crawl)"), contact("Scrapy/2.19 (+https://scrapy.org)")
    ('https://corpus.uni.edu', None)
    """
    for match in _CONTACT.finditer(user_agent):
        host = (match["page"] or match["mail"]).rpartition("@")[2].partition(":")[0]
        if "." in host and not _NOBODY.fullmatch(host):
            return match[0]
    return None


def check_contact(user_agent: str, allowed_networks: Iterable[str]) -> None:
    """Raise :exc:`InputError` unless *user_agent* names a contact.

    A crawl that may reach loopback (*allowed_networks*, in CIDR form) needs none: it reaches those
    networks and nobody else (crawler.urls.addresses, `Reach`).
    """
    if contact(user_agent) is None and not any(map(_is_loopback, allowed_networks)):
        raise InputError(
            f"USER_AGENT {user_agent!r} names nobody whom a site may ask about this crawl; add a page or "
            'a mail address of yours, as in -s USER_AGENT="winnow (+https://you.edu/crawl)"'
        )


def _is_loopback(network: str) -> bool:
    try:
        return ipaddress.ip_network(network).is_loopback
    except ValueError:
        return False
