"""Imported by the process that scrapy commands are forked from: what they import, their kernels and tables.

A command's imports, the machine code of the kernels that it runs, and the tables that it makes once are most
of its time when it has little to do.
"""

from __future__ import annotations

import functools
import gc
import importlib

from scrapy import cmdline
from scrapy.settings import Settings
from scrapy.utils import versions

from crawler.addon import Winnow
from crawler.commands.loaded_crawl import import_crawl, load_tables
from crawler.kernels.jit import load_kernels
from tests import compiled_once  # noqa: F401

settings = Settings()
Winnow().update_settings(settings)
# What is installed stays as it is; to list it takes longer than to parse the command, and each crawl logs its versions.
cmdline.entry_points = functools.cache(cmdline.entry_points)
versions.version = functools.cache(versions.version)
versions.get_versions()
cmdline._get_commands_dict(settings, inproject=True)
# What is imported late, by name or where it is needed first.
for name in (
    "crawler.commands.queue_checks",
    "crawler.fleet.blocks",
    "crawler.fleet.children",
    "crawler.fleet.hub",
    "crawler.fleet.parent",
    "crawler.page.link_endings",
    "crawler.ranking.corpus.ranks",
    "crawler.sampleweb.running",
    "crawler.spiders.bootcat",
    "crawler.spiders.focused",
    "crawler.spiders.odp",
    "crawler.spiders.site",
    "crawler.spiders.warc",
    "crawler.urls.ordinary.references",
    "dateutil.relativedelta",
    "lmdb._envid",
    "pipelines.boilerplate.renderers",
    "pipelines.jobs.dedup.run",
    "pipelines.jobs.laws.run",
    "resiliparse.parse.lang",
    "scrapy.downloadermiddlewares.robotstxt",
    "settings.local",
    "settings.ranges",
    "sklearn.feature_extraction.text",
    "sklearn.linear_model",
    "zoneinfo",
):
    importlib.import_module(name)
import_crawl(settings)
load_tables()
load_kernels()
# The forks' collector need not look at what is here.
gc.collect()
gc.freeze()
