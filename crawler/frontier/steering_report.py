"""What steering closed and dropped, as lines: of a file, and of the summary of a crawl.

*On disk.* ``closed-<shard>.tsv``: a header, then a line a pattern, tabs between: reason · host, or ``*.`` and
the domain · level (`crawler.frontier.url_patterns`, or ``host`` and ``domain`` for low yield) · pattern ·
worthless pages (for low yield: pages judged) · pages refused since it was closed (for low yield: the
yield) · an example, percent-encoded as URLs are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.frontier.steering import LOW_YIELD
from crawler.urls.hosts import host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crawler.frontier.steering import Steering

HEADER = "reason\thost\tlevel\tpattern\tpages\trefused\texample"


def closed_lines(steering: Steering, host_key: Callable[[int], str]) -> list[str]:
    """Return the lines of the file, none when nothing is closed; *host_key* names a HostID."""
    lines = [*_trap_lines(steering, host_key), *_yield_lines(steering, host_key)]
    return [HEADER, *lines] if lines else []


def _trap_lines(steering: Steering, host_key: Callable[[int], str]) -> Iterator[str]:
    if steering.traps is None:
        return
    for host_id, evidence in steering.traps.closed():
        host = f"*.{evidence.text}" if host_id is None else host_name(host_key(host_id))
        counts = f"{evidence.n_worthless}\t{evidence.n_refused}"
        where = f"{host}\t{evidence.level}\t{evidence.text}"
        yield f"trap_{evidence.kind}\t{where}\t{counts}\t{evidence.example}"


def _yield_lines(steering: Steering, host_key: Callable[[int], str]) -> Iterator[str]:
    yields = steering.yields
    if yields is None:
        return
    for host_id in sorted(yields.dropped_hosts):
        found = yields.of_host(host_id)
        host = host_name(host_key(host_id))
        yield f"{LOW_YIELD}\t{host}\thost\t\t{found.n_pages}\t{found.rate:.4f}\t"
    for domain in sorted(yields.dropped_domains):
        found = yields.domains[domain]
        yield f"{LOW_YIELD}\t*.{domain}\tdomain\t\t{found.n_pages}\t{found.rate:.4f}\t"


def summary_lines(steering: Steering) -> Iterator[str]:
    """Yield the lines that stand in the summary of a crawl, none when there is nothing to say."""
    traps, yields, stop = steering.traps, steering.yields, steering.stop
    if traps is not None and traps.has_closed:
        n_closed = sum(1 for _ in traps.closed())
        yield (
            f"  closed    {n_closed:>10,}  patterns of URLs that are traps; "
            f"{steering.n_not_queued:,} links to what is refused not queued"
        )
    if yields is not None and (yields.dropped_hosts or yields.dropped_domains):
        yield (
            f"  dropped   {len(yields.dropped_hosts):>10,}  hosts of low yield, and "
            f"{len(yields.dropped_domains):,} domains"
        )
    forecast = stop.forecast() if stop is not None else None
    if forecast is None:
        return
    line = f"  words     {forecast.rate:>10,.0f}  new ones a megabyte"
    if forecast.megabytes_left is not None and forecast.words_left is not None:
        line += (
            f"; {forecast.words_left:,.0f} more in {forecast.megabytes_left:,.0f} MB are forecast"
        )
    yield line
