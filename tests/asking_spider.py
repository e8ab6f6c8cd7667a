"""A spider that asks for pages without their robots.txt, for servers that cannot have one."""

from __future__ import annotations

import scrapy


class AskingSpider(scrapy.Spider):
    """Takes ``urls``, with spaces between them."""

    name = "asking"

    async def start(self):
        for url in self.urls.split():
            yield scrapy.Request(url, self.parse, meta={"winnow_robots": True}, errback=self.failed)

    def failed(self, failure):
        """Let what failed rest: its row says why."""

    def parse(self, response):
        yield response.meta["winnow_page"]
