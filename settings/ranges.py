"""What each of the settings may be: checked before a command starts, so that a wrong one is one line.

A value is taken as Scrapy's typed getters take it: a number may be a string, a list a string with commas, a
table a string of JSON. What one value means for another (a threshold for its method) is checked where it is
used.
"""

from __future__ import annotations

import json
import re
from math import inf
from typing import NamedTuple

KIB, MIB, TIB = 2**10, 2**20, 2**40
# What the stage calls a language; und is text of which none can be told.
_LANGUAGE = re.compile(r"[a-z]{2}|und")
# As crawler.page.signals has them; a word of another form would be obeyed on no page.
_SIGNAL = re.compile(
    r"noai|noimageai|tdm-reservation=[01]|(?!tdm-reservation=)[a-z][a-z0-9-]{0,31}=[a-z0-9-]{1,31}"
)
DAY_SECS = 86_400
# 31 years: from about 10^15 on a time that is so far off has no place in the journal.
MOST_SECS = 10**9


class Range(NamedTuple):
    """*kind*: ``whole``, ``number``, ``switch``, ``text``, ``pattern``, ``list``, ``whole list``, ``code list``,
    ``signal list`` or ``table``.

    A number is from *least* to *most*, *above*: not *least* itself; a text is one of *words*, if there are
    any, and may be empty where *empty* says so.
    """

    kind: str
    least: float = -inf
    most: float = inf
    above: bool = False
    words: tuple[str, ...] = ()
    empty: bool = False

    def allows(self, value: object) -> bool:
        """Tell whether a setting may be *value*.

        >>> Range("number", 0, 1).allows("0.5"), Range("whole", 1).allows("0.5"), Range("switch").allows("yes")
        (True, False, False)
        """
        try:
            return self._fits(value)
        except (TypeError, ValueError, re.error):
            return False

    def _fits(self, value: object) -> bool:
        if self.kind == "text":
            return str(value) in self.words if self.words else self.empty or bool(value)
        if self.kind == "pattern":
            return re.compile(str(value)) is not None
        if self.kind == "switch":
            return str(value).lower() in {"0", "1", "true", "false"}
        if self.kind == "table":
            return isinstance(value, dict) or isinstance(json.loads(str(value)), dict)
        if self.kind.endswith("list"):
            parts = value.split(",") if isinstance(value, str) and value else list(value or ())  # type: ignore[call-overload]  # TypeError: no list
            if self.kind == "code list":
                return all(_LANGUAGE.fullmatch(part) for part in parts)
            if self.kind == "signal list":
                return all(_SIGNAL.fullmatch(part) for part in parts)
            return self.kind == "list" or all(int(part) >= self.least for part in parts)
        number = int(str(value)) if self.kind == "whole" else float(str(value))
        return self.least <= number <= self.most and abs(number) != inf and not (
            self.above and number == self.least
        )  # fmt: skip

    def __str__(self) -> str:
        if self.words:
            return f"one of {', '.join(word or 'nothing' for word in self.words)}"
        if self.kind in _FORMS:
            return _FORMS[self.kind]
        kind = "a whole number" if self.kind == "whole" else "a number"
        if self.least == -inf:
            return kind
        bounds = f"above {self.least:g}" if self.above else f"of at least {self.least:.15g}"
        return f"{kind} {bounds}{f', at most {self.most:.15g}' if self.most < inf else ''}"


_FORMS = {
    "text": "a text that is not empty",
    "pattern": "a regular expression such as /news/|[?&]id=",
    "switch": "1 for yes, 0 for no",
    "list": "words with commas between them",
    "whole list": "whole numbers with commas between them",
    "code list": "codes of ISO 639-1 with commas between them, such as de,en",
    "signal list": "words with commas between them, such as noai,ai-train=no",
    "table": 'a table such as {"name": 1}',
}


def _whole(least: float, most: float = inf) -> Range:
    return Range("whole", least, most)


def _number(least: float, most: float = inf) -> Range:
    return Range("number", least, most)


def _above(least: float) -> Range:
    return Range("number", least, above=True)


def _one_of(*words: str) -> Range:
    return Range("text", words=words)


_TEXT, _FREE, _SWITCH = Range("text"), Range("text", empty=True), Range("switch")
_WORDS, _TABLE = Range("list"), Range("table")
_SECS, _SOME_SECS = _number(0, MOST_SECS), Range("number", 0, MOST_SECS, above=True)
_SHARE, _COUNT, _FROM_ONE = _number(0, 1), _whole(0), _whole(1)
_IN_PAGE = _whole(1, 2**31 - 1)  # places of a page are numbers of 32 bits

RANGES = {
    "CORPUS_DIR": _TEXT,
    "CORPUS_RULES_MAY_CHANGE": _SWITCH,
    "COMMIT_GROUP_PAGES": _FROM_ONE,
    "COMMIT_SYNC_SECS": _SOME_SECS,
    "SEAL_ROWS": _FROM_ONE,
    "SEAL_BYTES": _FROM_ONE,
    "DISK_MIN_FREE_BYTES": _COUNT,
    "WARC_ENABLED": _SWITCH,
    "WARC_MAX_BYTES": _FROM_ONE,
    "HOST_DELAY_SECS": _SECS,
    "DOMAIN_DELAY_SECS": _SECS,
    "IP_DELAY_SECS": _SECS,
    "HOST_DELAY_LATENCY_FACTOR": _number(0),
    "HOST_DELAY_LATENCY_MAX_SECS": _SECS,
    "CRAWL_DELAY_MAX_SECS": _SECS,
    "STOP_WAIT_SECS": _SECS,
    # A page's head has four bits for them (crawler.durable.page_state), which must tell one more.
    "REDIRECT_MAX_HOPS": _whole(0, 14),
    "FETCH_RETRIES": _COUNT,
    "FETCH_RETRY_SECS": _SOME_SECS,
    "RETRY_AFTER_MAX_SECS": _SECS,
    "HOST_PARK_ERRORS": _COUNT,
    "HOST_PARK_SECS": _SECS,
    "HOST_PARK_MAX_SECS": _SECS,
    "HOST_PARKS": _COUNT,
    "NETWORK_DOWN_HOSTS": _COUNT,
    "IDLE_END_SECS": _SECS,
    "RECRAWL_AFTER_SECS": _SECS,
    "RECRAWL_GONE_TIMES": _whole(0, 30),
    "CONNECTION_IDLE_SECS": _SOME_SECS,
    # RFC 9309 section 2.5.
    "ROBOTS_MAX_BYTES": _whole(500 * KIB),
    "ROBOTS_CACHE_HOSTS": _FROM_ONE,
    "ROBOTS_CACHE_BYTES": _whole(MIB),
    # Twice as much is mapped.
    "ROBOTS_STORE_BYTES": _whole(MIB, TIB),
    # RFC 9309 section 2.4.
    "ROBOTS_CACHE_SECS": Range("number", 0, DAY_SECS, above=True),
    "ROBOTS_RETRY_SECS": _SOME_SECS,
    "ROBOTS_RETRY_MAX_SECS": _SOME_SECS,
    "ROBOTS_UNREACHABLE_DAYS": _above(0),
    "ROBOTS_UNREACHABLE": _one_of("park", "refuse"),
    "SIGNALS_OBEY": Range("signal list"),
    "SITEMAP_MAX_FILES": _FROM_ONE,
    "SITEMAP_MAX_URLS": _FROM_ONE,
    "SITEMAP_MAX_BYTES": _FROM_ONE,
    "SITEMAP_HOST_URLS": _FROM_ONE,
    "SEARCH_KEY": _FREE,
    "SEARCH_DELAY_SECS": _SECS,
    "TRAP_EVIDENCE": _COUNT,
    "URLS_ALLOW": Range("pattern"),
    "URLS_DENY": Range("pattern"),
    "YIELD_FLOOR": _SHARE,
    "STOP_WORDS_PER_MB": _number(0),
    "STOP_WINDOW_MB": _above(0),
    "ALLOWED_PRIVATE_NETWORKS": _WORDS,
    "HOSTS_FILE": _FREE,
    "PAGE_MAX_BYTES": _IN_PAGE,
    "PAGE_MAX_BLOCKS": _IN_PAGE,
    "PAGE_MAX_LINKS": _IN_PAGE,
    "PAGE_MAX_URL_CHARS": _IN_PAGE,
    # Memory is taken for so many names of each block.
    "PAGE_MAX_DEPTH": _whole(1, 1000),
    "PAGE_MAX_ANCHOR_CHARS": _IN_PAGE,
    "PAGE_MAX_HEAD_CHARS": _IN_PAGE,
    "PAGE_INLINE": _one_of("gap", "transparent", "phrasing"),
    "PAGE_HIDDEN": _one_of("drop", "keep"),
    "SEGMENT_THETA": _SHARE,
    "SEGMENT_METHOD": _FREE,
    "CLEAN_METHOD": _TEXT,
    # Measured on a dozen pages: no peer cleans one in .01 s, and each page is the end of its process; in .1 s, and in 16
    # MiB, they clean most.
    "CLEAN_WORKER_SECS": _number(0.1, MOST_SECS),
    # A limit of 64 bits: at one beyond them the process of the cleaner died for each page.
    "CLEAN_WORKER_BYTES": _whole(16 * MIB, TIB),
    "CLEAN_OPTIONS": _TABLE,
    "METADATA_DATES": _one_of("declared", "htmldate"),
    "LANGUAGE_KEEP": Range("code list"),
    "LANGUAGE_MODEL": _FREE,
    "LANGUAGE_MODEL_MIN_SCORE": _SHARE,
    "QUALITY_MIN_PAGE_BYTES": _COUNT,
    "QUALITY_MIN_WORDS": _COUNT,
    "QUALITY_MIN_KEPT_SHARE": _SHARE,
    "QUALITY_MAX_REPLACEMENT_SHARE": _SHARE,
    "QUALITY_MAX_REPEATED_LINE_SHARE": _SHARE,
    "DEDUP_METHOD": _one_of("mutual-containment", "resemblance", "simhash"),
    "DEDUP_THRESHOLD": _SHARE,
    "DEDUP_SHINGLE_WORDS": _FROM_ONE,
    "DEDUP_SIMHASH_DISTANCE": _whole(0, 8),
    "DEDUP_BLOCKS_COVERAGE": _SHARE,
    "DEDUP_BLOCKS_BYTES": _whole(64 * KIB),
    "DEDUP_KEEP": _one_of("longest", "first", "rank", "complete"),
    "DEDUP_MEMORY_BYTES": _whole(64 * MIB),
    "LINK_LABELLER": _FREE,
    "FOCUS_WEIGHTS": _TABLE,
    "FLEET_ADDRESS": _FREE,
    "FLEET_SHARD": _whole(0, 9999),
    "FLEET_SHARDS": Range("whole list", 0),
    "FLEET_DIVIDE_BY": _one_of("domain", "host"),
    "CLUSTER_URL": _FREE,
    "CLUSTER_NAME": _FREE,
    "CLUSTER_SIZE": _FROM_ONE,
    "PROGRESS_SECS": _SECS,
}
"""The range of each setting of `settings.project`."""

SCRAPY_RANGES = {
    "CONCURRENT_ITEMS": _FROM_ONE,
    "CONCURRENT_REQUESTS": _COUNT,
    "CONCURRENT_REQUESTS_PER_DOMAIN": _FROM_ONE,
    "DNS_TIMEOUT": _above(0),
    "DOWNLOAD_DELAY": _SECS,
    "DOWNLOAD_MAXSIZE": _COUNT,
    "DOWNLOAD_TIMEOUT": _above(0),
    "REACTOR_THREADPOOL_MAXSIZE": _FROM_ONE,
    "TELNETCONSOLE_ENABLED": _SWITCH,
    "USER_AGENT": _TEXT,
}
"""Those of the settings of Scrapy's that a crawl cannot do with wrong."""
