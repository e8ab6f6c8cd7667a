"""Which network addresses a crawl may reach.

A page can name any address, so private, loopback, link-local and otherwise reserved ones are refused
unless a network of the allow-list holds them. IPv4 addresses inside IPv6 ones (mapped, compatible, NAT64,
6to4, Teredo) are judged as the IPv4 address they lead to.

Source: IANA special-purpose address registries, as :mod:`ipaddress` holds them; RFC 6052 and RFC 8215 for
NAT64; RFC 4291 section 2.5.5.1 for compatible addresses.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

PRIVATE_ADDRESS, NO_CONTACT = "private_address", "no_contact"
"""Why an address is not reached: it is not public; it is, and nobody answers for the crawl."""

# RFC 6052 section 2.1: the well-known prefix; the last 32 bits are the IPv4 address.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# RFC 8215: prefixes of a network's own NAT64 lie in here; Python before 3.12.4 takes it for global.
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")
_COMPATIBLE = ipaddress.IPv6Network("::/96")


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


def is_refused(address: str, allowed: Iterable[Network] = (), *, or_public: bool = True) -> bool:
    """Tell whether *address* (text form) must not be reached: it is in none of the *allowed* networks, nor public.

    What is no address at all is refused. Unless *or_public*, so is what is public.

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
    is_public = target.is_global and not target.is_multicast and target not in _LOCAL_NAT64
    return not (or_public and is_public)


@dataclass(frozen=True, slots=True)
class Reach:
    """What a crawl may reach: the networks *allowed*, and all public addresses if *is_public*."""

    allowed: tuple[Network, ...] = ()
    is_public: bool = True

    def refusal(self, address: str) -> str | None:
        """Return why *address* (text form) must not be reached, None if it may be.

        >>> Reach().refusal("10.0.0.1"), Reach(is_public=False).refusal("93.184.216.34")
        ('private_address', 'no_contact')
        """
        if is_refused(address, self.allowed):
            return PRIVATE_ADDRESS
        if self.is_public or not is_refused(address, self.allowed, or_public=False):
            return None
        return NO_CONTACT


def _embedded(address: Address) -> Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    is_compatible = address in _COMPATIBLE and int(address) > 1  # :: and ::1 are IPv6's own
    if address in _NAT64 or is_compatible:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
