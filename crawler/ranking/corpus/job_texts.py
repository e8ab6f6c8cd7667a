"""Reads what a ranking is asked for from the words of a command line.

Loads no compiled code, but for topics.
"""

from __future__ import annotations

import math
import os
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from crawler.categories import clean_category
from crawler.errors import InputError, cause
from crawler.ranking.options import (
    DANGLING_POLICIES,
    DEFAULT_JOB,
    DEFAULTS,
    ENGINES,
    METHODS,
    SCALES,
    RankJob,
    RankOptions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from crawler.ranking.corpus.topics import TopicOptions
    from crawler.ranking.topics.sources import ListedPage

_Number = TypeVar("_Number", int, float)

# name, default, help. Read as strings: a wrong value is one line then, not argparse's usage
OPTIONS: tuple[tuple[str, object, str], ...] = (
    (
        "corpus",
        None,
        "corpus folder, or one with nodes.tsv.gz and edges.tsv.gz (default: setting CORPUS_DIR)",
    ),
    ("output", None, "folder for the ranks (default: ranks/ in the corpus folder)"),
    ("alpha", DEFAULTS.alpha, "damping factor, 0 to below 1"),
    ("tolerance", DEFAULTS.tolerance, "bound on the L1 error of the ranks, their sum being 1"),
    ("mean-change", None, "stop at so large an L1 change a page instead (published: 1e-3)"),
    ("max-iterations", None, "iterations to fail after (default: what any graph needs)"),
    ("engine", DEFAULT_JOB.engine, f"what computes: {', '.join(ENGINES)}"),
    ("master", None, "Spark's master, as spark://host:7077 (engine spark; default: local threads)"),
    ("method", None, f"{', '.join(METHODS)} (default {DEFAULT_JOB.method}; partitioned by spark)"),
    ("partitions", 0, "partitions of whole hosts; of host-blocks, threads (0: 8, all processors)"),
    ("speeds", None, "relative speeds of the partitions, as 4,2,1,1 (method partitioned)"),
    ("dangling", DEFAULTS.dangling, f"pages without links: {', '.join(DANGLING_POLICIES)}"),
    (
        "internal-share",
        None,
        "share of its rank that a page gives to links within its host, 0 to 1 (default: each link alike)",
    ),
    ("nofollow", "drop", "nofollow links: drop, keep"),
    (
        "start",
        "warm",
        "from old ranks where there are some (method host-blocks), or anew: warm, cold",
    ),
    ("scale", DEFAULT_JOB.scale, f"what is 1 of the ranks written: {', '.join(SCALES)}"),
    (
        "arrays",
        "memory",
        "where arrays are held: memory, mapped (from files in the corpus, or --output)",
    ),
    (
        "topics",
        None,
        "rank by topic: a file of lines CATEGORY<tab>URL[<tab>WEIGHT], or `seeds`: theirs, or `tld`, or both as seeds,tld",
    ),
    ("topic-depth", None, "levels of categories that are topics, from the top (default: all)"),
    ("topic-pages", "own", "a topic's pages: own, or descendants (with those of its children)"),
    ("topic-min-pages", 1, "pages that a topic needs"),
    (
        "checkpoint-secs",
        DEFAULT_JOB.checkpoint_secs,
        "seconds between checkpoints, 0 for each iteration (method host-blocks; topics)",
    ),
)
_WORDS = {
    "nofollow": ("drop", "keep"),
    "start": ("cold", "warm"),
    "arrays": ("memory", "mapped"),
    "topic_pages": ("own", "descendants"),
}
_NAMED = tuple((name.replace("-", "_"), default, text) for name, default, text in OPTIONS)
_OF_TOPICS = ("topic_depth", "topic_pages", "topic_min_pages")
# Topics have one method, and their ranks the scale that memberships need.
_NOT_FOR_TOPICS = {
    *("engine", "method", "speeds", "arrays", "scale", "mean_change"),
}
# `--topics` of the categories of the crawl's seeds, not of a file
OF_SEEDS = "seeds"
# `--topics` of the top-level domains of hosts, alone or beside others
OF_TLDS = "tld"
# What `--topics` may be beside a file.
TOPIC_WORDS = f"`{OF_SEEDS}`, `{OF_TLDS}` or `{OF_SEEDS},{OF_TLDS}`"
# Three blocks of `LANES` topics; smaller ones have next to no page among the results that facets are of.
MOST_TLDS = 48


def check_used(texts: Mapping[str, Any]) -> None:
    """Raise :exc:`ValueError` when an option in *texts* is given that is for other methods."""
    given = {name for name, default, _ in _NAMED if str(texts[name]) != str(default)}
    job = read_job(texts)
    is_local = job.engine != "spark"
    uses = {
        "master": (not is_local, "--engine spark"),
        "internal_share": (is_local, "--engine local"),
        "speeds": (is_local and job.method == "partitioned", "--method partitioned"),
        **dict.fromkeys(
            ("arrays", "checkpoint_secs"), (job.method == "host-blocks", "--method host-blocks")
        ),
        "partitions": (job.method in METHODS[:2], f"--method {' or '.join(METHODS[:2])}"),
        **dict.fromkeys(_OF_TOPICS, (texts["topics"] is not None, "--topics")),
    }
    for name in sorted(given & uses.keys()):
        is_used, where = uses[name]
        if not is_used:
            raise ValueError(f"--{name.replace('_', '-')} is for {where}; leave it out")
    if {"tolerance", "mean_change"} <= given:
        raise ValueError("--tolerance does nothing with --mean-change; leave one out")
    for name in sorted(given & _NOT_FOR_TOPICS if texts["topics"] is not None else ()):
        raise ValueError(f"--{name.replace('_', '-')} is not for --topics; leave it out")
    if job.speeds is not None and job.n_partitions not in {0, len(job.speeds)}:
        raise ValueError(
            f"--partitions is {job.n_partitions}, but --speeds of {len(job.speeds)}; leave it out"
        )


def read_options(texts: Mapping[str, Any]) -> RankOptions:
    """Return the options in *texts*, by name with ``_``; :exc:`ValueError` says what is wrong."""
    limit, change = texts["max_iterations"], texts["mean_change"]
    internal = texts["internal_share"]
    return RankOptions(
        alpha=_number(float, texts, "alpha"),
        tolerance=_number(float, texts, "tolerance"),
        dangling=texts["dangling"],
        max_iterations=_number(int, texts, "max_iterations") if limit is not None else None,
        mean_change=_number(float, texts, "mean_change") if change is not None else None,
        internal_share=_number(float, texts, "internal_share") if internal is not None else None,
    )


def read_job(texts: Mapping[str, Any]) -> RankJob:
    """Return the job in *texts*, by name with ``_``; :exc:`ValueError` says what is wrong."""
    for name, words in _WORDS.items():
        if texts[name] not in words:
            option = name.replace("_", "-")
            raise ValueError(f"--{option} is {texts[name]!r}; give {' or '.join(words)}")
    speeds = texts["speeds"]
    try:
        if speeds is not None:
            speeds = tuple(float(speed) for speed in speeds.split(","))
    except ValueError:
        raise ValueError(f"--speeds is {texts['speeds']!r}; give numbers, as 4,2,1,1") from None
    return RankJob(
        method=texts["method"]
        or ("partitioned" if texts["engine"] == "spark" else DEFAULT_JOB.method),
        engine=texts["engine"],
        n_partitions=_number(int, texts, "partitions"),
        speeds=speeds,
        with_nofollow=texts["nofollow"] == "keep",
        is_warm=texts["start"] == "warm",
        is_mapped=texts["arrays"] == "mapped",
        scale=texts["scale"],
        checkpoint_secs=_number(float, texts, "checkpoint_secs"),
        master=texts["master"],
    )


def read_topic_options(texts: Mapping[str, Any]) -> TopicOptions:
    """Return the topics in *texts*, by name with ``_``; :exc:`ValueError` says what is wrong."""
    from crawler.ranking.corpus.topics import TopicOptions

    depth = texts["topic_depth"]
    return TopicOptions(
        max_depth=None if depth is None else _counted(texts, "topic_depth"),
        descendants=texts["topic_pages"] == "descendants",
        min_pages=_counted(texts, "topic_min_pages"),
        threads=_number(int, texts, "partitions") or len(os.sched_getaffinity(0)),
        tlds=MOST_TLDS if _named_topics(texts["topics"])[1] else 0,
    )


def read_topics(text: str) -> Iterable[ListedPage] | None:
    """Return the pages of the file that *text* names for ``--topics``, none for `OF_TLDS` alone.

    None for those of the seeds. A file is read to its end first: a wrong line is to be told before the graph is loaded.
    """
    named, _ = _named_topics(text)
    if named == OF_SEEDS:
        return None
    if named is None:
        return ()
    path = Path(named)
    if not path.is_file():  # a pipe can be read but once
        return list(read_listed(path))
    deque(read_listed(path), maxlen=0)
    return read_listed(path)


def _named_topics(text: str | None) -> tuple[str | None, bool]:
    """Return what *text* names beside `OF_TLDS`, None for nothing; and whether it names these.

    :exc:`ValueError` tells of a name that is empty.
    """
    if text is None:
        return None, False
    names = text.split(",")
    has_tlds = False
    for end in (0, -1):
        if names[end] == OF_TLDS:
            del names[end]
            has_tlds = True
            break
    named = ",".join(names) if names else None
    if named is not None and not named.strip(" ,"):
        raise ValueError(f"--topics is {text!r}; give a file, or {TOPIC_WORDS}")
    return named, has_tlds


def read_listed(path: Path) -> Iterator[ListedPage]:
    """Yield category, URL and weight of each line of *path*; :exc:`InputError` names a line that has none."""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as lines:
            for number, line in enumerate(lines, 1):
                named, _, rest = line.strip().partition("\t")
                url, _, weight = rest.partition("\t")
                if url and (category := clean_category(named)):
                    yield category, url, _weight(weight, f"line {number} of {path}")
                elif line.strip():
                    raise InputError(
                        f"line {number} of {path} is no CATEGORY<tab>URL; give lines of that form"
                    )
    except (OSError, UnicodeDecodeError) as error:
        words = f", or {TOPIC_WORDS}" * isinstance(error, FileNotFoundError)
        raise InputError(
            f"cannot read {path} ({cause(error)}); give a file in UTF-8{words}"
        ) from error


def _weight(text: str, where: str) -> float:
    """Return the weight that *text* says, 1 of none."""
    try:
        weight = float(text or 1)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise InputError(f"the weight in {where} is {text!r}; give a number of 0 or more")
    return weight


def _counted(texts: Mapping[str, Any], name: str) -> int:
    number = _number(int, texts, name)
    if number < 1:
        raise ValueError(f"--{name.replace('_', '-')} must be at least 1, got {number}")
    return number


def _number(kind: Callable[[str], _Number], texts: Mapping[str, Any], name: str) -> _Number:
    text = texts[name]
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"--{name.replace('_', '-')} is {text!r}; give a number") from None
