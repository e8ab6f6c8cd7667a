"""Rankings host by host that were killed: they go on at their checkpoint, if it is theirs."""

from __future__ import annotations

import re
import signal

import numpy as np
import pytest

from crawler.ranking.checkpoints import Checkpoint, digest_of
from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.options import RankOptions
from tests.forked_commands import complete_python
from tests.ranking_graphs import random_graph
from tests.test_ranking_host_blocks import TIGHT, web

__all__ = ["web"]


KILLED = """
import os, signal, sys
from pathlib import Path
from crawler.ranking import checkpoints
from crawler.ranking.host_blocks.iteration import Resources, host_block_pagerank
from crawler.ranking.options import RankOptions
from crawler.webgraph.large_web import LargeWeb, WebShape

save = checkpoints.Checkpoint.save_if_due
def save_and_die(self, vote, passes):
    save(self, vote, passes)
    if passes == 4:
        (self.path.with_name(self.path.name + ".tmp")).write_bytes(b"half a file")
        os.kill(os.getpid(), signal.SIGKILL)
checkpoints.Checkpoint.save_if_due = save_and_die
graph = LargeWeb(WebShape.large(20_000, dangling=0.2)).host_graph()
resources = Resources(checkpoint=Path(sys.argv[1]), checkpoint_secs=0)
host_block_pagerank(graph, RankOptions(tolerance=1e-13), resources=resources)
"""


def test_killed_run_goes_on_at_its_checkpoint(web, tmp_path):
    path = tmp_path / "ranks" / "checkpoint.npz"
    done = complete_python("-c", KILLED, str(path))
    assert done.returncode == -signal.SIGKILL
    assert path.exists()
    expected = host_block_pagerank(web, TIGHT)
    result = host_block_pagerank(web, TIGHT, resources=Resources(checkpoint=path))
    assert (result.resumed_at, result.converged) == (4, True)
    assert result.iterations <= expected.iterations + 2
    assert np.abs(result.rank - expected.rank).sum() / web.n_pages <= 2e-13
    assert not path.exists()


def test_checkpoint_of_another_system_is_as_none(web, tmp_path):
    path = tmp_path / "checkpoint.npz"
    digest = digest_of(web, TIGHT, None)
    Checkpoint(path, digest, every_secs=0).save_if_due(np.ones(3), 2)
    assert Checkpoint(path, digest, every_secs=0).load().passes == 2
    others = [
        digest_of(random_graph(1), TIGHT, None),
        digest_of(web, RankOptions(alpha=0.5), None),
        digest_of(web, RankOptions(dangling="drop"), None),
        digest_of(web, RankOptions(internal_share=0.5), None),
        digest_of(web, RankOptions(internal_share=0.0), None),
        digest_of(web, TIGHT, np.ones(web.n_pages)),
    ]
    assert len({digest, *others}) == 7
    for other in others:
        assert Checkpoint(path, other, every_secs=0).load() is None
    path.write_bytes(path.read_bytes()[:50])
    assert Checkpoint(path, digest, every_secs=0).load() is None
    path.unlink()
    assert Checkpoint(path, digest, every_secs=0).load() is None
    Checkpoint(path, digest, every_secs=1000).save_if_due(np.ones(3), 2)
    assert not path.exists()


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        # How the files are packed: in no way that is known.
        (rb"(PK\x01\x02.{6})\x00\x00", b"\\1M\0"),
        # Heads of arrays that are no Python.
        (rb"'shape': \(9000,\), }", b"'shape': ((000,), }"),
        (b"'fortran_order': F", b"'fortran_order'; F"),
    ],
)
def test_damaged_checkpoint_is_as_none(tmp_path, whole, damaged):
    path = tmp_path / "checkpoint.npz"
    Checkpoint(path, "digest", every_secs=0).save(np.ones(9000), 2)
    data = path.read_bytes()
    assert re.search(whole, data, re.DOTALL)
    path.write_bytes(re.sub(whole, damaged, data, flags=re.DOTALL))
    checkpoint = Checkpoint(path, "digest", every_secs=0)
    assert checkpoint.load() is None
    assert checkpoint.is_ignored
