"""Which plans of URLs were tried on which host: a set in constant memory."""

from __future__ import annotations

import numpy as np

from crawler.frontier.steering.trap_rules import text_mark

PLAN_BITS = 26


class PlanMarks:
    """A set of (HostID, plan) that may claim to hold some that it does not: one bit each, by hash.

    8 MB; of a million hosts with five plans each it claims 7 % of those that it does not hold.
    """

    def __init__(self) -> None:
        self._bits = np.zeros(1 << (PLAN_BITS - 3), dtype=np.uint8)

    def add(self, host_id: int, plan: str) -> None:
        """Put *plan* of the host in."""
        mark = _bit(host_id, plan)
        self._bits[mark >> 3] |= 1 << (mark & 7)

    def __contains__(self, key: tuple[int, str]) -> bool:
        mark = _bit(*key)
        return bool(self._bits[mark >> 3] >> (mark & 7) & 1)


def _bit(host_id: int, plan: str) -> int:
    return text_mark(f"{host_id} {plan}") >> (64 - PLAN_BITS)
