"""Reads what a lease says of its page, for many pages at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.durable.keys import u64_key
from crawler.durable.page_state import DEPTH_SHIFT, MAX_HOPS, STATE_BITS
from crawler.durable.visits import VISITED
from crawler.frontier.leases import Lease
from crawler.urls import host_name
from crawler.urls.keys import SCHEMES
from crawler.webgraph.host_rows import read_categories

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from crawler.durable.transaction import Transaction
    from crawler.webgraph.page_memory import PageMemory


def read_leases(
    txn: Transaction,
    memory: PageMemory,
    ids: npt.NDArray[np.uint64],
    has_categories: Any,
    retries: Mapping[int, int],
) -> list[Lease]:
    """Return the leases of the pages *ids*.

    *has_categories* by HostID, *retries* by page that has failed.
    """
    pages: list[int] = ids.tolist()
    names = map(host_name, memory.hosts.keys([page_id >> 32 for page_id in pages]))
    rows = zip(pages, names, memory.heads.get(ids).tolist(), memory.texts(txn, ids), strict=True)
    visits = txn.get_many(VISITED, [u64_key(page_id) for page_id in pages])
    leases = []
    for page_id, name, head, local in rows:
        host_id = page_id >> 32
        lease = Lease(
            page_id,
            f"{SCHEMES[local[0] == '1']}://{name}{local[1:]}",
            name,
            head >> DEPTH_SHIFT,
            head >> STATE_BITS & MAX_HOPS,
            retries.get(page_id, 0),
            read_categories(txn, host_id) if has_categories[host_id] else (),
            visits.get(u64_key(page_id)) if visits else None,
        )
        leases.append(lease)
    return leases
