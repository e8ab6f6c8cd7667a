"""What was fetched of a host, parameters that say nothing left out."""

from __future__ import annotations

from crawler.frontier.steering.trap_rules import text_mark

# A host with more of them counts as fetched.
MAX_RESIDUALS = 1 << 16


class Residuals:
    """By host the URLs that were fetched, some parameters left out: 8 bytes each, and Python's 60."""

    def __init__(self) -> None:
        self._of_host: dict[int, set[int]] = {}

    def note(self, host_id: int, residual: str) -> None:
        """Note that *residual*, a local key without such parameters, was fetched."""
        known = self._of_host.setdefault(host_id, set())
        if len(known) < MAX_RESIDUALS:
            known.add(text_mark(residual))

    def has(self, host_id: int, residual: str) -> bool:
        """Tell whether *residual* was fetched, or so many of the host that it counts so."""
        known = self._of_host.get(host_id, set())
        return text_mark(residual) in known or len(known) >= MAX_RESIDUALS

    def forget(self, host_id: int) -> None:
        """Forget what was fetched of the host."""
        self._of_host.pop(host_id, None)
