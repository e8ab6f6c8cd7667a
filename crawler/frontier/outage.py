"""Whether the network that fails is the crawl's own: what says so are many hosts in a row without an answer.

Where it is down, no host answers, and a page is out of attempts in a quarter of a minute. Hosts that are dead
give no answer either, and a crawl may have nothing else left at its end. So the hosts that answered last,
its *witnesses*, are looked at: `crawler.extensions.network_guard`.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from crawler.urls.domains import registrable_domain

if TYPE_CHECKING:
    from collections.abc import Sequence

# Answers that are remembered: of one host after the other, as many as are asked at once.
_REMEMBERED = 64

# Domains that witnesses must be of: one may be down with all its hosts, of which a crawl can have thousands.
MIN_DOMAINS = 3

# Witnesses that are looked at.
MAX_WITNESSES = 4


class Outage:
    """Hosts without an answer since the last one; *min_hosts* of them make an outage likely, 0 none ever."""

    def __init__(self, min_hosts: int):
        self.is_down = False
        self._min_hosts = min_hosts
        self._silent: set[int] = set()
        self._answered: deque[str] = deque(maxlen=_REMEMBERED)

    def answered(self, url: str) -> None:
        """Note that the host of *url* gave an answer: the network is there."""
        self._answered.append(url)
        self.end()

    def silent(self, host_id: int) -> None:
        """Note that a host gave no answer."""
        if not self.is_likely:
            self._silent.add(host_id)

    @property
    def is_likely(self) -> bool:
        """Whether the witnesses should be looked at."""
        return 0 < self._min_hosts <= len(self._silent)

    def witnesses(self) -> Sequence[str]:
        """Return pages of hosts that answered last, one a domain; none where they are of too few domains."""
        latest: dict[str, str] = {}
        for url in reversed(self._answered):
            latest.setdefault(registrable_domain(urlsplit(url).netloc), url)
        return [*latest.values()][:MAX_WITNESSES] if len(latest) >= MIN_DOMAINS else []

    def end(self) -> None:
        """Note that the network is there; of the silent hosts nothing is to be thought any more."""
        self.is_down = False
        if self._silent:
            self._silent.clear()
