from __future__ import annotations

import pytest

from crawler.frontier.outage import MAX_WITNESSES, Outage


def answered_by(outage, *hosts):
    for host in hosts:
        outage.answered(f"http://{host}/")


def test_as_many_hosts_as_are_asked_for_make_an_outage_likely():
    outage = Outage(2)
    outage.silent(1)
    outage.silent(1)
    assert not outage.is_likely
    outage.silent(2)
    outage.silent(3)
    assert outage.is_likely
    outage.answered("http://a.com/")
    assert not outage.is_likely


def test_an_answer_ends_an_outage():
    outage = Outage(1)
    outage.silent(1)
    outage.is_down = True
    outage.answered("http://a.com/")
    assert not outage.is_down


def test_with_none_asked_for_it_is_never_likely():
    outage = Outage(0)
    for host_id in range(100):
        outage.silent(host_id)
    assert not outage.is_likely


def test_the_witnesses_are_the_latest_pages_of_each_domain():
    outage = Outage(1)
    answered_by(outage, "a.com", "b.com", "www.c.com", "d.com", "e.com", "c.com", "a.com:8080")
    urls = [f"http://{host}/" for host in ("a.com:8080", "c.com", "e.com", "d.com")]
    assert outage.witnesses() == urls
    assert len(urls) == MAX_WITNESSES


@pytest.mark.parametrize("hosts", [(), ("a.com",), ("a.com", "www.a.com", "b.com", "x.b.com")])
def test_a_few_domains_are_no_witnesses(hosts):
    """They may be down with all their hosts."""
    outage = Outage(1)
    answered_by(outage, *hosts)
    assert not outage.witnesses()
