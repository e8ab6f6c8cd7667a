"""Which sins a host is there for.

In a web of 60 hosts or more a host has a *position*, 0 to 59, by its size; those at 30 and above have
one role each, those below are plain. A smaller web packs the same roles into ten hosts, the last
ones, and leaves some out if that would be more than two thirds of it.

========================= ======================================================================
mirrored, mirror          the second host shows the pages of the first
sessions                  every page stands under session ids too
calendar, endless         traps: one that ends, one that does not but need not be entered
redirects, errors, slow   as they say; errors that pass and errors that stay
soft404                   unknown paths answer 200 and an apology
broken, base, spelling    bad markup; a base element; unusual spellings of links
refresh, frames, types    meta refresh; frames, iframes and areas; media types
dangling                  pages without links
sitemaps                  an index of compressed site maps
robots-...                kinds of robots.txt: :mod:`~crawler.sampleweb.robots`
========================= ======================================================================
"""

from __future__ import annotations

N_POSITIONS = 60

# By position, from 30 on.
_SINGLE = (
    "mirrored",
    "mirror",
    "mirrored",
    "mirror",
    "sessions",
    "calendar",
    "endless",
    "redirects",
    "soft404",
    "errors",
    "slow",
    "broken",
    "base",
    "refresh",
    "spelling",
    "types",
    "robots-403",
    "robots-500",
    "robots-wildcard",
    "robots-groups",
    "robots-delay",
    "robots-messy",
    "robots-html",
    "robots-redirect",
    "robots-empty",
    "robots-out",
    "robots-others",
    "sitemaps",
    "frames",
    "dangling",
)
_FIRST_SINGLE = N_POSITIONS - len(_SINGLE)

# What can live together: no two of a bundle decide the same thing.
_BUNDLES = (
    ("mirrored",),
    ("mirror",),
    ("redirects", "errors", "slow", "frames", "types", "refresh", "robots-messy"),
    ("sessions", "calendar", "robots-redirect"),
    ("soft404", "endless"),
    ("broken", "robots-wildcard"),
    ("base", "robots-delay"),
    ("spelling", "robots-groups"),
    ("robots-500",),
    ("dangling", "sitemaps"),
)


def roles_of(index: int, n_hosts: int) -> frozenset[str]:
    """Return the roles of host *index* in a web of *n_hosts* hosts; none for a plain host."""
    if n_hosts < N_POSITIONS:
        turn = index - first_bundle(n_hosts)
        return frozenset(_BUNDLES[turn]) if turn >= 0 else frozenset()
    position = index * N_POSITIONS // n_hosts
    if position < _FIRST_SINGLE:
        return frozenset()
    role = _SINGLE[position - _FIRST_SINGLE]
    if role == "mirror" and mirrored_by(index, n_hosts) == index:
        return frozenset()
    return frozenset({role})


def first_bundle(n_hosts: int) -> int:
    """Return the first host of a web of fewer than 60 that has a bundle of roles."""
    return n_hosts - min(len(_BUNDLES), n_hosts * 2 // 3)


def mirrored_by(index: int, n_hosts: int) -> int:
    """Return the host that the mirror *index* shows; *index* itself if there is none left for it."""
    if n_hosts < N_POSITIONS:
        return index - 1
    position = index * N_POSITIONS // n_hosts
    original = index - _first_at(position, n_hosts) + _first_at(position - 1, n_hosts)
    return original if original * N_POSITIONS // n_hosts == position - 1 else index


def _first_at(position: int, n_hosts: int) -> int:
    return -(-position * n_hosts // N_POSITIONS)
