"""The settings that are rules of a corpus, as typed values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.utils.python import global_object_name

from pipelines.corpus.rules import MAY_CHANGE, file_rule, rules_since
from pipelines.segmentation.thresholds import published_theta

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
    *("PAGE_MAX_ANCHOR_CHARS", "PAGE_MAX_HEAD_CHARS", "QUALITY_MIN_WORDS", "DOWNLOAD_MAXSIZE"),
    "QUALITY_MIN_PAGE_BYTES",
)
_NUMBERS = (
    *("QUALITY_MIN_KEPT_SHARE", "QUALITY_MAX_REPLACEMENT_SHARE"),
    *("QUALITY_MAX_REPEATED_LINE_SHARE", "LANGUAGE_MODEL_MIN_SCORE"),
)
_WORDS = ("PAGE_INLINE", "PAGE_HIDDEN", "SEGMENT_METHOD", "CLEAN_METHOD", "METADATA_DATES")
_FILE = "LANGUAGE_MODEL"
_SETS = ("LANGUAGE_KEEP", "SIGNALS_OBEY")
_STAGES = "ITEM_PIPELINES"
# The end of a crawl decides over the duplicates of all pages, or of none.
_NO_RULE = "pipelines.stages.deduplicate."


def rules_of(settings: BaseSettings) -> list[dict[str, Any]]:
    """Return the rules of the corpus that *settings* name, theirs the last; `InputError` where these may not change.

    Settings: those named above, ``CLEAN_OPTIONS``, the stages that ``ITEM_PIPELINES`` leaves out, ``CORPUS_DIR``,
    ``CORPUS_RULES_MAY_CHANGE``; the add-on's defaults are among them.
    """
    rules: dict[str, object] = {
        **{name: settings.getint(name) for name in _WHOLE},
        **{name: settings.getfloat(name) for name in _NUMBERS},
        **_theta(settings),
        **{name: str(settings[name]) for name in _WORDS},
        **{name: sorted(set(settings.getlist(name))) for name in _SETS},
        _FILE: file_rule(str(settings[_FILE] or "")),
        "CLEAN_OPTIONS": _cleaner_options(settings),
        _STAGES: _left_out(settings),
    }
    folder = Path(settings["CORPUS_DIR"])
    return rules_since(folder, rules, may_change=settings.getbool(MAY_CHANGE))


def _theta(settings: BaseSettings) -> dict[str, float]:
    """Return the threshold of Block Fusion as a rule; none where there is none and none is asked for."""
    if settings["SEGMENT_THETA"] is not None:
        return {"SEGMENT_THETA": settings.getfloat("SEGMENT_THETA")}
    theta = published_theta(settings["SEGMENT_METHOD"] or "")
    return {} if theta is None else {"SEGMENT_THETA": theta}


def _cleaner_options(settings: BaseSettings) -> dict[str, object]:
    """Return the options of the cleaner, of which one may name a file."""
    options: dict[str, object] = settings.getdict("CLEAN_OPTIONS")
    model = options.get("model")
    return {**options, "model": file_rule(str(model))} if model else options


def _left_out(settings: BaseSettings) -> dict[str, None]:
    """Return the stages that are switched off, as ``ITEM_PIPELINES`` has them, but for those that are no rule."""
    names = (
        global_object_name(stage) if isinstance(stage, type) else stage
        for stage, order in settings.getdict(_STAGES).items()
        if order is None
    )
    return {name: None for name in sorted(names) if not name.startswith(_NO_RULE)}
