"""Imported by the process that scrapy commands are forked from: what they import, and first kernels."""

from __future__ import annotations

import importlib

from crawler.page import build_page
from pipelines.boilerplate.registry import get

# What the commands import late, and Scrapy by name.
for name in (
    "crawler.addon",
    "crawler.commands.crawl",
    "crawler.commands.pagerank",
    "crawler.download_handler",
    "crawler.downloadermiddlewares.addresses",
    "crawler.downloadermiddlewares.link_graph",
    "crawler.sampleweb.running",
    "crawler.scheduler",
    "crawler.spiders.focused",
    "pipelines.stages.clean",
    "pipelines.stages.deduplicate",
    "pipelines.stages.language",
    "pipelines.stages.metadata",
    "pipelines.stages.store",
    "scrapy.cmdline",
):
    importlib.import_module(name)
get("winnow").label(build_page(b"<p>A page.</p>", url="", content_type=None))
