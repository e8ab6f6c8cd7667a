"""The add-on: ``ADDONS = {"crawler.addon.Winnow": 500}`` switches the whole of Winnow on.

It holds the tables of components and of safe defaults, once. Everything is set at the priority of
add-ons: what a project or the command line says wins.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.misc import load_object
from scrapy.utils.python import global_object_name

import crawler as package
from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

ADDON_PRIORITY = SETTINGS_PRIORITIES["addon"]

SPIDERS = "crawler.spiders"

# Next to the engine is the smallest number; robots are asked after a WARC has had its say.
DOWNLOADER_MIDDLEWARES = {
    "crawler.downloadermiddlewares.link_graph.LinkGraphMiddleware": 40,
    "crawler.downloadermiddlewares.warc.WarcMiddleware": 60,
    "crawler.downloadermiddlewares.deadline.DeadlineMiddleware": 70,
    "crawler.downloadermiddlewares.addresses.AddressMiddleware": 90,
    "crawler.downloadermiddlewares.claims.ClaimMiddleware": 95,
    "crawler.downloadermiddlewares.robots.RobotsMiddleware": 100,
    "crawler.downloadermiddlewares.compression.CompressionMiddleware": 590,
    "crawler.light.stats.LightDownloaderStats": 850,
    # Next to the downloader, before anything is decompressed.
    "crawler.downloadermiddlewares.archive.ArchiveMiddleware": 950,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
}

SPIDER_MIDDLEWARES = {"crawler.spidermiddlewares.captures.CaptureMiddleware": 20}

ITEM_PIPELINES = {
    "pipelines.stages.admit.AdmitStage": 800,
    "pipelines.stages.segment.SegmentStage": 810,
    "pipelines.stages.clean.CleanStage": 820,
    "pipelines.stages.metadata.MetadataStage": 825,
    "pipelines.stages.language.LanguageStage": 830,
    "pipelines.stages.quality.QualityStage": 840,
    "pipelines.stages.deduplicate.DeduplicateStage": 850,
    "pipelines.stages.store.StoreStage": 890,
}

EXTENSIONS = {
    "crawler.extensions.address_guard.AddressGuard": 100,
    "crawler.extensions.compiled_kernels.CompiledKernels": 200,
    "crawler.extensions.garbage.GarbageCollection": 400,
    "crawler.extensions.freed_memory.FreedMemory": 400,
    "crawler.extensions.disk_guard.DiskGuard": 400,
    "crawler.extensions.network_guard.NetworkGuard": 400,
    "crawler.extensions.progress.Progress": 500,
    "crawler.extensions.stopping.Stopping": 500,
    "crawler.extensions.steering.SteeringExtension": 510,
}

COMPONENTS: dict[str, Mapping[str, int | None]] = {
    "DOWNLOADER_MIDDLEWARES": DOWNLOADER_MIDDLEWARES,
    "SPIDER_MIDDLEWARES": SPIDER_MIDDLEWARES,
    "ITEM_PIPELINES": ITEM_PIPELINES,
    "EXTENSIONS": EXTENSIONS,
}

SCRAPY_DEFAULTS: dict[str, Any] = {
    "SCHEDULER": "crawler.scheduler.FrontierScheduler",
    # Delays are kept by the frontier alone, one fetch a host at a time.
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 0,
    # Scrapy makes this many tasks for each response; a page is one item.
    "CONCURRENT_ITEMS": 1,
    # Redirects, meta refresh and retries are pages and states of the frontier.
    "REDIRECT_ENABLED": False,
    "METAREFRESH_ENABLED": False,
    "RETRY_ENABLED": False,
    "COOKIES_ENABLED": False,
    # Scrapy's, but for "Accept-Language: en": sites in several languages answered, or redirected to, the English one.
    "DEFAULT_REQUEST_HEADERS": {
        "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    },
    # A proxy would resolve names behind the resolver's back.
    "HTTPPROXY_ENABLED": False,
    "ROBOTSTXT_OBEY": True,
    "DOWNLOAD_MAXSIZE": 8 * 2**20,
    "DOWNLOAD_WARNSIZE": 0,
    "DOWNLOAD_TIMEOUT": 30,
    "DOWNLOAD_FAIL_ON_DATALOSS": False,
    "DNS_TIMEOUT": 10,
    "URLLENGTH_LIMIT": 2048,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "LOGSTATS_INTERVAL": 0,
    "STATS_CLASS": "crawler.light.stats.LightStats",
    "DOWNLOADER": "crawler.light.chains.LightDownloader",
    "ITEM_PROCESSOR": "crawler.light.chains.LightPipelines",
    "LOG_FORMATTER": "crawler.light.chains.LightLogFormatter",
    "STATS_DUMP": False,
}

# Scrapy imports its extensions, and a web server with one of them, before it asks what is switched on.
SWITCHES = {
    "TELNETCONSOLE_ENABLED": "scrapy.extensions.telnet.TelnetConsole",
    "REMOTE_CONTROL_ENABLED": "scrapy.extensions.remote_control.RemoteControl",
}

# Only http and https are fetched.
DOWNLOAD_HANDLERS: dict[str, str | None] = {
    **dict.fromkeys(("http", "https"), "crawler.download_handler.BriefIdleHandler"),
    **dict.fromkeys(("data", "file", "ftp", "s3"), None),
}


class Winnow:
    """Puts Winnow's components and defaults under a project's own settings."""

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Make Winnow's spiders known, beside those of the project."""
        modules = settings.getlist("SPIDER_MODULES")
        if SPIDERS not in modules:
            priority = max(settings.getpriority("SPIDER_MODULES") or 0, ADDON_PRIORITY)
            settings.set("SPIDER_MODULES", [*modules, SPIDERS], priority=priority)

    def update_settings(self, settings: BaseSettings) -> None:
        """Set what is not set with a higher priority."""
        check_package_names()
        from settings import project

        ours = {name: value for name, value in vars(project).items() if name.isupper()}
        for name, value in {**ours, **SCRAPY_DEFAULTS}.items():
            settings.set(name, value, priority="addon")
        check_scheduler(settings["SCHEDULER"])
        for scheme, handler in DOWNLOAD_HANDLERS.items():
            settings["DOWNLOAD_HANDLERS"].set(scheme, handler, priority="addon")
        for setting, table in COMPONENTS.items():
            # The project's own entries win, also those that switch one of ours off.
            merged = {**table, **settings.getdict(setting)}
            priority = max(settings.getpriority(setting) or 0, ADDON_PRIORITY)
            settings.set(setting, merged, priority=priority)
        for switch, extension in SWITCHES.items():
            if not settings.getbool(switch):
                settings["EXTENSIONS_BASE"].pop(extension, None)


def check_scheduler(scheduler: Any) -> None:
    """Raise :exc:`InputError` unless *scheduler*, a class or its path, has the frontier that all else asks for
    pages.
    """
    ours = SCRAPY_DEFAULTS["SCHEDULER"]
    if scheduler == ours:
        return
    # By names: to Scrapy all classes with the methods of a scheduler are subclasses of each other.
    kinds = getattr(load_object(scheduler), "__mro__", ())
    if ours not in map(global_object_name, kinds):
        raise InputError(
            f"the setting SCHEDULER is {scheduler}, which has no frontier; leave it out, or give {ours} or a class made of it"
        )


def check_package_names() -> None:
    """Raise :exc:`InputError` when ``pipelines`` or ``settings`` is somebody else's package."""
    home = Path(package.__path__[0]).parent
    for name in ("pipelines", "settings"):
        spec = find_spec(name)
        folders = [Path(path) for path in (spec and spec.submodule_search_locations) or ()]
        if home / name not in folders:
            where = spec.origin if spec else "no file"
            raise InputError(
                f"the name {name!r} belongs to {where}, not to winnow-crawler; rename that module"
            )
