"""The options of ``scrapy dedup`` as a command line gives them: strings, by name."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError, refused_option
from pipelines.jobs.dedup.options import DedupOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30}


def parsed_bytes(text: str) -> int:
    """Return the bytes that *text* is; ValueError for what is no size.

    >>> parsed_bytes("1.5G"), parsed_bytes("500M"), parsed_bytes("100000000")
    (1610612736, 524288000, 100000000)
    """
    unit = _UNITS.get(text[-1:].upper())
    if not unit:
        return int(text)
    n_units = float(text[:-1])
    if not math.isfinite(n_units):
        raise ValueError(f"{text!r} is no size")
    return int(n_units * unit)


# name, kind, setting that is the default, help
ARGUMENTS: tuple[tuple[str, Callable[[str], Any], str | None, str], ...] = (
    ("unit", str, None, "document: near-duplicate documents; block: blocks by duplicate n-grams"),
    ("method", str, "DEDUP_METHOD", "of documents: mutual-containment, resemblance or simhash"),
    ("threshold", float, "DEDUP_THRESHOLD", "of documents: share of shingles of near-duplicates"),
    ("shingle-words", int, "DEDUP_SHINGLE_WORDS", "of documents: words of a shingle"),
    ("distance", int, "DEDUP_SIMHASH_DISTANCE", "of documents: bits between near simhashes"),
    ("keep", str, "DEDUP_KEEP", "of documents, which copy stays: longest, first, rank, complete"),
    ("coverage", float, None, "of blocks: share of words in n-grams kept elsewhere"),
    ("ngram-words", int, None, "of blocks: words of an n-gram"),
    (
        "stop-words",
        str,
        None,
        "of blocks, in n-grams: keep, or exclude by each document's language",
    ),
    (
        "commit",
        str,
        None,
        "of blocks: safe takes for copies only what is kept; thesis as published",
    ),
    ("engine", str, None, "local or spark"),
    ("memory", parsed_bytes, "DEDUP_MEMORY_BYTES", "such as 500M, beside 200 bytes a document"),
)

_OF_DOCUMENTS = ("method", "threshold", "shingle_words", "distance", "keep")
_OF_BLOCKS = ("coverage", "ngram_words", "stop_words", "commit")


def default_of(name: str, settings: Mapping[str, Any]) -> Any:
    """Return the default of argument *name*, of *settings* where it is one."""
    setting = {each: of for each, _, of, _ in ARGUMENTS}[name]
    if setting:
        return settings[setting]
    return next(
        field.default for field in fields(DedupOptions) if field.name == name.replace("-", "_")
    )


def changed_options(options: DedupOptions, given: Mapping[str, str | None]) -> DedupOptions:
    """Return *options* with those *given* that are not None.

    Raises `InputError` for a wrong value, and for an option that would do nothing beside the others.
    """
    changes = {}
    for name, kind, _, _ in ARGUMENTS:
        field = name.replace("-", "_")
        value = given.get(field)
        if value is not None:
            try:
                changes[field] = kind(value)
            except ValueError as error:
                wanted = "a size such as 500M or 2G" if name == "memory" else "a number"
                raise InputError(f"--{name} is {value!r}; give {wanted}") from error
    try:
        changed = replace(options, **changes)
    except ValueError as error:
        raise refused_option(error, given) from error
    _check_used(changed, changes)
    return changed


def _check_used(options: DedupOptions, given: Iterable[str]) -> None:
    is_simhash = options.method == "simhash"
    uses = {
        **dict.fromkeys(_OF_DOCUMENTS, (options.unit == "document", "--unit document")),
        **dict.fromkeys(_OF_BLOCKS, (options.unit == "block", "--unit block")),
    }
    if options.unit == "document":
        uses["threshold"] = (not is_simhash, "--method mutual-containment or resemblance")
        uses["distance"] = (is_simhash, "--method simhash")
    for name in given:
        is_used, where = uses.get(name, (True, ""))
        if not is_used:
            raise InputError(f"--{name.replace('_', '-')} is for {where}; leave it out")
