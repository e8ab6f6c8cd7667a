"""Rankings by topic that were killed: they go on with what was found, if it is theirs and whole."""

from __future__ import annotations

import os
import shutil
import signal

import numpy as np
import pytest

from crawler.errors import WinnowError
from crawler.ranking.corpus.topics import CHECKPOINT_FOLDER, TopicOptions, rank_topics
from crawler.ranking.options import RankJob, RankOptions
from crawler.ranking.topics import checkpoints as topic_checkpoints
from crawler.ranking.topics.store import TOPICS_FILE, TopicFile
from crawler.ranking.topics.vectors import LANES
from tests.forked_commands import complete_python
from tests.test_command_pagerank import store_graph

N_TOPICS = 2 * LANES + 8
TIGHT = RankOptions(tolerance=1e-10)
# Ranks by topic, and kills itself once the third pass of the second block is kept.
KILLED = """
import os, signal, sys
from pathlib import Path
from crawler.ranking.checkpoints import Checkpoint
from crawler.ranking.options import RankJob
from tests.test_ranking_topic_checkpoints import ranked

save = Checkpoint.save
def save_and_die(self, vote, passes):
    save(self, vote, passes)
    if (self.path.name, passes) == ("block-16.npz", 3):
        self.path.with_name(self.path.name + ".tmp").write_bytes(b"half a file")
        os.kill(os.getpid(), signal.SIGKILL)
Checkpoint.save = save_and_die
ranked(Path(sys.argv[1]), job=RankJob(checkpoint_secs=0))
"""


def url(page: int) -> str:
    return f"http://h{page % 60:02}.sample/{page}"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A corpus of 1,200 pages on 60 hosts, ranked without an interruption."""
    corpus = tmp_path_factory.mktemp("topics") / "corpus"
    rng = np.random.default_rng(7)
    targets = (1200 * rng.random((1000, 7)) ** 1.5).astype(int)
    store_graph(corpus, {url(page): [*map(url, row)] for page, row in enumerate(targets.tolist())})
    report = ranked(corpus)
    assert (report.resumed_topics, report.resumed_at, report.ignored) == (0, 0, 0)
    assert [path.name for path in (corpus / "ranks").iterdir()] == ["topics.parquet"]
    return corpus


def ranked(corpus, options=TIGHT, weight=1.0, **others):
    listed = [
        (f"Top/{topic:02}", url(5 * topic + k), weight**k)
        for topic in range(N_TOPICS)
        for k in range(4)
    ]
    return rank_topics(corpus, options, TopicOptions(threads=1), listed=listed, **others)


@pytest.fixture(scope="module")
def killed(corpus, tmp_path_factory):
    """That corpus, of which the ranking was killed after 3 passes of the second block."""
    copy = tmp_path_factory.mktemp("killed") / "copy"
    shutil.copytree(corpus, copy, ignore=shutil.ignore_patterns("ranks"))
    done = complete_python("-c", KILLED, str(copy))
    assert done.returncode == -signal.SIGKILL, done.stderr
    left = sorted(path.name for path in (copy / "ranks" / CHECKPOINT_FOLDER).iterdir())
    kept = ["block-16.npz", "block-16.npz.tmp", "blocks.npz", "ranks", "unbiased.npz"]
    assert left == kept
    return copy


def all_ranks(corpus):
    batches = [(rank, ranks.T) for _, rank, ranks in TopicFile(corpus / TOPICS_FILE).batches()]
    unbiased, topics = (np.concatenate(columns) for columns in zip(*batches, strict=True))
    return np.column_stack([unbiased, topics])


def check(corpus, copy):
    """The ranks of *copy* are those of *corpus*, and nothing else is left."""
    assert all_ranks(copy) == pytest.approx(all_ranks(corpus), abs=1e-6)
    theirs, ours = (TopicFile(path / TOPICS_FILE) for path in (corpus, copy))
    for expected, found in zip(theirs.topics, ours.topics, strict=True):
        assert (found.name, found.kept) == (expected.name, pytest.approx(expected.kept, abs=1e-9))
    assert [path.name for path in (copy / "ranks").iterdir()] == ["topics.parquet"]


def flip(path, place):
    """Change the byte of *path* at the share *place* of its length."""
    data = bytearray(path.read_bytes())
    data[int(place * len(data))] ^= 1
    path.write_bytes(data)


# What is done to the folder that the kill left, and the topics, passes and ignored parts that follow.
DAMAGES = {
    "none": (lambda _: None, (LANES, 3, 0)),
    "ranks of a block": (lambda left: flip(left / "ranks", 1 / N_TOPICS), (0, 3, 1)),
    "ranks of no block": (lambda left: flip(left / "ranks", 1 - 1 / N_TOPICS), (LANES, 3, 0)),
    "short": (lambda left: os.truncate(left / "ranks", 100), (0, 3, 1)),
    "no ranks": (lambda left: (left / "ranks").unlink(), (0, 3, 1)),
    "marks": (lambda left: os.truncate(left / "blocks.npz", 200), (0, 3, 1)),
    "passes": (lambda left: flip(left / "block-16.npz", 0.5), (LANES, 0, 1)),
    "unbiased": (lambda left: (left / "unbiased.npz").write_bytes(b""), (LANES, 3, 1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_goes_on_with_what_is_whole(corpus, killed, tmp_path, damage):
    copy = tmp_path / "copy"
    shutil.copytree(killed, copy)
    change, expected = DAMAGES[damage]
    change(copy / "ranks" / CHECKPOINT_FOLDER)
    report = ranked(copy)
    assert (report.resumed_topics, report.resumed_at, report.ignored) == expected
    screen = report.screen()
    assert f"checkpoint  gone on after {expected[0]} topics and {expected[1]} iterations" in screen
    assert ("1 not used: of another ranking, or damaged" in screen) == (expected[2] == 1)
    check(corpus, copy)


def test_of_other_options_or_topics_is_as_none(killed, tmp_path):
    closer, weighed, other = (tmp_path / name for name in ("closer", "weighed", "other"))
    for copy in (closer, weighed, other):
        shutil.copytree(killed, copy)
    report = ranked(closer, RankOptions(tolerance=1e-9))
    # what the block, the ranks without topics, and the blocks that were done left
    assert (report.resumed_topics, report.resumed_at, report.ignored) == (0, 0, 3)
    report = ranked(weighed, weight=2.0)
    assert (report.resumed_topics, report.resumed_at, report.ignored) == (0, 0, 3)
    report = rank_topics(other, TIGHT, listed=[("Top/00", url(0), 1.0)])
    assert (report.resumed_topics, report.ignored, report.topics) == (0, 2, 1)


def test_what_is_left_when_it_fails(corpus, tmp_path, monkeypatch):
    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy, ignore=shutil.ignore_patterns("ranks"))
    left = copy / "ranks" / CHECKPOINT_FOLDER
    with pytest.raises(WinnowError, match="not converged"):
        ranked(copy, RankOptions(max_iterations=2), job=RankJob(checkpoint_secs=0))
    assert not left.exists()

    def full(self, kept, figures):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(topic_checkpoints.TopicCheckpoint, "add", full)
    for secs, is_left in ((60, False), (0, True)):
        with pytest.raises(OSError, match="No space"):
            ranked(copy, job=RankJob(checkpoint_secs=secs))
        assert left.exists() == is_left
