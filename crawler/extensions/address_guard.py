"""The address guard: the one gate between a crawl and the addresses it may reach.

Every connection goes through it, to IP literals and redirect targets too, and reaches the very
address that was judged, so that a name that changes its answer gains nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scrapy import signals
from scrapy.resolver import HostResolution
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface.declarations import implementer

from crawler.errors import InputError
from crawler.signals import address_refused
from crawler.urls.addresses import is_address, is_refused, parse_networks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from twisted.internet.interfaces import IAddress, IHostResolution

    from crawler.urls.addresses import Network

Hosts = dict[str, tuple[str, int]]


def read_hosts(path: str) -> Hosts:
    """Read ``host<TAB>address<TAB>port`` lines; raise :exc:`InputError` naming the first bad one."""
    hosts: Hosts = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read HOSTS_FILE {path}: {error}; give a readable file") from error
    for number, line in enumerate(lines, 1):
        parts = line.split("\t")
        if len(parts) != 3 or not parts[2].isdigit():
            raise InputError(f"{path}:{number} is not host<TAB>address<TAB>port; mend the line")
        hosts[parts[0]] = (parts[1], int(parts[2]))
    return hosts


def host_entry(hosts: Hosts, name: str) -> tuple[str, int] | None:
    """Return address and port of *name*, or those of the nearest ``*.`` above it.

    >>> hosts = {"*.a.b": ("127.0.0.1", 80), "x.a.b": ("127.0.0.2", 80)}
    >>> host_entry(hosts, "x.a.b"), host_entry(hosts, "z.y.a.b"), host_entry(hosts, "a.b")
    (('127.0.0.2', 80), ('127.0.0.1', 80), None)
    """
    entry = hosts.get(name)
    while entry is None and name:
        name = name.partition(".")[2]
        entry = hosts.get(f"*.{name}")
    return entry


@implementer(IResolutionReceiver)
class _Gate:
    """Hands on the addresses that may be reached, and reports a host that has none."""

    def __init__(self, receiver: Any, host: str, resolver: GuardedResolver):
        self.receiver = receiver
        self.host = host
        self.resolver = resolver
        self.passed = 0
        self.refused = 0

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802  Twisted's name
        self.receiver.resolutionBegan(resolution)

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802  Twisted's name
        if isinstance(address, IPv4Address | IPv6Address) and not is_refused(
            address.host, self.resolver.allowed
        ):
            self.passed += 1
            self.receiver.addressResolved(address)
        else:
            self.refused += 1

    def resolutionComplete(self) -> None:  # noqa: N802  Twisted's name
        if self.refused and not self.passed:
            self.resolver.report(self.host)
        self.receiver.resolutionComplete()


@implementer(IHostnameResolver)
class GuardedResolver:
    """Asks *inner* (or *hosts*, when given) and hands on the addresses that may be reached.

    *report* is called with a name that has addresses, but none that may be reached.
    """

    def __init__(
        self,
        inner: Any,
        *,
        allowed: tuple[Network, ...] = (),
        hosts: Hosts | None = None,
        report: Callable[[str], None],
    ):
        self.inner = inner
        self.allowed = allowed
        self.hosts = hosts
        self.report = report

    def resolveHostName(  # noqa: N802  Twisted's interface
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        gate: Any = _Gate(resolutionReceiver, hostName, self)
        refused = is_address(hostName) and is_refused(hostName, self.allowed)
        if self.hosts is None and not refused:
            return cast(
                "IHostResolution",
                self.inner.resolveHostName(
                    gate, hostName, portNumber, addressTypes, transportSemantics
                ),
            )
        resolution: Any = HostResolution(hostName)
        gate.resolutionBegan(resolution)
        entry = host_entry(self.hosts, hostName) if self.hosts is not None else None
        if refused:
            self.report(hostName)
        elif entry is not None:
            gate.addressResolved(IPv4Address("TCP", *entry))
        gate.resolutionComplete()
        return cast("IHostResolution", resolution)


class AddressGuard:
    """Puts a :class:`GuardedResolver` before the reactor's resolver while the crawl runs.

    Scrapy makes its resolver before add-ons have their say, hence the extension. Settings:
    ``ALLOWED_PRIVATE_NETWORKS``, ``HOSTS_FILE``. Stats: ``resolver/refused``. Signals:
    ``address_refused``.
    """

    def __init__(self, crawler: Crawler, allowed: tuple[Network, ...], hosts: Hosts | None):
        self.crawler = crawler
        self.allowed = allowed
        self.hosts = hosts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        path = crawler.settings.get("HOSTS_FILE")
        networks = parse_networks(crawler.settings.getlist("ALLOWED_PRIVATE_NETWORKS"))
        guard = cls(crawler, networks, read_hosts(path) if path else None)
        crawler.signals.connect(guard.engine_started, signals.engine_started)
        crawler.signals.connect(guard.engine_stopped, signals.engine_stopped)
        return guard

    def engine_started(self) -> None:
        from twisted.internet import reactor

        self.reactor: Any = reactor
        self.inner = self.reactor.nameResolver
        self.reactor.installNameResolver(
            GuardedResolver(self.inner, allowed=self.allowed, hosts=self.hosts, report=self._report)
        )

    def engine_stopped(self) -> None:
        self.reactor.installNameResolver(self.inner)

    def _report(self, host: str) -> None:
        self.crawler.stats.inc_value("resolver/refused")
        self.crawler.signals.send_catch_log(address_refused, host=host)
