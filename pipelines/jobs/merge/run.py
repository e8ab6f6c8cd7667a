"""Merges the corpus folders of one crawl on several machines: ``scrapy export --merge``.

Those of WARC files that were read apart are merged by :mod:`pipelines.jobs.merge.archives`.

The shards of such a crawl have numbers of their own, and HostIDs that no other has, so the merged
corpus is all their journals and files in one folder: journals are copied, files linked (copied where
the file system cannot link). What was computed of one folder alone (ranks, index, duplicates) is not
taken. The folder appears whole: it is made under a temporary name, which the next run removes if
this one was killed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crawler.durable.files import atomic_folder, link_file
from crawler.durable.journal import Journal
from crawler.durable.journals import known_shards
from crawler.durable.layout import journal_folder, shard_name, shards_of
from crawler.durable.sealing import check_shards, read_shards
from crawler.durable.warc_files import check_warcs, read_lengths
from crawler.errors import FormatError, InputError
from crawler.webgraph.hosts.rows import scan_hosts
from crawler.wording import counted
from pipelines.corpus.manifest import read_manifest, write_manifest
from pipelines.corpus.rules import changes, together
from pipelines.jobs.corpus_copy import check_output, copy_warcs
from pipelines.jobs.merge.closing_words import closing_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from crawler.durable.sealing import Shard


@dataclass(frozen=True, slots=True)
class MergeReport:
    """What was merged: shards of the crawl, files, hosts; *missing* are shards that none of the folders has.

    *rules*: the settings that were not the same when all pages were made, with their values.
    """

    output: str
    shards: list[str]
    files: int
    hosts: int
    missing: list[str]
    rules: dict[str, list[str]]

    def screen(self) -> str:
        """Return the report for a reader."""
        left_out = (
            f"left out is shard {', '.join(self.missing)} of the crawl: its documents are not there, and the graph "
            "cannot be read unless it was given up; merge the folders of all\n"
        )
        return (
            f"{self.output}: {counted(len(self.shards), 'shard')}, "
            f"{counted(self.files, 'file')}, {counted(self.hosts, 'host')}\n"
            f"{left_out if self.missing else ''}"
            f"{closing_words(self.output, self.rules)}"
        )


def merge_corpora(folders: Sequence[Path], output: Path) -> MergeReport:
    """Write the corpus of all *folders* to *output*, a new folder.

    Raises `InputError` when *output* is there or a shard is in two of them, `FormatError` when two
    of them gave one HostID to different hosts.
    """
    shards = _shards(folders)
    for folder in folders:
        check_output(folder, output)
    files: list[Shard] = []
    hosts: dict[int, str] = {}
    wanted: set[str] = set()
    try:
        with atomic_folder(output) as unfinished:
            for shard, folder in sorted(shards.items()):
                files += _take_shard(folder, shard, unfinished, hosts, wanted)
            rules = _write_manifest(folders, unfinished, files)
    except OSError as error:
        raise InputError(
            f"cannot write {output} ({error.strerror}); give another --output"
        ) from error
    missing = sorted(wanted - shards.keys())
    names = sorted(shards)
    return MergeReport(str(output), names, len(files), len(hosts), missing, changes(rules))


def _shards(folders: Sequence[Path]) -> Mapping[str, Path]:
    """Return the folder that each shard is in."""
    found: dict[str, Path] = {}
    for folder in folders:
        shards = shards_of(folder)
        if not shards:
            raise InputError(f"no corpus in {folder}; run a crawl first or give its CORPUS_DIR")
        for shard in shards:
            if shard in found:
                raise InputError(
                    f"{found[shard]} and {folder} both have shard {shard}; only folders of one crawl, "
                    "each with a FLEET_SHARD of its own, can be merged, or corpora of scrapy crawl warc"
                )
            found[shard] = folder
    return found


def _take_shard(
    folder: Path, shard: str, output: Path, hosts: dict[int, str], wanted: set[str]
) -> list[Shard]:
    """Copy the journal of *shard* and link its files; add its hosts to *hosts*; return the files.

    *wanted* gets the shards that it knew.
    """
    target = journal_folder(output, shard)
    target.mkdir(parents=True)
    source = Journal.open_reader(journal_folder(folder, shard))
    try:
        source.copy(target)
    finally:
        source.close()
    journal = Journal.open_reader(target)
    try:
        with journal.read() as txn:
            files, lengths = read_shards(txn), read_lengths(txn)
            wanted |= {shard_name(known) for known in known_shards(txn) or ()}
            for host_id, key in scan_hosts(txn):
                if hosts.setdefault(host_id, key) != key:
                    raise FormatError(
                        f"{folder} has another host of HostID {host_id} than a folder before it; "
                        "merge folders of one crawl"
                    )
    finally:
        journal.close()
    check_shards(folder, files)
    check_warcs(folder, lengths)
    for file in files:
        (output / file.name).parent.mkdir(parents=True, exist_ok=True)
        link_file(folder / file.name, output / file.name)
    copy_warcs(folder, output, lengths)
    return files


def _write_manifest(
    folders: Sequence[Path], output: Path, files: Sequence[Shard]
) -> list[dict[str, Any]]:
    """Write the manifest of *output*; return the rules of all *folders*."""
    counts: Counter[str] = Counter()
    manifests = [read_manifest(folder) for folder in folders]
    for manifest in manifests:
        counts.update(manifest.counts)
    rules = together(manifest.rules for manifest in manifests)
    settings = manifests[0].settings
    write_manifest(output, settings=settings, counts=counts, shards=files, rules=rules)
    return rules
