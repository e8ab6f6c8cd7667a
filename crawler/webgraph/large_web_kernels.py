"""The compiled loops of `crawler.webgraph.large_web`; that module says what they make."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, part

if TYPE_CHECKING:
    import numpy.typing as npt

# No page has more links: the longest lists of a page are menus and site maps.
MAX_LINKS = 500
# 1 / (2.72 - 1): Broder et al. 2000, exponent of out-degrees
_INVERSE_TAIL = 1 / 1.72
# Sebastiano Vigna's public-domain splitmix64
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


class LinkLaw(NamedTuple):
    """The numbers by which links are drawn."""

    key: np.uint64
    stride: np.uint64
    """what ranks over all pages are multiplied by"""
    scale: float
    leaving: float
    """probability that a link leaves its host"""
    dangling: float
    near: float
    """probability that a link within its host goes to a page near by"""
    skew: float
    zipf_span: float


class HostArrays(NamedTuple):
    """Bounds of hosts, and what spreads popularity over the pages of each."""

    host_ptr: npt.NDArray[np.int64]
    multipliers: npt.NDArray[np.uint32]
    shifts: npt.NDArray[np.uint32]


class Draw(NamedTuple):
    """Whose links are drawn, and the state of its random numbers."""

    state: np.uint64
    page: np.uint64
    host: int


@part
def mixed(state: np.uint64) -> np.uint64:
    """Return 64 random bits of *state*."""
    z = (state ^ (state >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@part
def uniform(state: np.uint64) -> float:
    """Return a number of [0, 1) of *state*."""
    return float(mixed(state) >> _11) * 2.0**-53


@part
def zipf_rank(u: float, skew: float, span: float) -> np.uint64:
    """Return the rank, from 0, at the quantile *u*."""
    if skew == 0.0:
        rank = u * span
    elif skew == 1.0:
        rank = math.exp(u * span) - 1.0
    else:
        rank = (u * span + 1.0) ** (1.0 / (1.0 - skew)) - 1.0
    return np.uint64(rank)


@part
def insert_once(links: npt.NDArray[np.uint32], n: int, target: np.uint64) -> bool:
    """Insert *target* into the first *n*, which ascend; False when it is there."""
    place = n
    while place > 0 and links[place - 1] > target:
        place -= 1
    if place > 0 and links[place - 1] == target:
        return False
    for i in range(n, place, -1):
        links[i] = links[i - 1]
    links[place] = target
    return True


@part
def add_staying(
    law: LinkLaw, hosts: HostArrays, arc: Draw, links: npt.NDArray[np.uint32], n_wanted: int
) -> int:
    """Write *n_wanted* links within the host to *links*, or fewer; return their number."""
    start = np.uint64(hosts.host_ptr[arc.host])
    size = np.uint64(hosts.host_ptr[arc.host + 1]) - start
    state = arc.state
    n = 0
    for _ in range(4 * n_wanted):
        if n == n_wanted:
            break
        state += _STEP
        u = uniform(state)
        if u < law.near:
            # the distance of Zipf's law, to either side, round the host
            u /= law.near
            distance = np.uint64((0.5 * float(size)) ** abs(2.0 * u - 1.0))
            local = arc.page - start + (distance if u < 0.5 else size - distance % size)
        else:
            u = (u - law.near) / (1.0 - law.near)
            rank = np.uint64(float(size) * u * u * u * u)
            local = np.uint64(hosts.multipliers[arc.host]) * rank
            local += np.uint64(hosts.shifts[arc.host])
        target = start + local % size
        if target != arc.page and insert_once(links, n, target):
            n += 1
    return n


@part
def add_leaving(
    law: LinkLaw, hosts: HostArrays, arc: Draw, links: npt.NDArray[np.uint32], n: int, n_wanted: int
) -> int:
    """Add links to pages of other hosts to the *n* links, *n_wanted* at most; return the sum."""
    start = np.uint64(hosts.host_ptr[arc.host])
    size = np.uint64(hosts.host_ptr[arc.host + 1]) - start
    # another sequence than that of the links within the host
    state = mixed(arc.state)
    n_all = n + n_wanted
    for _ in range(4 * n_wanted):
        if n == n_all:
            break
        state += _STEP
        rank = zipf_rank(uniform(state), law.skew, law.zipf_span)
        target = law.stride * rank % np.uint64(hosts.host_ptr[-1])
        if target - start >= size and insert_once(links, n, target):
            n += 1
    return n


@part
def links_of_page(
    law: LinkLaw, hosts: HostArrays, host: int, page: int, links: npt.NDArray[np.uint32]
) -> int:
    """Write the targets of *page* on *host* to *links*, ascending; return their number."""
    start, size = hosts.host_ptr[host], hosts.host_ptr[host + 1] - hosts.host_ptr[host]
    n_pages = hosts.host_ptr[-1]
    state = mixed(law.key + np.uint64(page) * _STEP)
    if uniform(state) < law.dangling or n_pages == 1:
        return 0
    state += _STEP
    pareto = (1.0 - uniform(state)) ** -_INVERSE_TAIL
    mean = min(law.scale * (pareto - 1.0) + 1.0, float(MAX_LINKS))
    state += _STEP
    n_draws = int(mean) + int(uniform(state) < mean - int(mean))
    n_leaving = 0
    for _ in range(n_draws):
        state += _STEP
        n_leaving += uniform(state) < law.leaving
    arc = Draw(state, np.uint64(page), host)
    n = add_staying(law, hosts, arc, links, min(n_draws - n_leaving, size - 1))
    n = add_leaving(law, hosts, arc, links, n, min(n_leaving, n_pages - size))
    if n == 0:
        # what was drawn was the page itself, over and over, or it is alone on its host
        links[0] = start + (page - start + 1) % size if size > 1 else (start + 1) % n_pages
        n = 1
    return n


@lean_kernel
def chunk_of_links(
    law: LinkLaw,
    hosts: HostArrays,
    first: int,
    sources: npt.NDArray[np.uint32],
    targets: npt.NDArray[np.uint32],
) -> tuple[int, int]:
    """Write arcs from page *first* on; return the page after the last one, and their number."""
    host = int(np.searchsorted(hosts.host_ptr, first, side="right")) - 1
    page = first
    n = 0
    while page < hosts.host_ptr[-1] and n + MAX_LINKS <= len(sources):
        while page >= hosts.host_ptr[host + 1]:
            host += 1
        end = n + links_of_page(law, hosts, host, page, targets[n:])
        sources[n:end] = page
        n = end
        page += 1
    return page, n


@lean_kernel
def sample_links(
    law: LinkLaw, hosts: HostArrays, n_sample: int, links: npt.NDArray[np.uint32]
) -> tuple[float, float]:
    """Return the mean number of links, and of those between hosts, of *n_sample* pages.

    *links* holds the links of one page.
    """
    host = 0
    n_links = 0
    n_leaving = 0
    for i in range(n_sample):
        page = i * hosts.host_ptr[-1] // n_sample
        while page >= hosts.host_ptr[host + 1]:
            host += 1
        n = links_of_page(law, hosts, host, page, links)
        n_links += n
        for k in range(n):
            inside = hosts.host_ptr[host] <= links[k] < hosts.host_ptr[host + 1]
            n_leaving += not inside
    return n_links / n_sample, n_leaving / n_sample


@lean_kernel
def count_links(
    sources: npt.NDArray[np.uint32],
    targets: npt.NDArray[np.uint32],
    out_degree: npt.NDArray[np.uint32],
    in_degree: npt.NDArray[np.int64],
) -> None:
    """Add the arcs to the degrees."""
    for i in range(len(sources)):
        out_degree[sources[i]] += np.uint32(1)
        in_degree[targets[i]] += 1


@lean_kernel
def place_links(
    sources: npt.NDArray[np.uint32],
    targets: npt.NDArray[np.uint32],
    cursor: npt.NDArray[np.int64],
    indices: npt.NDArray[np.uint32],
) -> None:
    """Put each source to the place of its target, and move that place on."""
    for i in range(len(sources)):
        target = targets[i]
        indices[cursor[target]] = sources[i]
        cursor[target] += 1


@lean_kernel
def first_coprimes(
    sizes: npt.NDArray[np.int64], starts: npt.NDArray[np.uint32], found: npt.NDArray[np.uint32]
) -> None:
    """Write to *found* for each size the first number from its start on that is coprime to it."""
    for i in range(len(sizes)):
        size = sizes[i]
        number = np.int64(starts[i]) % size
        while True:
            a, b = size, number
            while b:
                a, b = b, a % b
            if a == 1:
                break
            number = (number + 1) % size
        found[i] = number
