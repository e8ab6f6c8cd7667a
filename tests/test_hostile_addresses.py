"""Addresses that a page must not make a crawl reach, in every notation and by every way.

=====================================  =======================================================
way                                    what comes of it
=====================================  =======================================================
link, redirect, meta refresh, frame,   the page is known and queued; ``private_address`` when it
canonical link, headers for both       is due, nothing is connected
sitemap that lies there, or lists it   not asked for: a sitemap speaks for its own host
robots.txt redirected there            the host's robots.txt cannot be had: it is not crawled
name with private addresses only       ``private_address``, at the resolver
name that rebinds between two looks    each look is judged, and the judged address is reached
resolver that lies, or none            ``private_address``, at the connection's own peer
=====================================  =======================================================

A server on 127.0.0.2 listens for whoever comes: nobody does.
"""

from __future__ import annotations

import pytest

from crawler.urls import page_key
from crawler.urls.addresses import is_refused
from crawler.urls.hosts import host_name
from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import (
    HTML,
    Hostile,
    hosts_arguments,
    listening,
    page,
    reply,
    served_bytes,
)
from tests.test_address_guard import Answers, resolve

# Loopback's second address, where the crawl must not come, in all notations; each is one host.
SECOND = "127.0.0.2"
NOTATIONS = {
    "dotted": "127.0.0.2",
    "decimal": "2130706434",
    "hexadecimal": "0x7f000002",
    "octal": "0177.0.0.02",
    "short": "127.2",
    "three parts": "127.0.2",
    "mixed": "0x7f.0.2",
    "wide digits": "１２７.0.0.2",
    "dot of another script": "127。0。0。2",
    "final dot": "127.0.0.2.",
    "escaped": "%31%32%37.0.0.2",
    "credentials": "public.example@127.0.0.2",
}
OTHERS = {
    "metadata": "169.254.169.254",
    "metadata in decimal": "2852039166",
    "class A": "10.0.0.1",
    "class B": "172.16.0.1",
    "class C": "192.168.0.1",
    "carrier": "100.64.0.1",
    "nothing": "0.0.0.0",
    "broadcast": "255.255.255.255",
    "multicast": "224.0.0.1",
    "loopback 6": "[::1]",
    "any 6": "[::]",
    "unique local": "[fc00::1]",
    "link-local": "[fe80::1]",
    "mapped": "[::ffff:10.0.0.1]",
    "mapped in hexadecimal": "[::ffff:a9fe:a9fe]",
    "NAT64": "[64:ff9b::a00:1]",
    "NAT64 of its own": "[64:ff9b:1::a00:1]",
    "6to4": "[2002:a00:1::1]",
    "Teredo": "[2001:0:4136:e378:8000:63bf:f5ff:fffe]",
    "compatible": "[::127.0.0.2]",
}


@pytest.mark.parametrize("name", NOTATIONS)
def test_notations_are_one_host(name):
    assert page_key(f"http://{NOTATIONS[name]}/").host == SECOND


@pytest.mark.parametrize("name", NOTATIONS | OTHERS)
def test_private_addresses_are_refused(name):
    key = page_key(f"http://{(NOTATIONS | OTHERS)[name]}/")
    assert is_refused(host_name(key.host).strip("[]"))


WAYS = {
    "link": b'<a href="%s">x</a>',
    "area": b'<map><area href="%s"></map>',
    "frame": b'<iframe src="%s"></iframe>',
    "refresh": b'<meta http-equiv=refresh content="0;url=%s">',
    "canonical": b'<link rel=canonical href="%s">',
}
HEADERS = {
    "refresh-header": b"Refresh: 0; url=%s",
    "canonical-header": b'Link: <%s>; rel="canonical"',
}


def answers_to(port):
    """The first server's answers, each of which leads to the second's *port* in its own way."""
    there = {}
    for number, (way, markup) in enumerate(WAYS.items()):
        url = f"http://{SECOND}:{port}/{way}".encode()
        there[f"{way}/"] = reply(page(markup % url + b"way %d" % number * 9), HTML)
    for way, header in HEADERS.items():
        url = f"http://{SECOND}:{port}/{way}".encode()
        there[f"{way}/"] = reply(page(way.encode() * 9), HTML, header % url)
    location = f"Location: http://2130706434:{port}/redirect".encode()
    links = "".join(f'<a href="http://{host}:{port}/x">x</a>' for host in NOTATIONS.values())
    others = "".join(f'<a href="http://{host}/">x</a>' for host in OTHERS.values())
    kind = HTML + b"; charset=utf-8"
    return there | {
        "redirect/": reply(b"", location, status=b"302 Found"),
        "notations/": reply(page(links.encode()), kind),
        "others/": reply(page(others.encode()), kind),
        "robots/robots.txt": reply(b"", location, status=b"301 Moved"),
        "sitemap/robots.txt": reply(f"Sitemap: http://{SECOND}:{port}/map.xml\nSitemap: /map.xml".encode()),
        "sitemap/map.xml": reply(f"<urlset><url><loc>http://{SECOND}:{port}/listed</loc></url></urlset>".encode()),
        "sitemap/": reply(page(b"sitemap " * 9), HTML),
    }  # fmt: skip


def test_no_way_leads_to_a_private_address(tmp_path):
    second = Hostile({})
    with (
        listening(second, address=SECOND) as port,
        served_bytes(tmp_path, hostile := Hostile(answers_to(port))),
    ):
        done = run_scrapy(
            *hosts_arguments(tmp_path), "-a", "sitemaps=1", "-s", "ALLOWED_PRIVATE_NETWORKS=127.0.0.1/32",
            "-s", "DEDUP_THRESHOLD=0", "-s", "FETCH_RETRIES=0",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert second.asked == []
    reasons = {row["url"]: row["reason"] for row in Corpus.open(tmp_path / "corpus").rejected()}
    refused = {url for url, reason in reasons.items() if reason == "private_address"}
    expected = {f"http://{SECOND}:{port}/{path}" for path in (
        *WAYS, *HEADERS, "redirect", "x")}  # fmt: skip
    assert expected <= refused
    for path in ("listed", "map.xml"):
        assert f"http://{SECOND}:{port}/{path}" not in reasons.keys() - refused
    assert "sitemap/map.xml" in hostile.asked
    assert "robots/" not in hostile.asked
    for host in OTHERS.values():
        assert f"http://{host_name(page_key(f'http://{host}/').host)}/" in refused, host


class Rebinding(Answers):
    """A resolver whose answer changes with each question."""

    def resolveHostName(self, receiver, hostName, *rest):
        Answers(self.addresses[0]).resolveHostName(receiver, hostName, *rest)
        self.addresses = self.addresses[1:]


def test_dns_rebinding_is_judged_at_each_look():
    inner = Rebinding("93.184.216.34", "169.254.169.254", "::ffff:10.0.0.1", "93.184.216.34")
    looks = [resolve(None, [], "rebinding.example", inner) for _ in range(4)]
    assert [len(addresses) for addresses, _ in looks] == [1, 0, 0, 1]
    assert [refused for _, refused in looks] == [[], *[["rebinding.example"]] * 2, []]


UNGUARDED = ("-s", 'EXTENSIONS={"crawler.extensions.address_guard.AddressGuard": null}')


@pytest.mark.long
def test_the_peer_is_judged_when_the_resolver_is_not_guarded(tmp_path):
    hostile = Hostile({})
    with listening(hostile) as port:
        (tmp_path / "seeds.txt").write_text(
            f"http://127.0.0.1:{port}/\nhttp://localhost:{port}/a\n", encoding="utf-8"
        )
        done = run_scrapy(
            "crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", *UNGUARDED, "-L", "INFO",
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", "USER_AGENT=t (+http://t.sample/)"),
            profile="default",
        )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "not one page was fetched (fetch/private_address 2)" in done.stderr
    assert hostile.asked == []
    reasons = [row["reason"] for row in Corpus.open(tmp_path / "corpus").rejected()]
    assert reasons == ["private_address"] * 2
