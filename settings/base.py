"""The default profile: Scrapy's settings of this project. Winnow comes by the same line as anywhere."""

from __future__ import annotations

from crawler.errors import tell_interrupts

# The first line of a command that is the project's: Scrapy then loads all commands, which takes a while.
tell_interrupts()

BOT_NAME = "winnow"
ADDONS = {"crawler.addon.Winnow": 500}

# Say who you are before you crawl beyond loopback: name and a page that tells what the crawl is for.
USER_AGENT = "winnow/0.1 (web corpus crawler)"

LOG_LEVEL = "INFO"
FEED_EXPORT_ENCODING = "utf-8"
