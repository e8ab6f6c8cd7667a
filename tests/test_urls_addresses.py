from __future__ import annotations

import pytest

from crawler.urls.addresses import is_refused, parse_networks
from settings import local

LOOPBACK = parse_networks(["127.0.0.0/8"])


@pytest.mark.parametrize(
    ("address", "refused"),
    [
        ("93.184.216.34", False),
        ("2606:2800:220:1:248:1893:25c8:1946", False),
        ("127.0.0.1", True),
        ("10.1.2.3", True),
        ("172.16.0.1", True),
        ("192.168.1.1", True),
        ("169.254.169.254", True),  # cloud metadata
        ("100.64.0.1", True),  # carrier-grade NAT
        ("0.0.0.0", True),
        ("224.0.0.1", True),
        ("255.255.255.255", True),
        ("::1", True),
        ("fc00::1", True),
        ("fe80::1%eth0", True),
        ("ff02::1", True),
        ("::ffff:10.0.0.1", True),
        ("64:ff9b::a00:1", True),  # NAT64 of 10.0.0.1
        ("64:ff9b::5db8:d822", False),  # NAT64 of 93.184.216.34
        ("2002:a00:1::", True),  # 6to4 of 10.0.0.1
        ("not an address", True),
    ],
)
def test_refused(address, refused):
    assert is_refused(address) is refused


def test_allow_list_lets_only_its_networks_through():
    assert not is_refused("127.9.9.9", LOOPBACK)
    assert not is_refused("::ffff:127.0.0.1", LOOPBACK)
    assert is_refused("10.0.0.1", LOOPBACK)
    assert is_refused("::1", LOOPBACK)


def test_bad_network_is_named():
    with pytest.raises(ValueError, match="loopback"):
        parse_networks(["loopback"])


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_the_profile_for_loopback_lets_all_of_it_through(address):
    allowed = parse_networks(local.ALLOWED_PRIVATE_NETWORKS)
    assert not is_refused(address, allowed)
    assert is_refused(address)
    assert is_refused("10.0.0.1", allowed)
