"""Pages of a host and what they were worth, as traps learn of them."""

from __future__ import annotations

import numpy as np

from crawler.frontier.steering.page_worth import PageWorth
from crawler.urls import page_key

HOST = "www.a.sample"


def page(path, worth, *, host=HOST, host_id=0, links=None, new=None, original=""):
    """A page at *path*; *links* are paths on its host, all new unless *new* says which are.

    Without *links* it has one, new, to a page like itself.
    """
    links = (f"{path}0",) if links is None else links
    keys = [page_key(f"http://{host}{link}") for link in links]
    return PageWorth(
        host_id << 32 | abs(hash(path)) % 2**30,
        f"http://{host}{path}",
        host,
        worth,
        original=original,
        links=keys,
        link_ids=np.array(
            [host_id << 32 | 2**30 + hash(link) % 2**30 for link in links], np.uint64
        ),
        is_new=np.ones(len(links), bool) if new is None else np.array(new, bool),
        follow=np.ones(len(links), bool),
    )


def refused(traps, path, *, host=HOST, host_id=0):
    return traps.refusal(host_id, host, f"0{path}", fetch=True)
