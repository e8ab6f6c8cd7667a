"""What ``scrapy dedup`` says of a run, for people and as fields."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

# Fields that are nothing for the other unit.
_OF_DOCUMENTS = frozenset({"unit", "set_aside", "clusters"})
_OF_BLOCKS = frozenset(
    {"unit", "changed_documents", "removed_blocks", "ngrams", "duplicate_ngrams"}
)


def _lines(fields: Mapping[str, Any]) -> str:
    shown = {name: f"{n:,}" if isinstance(n, int) else n for name, n in fields.items()}
    return "\n".join(f"{name.replace('_', ' '):<18} {value:>12}" for name, value in shown.items())


@dataclass(frozen=True)
class DedupReport:
    """What a run by *unit* found; *findings* and *output* are where it is.

    *documents* are all pages that were compared, the duplicates that the crawl has *set_aside* too.
    """

    unit: str
    documents: int
    set_aside: int
    clusters: int
    dropped_documents: int
    changed_documents: int
    removed_blocks: int
    words: int
    removed_words: int
    ngrams: int
    duplicate_ngrams: int
    findings: str
    output: str | None

    def screen(self) -> str:
        """Return the report as lines for people: of what the unit has."""
        others = _OF_BLOCKS if self.unit == "document" else _OF_DOCUMENTS
        shown = {name: value for name, value in asdict(self).items() if name not in others}
        if self.output is None:
            shown["output"] = "none: nothing is removed; --output DIR writes a corpus without them"
        return _lines(shown)


@dataclass(frozen=True)
class CloseReport:
    """What a closing pass changed; nothing when the last one decided over the same pages."""

    documents: int = 0
    clusters: int = 0
    taken_back: int = 0
    dropped: int = 0

    def screen(self) -> str:
        """Return the report as lines for people."""
        if not self.documents:
            return "nothing to decide: no page has come or changed since the duplicates were last decided"
        return _lines(asdict(self))
