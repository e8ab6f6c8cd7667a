"""How robots.txt files are fetched, kept and obeyed."""

from __future__ import annotations

from dataclasses import dataclass, field

from crawler.frontier.robots.record import RobotsTimes


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """Seconds and bytes as the settings of the same names say.

    *unreachable* says what becomes of a page whose robots.txt cannot be had: ``refuse``, it is rejected
    for good, or ``park``, it waits until the file is asked for again. *obeyed_signals*: a site whose
    robots.txt gives us one of them is not fetched. *no_answer_secs*: before a host that gave no answer
    is asked again, when it is not left alone for longer.
    """

    user_agent: str
    host_delay_secs: float
    crawl_delay_max_secs: float
    max_bytes: int = 500 * 1024
    cache_hosts: int = 10_000
    cache_bytes: int = 64 * 2**20
    store_bytes: int = 256 * 2**20
    timeout_secs: float = 30.0
    times: RobotsTimes = field(default_factory=RobotsTimes)
    no_answer_secs: float = 5.0
    unreachable: str = "park"
    obeyed_signals: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.unreachable not in {"refuse", "park"}:
            raise ValueError(f"unreachable must be refuse or park, got {self.unreachable!r}")
