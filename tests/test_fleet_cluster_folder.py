"""Which folder is whose in a crawl on several machines, and what is said of calls that cannot be."""

from __future__ import annotations

import pytest

from crawler.durable.layout import fleet_folder, journal_folder, shard_name
from crawler.errors import InputError
from crawler.fleet.blocks import check_alone, check_shards_of
from crawler.fleet.cluster_folder import FILE, check_not_older, enter_folder
from crawler.fleet.crawl_keys import CrawlKeys
from tests.conftest import run_scrapy
from tests.redis_server import client, keys, redis_server
from tests.toy_crawl import SEEDS, open_store

__all__ = ["client", "keys", "redis_server"]


def test_a_shard_keeps_the_folder_that_it_began_with(tmp_path, client, keys):
    made = enter_folder(client, keys, 3, tmp_path / "a")
    assert enter_folder(client, keys, 3, tmp_path / "a") == made
    assert enter_folder(client, keys, 4, tmp_path / "b") == made
    for other in ("b", "lost"):
        with pytest.raises(
            InputError, match=r"shard 3 began in another folder; give that CORPUS_DIR"
        ):
            enter_folder(client, keys, 3, tmp_path / other)
    # a folder that was refused is as it was, and may be another shard's
    assert not (fleet_folder(tmp_path / "lost") / FILE).exists()
    assert enter_folder(client, keys, 5, tmp_path / "lost") == made


def test_a_folder_is_of_one_crawl(tmp_path, client, keys):
    enter_folder(client, keys, 0, tmp_path / "a")
    with pytest.raises(InputError, match="does not hold the crawl"):
        enter_folder(client, CrawlKeys("other"), 0, tmp_path / "a")


def test_a_folder_is_of_one_shard(tmp_path, client, keys):
    enter_folder(client, keys, 0, tmp_path / "a")
    journal = journal_folder(tmp_path / "a", shard_name(0))
    journal.mkdir(parents=True)
    (journal / "data.mdb").write_bytes(b"begun")
    with pytest.raises(InputError, match=r"a is the folder of shard 0; give shard 1 a CORPUS_DIR"):
        enter_folder(client, keys, 1, tmp_path / "a")
    assert client.hget(keys.of("folders"), "1") is None


def test_a_process_that_dies_between_file_and_redis_goes_on(tmp_path, client, keys):
    enter_folder(client, keys, 0, tmp_path / "a")
    client.delete(keys.of("folders"))
    enter_folder(client, keys, 0, tmp_path / "a")
    assert (
        client.hget(keys.of("folders"), "0")
        == (fleet_folder(tmp_path / "a") / FILE).read_bytes()[16:]
    )


def test_an_older_copy_of_a_folder_is_refused(client, keys):
    client.hset(keys.taken(3), "1", "100")
    client.hset(keys.taken(3), "8", "100")  # who takes no part any more
    check_not_older(client, keys, 3, {"1": 100, "2": 0})
    check_not_older(client, keys, 3, {"1": 99, "2": 0})  # its last transaction went with the power
    with pytest.raises(InputError, match="shard 3 is an older copy: shard 1 has taken 100 records"):
        check_not_older(client, keys, 3, {"1": 60, "2": 0})


def test_crawls_of_one_machine_and_of_several_do_not_mix(tmp_path, client, keys):
    enter_folder(client, keys, 0, tmp_path / "many")
    for check in (check_alone, lambda folder: check_shards_of(folder, [0, 1])):
        with pytest.raises(InputError, match="a part of a crawl on several machines"):
            check(tmp_path / "many")
    store = open_store(tmp_path / "one")
    store.add_seeds(SEEDS)
    store.close()
    check_alone(tmp_path / "one")
    with pytest.raises(InputError, match="was crawled without CLUSTER_URL"):
        enter_folder(client, keys, 1, tmp_path / "one")


DEAD = ("-s", "CLUSTER_URL=redis://127.0.0.1:1/0", "-s", "CLUSTER_NAME=x", "-s", "CLUSTER_SIZE=2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["crawl", "odp", *DEAD], "no Redis answers at redis://127.0.0.1:1/0"),
        (
            ["crawl", "odp", *DEAD, "-s", "FLEET_SHARD=-1"],
            "FLEET_SHARD is '-1'; give a whole number",
        ),
        (
            ["crawl", "odp", "-s", "FLEET_SHARD=1"],
            "FLEET_SHARD is 1, of a crawl without CLUSTER_URL; give both or none",
        ),
        (["crawl", "odp", *DEAD[:4]], "no Redis answers at redis://127.0.0.1:1/0"),  # of one shard
        (["fleet", "odp", *DEAD], "scrapy fleet is for one machine; leave CLUSTER_URL out"),
    ],
    ids=["dead", "number", "alone", "size", "fleet"],
)
def test_wrong_calls_are_one_line(tmp_path, arguments, message):
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("http://a.sample/\n")
    corpus = f"CORPUS_DIR={tmp_path / 'corpus'}"
    done = run_scrapy(*arguments, "-a", f"seeds={seeds}", "-s", corpus, "--nolog")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
