"""The tables of a report of a corpus, for the screen and for the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.wording import counted
from pipelines.jobs.report.facts import NONE
from pipelines.jobs.sheets.table import Table, lines_of, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.jobs.report.facts import CorpusFacts, Counts

# Rows of a table of values.
LONGEST = 20
_SOURCES = ("title", "author", "date", "description")


def overview(facts: CorpusFacts) -> list[Table]:
    """Return the tables of the whole: sizes, what became of the pages, languages, labels, metadata."""
    found = [
        Table(f"Corpus {facts.corpus}", ("", ""), list(_sizes(facts))),
        _pages(facts),
        _values("Languages", "language", facts.counted["language"]),
        _labels(facts),
        _metadata(facts),
    ]
    return [table for table in found if table.rows]


def details(facts: CorpusFacts) -> list[Table]:
    """Return the tables of hosts, categories, and further columns, and the sample."""
    counted_as = facts.counted
    found = [
        _hosts(facts),
        _ranked(facts),
        _values("Categories of the seeds", "category", facts.categories),
        _values("Links from a seed", "depth", counted_as["depth"], by_name=True),
        _values("Years of the documents", "year", facts.years, by_name=True),
        _values("Cleaned by", "method", counted_as["method"]),
        _values("Content types", "type", counted_as["content_type"]),
        _values("Encodings", "encoding", counted_as["charset"]),
        _values("Encodings known by", "source", counted_as["charset_source"]),
        _values("Wishes of publishers", "signal", facts.signals),
        _closed(facts),
        _sample(facts),
    ]
    return [table for table in found if table.rows]


def screen(facts: CorpusFacts) -> str:
    """Return *facts* as lines for people: the overview, and the largest hosts."""
    return "\n\n".join(lines_of(table) for table in [*overview(facts), _hosts(facts)] if table.rows)


def _sizes(facts: CorpusFacts) -> Iterator[tuple[str, str]]:
    yield "documents", f"{facts.n_documents:,}"
    yield "words", f"{facts.n_words:,}"
    if facts.n_documents:
        yield "words a document", f"{facts.n_words / facts.n_documents:,.0f}"
    yield "text", _megabytes(facts.text_bytes)
    yield "pages as fetched", _megabytes(facts.raw_bytes)
    yield "shards", _megabytes(facts.shard_bytes)
    yield "hosts with documents", f"{len(facts.hosts.documents()):,}"
    if facts.first and facts.last:
        yield "fetched", f"{facts.first:%Y-%m-%d %H:%M} to {facts.last:%Y-%m-%d %H:%M} UTC"
    names = {"pages": "pages known", "hosts": "hosts known", "queued": "pages queued"}
    for name, shown in names.items():
        if name in facts.graph:
            yield shown, f"{facts.graph[name]:,}"
    if facts.release:
        yield "written by release", facts.release


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:,.1f} MB"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _pages(facts: CorpusFacts) -> Table:
    n = facts.n_documents + facts.n_rejected
    rows = [("kept", f"{facts.n_documents:,}", _share(facts.n_documents, n))]
    rows += [
        (f"{stage}/{reason}", f"{count:,}", _share(count, n))
        for (stage, reason), count in facts.rejected.most_common()
    ]
    title = "What became of the pages"
    if facts.provisional:
        title += f"; of {counted(facts.provisional, 'duplicate')} the end of the crawl decides"
    return Table(title, ("", "pages", "share"), rows)


def _values(title: str, header: str, counts: Counts, *, by_name: bool = False) -> Table:
    """Return the table of *counts*; none when nothing but `NONE` was counted."""
    if set(counts) <= {NONE}:
        return Table(title, (), ())
    total = counts.total
    chosen = counts.by_words(LONGEST)
    if by_name:
        chosen = sorted(chosen, key=counts.by_name().index)
    if left := len(counts) - len(chosen):
        title += f", {LONGEST} of {LONGEST + left}"
    rows = [
        (value, f"{count.n:,}", _share(count.n, total.n), f"{count.words:,}")
        for value, count in chosen
    ]
    return Table(title, (header, "documents", "share", "words"), rows)


def _labels(facts: CorpusFacts) -> Table:
    words = facts.labels.total.words
    rows = [
        (label, f"{count.n:,}", f"{count.words:,}", _share(count.words, words))
        for label, count in facts.labels.by_words()
    ]
    if rows:
        rows.append(("kept", "", f"{facts.kept_words:,}", _share(facts.kept_words, words)))
    title = "Blocks of the documents by label"
    return Table(title, ("label", "blocks", "words", "share of the words"), rows)


def _metadata(facts: CorpusFacts) -> Table:
    rows = []
    for name in _SOURCES if facts.n_documents else ():
        counts = facts.counted[f"{name}_source"]
        n = facts.n_documents - (counts[NONE].n if NONE in counts else 0)
        sources = ", ".join(
            f"{source} {count.n:,}"
            for source, count in sorted(counts.items(), key=lambda item: -item[1].n)
            if source != NONE
        )
        rows.append((name, f"{n:,}", _share(n, facts.n_documents), sources))
    return Table("Metadata", ("", "documents", "share", "from"), rows, frozenset({0, 3}))


def _hosts(facts: CorpusFacts) -> Table:
    rows = [
        (
            *(each.host, f"{each.documents:,}", f"{each.words:,}"),
            *(_share(each.words, facts.n_words), f"{each.rejected:,}"),
        )
        for each in facts.largest_hosts
    ]
    header = ("host", "documents", "words", "share of the words", "rejected pages")
    return Table("Hosts with most words", header, rows)


def _ranked(facts: CorpusFacts) -> Table:
    rows = [(url, number(rank)) for rank, url in facts.ranked]
    return Table("Pages of the highest PageRank", ("page", "rank"), rows)


def _closed(facts: CorpusFacts) -> Table:
    rows = [(reason, f"{n:,}") for reason, n in facts.closed.most_common()]
    return Table("Patterns of URLs and hosts that were closed", ("reason", "patterns"), rows)


def _sample(facts: CorpusFacts) -> Table:
    rows = [
        (each.url, each.title, each.language, f"{each.words:,}", each.text)
        for each in facts.samples
    ]
    header = ("page", "title", "language", "words", "begins with")
    return Table("A sample of the documents", header, rows, frozenset({0, 1, 2, 4}))
