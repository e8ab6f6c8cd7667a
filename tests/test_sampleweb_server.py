"""The sample web over real loopback HTTP, its files, and its command."""

from __future__ import annotations

import asyncio
import sys
import time

import aiohttp
import pytest
from yarl import URL

from crawler.errors import InputError
from crawler.extensions.address_guard import read_hosts
from crawler.sampleweb.running import read_web, serve
from crawler.sampleweb.seedfiles import write_seeds
from crawler.sampleweb.server import SampleServer
from crawler.sampleweb.web import SampleWeb
from crawler.seeds import read_seeds
from tests.conftest import run_scrapy


@pytest.fixture(scope="module")
def web():
    return SampleWeb(1, 20, 200)


def fetch_all(web, folder, places, *, port=0):
    """Serve *web* and fetch (host, path) *places* in turn; return (status, headers, body) each."""

    async def run():
        async with (
            SampleServer(web, folder, port=port) as server,
            aiohttp.ClientSession() as client,
        ):
            ports = {name: (address, port) for name, address, port in server.addresses()}
            return [await fetch(client, ports[name], name, path) for name, path in places]

    async def fetch(client, address, name, path):
        url = URL(f"http://{address[0]}:{address[1]}{path}", encoded=True)
        headers = {"Host": name, "Accept-Encoding": "gzip, br"}
        async with client.get(url, headers=headers, allow_redirects=False) as response:
            return response.status, response.headers, await response.read()

    return asyncio.run(run())


def host_with(web, role):
    return next(host for host in web.hosts() if role in host.roles)


def test_pages_arrive_as_computed(web, tmp_path):
    places = [(host.name, path) for host in web.hosts() for path in ("/", "/robots.txt", "/none")]
    answers = fetch_all(web, tmp_path, places)
    codings = set()
    for (name, path), (status, headers, body) in zip(places, answers, strict=True):
        wanted = web.page(name, path)
        assert (status, body) == (wanted.status, wanted.body), (name, path)
        if wanted.content_type:
            assert headers["Content-Type"] == wanted.content_type
        codings.add(headers.get("Content-Encoding"))
    assert codings == {None, "gzip", "br"}


def test_every_request_is_logged(web, tmp_path):
    name = next(web.hosts()).name
    before = time.monotonic()
    fetch_all(web, tmp_path, [(name, "/"), (name, "/none?a=1&b=%C3%A9"), (name, "/")])
    rows = [line.split("\t") for line in (tmp_path / "requests.tsv").read_text().splitlines()]
    assert [row[1:] for row in rows] == [
        [name, "/", "200"],
        [name, "/none?a=1&b=%C3%A9", "404"],
        [name, "/", "200"],
    ]
    assert before <= float(rows[0][0]) <= float(rows[2][0]) <= time.monotonic()


def test_passing_errors_pass(web, tmp_path):
    name = host_with(web, "errors").name
    answers = fetch_all(web, tmp_path, [(name, "/err/503-once")] * 3 + [(name, "/err/503")] * 2)
    assert [status for status, _, _ in answers] == [503, 200, 200, 503, 503]
    assert [headers.get("Retry-After") for _, headers, _ in answers] == ["1", None, None, "1", "1"]


def test_redirects(web, tmp_path):
    host = host_with(web, "redirects")
    ((status, headers, _),) = fetch_all(web, tmp_path, [(host.name, "/go/301")])
    assert (status, headers["Location"]) == (301, web.page(host.name, "/go/301").location)


def test_slow_answers_are_slow(web, tmp_path):
    host = host_with(web, "slow")
    delay = web.page(host.name, "/slow/0").delay_secs
    start = time.monotonic()
    ((status, _, _),) = fetch_all(web, tmp_path, [(host.name, "/slow/0")])
    assert status == 200
    assert time.monotonic() - start >= delay > 0.2


def test_unknown_hosts_are_misdirected(web, tmp_path):
    async def run():
        async with SampleServer(web, tmp_path) as server, aiohttp.ClientSession() as client:
            address, port = next(iter(server.ports.items()))
            url = f"http://{address}:{port}/"
            async with client.get(url, headers={"Host": "www.example.com"}) as response:
                return response.status

    assert asyncio.run(run()) == 421


def test_hosts_file_is_what_the_resolver_reads(web, tmp_path):
    fetch_all(web, tmp_path, [])
    hosts = read_hosts(str(tmp_path / "hosts.tsv"))
    assert list(hosts) == [host.name for host in web.hosts()]
    assert {name: address for name, (address, _) in hosts.items()} == {
        host.name: web.address(host.name) for host in web.hosts()
    }


def test_a_given_port_is_that_of_all_addresses(web, tmp_path, free_port):
    fetch_all(web, tmp_path, [], port=free_port)
    hosts = read_hosts(str(tmp_path / "hosts.tsv"))
    assert {port for _, port in hosts.values()} == {free_port}


@pytest.fixture
def free_port(web, tmp_path_factory):
    """A port that was free on one of the addresses just now."""
    folder = tmp_path_factory.mktemp("port")
    fetch_all(SampleWeb(2, 1, 10), folder, [])
    return int((folder / "hosts.tsv").read_text().rpartition("\t")[2])


def test_seed_files_say_the_same(web, tmp_path):
    rdf, tsv = write_seeds(web, tmp_path)
    wanted = {(url, category) for category, url in web.seeds()}
    for path in (rdf, tsv):
        seeds = read_seeds(path)
        got = {(seed.url, category) for seed in seeds for category in seed.categories}
        assert got == wanted
        assert not seeds.skipped
    assert {url for url, _ in wanted} >= {f"{host.root}/" for host in web.hosts()}
    assert all(category.startswith("Top/") for _, category in wanted)


def test_seeds_do_not_depend_on_the_port(web, tmp_path):
    fetch_all(web, tmp_path / "a", [])
    before = write_seeds(web, tmp_path / "a")[0].read_bytes()
    assert write_seeds(SampleWeb(1, 20, 200), tmp_path / "b")[0].read_bytes() == before


def test_a_command_runs_beside_the_server(web, tmp_path):
    script = f"import sys; sys.exit(len(open({str(tmp_path / 'hosts.tsv')!r}).readlines()))"
    assert serve(web, tmp_path, command=[sys.executable, "-c", script]) == 20
    again = read_web(tmp_path)
    assert again.options == web.options


def test_folders_that_are_no_sample_webs(tmp_path, web):
    with pytest.raises(InputError, match="does not name a sample web"):
        read_web(tmp_path)
    (tmp_path / "web.json").write_text("[]")
    with pytest.raises(InputError, match="does not name a sample web"):
        read_web(tmp_path)
    serve(web, tmp_path, command=["true"])
    with pytest.raises(InputError, match="another web"):
        read_web(tmp_path, n_hosts=21)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot serve"):
        serve(web, tmp_path / "file", command=["true"])
    with pytest.raises(InputError, match="cannot run"):
        serve(web, tmp_path, command=["no-such-command"])


def test_command_line(tmp_path):
    code = "import sys; sys.exit(7)"
    options = ("--hosts", 12, "--pages", 80, "--seed", 0, "--folder", tmp_path)
    done = run_scrapy("sampleweb", *options, "--", sys.executable, "-c", code)
    assert done.returncode == 7, done.stderr
    assert "12 hosts" in done.stderr
    assert read_web(tmp_path, seed=0).options["seed"] == 0
    assert {"hosts.tsv", "seeds.rdf", "seeds.tsv", "requests.tsv", "web.json"} <= {
        path.name for path in tmp_path.iterdir()
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("--hosts", 0),
        ("--pages", 1_000_001),
        ("--port", 70_000),
        ("--bogus",),
        ("--check", "nowhere", "--folder", "nowhere"),
        ("--check", "nowhere", "--edition", 2),
        ("--check", "nowhere", "--port", 4000),
        ("--json", "true"),
    ],
)
def test_wrong_calls_are_one_line(arguments, tmp_path):
    done = run_scrapy("sampleweb", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("winnow: ")
    assert done.stderr.count("\n") == 1


def test_log_of_requests_goes_on_for_the_same_web_only(tmp_path, web):
    log = tmp_path / "requests.tsv"
    serve(web, tmp_path, command=["true"])
    log.write_text("1.0\twww.a.sample\t/\t200\n", encoding="utf-8")
    serve(web, tmp_path, command=["true"])
    assert log.read_text(encoding="utf-8").startswith("1.0")
    serve(SampleWeb(seed=9, n_hosts=20, n_pages=200), tmp_path, command=["true"])
    assert log.read_text(encoding="utf-8") == ""
