"""Packages that are made anew of others: with pages more, fewer or changed, or of documents of several gold standards.

Each is written beside the old file and takes its place when it is whole. Linked pages stay, but for those of a package
none of whose documents is taken. Memory: the linked pages, and the ids.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.errors import InputError
from pipelines.evaluation.readers import linked_pages, open_dataset
from pipelines.evaluation.readers.gottron_zip import (
    Package,
    is_package_id,
    read,
    read_description,
    write_package,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pipelines.evaluation.gold import GoldPage


class Selection(NamedTuple):
    """Which documents of a gold standard: *ids*, of *language*, and of these *n_pages* drawn by *seed*; None for
    all.
    """

    ids: frozenset[str] | None = None
    language: str | None = None
    n_pages: int | None = None
    seed: int = 0


def make_package(
    path: Path,
    package: Package,
    pages: Iterable[GoldPage],
    *,
    linked: Mapping[str, bytes] | None = None,
) -> None:
    """Write *pages* as the new package *path*; raise `InputError` where there is a file already.

    *linked*: pages that they link to, by their addresses, which may be known when all *pages* were given.
    """
    _check_new(path)
    write_package(path, package, _each_once(pages), linked=linked)


def add_pages(path: Path, pages: Iterable[GoldPage], *, replacing: bool = False) -> None:
    """Add *pages* to the package *path*; *replacing* those of the same id, or else `InputError` for one."""
    there, added = set(ids_of(path)), set()

    def both() -> Iterator[GoldPage]:
        for page in _each_once(pages):
            if page.page_id in there and not replacing:
                raise InputError(
                    f"{path} has a document {page.page_id!r}; add --replace, or rename the page"
                )
            added.add(page.page_id)
            yield page
        yield from (page for page in read(path) if page.page_id not in added)

    _rewrite(path, both())


def remove_pages(path: Path, ids: Collection[str]) -> None:
    """Remove the documents *ids* from the package *path*; raise `InputError` for one that it has not, or for all."""
    there = ids_of(path)
    _check_known(path, ids, there)
    if set(there) <= set(ids):
        raise InputError(f"{path} would have no document left; remove the file")
    _rewrite(path, (page for page in read(path) if page.page_id not in ids))


def change_page(path: Path, page_id: str, changes: Mapping[str, Any]) -> None:
    """Set the fields *changes* of the document *page_id* of the package *path*."""
    _check_known(path, [page_id], ids_of(path))
    pages = (replace(page, **changes) if page.page_id == page_id else page for page in read(path))
    _rewrite(path, pages)


def merge(path: Path, package: Package, sources: Sequence[Path], wanted: Selection) -> list[str]:
    """Write what is *wanted* of the gold standards *sources*, of any layout, as the new package *path*; return its ids.

    An id that an earlier document has gets the name of its set before it.
    """
    _check_new(path)
    found = [(source, _wanted(source, wanted)) for source in sources]
    if not any(ids for _, ids in found):
        raise InputError(
            "no document with a gold text is selected; give other --ids or --only-language, or other gold standards"
        )
    _check_found(wanted, [ids for _, ids in found])
    written: dict[str, None] = {}
    linked: dict[str, bytes] = {}
    for source, ids in found:
        if ids:
            linked |= dict(linked_pages(source))

    def pages() -> Iterator[GoldPage]:
        for source, ids in found:
            chosen = _drawn(ids, wanted)
            for number, page in enumerate(open_dataset(source)):
                if number in chosen:
                    page_id = _new_id(page, written)
                    written[page_id] = None
                    yield replace(page, page_id=page_id)

    write_package(path, package, pages(), linked=linked)
    return list(written)


def _wanted(source: Path, wanted: Selection) -> dict[int, str]:
    """Return the ids of the documents of *source* that are *wanted* and have a gold text, by their places."""
    return {
        number: page.page_id
        for number, page in enumerate(open_dataset(source))
        if page.gold is not None
        and (wanted.ids is None or page.page_id in wanted.ids)
        and (wanted.language is None or page.language == wanted.language)
    }


def _check_found(wanted: Selection, found: Sequence[Mapping[int, str]]) -> None:
    missing: frozenset[str] = (wanted.ids or frozenset()).difference(
        *(ids.values() for ids in found)
    )
    if missing:
        raise InputError(
            f"no gold standard has a document {min(missing)!r} with a gold text that is selected; give ids as `list` shows them"
        )


def _drawn(places: Iterable[int], wanted: Selection) -> set[int]:
    """Return those of *places* that are taken."""
    chosen = [*places]
    if wanted.n_pages is not None and wanted.n_pages < len(chosen):
        rng = np.random.default_rng(wanted.seed)
        chosen = rng.permutation(chosen)[: wanted.n_pages].tolist()
    return set(chosen)


def _new_id(page: GoldPage, taken: Collection[str]) -> str:
    plain = page.page_id.replace("/", "-")
    for page_id in (plain, f"{page.dataset}-{plain}".replace("/", "-")):
        if page_id not in taken and is_package_id(page_id):
            return page_id
    raise InputError(f"two documents are {page.page_id!r} in {page.dataset}; select one of them")


def _check_new(path: Path) -> None:
    if path.exists():
        raise InputError(f"{path} is there already; add to it, or name another package")
    if not path.parent.is_dir():
        raise InputError(f"no folder {path.parent} for the package; make it")


def ids_of(path: Path) -> list[str]:
    """Return the ids of the documents of the package *path*."""
    return [page.page_id for page in read(path)]


def _check_known(path: Path, ids: Collection[str], there: Collection[str]) -> None:
    for page_id in ids:
        if page_id not in there:
            raise InputError(f"{path} has no document {page_id!r}; `list` shows those it has")


def _each_once(pages: Iterable[GoldPage]) -> Iterator[GoldPage]:
    """Give *pages*; raise `InputError` for an id that comes again, or that is none."""
    seen = set()
    for page in pages:
        if not is_package_id(page.page_id):
            raise InputError(f"{page.page_id!r} is no name of a document; rename the page")
        if page.page_id in seen:
            raise InputError(f"two pages are called {page.page_id!r}; rename one of them")
        seen.add(page.page_id)
        yield page


def _rewrite(path: Path, pages: Iterable[GoldPage]) -> None:
    write_package(path, read_description(path), pages, linked=dict(linked_pages(path)))
