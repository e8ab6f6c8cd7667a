"""The focused crawl over webs made for it: which pages it begins with."""

from __future__ import annotations

import pytest

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes


@pytest.mark.parametrize("hosts", ["own", "one", "redirected"])
def test_a_seed_is_of_the_topic_by_its_own_category(tmp_path, hosts):
    """Large hosts have seeds of many topics, and most old addresses redirect; links of other topics are left."""
    lines, answers = "", {}
    for side in ("on", "off"):
        for n in range(3):
            host, path = "one" if hosts == "one" else f"{side}{n}", f"/{side}{n}"
            lines += f"Top/{side}\thttp://{host}.sample{path}\n"
            if hosts == "redirected":
                to = f"Location: http://www{host}.sample{path}".encode()
                answers[host + path] = reply(b"", to, status=b"301 Moved")
                host = f"www{host}"
            link = f"<p><a href={path}/sub>more</a></p>".encode()
            answers[host + path] = reply(page(path.encode()) + link, HTML)
            answers[f"{host}{path}/sub"] = reply(page(b"sub" + path.encode()), HTML)
    # A page of the topic that is in another category, too.
    lines = (
        "".join(line.replace("Top/on", "Top/off") for line in lines.splitlines(True)[:1]) + lines
    )
    (tmp_path / "seeds.tsv").write_text(lines, encoding="utf-8")
    hostile = Hostile(answers)
    with served_bytes(tmp_path, hostile):
        done = run_scrapy(
            *("crawl", "focused", "-a", f"seeds={tmp_path / 'seeds.tsv'}", "-a", "topic=on"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}", "--nolog"),
            *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "-s", "DEDUP_THRESHOLD=0"),
        )
    assert done.returncode == 0, done.stderr
    reasons = [row["reason"] for row in Corpus.open(tmp_path / "corpus").rejected()]
    assert reasons.count("background") == 3
    asked = {path for path in hostile.asked if path.endswith("sub")}
    assert asked == {path for path in answers if path.endswith("sub") and "off" not in path}


def test_a_page_that_is_parsed_alone_is_told_from_the_background(tmp_path):
    seeds = tmp_path / "seeds.tsv"
    seeds.write_text("on\thttp://one.sample/on\noff\thttp://one.sample/off\n", encoding="utf-8")
    with served_bytes(tmp_path, Hostile({"one/off": reply(page(b"off"), HTML)})):
        done = run_scrapy(
            *("parse", "http://one.sample/off", "--spider", "focused"),
            *("-a", f"seeds={seeds}", "-a", "topic=on", "--nolog"),
            *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}"),
            *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}"),
        )
    assert done.returncode == 0, done.stderr
    reasons = [row["reason"] for row in Corpus.open(tmp_path / "corpus").rejected()]
    assert reasons == ["background"]
