"""What is told of a crawl: the line of progress, the summary at its end, and why it fetched nothing."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from crawler.durable.journals import stored_files
from crawler.durable.layout import DOCUMENTS
from crawler.kernels.compiling import FAULTY_REASON
from crawler.policies import REACH_MENDS
from crawler.wording import counted, noun

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from crawler.frontier.hosts.parked import Parked

# What the closing pass changed, by the names of the stats (pipelines.jobs.dedup.crawl_end).
CLOSING = "closing/"

# Scrapy's reason where a spider's start raised an exception, and its stats of the kinds of these.
START_ERROR = "start_error"
_EXCEPTIONS = "spider_exceptions/"

_REDIRECTS = "fetch/redirect"
_AGAIN = "-a recrawl_after=1s asks again"
# Captures of pages of which there are several: those that were passed over, and those that took the place of a row.
_SEVERAL = _SAME_URL, _LATER = "warc/same_url", "warc/later"

# Reasons named in a line of progress; the summary names all.
MAX_REASONS = 4

# Lines of the summary for what an answer, a sitemap or a WARC file may have, by the stat that is then above 0.
ANSWER_LINES = {
    "fetch/cut": (
        "truncated",
        "page whose answer was cut at each attempt, taken as far as it came",
    ),
    "link_graph/nofollow": ("nofollow", "page marked so as a whole, whose links were left"),
    "sitemaps/nested": ("skipped", "index of sitemaps within another one, or that a page links to"),
    _SAME_URL: ("replaced", "capture of a URL that is taken already"),
    _LATER: ("replaced", "capture that had a row, by a later one"),
    "warc/truncated": (
        "truncated",
        "response cut by the writer, at the size limit or the end of a damaged file",
    ),
    "warc/not_http": ("skipped", "response other than HTTP, or damaged"),
    "warc/segmented": ("skipped", "response stored in segments, of which none is the whole"),
    "warc/revisits_of_others": ("skipped", "revisit without an answer of its own URL"),
    "warc/no_key": ("skipped", "response without a URL that can be used"),
    "warc/beyond_limits": ("unread", "capture that a limit left out; a higher one takes it"),
    "warc/unread_files": ("unread", "file not to its end, as the crawl was ended before"),
    "warc/broken_files": ("damaged", "file with places that could not be read"),
}


def dropped(stats: Mapping[str, Any]) -> dict[str, int]:
    """Return ``<stage>/<reason>`` → pages, the most frequent first."""
    found = {
        name.replace("/dropped/", "/"): number
        for name, number in stats.items()
        if "/dropped/" in name and number and not name.startswith(CLOSING)
    }
    return dict(sorted(found.items(), key=lambda entry: (-entry[1], entry[0])))


def why_nothing(
    stats: Mapping[str, Any], counts: Mapping[str, int], reason: str, limit: str, *, more: str
) -> str | None:
    """Return the line on a crawl that came to its end without one page, or ended in an error, and the mend; or None.

    Redirects are no pages, if those of this run are all that was ever fetched. One that asked for nothing, as a *limit*
    was reached, came to its end in an earlier run: its pages may be due again. *more*: where more is told of an error.
    """
    if reason == FAULTY_REASON:
        return (
            f"the kernels cannot be compiled by Python {platform.python_version()} with numba "
            f"{version('numba')}; pip install -c constraints.txt -e . has versions that go together"
        )
    if reason == START_ERROR:
        kinds = [
            name for name in stats if name.startswith(_EXCEPTIONS) and name != f"{_EXCEPTIONS}count"
        ]
        names = ", ".join(sorted(name.removeprefix(_EXCEPTIONS) for name in kinds))
        return f"the spider's start ended in an error ({names}); {more}"
    reasons = dropped(stats)
    n_redirects = 0 if limit else reasons.get(_REDIRECTS, 0)
    if reason != "finished" or counts["fetched"] > n_redirects or (limit and not reasons):
        return None
    what = ", ".join(f"{name} {number:,}" for name, number in list(reasons.items())[:MAX_REASONS])
    mends = [
        f"{mend}; then {_AGAIN}" for name, mend in REACH_MENDS.items() if f"fetch/{name}" in reasons
    ]
    if 0 < n_redirects == sum(reasons.values()):
        mends = ["look at where it redirects to, which leads to no page"]
    # Those whose network was not let in are refused.
    n_missed = counts.get("gone", 0) + counts.get("refused", 0)
    if not what and not counts["queued"] and n_missed:
        what = f"{counted(n_missed, 'page')} could not be had"
        if not any(name.startswith("recrawl/") for name in stats):
            mends = [_AGAIN]
    if not what:
        what = (
            f"{counted(counts['queued'], 'page')} left" if counts["queued"] else "nothing was there"
        )
    return f"not one page was fetched ({what}); {mends[0] if mends else 'look at what it was given, and at the network'}"


def progress_line(stats: Mapping[str, Any], counts: Mapping[str, int], rate: float) -> str:
    """Return one line: what came in since the start, what waits, and how fast it goes."""
    reasons = ", ".join(
        f"{name} {number:,}" for name, number in list(dropped(stats).items())[:MAX_REASONS]
    )
    return (
        f"{counted(stats.get('fetch/pages', 0), 'page')} ({rate:.0f}/s) "
        f"from {counted(counts['hosts'], 'host')}, "
        f"{counts['queued']:,} queued; kept {stats.get('store/pages', 0):,}"
        + (f"; rejected: {reasons}" if reasons else "")
    )


def seed_lines(stats: Mapping[str, Any]) -> list[str]:
    """Return the line on seeds, and one for each reason that some were skipped for."""
    if "seeds/read" not in stats:
        return []
    skipped = {
        name.removeprefix("seeds/skipped/"): number
        for name, number in sorted(stats.items())
        if name.startswith("seeds/skipped/") and number
    }
    n_new = stats.get("seeds/new", 0)  # none where the first could not be queued
    return [
        f"  seeds     {stats['seeds/read']:>10,}  read, {n_new:,} of them new {noun(n_new, 'page')}",
        *(f"    skipped: {reason:<23} {number:>8,}" for reason, number in skipped.items()),
    ]


def archive_lines(stats: Mapping[str, Any]) -> list[str]:
    """Return the line on the answers of WARC files, none for other crawls: a second run over the files has no new ones.

    >>> archive_lines({"warc/responses": 9, "warc/new": 2})
    ['  answers            9  read, 2 of them new']
    """
    if not (n_read := stats.get("warc/responses", 0)):
        return []
    return [f"  answers   {n_read:>10,}  read, {stats.get('warc/new', 0):,} of them new"]


def search_lines(stats: Mapping[str, Any]) -> list[str]:
    """Return the lines on searches: how many were asked, and those that failed by reason."""
    n_asked, n_known = stats.get("searches/asked", 0), stats.get("searches/known", 0)
    if not n_asked + n_known:
        return []
    failed = {
        name.removeprefix("searches/failed/"): number
        for name, number in sorted(stats.items())
        if name.startswith("searches/failed/") and number
    }
    failed["not_asked"] = stats.get("searches/left", 0)
    return [
        f"  searches  {n_asked:>10,}  asked, {n_known:,} known from before",
        *(f"    failed: {reason:<24} {number:>8,}" for reason, number in failed.items() if number),
    ]


def parked_lines(parked: Parked) -> list[str]:
    """Return the line on pages that wait for hosts which are left alone for long."""
    if not parked.hosts:
        return []
    what = f"of them on {counted(parked.hosts, 'host')} in trouble"
    when = f"the first is tried again in {parked.secs / 60:.0f} min, by the same command"
    return [f"  parked    {parked.pages:>10,}  {what}; {when}"]


def limit_lines(limit: str) -> list[str]:
    """Return the line on the *limit* that has ended the crawl, none for ""."""
    said = f"  limit     {limit:>10}  is reached; all runs of a crawl count together"
    return [said] if limit else []


def corpus_lines(
    stats: Mapping[str, Any], counts: Mapping[str, int], reason: str, corpus_dir: Path
) -> list[str]:
    """Return the line on what *corpus_dir* holds, where captures of one page were met: not all that were kept stay.

    As long as pages wait, rows of several stand among the documents.
    """
    if not any(stats.get(name) for name in _SEVERAL):
        return []
    n = sum(file.rows for file in stored_files(corpus_dir) if file.kind == DOCUMENTS)
    if reason != "finished" or counts["queued"]:
        what = f"{noun(n, 'capture')} so far; at the end of the crawl only the latest of each page is left"
    else:
        what = f"{noun(n, 'document')} in all, of each page its latest capture"
    return [f"  corpus    {n:>10,}  {what}"]


def topic_lines(stats: Mapping[str, Any]) -> list[str]:
    """Return the line on the topic of a focused crawl: how many pages are of it, or that it could not be learnt, for its
    seeds were too few or not to be had.
    """
    if not stats.get("focus/pages"):
        return []
    if stats.get("focus/trained"):
        n = stats["focus/pages"] - stats.get("focus/dropped/background", 0)
        n_relevant = stats.get("focus/relevant", 0)
        what = f"{noun(n_relevant, 'page')} of it, as it was learnt, among {n:,} read"
        return [f"  topic     {n_relevant:>10,}  {what}"]
    n_on, n_off = (stats.get(f"focus/learnt/{side}", 0) for side in ("on", "off"))
    what = f"{noun(n_on, 'page')} of its seeds read, {n_off:,} of others'"
    return [f"  topic     {n_on:>10,}  {what}: too few to learn it, links were taken as they came"]


def revisit_lines(stats: Mapping[str, Any]) -> list[str]:
    """Return the lines on pages that were fetched again, and what became of them."""
    outcomes = {
        name.removeprefix("recrawl/"): number
        for name, number in sorted(stats.items())
        if name.startswith("recrawl/") and name != "recrawl/due"
    }
    if (due := stats.get("recrawl/due")) is not None:
        # Sitemaps are read again at each start, whatever their last visit.
        more = f", {counted(n, 'sitemap')}" if (n := stats.get("lastmod/sitemaps", 0)) else ""
        more += f", {n:,} more by lastmod" if (n := stats.get("lastmod/due", 0)) else ""
    elif due := sum(outcomes.values()):
        more = " of a re-crawl that an earlier run began"
    else:
        return []
    return [
        f"  due again {due:>10,}  {noun(due, 'page')}{more}",
        *(f"    {outcome:<32} {number:>8,}" for outcome, number in outcomes.items()),
    ]


def before_closing(stats: Mapping[str, Any], counts: Mapping[str, int]) -> Mapping[str, Any]:
    """Return *stats* without what the closing pass changed, where pages of earlier runs are among those it judged.

    Pages that a re-crawl left as they were are such, too.

    >>> stats = {"fetch/pages": 2, "store/pages": -1, "closing/store/pages": -3}
    >>> before_closing(stats, {"fetched": 9, "gone": 0})["store/pages"]
    2
    """
    n_ended = stats.get("fetch/pages", 0) + stats.get("fetch/without_answer", 0)
    n_ended -= stats.get(_LATER, 0)
    is_again = any(name.startswith("recrawl/") for name in stats)
    if not is_again and counts.get("fetched", 0) + counts.get("gone", 0) <= n_ended:
        return stats
    changed = {
        name.removeprefix(CLOSING): n for name, n in stats.items() if name.startswith(CLOSING)
    }
    return {**stats, **{name: stats[name] - n for name, n in changed.items() if name in stats}}


def closing_lines(stats: Mapping[str, Any], told: Mapping[str, Any]) -> list[str]:
    """Return the line on what the closing pass changed in the pages of all runs, if what is *told* is without it."""
    taken_back = stats.get(f"{CLOSING}deduplicate/taken_back", 0)
    dropped_late = taken_back - stats.get(f"{CLOSING}store/pages", 0)
    if told is stats or not (dropped_late or taken_back):
        return []
    what = f"{noun(dropped_late, 'document')} of all runs dropped as duplicates, {taken_back:,} taken back"
    return [f"  decided   {dropped_late:>10,}  {what}"]


def summary(
    stats: Mapping[str, Any], counts: Mapping[str, int], reason: str, secs: float
) -> list[str]:
    """Return the lines of the summary at the end of a crawl."""
    whole, stats = stats, before_closing(stats, counts)
    pages, kept = stats.get("fetch/pages", 0), stats.get("store/pages", 0)
    # Two links of a page to one other are one arc: the graph has fewer.
    n_dropped, links = sum(dropped(stats).values()), stats.get("link_graph/arcs", 0)
    lines = [
        f"Crawl {reason} after {secs:.1f} s",
        *search_lines(stats),
        *seed_lines(stats),
        *archive_lines(stats),
        *topic_lines(stats),
        *revisit_lines(stats),
        f"  fetched   {pages:>10,}  {noun(pages, 'page')}, {pages / max(secs, 1e-9):.1f} a second",
        f"  kept      {kept:>10,}  {noun(kept, 'capture' if stats.get(_LATER) else 'document')}",
        f"  rejected  {n_dropped:>10,}  {noun(n_dropped, 'page')}",
        *(f"    {name:<32} {number:>8,}" for name, number in dropped(stats).items()),
        *closing_lines(whole, stats),
        (
            f"  graph     {links:>10,}  {noun(links, 'link')} of this run; "
            f"{counted(counts['pages'], 'page')} on {counted(counts['hosts'], 'host')} known"
        ),
        f"  left      {counts['queued']:>10,}  {noun(counts['queued'], 'page')} queued",
    ]
    lines += [
        f"  {word:<9} {n:>10,}  {noun(n, what)}"
        for name, (word, what) in ANSWER_LINES.items()
        if (n := stats.get(name, 0))
    ]
    return lines
