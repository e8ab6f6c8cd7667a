"""The rules of a corpus: the settings that decide what a page becomes, and whether it is kept.

*On disk.* ``rules`` of the manifest, in the order of time: objects of ``since`` (ISO 8601, UTC: from when on pages
were made by them) and ``settings`` (name → value; of a file ``file``, its name, and ``xxh3_128``, the digest of what is
in it, by which two are compared). Those of duplicates are not among them: the end of a crawl decides over all pages by
one rule. A name that is not there is a rule that the release did not know: it counts as what all crawls did then.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xxhash import xxh3_128_hexdigest

from crawler.durable.journal import Journal
from crawler.durable.layout import journal_folder, shards_of
from crawler.durable.sealing import read_shards
from crawler.errors import InputError, WinnowError
from pipelines.corpus.manifest import read_manifest
from pipelines.corpus.schema import SCHEMAS
from pipelines.corpus.shards import LOG

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# The setting that lets them change.
MAY_CHANGE = "CORPUS_RULES_MAY_CHANGE"
# What crawls did before they had these rules; it stays, whatever the defaults become.
_BEFORE: dict[str, object] = {
    "LANGUAGE_MODEL": "",
    "LANGUAGE_MODEL_MIN_SCORE": 0.6,
    "QUALITY_MIN_PAGE_BYTES": 0,
}
_DIGEST = "xxh3_128"


def rules_since(
    corpus_dir: Path, settings: Mapping[str, object], *, may_change: bool
) -> list[dict[str, Any]]:
    """Return the rules of *corpus_dir* as they are when a crawl by *settings* goes on with it.

    Raises `InputError` when pages of it were made by others, unless these *may_change*.
    """
    present = json.loads(json.dumps(dict(settings), default=repr))
    begun = {"since": datetime.now(UTC).isoformat(timespec="seconds"), "settings": present}
    known = [
        {**each, "settings": _with_digests(each["settings"], present)}
        for each in _known(corpus_dir)
    ]
    if not known or not _has_rows(corpus_dir):
        return [begun]
    last = {**_BEFORE, **known[-1]["settings"]}
    changed = _differing(last, present)
    if not changed:
        return known
    if not may_change:
        raise InputError(_refusal(corpus_dir, changed, last, present))
    return [*known, begun]


def disagreement(shared: Mapping[str, Any], own: Mapping[str, Any]) -> str | None:
    """Return why a shard whose rules are its *own* cannot join others that make pages by *shared* ones; None if it can.

    >>> disagreement({"A": 1}, {"A": 1, "B": 2}) is None
    True
    """
    differing = _differing(shared, own)
    if not differing:
        return None
    said = "; ".join(
        f"{name} is {_shown(shared[name])} there, {_shown(own[name])} here" for name in differing
    )
    return (
        f"the other shards make pages by other rules: {said}; give this one theirs, or all of them the new "
        f"ones with -s {MAY_CHANGE}=1"
    )


def changes(rules: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the values, as JSON, of each setting that is not the same in all of *rules*.

    >>> changes([{"settings": {"A": 1, "B": 2}}, {"settings": {"A": 1, "B": 3}}])
    {'B': ['2', '3']}
    """
    values: dict[str, dict[str, str]] = {}
    for each in rules:
        for name, value in {**_BEFORE, **each["settings"]}.items():
            values.setdefault(name, {}).setdefault(_shown(_compared(value)), _shown(value))
    return {name: list(its.values()) for name, its in sorted(values.items()) if len(its) > 1}


def together(histories: Iterable[Iterable[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the rules of all *histories* in the order of time, once those that follow on the same."""
    found = [each for history in histories for each in history]
    found.sort(key=lambda rules: str(rules.get("since", "")))
    return [
        next(its)
        for _, its in groupby(found, lambda rules: _compared({**_BEFORE, **rules["settings"]}))
    ]


def file_rule(name: str) -> object:
    """Return the rule that the file *name* is: what is in it, which may change under one name; "" is none.

    One that cannot be read is its name: who needs it says so.
    """
    try:
        return {"file": name, _DIGEST: xxh3_128_hexdigest(Path(name).read_bytes())} if name else ""
    except OSError:
        return name


def _with_digests(recorded: Any, present: Any) -> Any:
    """Return *recorded* with the rules of files in place of the names alone that earlier releases wrote, wherever
    *present* has such a rule: by the name, too, these took the file for the same.
    """
    if not isinstance(present, dict):
        return recorded
    if _DIGEST in present:
        return file_rule(recorded) if isinstance(recorded, str) else recorded
    if not isinstance(recorded, dict):
        return recorded
    return {name: _with_digests(its, present.get(name)) for name, its in recorded.items()}


def _compared(value: Any) -> Any:
    """Return what is compared of *value*: of files what is in them."""
    if not isinstance(value, dict):
        return value
    return value.get(_DIGEST) or {name: _compared(its) for name, its in value.items()}


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Return the names of the rules of *other* that *one* has, too, and otherwise."""
    return [
        name
        for name in sorted(other)
        if name in one and _compared(one[name]) != _compared(other[name])
    ]


def _known(corpus_dir: Path) -> list[dict[str, Any]]:
    """Return the rules of the manifest, none where it is not there or damaged: it is written anew."""
    try:
        return read_manifest(corpus_dir).rules
    except WinnowError:
        return []


def _has_rows(corpus_dir: Path) -> bool:
    """Tell whether a row of *corpus_dir* is stored; what cannot be opened is told where it is opened."""
    for shard in shards_of(corpus_dir):
        with suppress(WinnowError):
            journal = Journal.open_reader(journal_folder(corpus_dir, shard))
            try:
                with journal.read() as txn:
                    is_sealed = any(file.kind in SCHEMAS for file in read_shards(txn))
                    if is_sealed or txn.first_key(LOG) is not None:
                        return True
            finally:
                journal.close()
    return False


def _refusal(
    corpus_dir: Path, names: Sequence[str], last: Mapping[str, Any], present: Mapping[str, Any]
) -> str:
    said = "; ".join(
        f"{name} was {_shown(last[name])}, is {_shown(present[name])}" for name in names
    )
    return (
        f"the pages of {corpus_dir} were made by other rules: {said}; go on with the old ones, give another "
        f"CORPUS_DIR, or -s {MAY_CHANGE}=1 to make the pages to come by the new ones"
    )


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
