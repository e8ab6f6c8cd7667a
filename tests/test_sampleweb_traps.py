"""The traps of the sample web: computed from their URLs, without an end, and only where asked for."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import aiohttp
import pytest
from yarl import URL

from crawler.extensions.address_guard import host_entry, read_hosts
from crawler.page import build_page
from crawler.sampleweb.running import read_web
from crawler.sampleweb.server import SampleServer
from crawler.sampleweb.traps import KINDS
from crawler.sampleweb.web import SampleWeb
from crawler.urls import page_key, page_url

WEB = SampleWeb(1, 40, 600, plain=True, n_traps=1)
TRAPS = [pytest.param(trap, id=f"{trap.kind}-{trap.code % 2}") for trap in WEB.traps.all]


def local(url):
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def links(url):
    answer = WEB.page(urlsplit(url).netloc, local(url))
    assert answer.status in {200, 302}
    if answer.location:
        return [answer.location]
    model = build_page(answer.body, url=url, content_type=answer.content_type)
    return [page_url(key) for key in model.links.key]


def in_trap(trap, url):
    return WEB.traps.find(urlsplit(url).netloc, local(url)) is trap


@pytest.mark.slow
@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_has_no_end(trap):
    seen, queue = {trap.entrance}, [trap.entrance]
    for n_fetched in range(100):
        url = queue.pop(0)
        found = links(url)
        assert found == links(url), "a page depends on its URL alone"
        new = dict.fromkeys(link for link in found if in_trap(trap, link) and link not in seen)
        seen.update(new)
        queue += new
        assert queue, f"{trap.kind} ends after {n_fetched} pages"
    assert all(page_key(url) for url in seen)


def test_all_kinds_stand_beside_pages_and_alone_and_are_entered_from_home_pages():
    assert [trap.kind for trap in WEB.traps.all] == [kind for kind in KINDS for _ in range(2)]
    entered = {
        link for host in WEB.hosts() for link in links(host.root + "/")
    }  # fmt: skip
    assert {page_url(page_key(trap.entrance)) for trap in WEB.traps.all} <= entered
    beside = [trap for trap in WEB.traps.all if trap.nav]
    assert len(beside) == len(KINDS)
    for trap in beside:
        if not trap.is_domain:
            assert not in_trap(trap, trap.nav[1])


def test_a_web_without_traps_is_what_it_was():
    plain = SampleWeb(1, 20, 200)
    assert plain.traps.all == []
    assert plain.page("www.nobody.sample", "/") is None


def test_a_plain_web_has_ordinary_hosts_only_and_a_largest_one():
    web = SampleWeb(1, 70, 700, plain=True, largest=5000)
    assert all(host.plain for host in web.hosts())
    assert [host.n_regular for host in web.hosts()][:2] == [5000, 29]
    last = web.url(0, 4999)
    assert web.page(urlsplit(last).netloc, local(last)).status == 200


def test_too_many_traps_are_refused():
    with pytest.raises(ValueError, match="2 sets of traps need 36 ordinary hosts, there are 20"):
        SampleWeb(1, 20, 200, plain=True, n_traps=2)


def test_names_below_a_domain_are_served(tmp_path):
    (trap,) = [trap for trap in WEB.traps.all if trap.is_domain and not trap.nav]
    name = f"any.name.{trap.host}"

    async def run():
        async with SampleServer(WEB, tmp_path), aiohttp.ClientSession() as client:
            address, port = host_entry(read_hosts(str(tmp_path / "hosts.tsv")), name)
            url = URL(f"http://{address}:{port}/", encoded=True)
            async with client.get(url, headers={"Host": name}) as response:
                return response.status, await response.read()

    status, body = asyncio.run(run())
    assert (status, body) == (200, WEB.page(name, "/").body)


def test_the_options_of_a_web_are_read_again(tmp_path):
    (tmp_path / "web.json").write_text(
        '{"seed": 1, "hosts": 40, "pages": 600, "plain": true, "largest": 700, "traps": 1}'
    )
    web = read_web(tmp_path)
    assert web.options == {
        "seed": 1, "hosts": 40, "pages": 600, "plain": True, "largest": 700, "traps": 1,
    }  # fmt: skip
    (tmp_path / "web.json").write_text('{"seed": 1, "hosts": 20, "pages": 200}')
    assert read_web(tmp_path).options["traps"] == 0
