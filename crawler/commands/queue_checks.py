"""A crawl that would fetch the pages of another, which follows other links: told before it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from crawler.spiders.base import WinnowSpider


def check_queue(
    settings: BaseSettings,
    spider: type[WinnowSpider],
    arguments: Mapping[str, str],
    corpus_dir: Path,
    shards: Iterable[str],
) -> None:
    """Raise `InputError` when pages wait in *shards* of *corpus_dir* that are not for *spider* with *arguments*.

    Settings: ``CORPUS_RULES_MAY_CHANGE``, which lets them be fetched.
    """
    from crawler.frontier.followed_links import waiting_of_others
    from crawler.policies import frontier_policy
    from crawler.wording import counted
    from pipelines.corpus.rules import MAY_CHANGE

    made = spider(**arguments)
    if not made.followed or settings.getbool(MAY_CHANGE):
        return
    policy = frontier_policy(settings, made.limits)
    others, n_waiting = waiting_of_others(corpus_dir, shards, made.followed, policy)
    if others:
        raise InputError(
            f"{corpus_dir} has {counted(n_waiting, 'page')} queued by a crawl that follows {' or '.join(others)}, "
            f"this one follows {made.followed}; end that crawl by its own command first, give another "
            f"CORPUS_DIR, or -s {MAY_CHANGE}=1 to fetch them by this one"
        )
