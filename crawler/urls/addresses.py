"""Which network addresses a crawl may reach.

A page can name any address, so private, loopback, link-local and otherwise reserved ones are refused
unless a network of the allow-list holds them. IPv4 addresses inside IPv6 ones (mapped, NAT64, 6to4,
Teredo) are judged as the IPv4 address they lead to.

Source: IANA special-purpose address registries, as :mod:`ipaddress` holds them; RFC 6052 for NAT64.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# RFC 6052 section 2.1: the well-known prefix; the last 32 bits are the IPv4 address.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def parse_networks(networks: Iterable[str]) -> tuple[Network, ...]:
    """Parse *networks* in CIDR form; raise ValueError that names the first one that is none."""
    return tuple(ipaddress.ip_network(network) for network in networks)


def is_address(name: str) -> bool:
    """Tell whether *name* is an address in text form, and no host name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_refused(address: str, allowed: Iterable[Network] = ()) -> bool:
    """Tell whether *address* (text form) must not be reached, given the *allowed* networks.

    What is no address at all is refused.

    >>> is_refused("169.254.169.254"), is_refused("::ffff:10.0.0.1"), is_refused("93.184.216.34")
    (True, True, False)
    """
    try:
        parsed = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return True
    target = _embedded(parsed)
    if any(target in network for network in allowed if network.version == target.version):
        return False
    return not target.is_global or target.is_multicast


def _embedded(address: Address) -> Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
