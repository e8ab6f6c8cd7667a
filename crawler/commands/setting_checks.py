"""Wrong settings, found before a command does anything: one line that names the setting and its range."""

from __future__ import annotations

import ipaddress
import logging
import os
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from scrapy.settings import default_settings
from scrapy.utils.misc import load_object

from crawler.addon import check_package_names
from crawler.errors import InputError, cause

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from scrapy.settings import BaseSettings

    from settings.ranges import Range

# How like one of ours a name is that is taken for a slip of the pen (difflib's ratio).
_LIKENESS = 0.85

# Scrapy's settings that name what a crawl is made of before it can tell anything.
_OBJECTS = (
    "SPIDER_LOADER_CLASS", "TWISTED_REACTOR", "TWISTED_DNS_RESOLVER", "DNS_RESOLVER", "STATS_CLASS", "LOG_FORMATTER",
    "SCHEDULER", "DOWNLOADER", "REQUEST_FINGERPRINTER_CLASS", "ASYNCIO_EVENT_LOOP",
)  # fmt: skip


def check_settings(settings: BaseSettings, asked: Iterable[str] = ()) -> None:
    """Raise :exc:`InputError` for the first of *settings* that is out of its range.

    *asked* are the ``NAME=VALUE`` of the command line: one whose name is nearly that of a setting is
    refused too, as it would be passed over, and so is ``ROBOTSTXT_OBEY=0``; those of Scrapy's are of the kind of its
    default.
    """
    check_package_names()
    from settings.ranges import RANGES, SCRAPY_RANGES

    known = {*RANGES, *vars(default_settings)}
    names = [setting.partition("=")[0] for setting in asked]
    for name in names:
        if name not in known and (meant := _meant(name, RANGES, known)):
            raise InputError(f"there is no setting {name}; is {meant} meant?")
    for name, span in {**_ranges_by_default(names), **RANGES, **SCRAPY_RANGES}.items():
        value = settings.get(name)
        if value is not None and not span.allows(value):
            raise InputError(f"the setting {name} is {value!r}; give {span}")
    if "ROBOTSTXT_OBEY" in names and not settings.getbool("ROBOTSTXT_OBEY"):
        raise InputError(
            "the setting ROBOTSTXT_OBEY is off; leave it out: every crawl obeys robots.txt"
        )
    for network in settings.getlist("ALLOWED_PRIVATE_NETWORKS"):
        _check_network(network)
    level = settings.get("LOG_LEVEL")
    if isinstance(level, str) and level not in logging.getLevelNamesMapping():
        raise InputError(
            f"the log level is {level!r}; give DEBUG, INFO, WARNING, ERROR or CRITICAL"
        )


def _ranges_by_default(names: Iterable[str]) -> dict[str, Range]:
    """Return what those of *names* may be whose default in Scrapy is a number, or a switch."""
    from settings.ranges import Range

    kinds = {bool: "switch", int: "whole", float: "number"}
    defaults = {name: type(getattr(default_settings, name, None)) for name in names}
    return {name: Range(kinds[kind]) for name, kind in defaults.items() if kind in kinds}


def _meant(name: str, ours: Iterable[str], known: Collection[str]) -> str | None:
    """Return which of the *known* settings *name* is nearly: in small letters, one of *ours* without its unit,
    misspelt.
    """
    upper = name.upper()
    if upper in known:
        return upper
    near = [each for each in ours if "_" in upper and each.rpartition("_")[0] == upper]
    near += get_close_matches(upper, known, 1, _LIKENESS)
    return near[0] if near else None


def check_objects(settings: BaseSettings) -> None:
    """Raise :exc:`InputError` for a setting that names a class, or spiders' modules, which are not there."""
    for name in _OBJECTS:
        known = settings.attributes.get(name)  # what asks by name is told of names that are old
        if known is None or not known.priority:
            continue
        try:
            load_object(known.value)
        except (ImportError, ValueError, NameError, TypeError) as error:
            raise InputError(
                f"the setting {name} is {known.value!r}, which cannot be loaded ({error}); give the dotted path of a class"
            ) from error
    for module in settings.getlist("SPIDER_MODULES"):
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise  # it is there, and misses something itself
            raise InputError(
                f"the setting SPIDER_MODULES has {module!r}, which is not there; give modules of spiders"
            ) from error


def check_log_file(settings: BaseSettings) -> None:
    """Raise :exc:`InputError` when the log file of a crawl, by ``LOG_FILE`` or ``--logfile``, cannot be written."""
    if not (name := settings.get("LOG_FILE")):  # --nolog does not close it
        return
    try:
        try_to_write(name)
    except (OSError, ValueError) as error:
        raise InputError(
            f"the log file {name!r} cannot be written ({cause(error)}); name another"
        ) from error


def try_to_write(name: str) -> None:
    """Raise what writing the file *name* would raise; it is not changed, and not made."""
    is_new = not os.path.lexists(name)
    with open(name, "ab"):
        pass
    if is_new:  # it is for others to make: another check may refuse the call
        os.unlink(name)


def _check_network(network: str) -> None:
    try:
        ipaddress.ip_network(network)
    except ValueError as error:
        raise InputError(
            f"the setting ALLOWED_PRIVATE_NETWORKS has {network!r}, which is no network ({error}); "
            "give networks such as 10.0.0.0/8"
        ) from error
