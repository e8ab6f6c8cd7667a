"""Imported by the process that scrapy commands are forked from: what they import, their kernels and tables.

A command's imports, the machine code of the kernels that it runs, and the tables that it makes once are most
of its time when it has little to do.
"""

from __future__ import annotations

import gc
import importlib

from scrapy.cmdline import _get_commands_dict
from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from crawler.addon import Winnow
from crawler.kernels import jit
from crawler.page import build_page
from crawler.urls import registrable_domain
from pipelines.boilerplate.registry import get
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.linguistics.language import identify, load_classifier
from tests import compiled_once  # noqa: F401

TABLES = ("DOWNLOADER_MIDDLEWARES", "EXTENSIONS", "ITEM_PIPELINES", "SPIDER_MIDDLEWARES")

settings = Settings()
Winnow().update_settings(settings)
_get_commands_dict(settings, inproject=True)
for table in TABLES:
    for component in build_component_list(settings.getwithbase(table)):
        load_object(component)
# What is imported late, by name or where it is needed first.
for name in (
    "crawler.download_handler",
    "crawler.ranking.corpus_ranks",
    "crawler.sampleweb.running",
    "crawler.scheduler",
    "crawler.spiders.focused",
    "crawler.spiders.odp",
    "crawler.spiders.site",
    "crawler.spiders.warc",
    "pipelines.boilerplate.renderers",
):
    importlib.import_module(name)
registrable_domain("www.sample.test")
# The tables of a page whose encoding is guessed, and of a text in no language; the classifier is most of it.
TEXT = "Größe"
get("winnow").label(build_page(f"<p>{TEXT}</p>".encode("latin-1"), url="", content_type=None))
identify(TEXT)
text_ngram_hashes(TEXT, 1)
load_classifier()
for kernel in jit._KERNELS.values():
    # numba has no public way to list what its cache holds.
    for types, *_ in kernel._cache._cache_file._load_index():
        kernel.compile(types)
# The forks' collector need not look at what is here.
gc.collect()
gc.freeze()
