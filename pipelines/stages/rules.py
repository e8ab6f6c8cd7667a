"""The settings that are rules of a corpus, as typed values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.corpus.rules import MAY_CHANGE, rules_since

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_WHOLE = (
    *(
        "PAGE_MAX_BYTES",
        "PAGE_MAX_BLOCKS",
        "PAGE_MAX_LINKS",
        "PAGE_MAX_URL_CHARS",
        "PAGE_MAX_DEPTH",
    ),
    *("PAGE_MAX_ANCHOR_CHARS", "PAGE_MAX_HEAD_CHARS", "QUALITY_MIN_WORDS"),
)
_NUMBERS = (
    *("SEGMENT_THETA", "QUALITY_MIN_KEPT_SHARE", "QUALITY_MAX_REPLACEMENT_SHARE"),
    "QUALITY_MAX_REPEATED_LINE_SHARE",
)
_WORDS = ("PAGE_INLINE", "PAGE_HIDDEN", "SEGMENT_METHOD", "CLEAN_METHOD", "METADATA_DATES")
_SETS = ("LANGUAGE_KEEP", "SIGNALS_OBEY")


def rules_of(settings: BaseSettings) -> list[dict[str, Any]]:
    """Return the rules of the corpus that *settings* name, theirs the last; `InputError` where these may not change.

    Settings: those named above, ``CLEAN_OPTIONS``, ``CORPUS_DIR``, ``CORPUS_RULES_MAY_CHANGE``.
    """
    rules: dict[str, object] = {
        **{name: settings.getint(name) for name in _WHOLE},
        **{name: settings.getfloat(name) for name in _NUMBERS},
        **{name: str(settings[name]) for name in _WORDS},
        **{name: sorted(set(settings.getlist(name))) for name in _SETS},
        "CLEAN_OPTIONS": settings.getdict("CLEAN_OPTIONS"),
    }
    folder = Path(settings["CORPUS_DIR"])
    return rules_since(folder, rules, may_change=settings.getbool(MAY_CHANGE))
