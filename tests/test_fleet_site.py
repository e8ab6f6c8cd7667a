"""A crawl of one site by several processes: all know the hosts that its address led to."""

from __future__ import annotations

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, listening, page, reply

# Each host of the site links to the next one; the hosts are divided one by one.
N_HOSTS = 12


def answers():
    """The address leads to the first host; a page of the address' own host, and a sitemap, lead there, too."""
    found = {"home/": reply(b"", b"Location: http://n0.site.sample/", status=b"301 Moved")}
    for number in range(N_HOSTS):
        links = b"<a href=http://n%d.site.sample/>next</a>" % (number + 1)
        found[f"n{number}/"] = reply(page(links + b"host %d " % number * 9), HTML)
    back = b"<a href=http://home.other.sample/back>x</a> <a href=http://n0.third.sample/>y</a>"
    found[f"n{N_HOSTS}/"] = reply(page(back + b"last " * 9), HTML)
    found["home/back"] = reply(
        page(b"<a href=http://n0.site.sample/end>z</a>" + b"home " * 9), HTML
    )
    found["n5/robots.txt"] = reply(b"Sitemap: http://map.third.sample/list.txt")
    listed = b"http://n5.site.sample/listed\nhttp://n0.third.sample/\n"
    found["map/list.txt"] = reply(listed, b"Content-Type: text/plain")
    found["n5/listed"] = reply(page(b"listed " * 9), HTML)
    found["n0/end"] = reply(page(b"end " * 9), HTML)
    return found


def test_a_site_on_another_domain_than_its_address(tmp_path):
    hostile, hosts = Hostile(answers()), [f"n{number}.site" for number in range(N_HOSTS + 1)]
    with listening(hostile) as port:
        (tmp_path / "hosts.tsv").write_text(
            "".join(
                f"{host}.sample\t127.0.0.1\t{port}\n"
                for host in [*hosts, "home.other", "map.third"]
            )
        )
        done = run_scrapy(
            *("fleet", "site", "-p", "3", "-a", "url=http://home.other.sample/"),
            *("-a", "scope=domain", "-s", "FLEET_DIVIDE_BY=host", "-s", "DEDUP_THRESHOLD=0"),
            *("-a", "sitemaps=1", "-s", "FETCH_RETRIES=0"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "-s", "HOST_DELAY_SECS=0"),
            *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "--nolog"),
        )
    assert done.returncode == 0, done.stderr
    kept = {row["url"] for row in Corpus.open(tmp_path / "corpus").documents(["url"])}
    expected = {f"http://{host}.sample/" for host in hosts}
    further = ("home.other.sample/back", "n0.site.sample/end", "n5.site.sample/listed")
    assert kept == expected | {f"http://{page}" for page in further}
