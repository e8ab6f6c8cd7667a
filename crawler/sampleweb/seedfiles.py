"""The seeds of the sample web as ODP published its own, and as a plain table.

*On disk*: ``seeds.rdf`` has the form of ODP's ``content.rdf.u8`` (a ``Topic`` element with its links,
then an ``ExternalPage`` element a link), ``seeds.tsv`` a line ``category<TAB>url`` a seed.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from crawler.durable.files import atomic_path, write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from crawler.sampleweb.web import SampleWeb

RDF_FILE = "seeds.rdf"
TSV_FILE = "seeds.tsv"

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" \
xmlns="http://dmoz.org/rdf/">
"""


def write_seeds(sample: SampleWeb, folder: Path) -> tuple[Path, Path]:
    """Write both seed files of *sample* into *folder*; return their paths, RDF first."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = sorted(sample.seeds())
    rdf, tsv = folder / RDF_FILE, folder / TSV_FILE
    write_atomic(tsv, "".join(f"{category}\t{url}\n" for category, url in seeds).encode())
    with atomic_path(rdf) as unfinished, unfinished.open("w", encoding="utf-8") as out:
        out.write(_HEAD)
        for number, (category, group) in enumerate(groupby(seeds, key=lambda seed: seed[0]), 1):
            out.writelines(_topic(category, number, [url for _, url in group], sample))
        out.write("</RDF>\n")
    return rdf, tsv


def _topic(category: str, number: int, urls: list[str], sample: SampleWeb) -> Iterator[str]:
    yield f"  <Topic r:id={quoteattr(category)}>\n    <catid>{number}</catid>\n"
    for turn, url in enumerate(urls):
        name = "link" if turn else "link1"
        yield f"    <{name} r:resource={quoteattr(url)}></{name}>\n"
    yield "  </Topic>\n"
    for url in urls:
        title, description = sample.description(url)
        yield f"  <ExternalPage about={quoteattr(url)}>\n"
        yield f"    <d:Title>{escape(title)}</d:Title>\n"
        yield f"    <d:Description>{escape(description)}</d:Description>\n"
        yield f"    <topic>{escape(category)}</topic>\n  </ExternalPage>\n"
