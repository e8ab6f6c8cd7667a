"""Categories of hosts that only redirect within their domain, as ``example.org`` does to ``www.example.org``.

Directories name the addresses of their time: where a seed redirects to another host of its registrable domain, that
host has the categories, too. Redirects to other domains hand none on: names that nobody pays for any more redirect to
one that sells them. Where the host is another shard's, they go to it with the link (crawler.fleet.hand_over).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.links import LinkKind
from crawler.urls import host_name, registrable_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from crawler.durable.capture import Capture
    from crawler.frontier.store.changes import Changes


def heirs_of(captures: Iterable[Capture]) -> dict[str, set[str]]:
    """Return the categories of hosts, by their keys, that seeds among *captures* redirect to."""
    found: dict[str, set[str]] = {}
    for capture in captures:
        if capture.depth or not capture.categories or capture.links is None:
            continue
        if (capture.links.kind == LinkKind.REDIRECT).all():
            domain = registrable_domain(capture.host)
            for host, _ in capture.links.key:
                name = host_name(host)
                if name != capture.host and registrable_domain(name) == domain:
                    found.setdefault(host, set()).update(capture.categories)
    return found


def add_categories(changes: Changes, of_hosts: Mapping[str, Iterable[str]]) -> None:
    """Unite the categories of hosts with those *of_hosts*, by their keys, if they are ours and known."""
    owners = changes.frontier.owners
    for key, categories in of_hosts.items():
        host_id = changes.hosts.find(key) if owners is None or owners.is_own(key) else None
        if host_id is not None:
            changes.hosts.add_categories(host_id, set(categories))
