"""The default profile: Scrapy's settings of this project. Winnow comes by the same line as anywhere."""

from __future__ import annotations

BOT_NAME = "winnow"
ADDONS = {"crawler.addon.Winnow": 500}

# Say who you are before you crawl beyond loopback: name and a page that tells what the crawl is for.
USER_AGENT = "winnow/0.1 (web corpus crawler)"

LOG_LEVEL = "INFO"
FEED_EXPORT_ENCODING = "utf-8"
