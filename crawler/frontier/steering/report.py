"""What steering closed and dropped, as lines: of a file, and of the summary of a crawl.

*On disk.* ``closed-<shard>.tsv``: a header, then a line a pattern, tabs between: reason · host, or ``*.`` and
the domain · level (`crawler.frontier.steering.url_patterns`, or ``host`` and ``domain`` for low yield) · pattern ·
worthless pages (for low yield: pages judged) · pages refused since it was closed (for low yield: the
yield) · an example, percent-encoded as URLs are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.frontier.steering.steering import LOW_YIELD
from crawler.urls.hosts import host_name
from crawler.wording import counted, noun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from crawler.frontier.steering.steering import Steering
    from crawler.frontier.steering.stop_rule import StopRule

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


def closed_counts(steering: Steering) -> dict[str, int]:
    """Return how much is closed and dropped, by the names of stats."""
    traps, yields = steering.traps, steering.yields
    return {
        "steering/patterns": 0 if traps is None else sum(1 for _ in traps.closed()),
        "steering/low_hosts": 0 if yields is None else len(yields.dropped_hosts),
        "steering/low_domains": 0 if yields is None else len(yields.dropped_domains),
    }


def summary_lines(counts: Mapping[str, int], stop: StopRule | None) -> Iterator[str]:
    """Yield the lines that stand in the summary of a crawl, none when there is nothing to say.

    *counts* are those of `closed_counts`, ``steering/not_queued`` and ``steering/left_out``.
    """
    if n_left_out := counts.get("steering/left_out", 0):
        yield f"  left out  {n_left_out:>10,}  {noun(n_left_out, 'link')}, by URLS_ALLOW and URLS_DENY"
    if n_closed := counts.get("steering/patterns", 0):
        yield (
            f"  closed    {n_closed:>10,}  {noun(n_closed, 'pattern of URLs')} that lead into traps; "
            f"{counted(counts.get('steering/not_queued', 0), 'link')} to what is refused not queued"
        )
    n_hosts, n_domains = counts.get("steering/low_hosts", 0), counts.get("steering/low_domains", 0)
    if n_hosts or n_domains:
        yield f"  dropped   {n_hosts:>10,}  {noun(n_hosts, 'host')} of low yield, and {counted(n_domains, 'domain')}"
    forecast = stop.forecast() if stop is not None else None
    if forecast is None:
        return
    line = f"  words     {forecast.rate:>10,.0f}  new ones a megabyte"
    if stop is not None and stop.is_over():
        line += f", below the {stop.min_rate:,.10g} of STOP_WORDS_PER_MB"
    elif forecast.megabytes_left is not None and forecast.words_left is not None:
        line += (
            f"; {forecast.words_left:,.0f} more in {forecast.megabytes_left:,.0f} MB are forecast"
        )
    yield line
