"""The links of pagelets, and which pagelets are templates, in memory and in files.

A pagelet is named by its page and its number there, in page order (crawler.page.pagelets).

*On disk.* Parquet, format `FORMAT_VERSION` in the metadata under ``winnow_pagelets_version``, columns
``uint32``. Links: ``host_id``, ``local_id``, ``pagelet``, ``target_host``, ``target_local``, each once, by
ascending page, pagelet, target. Template flags: ``host_id``, ``local_id``, ``pagelet`` of the template
pagelets, each once, in the same order. ``winnow_pagelet_links`` in the metadata of both is the k of the pagelets
(`crawler.page.pagelets`), 3 where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from crawler.durable.files import atomic_path, check_readable
from crawler.durable.parquet import read_parquet
from crawler.errors import FormatError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.page.pagelets import Pagelets

    Ids = npt.NDArray[np.uint64]
    Numbers = npt.NDArray[np.uint32]

FORMAT_VERSION = "1"
_VERSION_KEY, _K_KEY = b"winnow_pagelets_version", b"winnow_pagelet_links"
# Of files that do not tell it.
_K = 3
_FLAG_COLUMNS = ("host_id", "local_id", "pagelet")
_LINK_COLUMNS = (*_FLAG_COLUMNS, "target_host", "target_local")


class PageletLinks(NamedTuple):
    """Links of pagelets, each once, by ascending page, pagelet, target.

    *page* uint64[m] and *pagelet* uint32[m]: where a link stands; *target* uint64[m].
    """

    page: Ids
    pagelet: Numbers
    target: Ids


class TemplatePagelets(NamedTuple):
    """Pagelets that are templates: *page* uint64[k], *pagelet* uint32[k], ascending, each once."""

    page: Ids
    pagelet: Numbers


def pagelet_of_links(pagelets: Pagelets, references: Numbers) -> Numbers:
    """Return the number of the pagelet that holds each of *references* (``Links.reference``)."""
    return np.searchsorted(pagelets.end_link, references, side="right").astype(np.uint32)


def links_of_page(page: int, pagelet: Numbers, target: Ids) -> PageletLinks:
    """Return the links of *page*, link i standing in *pagelet[i]* and leading to *target[i]*."""
    return _sorted(np.full(len(target), page, dtype=np.uint64), pagelet, target)


def joined_links(parts: Sequence[PageletLinks]) -> PageletLinks:
    """Return the links of *parts* together."""
    if not parts:
        nothing = np.zeros(0, dtype=np.uint64)
        return PageletLinks(nothing, nothing.astype(np.uint32), nothing)
    return _sorted(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _sorted(page: Ids, pagelet: Numbers, target: Ids) -> PageletLinks:
    order = np.lexsort((target, pagelet, page))
    page, pagelet, target = page[order], pagelet[order], target[order]
    first = np.ones(len(page), dtype=np.bool_)
    first[1:] = (
        (page[1:] != page[:-1]) | (pagelet[1:] != pagelet[:-1]) | (target[1:] != target[:-1])
    )
    return PageletLinks(page[first], pagelet[first], target[first])


def template_pagelets(page: Ids, pagelet: Numbers) -> TemplatePagelets:
    """Return the template pagelets given in any order."""
    found = _sorted(page, pagelet, np.zeros(len(page), dtype=np.uint64))
    return TemplatePagelets(found.page, found.pagelet)


def without_templates(links: PageletLinks, templates: TemplatePagelets) -> PageletLinks:
    """Return *links* without those that stand in one of *templates*."""
    flagged = np.isin(_keys(links.page, links.pagelet), _keys(templates.page, templates.pagelet))
    return chosen_links(links, ~flagged)


def of_pagelets(links: PageletLinks, page: Ids, pagelet: Numbers) -> PageletLinks:
    """Return those of *links* that stand in *pagelet[i]* of *page[i]*."""
    return chosen_links(links, np.isin(_keys(links.page, links.pagelet), _keys(page, pagelet)))


def chosen_links(links: PageletLinks, chosen: npt.NDArray[np.bool_]) -> PageletLinks:
    """Return the *chosen* ones of *links*."""
    return PageletLinks(links.page[chosen], links.pagelet[chosen], links.target[chosen])


def _keys(page: Ids, pagelet: Numbers) -> npt.NDArray[Any]:
    keys = np.empty(len(page), dtype=[("page", np.uint64), ("pagelet", np.uint32)])
    keys["page"], keys["pagelet"] = page, pagelet
    return keys


def write_links(links: PageletLinks, path: Path, *, k: int = _K) -> None:
    """Write *links* to *path*, of pagelets of *k*."""
    columns = [*_halves(links.page), links.pagelet, *_halves(links.target)]
    _write(dict(zip(_LINK_COLUMNS, columns, strict=True)), path, k)


def write_templates(templates: TemplatePagelets, path: Path, *, k: int = _K) -> None:
    """Write *templates* to *path*, of pagelets of *k*."""
    columns = [*_halves(templates.page), templates.pagelet]
    _write(dict(zip(_FLAG_COLUMNS, columns, strict=True)), path, k)


def _write(columns: dict[str, Numbers], path: Path, k: int) -> None:
    fields: list[pa.Field[Any]] = [pa.field(name, pa.uint32()) for name in columns]
    schema = pa.schema(fields, metadata={_VERSION_KEY: FORMAT_VERSION, _K_KEY: str(k)})
    with atomic_path(path) as unfinished:
        table = pa.table(columns, schema=schema)
        pq.write_table(table, unfinished, compression="zstd", write_page_checksum=True)


def read_links(path: Path) -> PageletLinks:
    """Return the links in *path*; raise `InputError` when it is missing, `FormatError` when damaged."""
    columns = _read(path, _LINK_COLUMNS, "pagelets.parquet")
    return _sorted(_ids(*columns[:2]), columns[2], _ids(*columns[3:]))


def read_templates(path: Path) -> TemplatePagelets:
    """Return the template pagelets in *path*; errors as of :func:`read_links`."""
    columns = _read(path, _FLAG_COLUMNS, "templates.parquet")
    return template_pagelets(_ids(*columns[:2]), columns[2])


def k_of_files(links: Path, templates: Path | None = None) -> int:
    """Return the k of the pagelets in the files *links* and *templates*, each of which has been read, or will be.

    Raises `InputError` where they have not the same, so that the numbers of their pagelets are of other ones.
    """
    k = _k_of(links)
    if templates is not None and _k_of(templates) != k:
        raise InputError(
            f"{links} has pagelets of k = {k}, {templates} of {_k_of(templates)}; give files of one run"
        )
    return k


def _k_of(path: Path) -> int:
    try:
        told = (pq.read_schema(path).metadata or {}).get(_K_KEY, b"")
    except (OSError, pa.ArrowException, UnicodeError):
        return _K
    return int(told) if told.isdigit() else _K


def _read(path: Path, names: Sequence[str], written: str) -> list[Numbers]:
    """Return the columns *names* of *path*, which is such a file as *written*, a name in ``ranks/``."""
    mend = f"run `scrapy pagelets` and give its ranks/{written}"
    if not path.is_file():
        raise InputError(f"no file {path}; give another name")
    try:
        schema = pq.read_schema(path)
    except (OSError, pa.ArrowException, UnicodeError) as error:
        check_readable(path)
        raise FormatError(f"{path} is damaged, or no Parquet file; {mend}") from error
    version = (schema.metadata or {}).get(_VERSION_KEY, b"none").decode(errors="replace")
    if version != FORMAT_VERSION or schema.names != list(names):
        raise FormatError(
            f"{path} has pagelets format {version}, columns {', '.join(schema.names)}, this program "
            f"takes {FORMAT_VERSION} with {', '.join(names)}; {mend}"
        )
    batches = list(read_parquet(path, names))
    empty = np.zeros(0, dtype=np.uint32)
    return [
        np.concatenate([empty, *(batch.column(name).to_numpy() for batch in batches)])
        for name in names
    ]


def _halves(ids: Ids) -> tuple[Numbers, Numbers]:
    return (ids >> np.uint64(32)).astype(np.uint32), ids.astype(np.uint32)


def _ids(hosts: Numbers, locals_: Numbers) -> Ids:
    return hosts.astype(np.uint64) << np.uint64(32) | locals_
