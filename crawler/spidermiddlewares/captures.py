"""The capture middleware: a page that the spider does not hand on is accounted for all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.http import Request

from crawler.engine import scheduler_of
from crawler.light.spidermw import OutputWatcher
from crawler.page_items import OWN_META, note_item

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from crawler.durable.capture import Capture


class CaptureMiddleware(OutputWatcher):
    """Finishes the capture of a page that was not yielded, or whose callback failed.

    A Request that was made from the page's ``meta`` loses what is ours in it.

    Stats: ``spider/dropped/not_yielded``, ``spider/dropped/exception``. Meta: ``winnow_page``,
    ``winnow_capture``, ``winnow_yielded`` (the page is on its way through the stages),
    ``winnow_others`` (other items of its callback that are still on theirs).
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_spider_input(self, response: Response) -> None:
        _begin_work(response)

    def begin_output(self, response: Response) -> None:
        _begin_work(response)

    def see_output(self, response: Response, entry: Any) -> None:
        page = response.meta.get("winnow_page")
        if isinstance(entry, Request):
            if entry is response.request:
                # Their meta is one, of which the answer keeps what is ours.
                response.request = entry.copy()
            for name in OWN_META:
                entry.meta.pop(name, None)
        elif page is not None:
            note_item(response.meta, is_page=entry is page)

    def end_output(self, response: Response) -> None:
        if "winnow_page" in response.meta and "winnow_yielded" not in response.meta:
            self._drop(response, "not_yielded")

    def process_spider_exception(self, response: Response, exception: Exception) -> None:  # noqa: ARG002
        if "winnow_page" in response.meta and "winnow_yielded" not in response.meta:
            self._drop(response, "exception")

    def _drop(self, response: Response, reason: str) -> None:
        capture = response.meta["winnow_capture"]
        if capture.done:
            return
        self.crawler.stats.inc_value(f"spider/dropped/{reason}")
        capture.reject(stage="spider", reason=reason)
        scheduler = scheduler_of(self.crawler)
        scheduler.finish(capture)


def _begin_work(response: Response) -> None:
    """Note that the process works on the page: the spider, and the pipelines behind it."""
    capture: Capture | None = response.meta.get("winnow_capture")
    if capture is not None and not capture.done:
        capture.begin_work()
