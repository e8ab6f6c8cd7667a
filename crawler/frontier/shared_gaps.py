"""The gaps of a shard, where hosts of one domain may be of several."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.fleet.owners import DOMAIN

if TYPE_CHECKING:
    from crawler.fleet.owners import Owners
    from crawler.frontier.policy import FrontierPolicy


def share_gaps(policy: FrontierPolicy, owners: Owners) -> FrontierPolicy:
    """Return *policy* for one of the shards of *owners*, which claim addresses (crawler.fleet.gaps).

    Divided by domain, the hosts of a domain are of one shard. Divided by host no shard knows when another
    asked: each waits as many times longer as there are shards, so that all together ask as often as one, on
    average.
    """
    of_domains = 1 if owners.divide_by == DOMAIN else len(owners.shards)
    return replace(policy, domain_delay_secs=policy.domain_delay_secs * of_domains)
