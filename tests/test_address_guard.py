from __future__ import annotations

import pytest
from scrapy.utils.test import get_crawler
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.defer import succeed
from twisted.internet.interfaces import IResolutionReceiver
from zope.interface import implementer

from crawler.errors import InputError
from crawler.extensions.address_guard import AddressGuard, GuardedResolver, read_hosts
from crawler.urls.addresses import Reach, parse_networks
from tests.forked_commands import complete_python


@implementer(IResolutionReceiver)
class Receiver:
    def __init__(self):
        self.addresses = []
        self.complete = False

    def resolutionBegan(self, resolution):
        pass

    def addressResolved(self, address):
        self.addresses.append(address)

    def resolutionComplete(self):
        self.complete = True


class Answers:
    """A resolver that answers every name with the addresses it was made with."""

    def __init__(self, *addresses):
        self.addresses = addresses

    def resolveHostName(self, receiver, hostName, portNumber=0, *rest):
        receiver.resolutionBegan(None)
        for address in self.addresses:
            receiver.addressResolved(IPv4Address("TCP", address, portNumber))
        receiver.resolutionComplete()


def resolve(hosts, allowed, name, inner=None, *, is_public=True, ipv6=None):
    refused, reasons = [], set()

    def report(host, reason):
        refused.append(host)
        reasons.add(reason)

    reach = Reach(parse_networks(allowed), is_public)
    resolver = GuardedResolver(
        inner, reach=reach, hosts=hosts, report=report, look_up_ipv6=ipv6 and ipv6.look_up
    )
    receiver = Receiver()
    resolver.resolveHostName(receiver, name, 80)
    assert receiver.complete
    assert reasons <= {"private_address" if is_public else "no_contact"}
    return receiver.addresses, refused


class Ipv6Answers:
    """What a system knows of IPv6; *asked* are the names that were looked up."""

    def __init__(self, *addresses):
        self.addresses = addresses
        self.asked = []

    def look_up(self, name):
        self.asked.append(name)
        return succeed(list(self.addresses))


def test_a_name_of_ipv6_alone_is_reached():
    ipv6 = Ipv6Answers("2606:2800:220:1::1", "fd00::1")
    found, refused = resolve(None, [], "six.example", Answers(), ipv6=ipv6)
    assert found == [IPv6Address("TCP", "2606:2800:220:1::1", 80)]
    assert refused == []
    # Private ones, and IPv4 addresses in another form, are judged as all are.
    inside = Ipv6Answers("fd00::1", "::ffff:10.0.0.1", "fe80::1%eth0")
    assert resolve(None, [], "in.example", Answers(), ipv6=inside) == ([], ["in.example"])
    assert resolve(None, [], "none.example", Answers(), ipv6=Ipv6Answers()) == ([], [])


def test_ipv6_is_asked_for_where_nothing_else_was_found():
    ipv6 = Ipv6Answers("2606:2800:220:1::1")
    for hosts, name, inner in (
        (None, "four.example", Answers("93.184.216.34")),
        (None, "inside.example", Answers("10.0.0.1")),
        (None, "93.184.216.34", None),
        (None, "10.0.0.1", None),
        (None, "::1", None),
        ({}, "none.sample", None),
    ):
        resolve(hosts, [], name, inner, ipv6=ipv6)
    assert ipv6.asked == []


def test_the_system_is_asked_in_a_thread():
    code = (
        "from twisted.internet import reactor\n"
        "from twisted.internet.defer import gatherResults\n"
        "from crawler.extensions.address_guard import look_up_ipv6\n"
        "asked = [look_up_ipv6(reactor, name) for name in ('::1', 'x' * 64)]\n"  # no name is so long
        "gatherResults(asked).addBoth(print).addBoth(lambda _: reactor.stop())\n"
        "reactor.run()\n"
    )
    done = complete_python("-c", code)
    assert done.stdout == "[['::1'], []]\n", done.stderr


def test_hosts_file_gives_address_and_port():
    hosts = {"www.a.sample": ("127.1.2.3", 8123)}
    found, refused = resolve(hosts, ["127.0.0.0/8"], "www.a.sample")
    assert found == [IPv4Address("TCP", "127.1.2.3", 8123)]
    assert refused == []
    found, _ = resolve({"six.sample": ("::1", 8123)}, ["::1/128"], "six.sample")
    assert found == [IPv6Address("TCP", "::1", 8123)]


def test_no_other_name_resolves_beside_a_hosts_file():
    assert resolve({}, ["127.0.0.0/8"], "localhost") == ([], [])


def test_private_address_is_refused_without_the_allow_list():
    hosts = {"evil.sample": ("169.254.169.254", 80)}
    assert resolve(hosts, [], "evil.sample") == ([], ["evil.sample"])


def test_an_address_needs_no_look_up():
    """Scrapy's resolver knows none of IPv6."""
    found, refused = resolve(None, ["::1/128"], "::1")
    assert found == [IPv6Address("TCP", "::1", 80)]
    assert resolve(None, [], "93.184.216.34") == (
        [IPv4Address("TCP", "93.184.216.34", 80)],
        refused,
    )
    assert refused == []
    assert resolve({}, ["::1/128"], "::1") == ([], [])


def test_private_answers_of_the_system_are_left_out():
    mixed = Answers("10.0.0.1", "93.184.216.34")
    found, refused = resolve(None, [], "mixed.example", mixed)
    assert found == [IPv4Address("TCP", "93.184.216.34", 80)]
    assert refused == []
    assert resolve(None, [], "inside.example", Answers("10.0.0.1")) == ([], ["inside.example"])


def test_a_crawl_without_a_contact_reaches_the_allowed_networks_alone():
    anonymous = {"is_public": False}
    inside = ["127.0.0.0/8", "192.0.2.0/24"]
    for public in ("93.184.216.34", "2606:2800:220:1::1"):
        assert resolve(None, inside, public, **anonymous) == ([], [public])
    assert resolve(None, inside, "a.example", Answers("93.184.216.34"), **anonymous) == (
        [],
        ["a.example"],
    )
    hosts = {"out.sample": ("93.184.216.34", 80), "in.sample": ("127.0.0.1", 80)}
    assert resolve(hosts, inside, "out.sample", **anonymous) == ([], ["out.sample"])
    for allowed in ("127.0.0.2", "192.0.2.7"):
        found, refused = resolve(None, inside, "b.example", Answers(allowed), **anonymous)
        assert [address.host for address in found] == [allowed]
        assert refused == []


def test_read_hosts(tmp_path):
    path = tmp_path / "hosts.tsv"
    path.write_text("a.sample\t127.0.0.2\t8080\n", encoding="utf-8")
    assert read_hosts(str(path)) == {"a.sample": ("127.0.0.2", 8080)}
    path.write_text("Büro.sample\t::1\t80\n*.CAFÉ.sample\t::1\t81\n", encoding="utf-8")
    asked = {"xn--bro-hoa.sample": ("::1", 80), "*.xn--caf-dma.sample": ("::1", 81)}
    assert read_hosts(str(path)) == asked
    path.write_text("a.sample 127.0.0.2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"hosts.tsv:1 is not host"):
        read_hosts(str(path))
    with pytest.raises(InputError, match="cannot read HOSTS_FILE"):
        read_hosts(str(tmp_path / "none"))


def test_no_crawl_goes_on_without_a_guard():
    crawler = get_crawler(settings_dict={"TWISTED_REACTOR_ENABLED": False})
    with pytest.raises(InputError, match="TWISTED_REACTOR_ENABLED is False; leave it True"):
        AddressGuard.from_crawler(crawler)
