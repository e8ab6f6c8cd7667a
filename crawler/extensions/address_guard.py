"""The address guard: the one gate between a crawl and the addresses it may reach.

Every connection goes through it, to IP literals and redirect targets too, and reaches the very
address that was judged, so that a name that changes its answer gains nothing.
"""

from __future__ import annotations

import logging
import socket
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scrapy import signals
from scrapy.resolver import HostResolution
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from twisted.internet.threads import deferToThreadPool
from zope.interface.declarations import implementer

from crawler.errors import InputError, cause
from crawler.policies import crawl_reach
from crawler.signals import address_refused
from crawler.urls.addresses import NO_CONTACT, PRIVATE_ADDRESS, is_address
from crawler.urls.hosts import host_key, host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress, IHostResolution

    from crawler.urls.addresses import Reach

logger = logging.getLogger(__name__)

Hosts = dict[str, tuple[str, int]]


def read_hosts(path: str) -> Hosts:
    """Read ``host<TAB>address<TAB>port`` lines; raise :exc:`InputError` naming the first bad one."""
    hosts: Hosts = {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read HOSTS_FILE {path}: {cause(error)}; give a readable file"
        ) from error
    for number, line in enumerate(lines, 1):
        parts = line.split("\t")
        if len(parts) != 3 or not parts[2].isdigit():
            raise InputError(f"{path}:{number} is not host<TAB>address<TAB>port; mend the line")
        hosts[_as_asked(parts[0])] = (parts[1], int(parts[2]))
    return hosts


def _as_asked(name: str) -> str:
    """Return *name*, of a host or with ``*.`` above hosts, as the URLs that are asked for have it: small, in ASCII."""
    above = "*." * name.startswith("*.")
    key = host_key("http", name.removeprefix(above))
    return name if key is None else above + host_name(key)


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


def look_up_ipv6(reactor: Any, host: str) -> Deferred[list[str]]:
    """Ask the system, in a thread, for the addresses of IPv6 that *host* has; none is an empty list."""

    def ask() -> list[str]:
        try:
            found = socket.getaddrinfo(host, None, socket.AF_INET6, socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return []
        return [str(address[0]) for *_, address in found]

    return deferToThreadPool(reactor, reactor.getThreadPool(), ask)


def _address(host: str, port: int) -> Any:
    """Return an address, in text form, as Twisted has it."""
    return (IPv6Address if ":" in host else IPv4Address)("TCP", host, port)


@implementer(IResolutionReceiver)
class _Gate:
    """Hands on the addresses that may be reached, and reports a host that has none.

    Scrapy's resolver knows none of IPv6: where it finds nothing, the resolver's *look_up_ipv6* is asked.
    """

    def __init__(self, receiver: Any, host: str, port: int, resolver: GuardedResolver):
        self.receiver = receiver
        self.host = host
        self.port = port
        self.resolver = resolver
        self.found = 0
        self.passed = 0
        self.refusal: str | None = None

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802  Twisted's name
        self.receiver.resolutionBegan(resolution)

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802  Twisted's name
        self.found += 1
        is_ip = isinstance(address, IPv4Address | IPv6Address)
        refusal = self.resolver.reach.refusal(address.host) if is_ip else PRIVATE_ADDRESS
        if refusal is None:
            self.passed += 1
            self.receiver.addressResolved(address)
        self.refusal = refusal or self.refusal

    def resolutionComplete(self) -> None:  # noqa: N802  Twisted's name
        if self.found or self.resolver.look_up_ipv6 is None:
            self.complete()
        else:
            self.resolver.look_up_ipv6(self.host).addCallback(self.take).addBoth(
                lambda _: self.complete()
            )

    def take(self, addresses: Iterable[str]) -> None:
        """Judge *addresses* of IPv6."""
        for address in addresses:
            self.addressResolved(_address(address, self.port))

    def complete(self) -> None:
        """Tell that there are no more."""
        if self.refusal and not self.passed:
            self.resolver.report(self.host, self.refusal)
        self.receiver.resolutionComplete()


@implementer(IHostnameResolver)
class GuardedResolver:
    """Asks *inner* (or *hosts*, when given) and hands on the addresses that may be reached; an address is its own.

    *report* is called with a name that has addresses, but none within *reach*, and the reason. *look_up_ipv6* is asked
    for the addresses of names of which *inner* knows none.
    """

    def __init__(
        self,
        inner: Any,
        *,
        reach: Reach,
        hosts: Hosts | None = None,
        report: Callable[[str, str], None],
        look_up_ipv6: Callable[[str], Deferred[list[str]]] | None = None,
    ):
        self.inner = inner
        self.reach = reach
        self.hosts = hosts
        self.report = report
        self.look_up_ipv6 = None if hosts is not None else look_up_ipv6

    def resolveHostName(  # noqa: N802  Twisted's interface
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        is_named = not is_address(hostName)
        gate: Any = _Gate(resolutionReceiver, hostName, portNumber, self)
        refusal = None if is_named else self.reach.refusal(hostName)
        if self.hosts is None and is_named:
            return cast(
                "IHostResolution",
                self.inner.resolveHostName(
                    gate, hostName, portNumber, addressTypes, transportSemantics
                ),
            )
        resolution: Any = HostResolution(hostName)
        gate.resolutionBegan(resolution)
        entry = host_entry(self.hosts, hostName) if self.hosts is not None else None
        if refusal is not None:
            self.report(hostName, refusal)
        elif entry is not None:
            gate.addressResolved(_address(*entry))
        elif self.hosts is None:
            gate.addressResolved(_address(hostName, portNumber))
        gate.complete()
        return cast("IHostResolution", resolution)


def check_reactor(settings: BaseSettings) -> None:
    """Raise :exc:`InputError` where *settings* make a crawl without the reactor, and so without a guard."""
    if not settings.getbool("TWISTED_REACTOR_ENABLED"):
        raise InputError(
            "the setting TWISTED_REACTOR_ENABLED is False; leave it True: addresses are guarded in the reactor"
        )


class AddressGuard:
    """Puts a :class:`GuardedResolver` before the reactor's resolver while the crawl runs.

    Scrapy makes its resolver before add-ons have their say, hence the extension. Settings:
    ``ALLOWED_PRIVATE_NETWORKS``, ``HOSTS_FILE``, ``USER_AGENT``. Stats: ``resolver/refused``. Signals:
    ``address_refused``.
    """

    def __init__(self, crawler: Crawler, reach: Reach, hosts: Hosts | None):
        self.crawler = crawler
        self.reach = reach
        self.hosts = hosts
        self.is_told = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        check_reactor(crawler.settings)
        path = crawler.settings.get("HOSTS_FILE")
        reach = crawl_reach(crawler.settings)
        guard = cls(crawler, reach, read_hosts(path) if path else None)
        crawler.signals.connect(guard.engine_started, signals.engine_started)
        crawler.signals.connect(guard.engine_stopped, signals.engine_stopped)
        return guard

    def engine_started(self) -> None:
        from twisted.internet import reactor

        self.reactor: Any = reactor
        self.inner = self.reactor.nameResolver
        self.reactor.installNameResolver(
            GuardedResolver(
                self.inner,
                reach=self.reach,
                hosts=self.hosts,
                report=self._report,
                look_up_ipv6=partial(look_up_ipv6, self.reactor),
            )
        )

    def engine_stopped(self) -> None:
        self.reactor.installNameResolver(self.inner)

    def _report(self, host: str, reason: str) -> None:
        self.crawler.stats.inc_value("resolver/refused")
        if reason == NO_CONTACT and not self.is_told:
            self.is_told = True
            logger.error(
                "%(host)s is not asked, and nobody beyond ALLOWED_PRIVATE_NETWORKS will be: USER_AGENT "
                "names nobody whom a site may ask about this crawl; add a page or a mail address of yours",
                {"host": host},
                extra={"spider": self.crawler.spider},
            )
        self.crawler.signals.send_catch_log(address_refused, host=host, reason=reason)
