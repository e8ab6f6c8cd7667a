"""What Winnow asks of Scrapy's engine, in one place: part of it has no public way in.

``tests/test_addon.py`` fails when Scrapy changes a name that is used here.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy.utils.defer import _schedule_coro

if TYPE_CHECKING:
    from scrapy.crawler import Crawler, CrawlerProcessBase

_WAITED_FOR: WeakKeyDictionary[Crawler, set[str]] = WeakKeyDictionary()


def pause(crawler: Crawler, what: str) -> None:
    """Have the engine ask for no page until :func:`end_pause` of *what*, and of all else that it waits for."""
    _WAITED_FOR.setdefault(crawler, set()).add(what)
    assert crawler.engine is not None
    crawler.engine.pause()


def end_pause(crawler: Crawler, what: str) -> None:
    """Have the engine wait for *what* no longer."""
    waited_for = _WAITED_FOR.setdefault(crawler, set())
    waited_for.discard(what)
    if not waited_for and crawler.engine is not None:
        crawler.engine.unpause()
        wake_engine(crawler)


def scheduler_of(crawler: Crawler) -> Any:
    """Return the scheduler of a crawl that runs, or has just ended: ours, unless the project has another."""
    assert crawler.engine is not None
    return crawler.engine.scheduler


def wake_engine(crawler: Crawler) -> None:
    """Have the engine ask its scheduler for requests, which it does itself but every 5 seconds."""
    slot = _slot(crawler)
    if slot is not None:
        slot.nextcall.schedule()


def is_closing(crawler: Crawler) -> bool:
    """Tell whether the spider is being closed: no request is begun any more."""
    slot = _slot(crawler)
    return slot is not None and slot.closing is not None


def is_idle(crawler: Crawler) -> bool:
    """Tell whether the engine has nothing to do; it asks the scheduler for that.

    A spider whose request is held makes no further ones until that is given a page.
    """
    engine: Any = crawler.engine
    slot = _slot(crawler)
    if slot is None:
        return False
    if not slot.scheduler.foreign.is_held:
        return bool(engine.spider_is_idle())
    is_out = engine.downloader.active or not engine.scraper.slot.is_idle()
    return not (is_out or slot.scheduler.has_pending_requests())


def is_held(crawler: Crawler) -> bool:
    """Tell whether only the limit of a fleet keeps requests of the spider, or pages of its frontier."""
    slot = _slot(crawler)
    return slot is not None and bool(slot.scheduler.is_held)


def is_told_to_stop(process: CrawlerProcessBase) -> bool:
    """Tell whether *process* has had a signal to stop: the second one stops it uncleanly, further ones do nothing."""
    return signal.getsignal(signal.SIGTERM) in (process._signal_kill, signal.SIG_IGN)


def was_told_before(handler: Any) -> bool:
    """Tell whether *handler* of a signal is Scrapy's for a second one: the first waits until the reactor runs on."""
    return getattr(handler, "__name__", "").startswith("_signal_kill")


def close_spider(crawler: Crawler, reason: str) -> None:
    """Begin to close the spider, if there is one, in order."""
    engine = crawler.engine
    if engine is not None and engine.spider is not None:
        # Scrapy's own CloseSpider ends a crawl so.
        _schedule_coro(engine.close_spider_async(reason=reason))


def _slot(crawler: Crawler) -> Any:
    return None if crawler.engine is None else crawler.engine._slot
