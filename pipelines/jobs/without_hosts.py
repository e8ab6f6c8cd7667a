"""``python -m pipelines.jobs.without_hosts CORPUS HOSTS --output DIR``: a corpus without the texts of some hosts.

As where their owners ask for it. The new folder is a copy (pipelines.jobs.dedup.output), the old one is only read. Of a
page of the hosts that was a document, or a duplicate that was held whole, a row of ``rejected`` says `STAGE` and
`REASON`; captures that later ones replaced have no row any more. Index, exports and laws are not copied: what is made
of the new corpus has none of the texts. Its graph has the pages still, and so have ranks: links to them are of others.
A name takes the host and all below it, so ``www.a.si`` leaves ``a.si``; that is told, as an owner may mean both.

Not handled: WARC files are linked as they are, with the answers of the hosts; the journal of a focused crawl has the
texts of its seeds, from which it learns; duplicates of their pages on other hosts stay rejected, until ``dedup --close``
takes back those that were held whole; and nothing but its settings keeps a later crawl from fetching the pages again if
they have changed.

Memory: a row group. Disk: the shards that have rows of the hosts.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from crawler.durable.layout import WARC
from crawler.durable.parquet import read_parquet
from crawler.durable.sealing import read_shards
from crawler.errors import InputError, ModuleParser, run_module
from crawler.urls.named_hosts import is_of_hosts, named_hosts
from crawler.wording import counted
from pipelines.corpus.corpus import completed
from pipelines.corpus.new_shards import finished, new_sink, reserve_serials, take_place
from pipelines.corpus.schema import REJECTED, SCHEMAS
from pipelines.corpus.shards import GROUP_ROWS
from pipelines.duplicates.near_index.rows import FORGET_RULE
from pipelines.jobs.dedup.output import opened

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from crawler.durable.journal import Journal
    from crawler.durable.sealing import Shard
    from pipelines.corpus.corpus import Corpus

STAGE, REASON = "removed", "host"
# The tables that hold texts, and what of them leaves a row that says so.
_TABLES = ("documents", "provisional", "replaced")
_TOLD = ("documents", "provisional")


@dataclass(slots=True)
class WithoutHostsReport:
    """What is not in *output* any more; *others* are duplicates and replaced captures."""

    output: str
    documents: int = 0
    words: int = 0
    others: int = 0
    has_answers: bool = False
    """whether WARC files were linked"""
    without_www: dict[str, int] = field(default_factory=dict)
    """documents of hosts that are left, but were named with ``www.`` in front"""

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"removed   {counted(self.documents, 'document')}, {counted(self.words, 'word')}",
            f"besides   {counted(self.others, 'row')} of duplicates and of replaced captures",
            f"written   {self.output}",
        ]
        lines += [
            f"left      {counted(n, 'document')} of {host}, which is another host; name it, too, to remove them"
            for host, n in sorted(self.without_www.items())
        ]
        if self.has_answers:
            lines.append(
                f"left      {self.output}/{WARC} has the answers of all hosts; a corpus made of it has their texts again"
            )
        return "\n".join(lines)


def without_hosts(folder: Path, hosts: Sequence[str], output: Path) -> WithoutHostsReport:
    """Write the corpus in *folder* without the texts of *hosts*, names as `named_hosts` gives them, to *output*.

    Raises `InputError` when there is no corpus, none of its texts is of a host, or *output* is there.
    """
    report = WithoutHostsReport(str(output))
    with opened(folder, output) as (corpus, journals):
        removal = _Removal(corpus.corpus_dir, tuple(hosts), report)
        report.without_www = _left_without_www(corpus, hosts)
        if not removal.done(journals):
            known = " and ".join(sorted(report.without_www))
            raise InputError(
                f"no document of {folder} is of {' or '.join(hosts)}, or a host below; "
                + (
                    f"some are of {known}: give that"
                    if known
                    else "`scrapy explore` shows its hosts"
                )
            )
        report.has_answers = (corpus.corpus_dir / WARC).is_dir()
    return report


def _left_without_www(corpus: Corpus, hosts: Sequence[str]) -> dict[str, int]:
    """Return how many documents *corpus* has of each host that one of *hosts* is with ``www.`` in front, and that stays."""
    bare = {host.removeprefix("www.") for host in hosts if host.startswith("www.")}
    bare = {host for host in bare if not is_of_hosts(f"http://{host}/", hosts)}
    found: Counter[str] = Counter()
    for batch in corpus.batches("documents", ["host"]) if bare else ():
        found.update(host for host in batch["host"].to_pylist() if host in bare)
    return dict(found)


class _Removal:
    """Takes the rows of *hosts* out of the shards of *corpus_dir*, and counts them in *report*."""

    def __init__(self, corpus_dir: Path, hosts: tuple[str, ...], report: WithoutHostsReport):
        self.corpus_dir = corpus_dir
        self.hosts = hosts
        self.report = report

    def done(self, journals: Sequence[Journal]) -> bool:
        """Remove the rows; tell whether there were any."""
        old: list[Shard] = []
        new: list[Shard] = []
        for journal in journals:
            with journal.read() as txn:
                shards = [shard for shard in read_shards(txn) if shard.kind in _TABLES]
            held = [shard for shard in shards if self._has_some(shard)]
            first = reserve_serials(journal, len(held)) + 1
            for serial, shard in enumerate(held, first):
                new += self._rest(shard, serial)
            old += held
        if old:
            take_place(self.corpus_dir, journals, old, new, lambda *_: (FORGET_RULE,))
        return bool(old)

    def _has_some(self, shard: Shard) -> bool:
        batches = read_parquet(self.corpus_dir / shard.name, ["url"])
        return any(self._of_hosts(batch).any() for batch in batches)

    def _of_hosts(self, batch: pa.RecordBatch) -> npt.NDArray[np.bool_]:
        urls = map(str, batch["url"].to_pylist())
        return np.array([is_of_hosts(url, self.hosts) for url in urls], np.bool_)

    def _rest(self, shard: Shard, serial: int) -> Iterator[Shard]:
        """Write the rows of *shard* that stay, and what is told of the others; yield the new shards."""
        kind, names = shard.kind, SCHEMAS[shard.kind].names
        with (
            new_sink(self.corpus_dir, kind, shard, serial) as rest,
            new_sink(self.corpus_dir, "rejected", shard, serial) as told,
        ):
            for read in read_parquet(self.corpus_dir / shard.name, names, batch_rows=GROUP_ROWS):
                batch = completed(read, kind, names)
                is_gone = self._of_hosts(batch)
                rest.write(batch.filter(pa.array(~is_gone)))
                gone = batch.filter(pa.array(is_gone))
                self._count(kind, gone)
                if kind in _TOLD and gone.num_rows:
                    told.write(_as_rejected(gone))
        yield from finished(self.corpus_dir, kind, shard, serial, rest.n_rows)
        yield from finished(self.corpus_dir, "rejected", shard, serial, told.n_rows)

    def _count(self, kind: str, gone: pa.RecordBatch) -> None:
        if kind == "documents":
            self.report.documents += gone.num_rows
            self.report.words += sum(filter(None, gone["n_words"].to_pylist()))
        else:
            self.report.others += gone.num_rows


def _as_rejected(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch of documents or duplicates as one of ``rejected``, without the digests of their texts."""
    said = {"stage": STAGE, "reason": REASON, "duplicate_of": None, "digest": None}
    known = batch.select([name for name in REJECTED.names if name not in said])
    return pa.RecordBatch.from_pylist([row | said for row in known.to_pylist()], REJECTED)


def main(arguments: list[str] | None = None) -> int:
    """Write the corpus that *arguments* ask for; return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    hosts = named_hosts(options.hosts.split(","), "HOSTS")
    report = without_hosts(options.corpus, hosts, options.output)
    sys.stdout.write(f"{json.dumps(asdict(report)) if options.json else report.screen()}\n")


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.jobs.without_hosts",
        description="Write a corpus without the texts of some hosts, as where their owners ask for it. It has no index "
        "nor exports. `scrapy dedup --close` takes back what was a duplicate of their pages alone. A later crawl into "
        "it fetches none of their pages with -s URLS_DENY or -a exclude.",
    )
    parser.add_argument("corpus", type=Path, metavar="CORPUS", help="corpus folder")
    parser.add_argument(
        "hosts", metavar="HOSTS", help="by commas, with all below them, such as a.si,example.org"
    )
    parser.add_argument(
        "--output", type=Path, metavar="DIR", required=True, help="new folder for the corpus"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
