"""How well clusters of pages are the templates that are known, as `scrapy templates cluster --truth` tells it.

*On disk.* A file of known templates has a line a page, its URL, a tab, and the name of its template, in UTF-8. In place
of it the host or the registrable domain may be taken for the template (Gottron 2008, 7.1.3, takes the site). Pages
whose template is not known are left out of all measures (`pipelines.templates.cluster_measures`).

Cost of the Dunn index: the distances of all pairs, of `MAX_DUNN_PAGES` pages at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from crawler.errors import InputError, cause
from crawler.urls import host_name, page_key, registrable_domain
from pipelines.templates.cluster_measures import (
    average_purity,
    contingency,
    dunn_index,
    mutual_information,
    rand_index,
)
from pipelines.templates.distances import distance_matrix

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import numpy.typing as npt

    from crawler.urls import PageKey
    from pipelines.templates.distances import Distance

    # The template of the page with a URL, None where it is not known.
    Truth = Callable[[str], str | None]

HOST, DOMAIN = "host", "domain"
MAX_DUNN_PAGES = 2000


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of how many *pages* the template is known, of how many *templates*, and the measures.

    *dunn* is of the distance and the known templates, whatever the clusters; None where it is infinite, or there are
    too many pages.
    """

    pages: int
    templates: int
    rand: float
    purity: float
    mutual_information: float
    dunn: float | None


def known_templates(given: str) -> Truth:
    """Return the templates that *given* names, a file, or `HOST` or `DOMAIN`.

    Raises :exc:`InputError` for a file that is none.
    """
    if given == HOST:
        return _host
    if given == DOMAIN:
        return lambda url: None if (host := _host(url)) is None else registrable_domain(host)
    named = _read(Path(given))
    return lambda url: named.get(_key(url))


def templates_of(urls: Sequence[str], truth: Truth) -> list[str | None]:
    """Return the template of each of *urls*; raise :exc:`InputError` where none is known."""
    names = [truth(url) for url in urls]
    if all(name is None for name in names):
        raise InputError("--truth has the template of no page; give another")
    return names


def agreement(
    names: Sequence[str | None],
    cluster: npt.NDArray[np.int64],
    distance: Distance,
    features: Sequence[Any],
) -> Agreement:
    """Compare the *cluster* of each page with the name of its template, which one page at least has."""
    places = [place for place, name in enumerate(names) if name is not None]
    templates = np.unique([str(names[place]) for place in places], return_inverse=True)[1]
    table = contingency(cluster[places], templates)
    dunn = None
    if len(places) <= MAX_DUNN_PAGES:
        rows = distance.part(distance.rows(features), [features[place] for place in places])
        found = dunn_index(distance_matrix(rows), templates)
        dunn = found if np.isfinite(found) else None
    return Agreement(
        len(places),
        table.shape[1],
        rand_index(table),
        average_purity(table),
        mutual_information(table),
        dunn,
    )


def _host(url: str) -> str | None:
    key = page_key(url)
    return None if key is None else host_name(key.host)


def _key(url: str) -> PageKey | str:
    return page_key(url) or url


def _read(path: Path) -> dict[PageKey | str, str]:
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--truth {path}: {cause(error)}; give a file, host or domain") from error
    named: dict[PageKey | str, str] = {}
    for number, line in enumerate(lines, 1):
        url, tab, name = line.partition("\t")
        if line.strip() and not (tab and name.strip()):
            raise InputError(f"{path}, line {number} is no URL, tab and name; mend it")
        if line.strip():
            named[_key(url.strip())] = name.strip()
    return named
