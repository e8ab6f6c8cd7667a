"""What ``scrapy templates remove`` says of a run, for people and as fields, and of each site in a file.

*On disk.* ``templates/removed.tsv`` of the corpus folder, replaced by each run: UTF-8, a head line, and a line a site,
by name: ``site``, ``pages``, ``changed_pages``, ``dropped_pages``, ``words`` (kept before), ``removed_words``,
``removed_blocks``.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, field, fields
from typing import TYPE_CHECKING

from crawler.durable.files import make_folder, write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = "templates/removed.tsv"
_SHOWN_SITES = 10


@dataclass(slots=True)
class SiteCounts:
    """What became of the documents of a site."""

    pages: int = 0
    changed_pages: int = 0
    dropped_pages: int = 0
    words: int = 0
    removed_words: int = 0
    removed_blocks: int = 0

    @property
    def share(self) -> float:
        """The share of words that is removed."""
        return self.removed_words / self.words if self.words else 0.0


@dataclass(frozen=True)
class RemovalReport:
    """The figures of a run; *left* counts pages that stay as they are, or are left to the fallback,
    by reason.
    """

    method: str
    documents: int
    sites: int
    changed_documents: int
    dropped_documents: int
    removed_blocks: int
    words: int
    removed_words: int
    most_removed: list[tuple[str, int, float]]
    """sites: name, pages, share of words removed"""
    findings: str
    output: str | None
    left: dict[str, int] = field(default_factory=dict)

    def screen(self) -> str:
        """Return the report as lines for people."""
        share = self.removed_words / self.words if self.words else 0.0
        lines = [
            f"documents  {self.documents:,} of {self.sites:,} sites, by {self.method}",
            f"changed    {self.changed_documents:,}; {self.dropped_documents:,} were nothing but template",
            f"removed    {self.removed_blocks:,} blocks, {self.removed_words:,} of {self.words:,} words ({share:.1%})",
            *(f"left       {n:,} {reason.replace('_', ' ')}" for reason, n in self.left.items()),
            *(
                f"  {share:6.1%} of the words of {site}, {pages:,} pages"
                for site, pages, share in self.most_removed
            ),
            f"written    {self.findings}",
        ]
        if self.output is not None:
            lines.append(f"           {self.output}")
        return "\n".join(lines)


def most_removed(sites: Mapping[str, SiteCounts]) -> list[tuple[str, int, float]]:
    """Return name, pages and share of the sites that lose most words."""
    found = sorted(sites.items(), key=lambda each: (-each[1].removed_words, each[0]))
    return [
        (name, counts.pages, counts.share)
        for name, counts in found[:_SHOWN_SITES]
        if counts.removed_words
    ]


def write_sites(folder: Path, sites: Mapping[str, SiteCounts]) -> Path:
    """Write what became of each site to *folder*, a corpus; return the path."""
    lines = ["\t".join(("site", *(each.name for each in fields(SiteCounts))))]
    lines += ["\t".join(map(str, (name, *astuple(sites[name])))) for name in sorted(sites)]
    path = folder / FILE
    make_folder(path.parent)
    write_atomic(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    return path
