"""The manifest: what a corpus folder holds, for people and for programs without LMDB.

*On disk.* ``manifest.json``, UTF-8, an object: ``format`` (1), ``winnow`` (the release that wrote
it), ``settings`` (digest of the settings of the crawl), ``counts`` (name → number), ``shards`` (list
of ``name``, ``rows``, ``bytes``, by name), ``rules`` (:mod:`pipelines.corpus.rules`). Written to a temporary name
and renamed. The journal, not the manifest, says what is in the corpus: the manifest may be a minute behind.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from xxhash import xxh3_128_hexdigest

from crawler.durable.files import check_readable, make_folder, write_atomic
from crawler.durable.layout import MANIFEST
from crawler.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from crawler.durable.sealing import Shard

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What ``manifest.json`` says."""

    settings: str
    counts: dict[str, int]
    shards: list[dict[str, Any]]
    winnow: str
    format: int = FORMAT
    rules: list[dict[str, Any]] = field(default_factory=list)


def settings_digest(settings: Mapping[str, object]) -> str:
    """Return the digest of *settings*: 32 hexadecimal digits, the same for any order of names."""
    text = json.dumps(dict(settings), sort_keys=True, default=repr)
    return xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass"))


def write_manifest(
    corpus_dir: Path,
    *,
    settings: str,
    counts: Mapping[str, int],
    shards: Iterable[Shard],
    rules: Iterable[dict[str, Any]] = (),
) -> Manifest:
    """Write the manifest of *corpus_dir*, *settings* being their digest, and return it."""
    listed = [
        {"name": shard.name, "rows": shard.rows, "bytes": shard.bytes}
        for shard in sorted(shards, key=lambda shard: shard.name)
    ]
    release = version("winnow-crawler")
    counted = dict(sorted(counts.items()))
    manifest = Manifest(settings, counted, listed, release, rules=list(rules))
    make_folder(corpus_dir)
    text = json.dumps(asdict(manifest), indent=1, sort_keys=True, ensure_ascii=False)
    write_atomic(corpus_dir / MANIFEST, f"{text}\n".encode())
    return manifest


def read_manifest(corpus_dir: Path) -> Manifest:
    """Return the manifest of *corpus_dir*.

    Raises `InputError` when there is none, `FormatError` when it is damaged or of another format.
    """
    path = corpus_dir / MANIFEST
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise InputError(f"no {path}; run a crawl first or give its CORPUS_DIR") from error
    except (OSError, ValueError, RecursionError) as error:
        check_readable(path)
        raise FormatError(
            f"{path} is damaged ({error}); restore it from a copy, or run the crawl again, which writes it"
        ) from error
    _check_format(path, value)
    try:
        manifest = Manifest(**value)
        for rules in manifest.rules:
            dict(rules["settings"])
        return manifest
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is damaged ({error}); restore it from a copy") from error


def _check_format(path: Path, value: object) -> None:
    if not isinstance(value, dict) or "format" not in value:
        raise FormatError(
            f"{path} names no format; restore it from a copy, or remove it and run the crawl again"
        )
    if value["format"] != FORMAT:
        raise FormatError(
            f"{path} has format {value['format']}, this program reads {FORMAT}; use the release that wrote it"
        )


def check_overwritten(corpus_dir: Path) -> None:
    """Raise `FormatError` when the manifest that a crawl into *corpus_dir* overwrites is of another format.

    One that is damaged is written anew.
    """
    path = corpus_dir / MANIFEST
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    _check_format(path, value)


def check_manifest(corpus_dir: Path) -> None:
    """Raise `FormatError` when *corpus_dir* has a manifest that is damaged or of another format."""
    if (corpus_dir / MANIFEST).exists():
        read_manifest(corpus_dir)
