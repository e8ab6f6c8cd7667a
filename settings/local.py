"""Profile `local`: loopback is let through and hosts wait little. For the sample web and tests."""

from __future__ import annotations

from settings.base import *  # noqa: F403  a profile is the base and what differs

ALLOWED_PRIVATE_NETWORKS = ["127.0.0.0/8", "::1/128"]
HOST_DELAY_SECS = 0.02
DOMAIN_DELAY_SECS = 0.0
IP_DELAY_SECS = 0.0
HOST_DELAY_LATENCY_FACTOR = 0.0
FETCH_RETRY_SECS = 0.5
# One host of the sample web has all its sins: by the default, four answers of 503 and 429 in a row could park it.
HOST_PARK_ERRORS = 12
CONCURRENT_REQUESTS = 32
