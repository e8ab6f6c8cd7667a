"""What ``scrapy dedup`` says of a run, for people and as fields."""

from __future__ import annotations

from dataclasses import asdict, dataclass


class _Screen:
    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = []
        for name, value in asdict(self).items():  # type: ignore[call-overload]  # of dataclasses
            if value is not None:
                shown = f"{value:,}" if isinstance(value, int) else value
                lines.append(f"{name.replace('_', ' '):<18} {shown:>12}")
        return "\n".join(lines)


@dataclass(frozen=True)
class DedupReport(_Screen):
    """What a run found; *findings* and *output* are where it is.

    *documents* are all pages that were compared, provisional duplicates of the crawl too.
    """

    documents: int
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


@dataclass(frozen=True)
class CloseReport(_Screen):
    """What a closing pass changed; nothing when the last one decided over the same pages."""

    documents: int = 0
    clusters: int = 0
    taken_back: int = 0
    dropped: int = 0

    def screen(self) -> str:
        """Return the report as lines for people."""
        if not self.documents:
            return "nothing to decide: no page has come or changed since the duplicates were last decided"
        return super().screen()
