"""What each process of a fleet would import, compile and make at its start, once for all: before they are forked."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import TYPE_CHECKING

from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from crawler.addon import COMPONENTS, Winnow
from crawler.extensions.compiled_kernels import is_rehearsed, mark_of, wanted_kernels
from crawler.kernels.jit import is_interpreted, load_kernels
from crawler.page import build_page
from crawler.urls import registrable_domain
from pipelines.boilerplate.registry import get
from pipelines.duplicates.ngram_hashes import text_ngram_hashes
from pipelines.linguistics.language import identify, load_classifier

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

# What a crawl imports late, by name or where it is needed first. Nothing here makes a reactor.
MODULES = (
    "crawler.download_handler",
    "crawler.scheduler",
    "scrapy.core.downloader.handlers.http11",
)
OURS = ("crawler.", "pipelines.", "scrapy.")
TEXT = "Größe"


def load_crawl(settings: BaseSettings) -> None:
    """Load what a crawl with *settings* runs, but for the components of others; nothing is compiled for it.

    The tables are those of the default method and stages: with others, they might want kernels that are not compiled.
    """
    import_crawl(settings)
    if not is_interpreted:
        wanted = wanted_kernels(settings)
        if is_rehearsed(mark_of(wanted)):
            load_kernels()
            if wanted == _default_kernels():
                load_tables()
    gc.collect()
    gc.freeze()  # no process's collector need look at what is here


def import_crawl(settings: BaseSettings) -> None:
    """Import the components of *settings* that are Winnow's and Scrapy's, and what is imported late."""
    for table in COMPONENTS:
        for component in build_component_list(settings.getwithbase(table)):
            if isinstance(component, str) and component.startswith(OURS):
                load_object(component)
    for name in MODULES:
        import_module(name)


def _default_kernels() -> str:
    settings = Settings()
    Winnow().update_settings(settings)
    return wanted_kernels(settings)


def load_tables() -> None:
    """Make the tables of addresses, pages and texts."""
    registrable_domain("www.sample.test")
    # The tables of a page whose encoding is guessed, and of a text in no language; the classifier is most of it.
    get("winnow").label(build_page(f"<p>{TEXT}</p>".encode("latin-1"), url="", content_type=None))
    identify(TEXT)
    text_ngram_hashes(TEXT, 1)
    load_classifier()
