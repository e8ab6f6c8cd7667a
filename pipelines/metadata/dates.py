"""Dates as pages write them.

Full dates only: year, month and day. With names of months in the languages of :mod:`.months`, in Thai, Hindi and
Bengali, with their numbers in Vietnamese; numbers alone in the order year, month, day, or with the year last.
There ``05.04.2024`` is the fifth of April, and a number above 12 is the day; ``05/04/2024`` and ``05-04-2024`` are the
fourth of May where the page's language is English (but not that of another country than the United States), the fifth
of April in any other language, and no date where the page declares none.

A date is that of the place that the page names it for; one that is still to come where the clock shows
another day is that of UTC. Years before 1990 are none: they are what is written when nothing is known.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

from pipelines.metadata.months import MARKED_MONTHS, MONTHS, month_number

MIN_YEAR = 1990

# What every date holds, in UTF-8: most texts have none of it. A pattern that begins with one set of bytes is looked for
# faster than one of two.
MAY_BE_DATE = re.compile(
    rb"[0-9\x80-\xff](?:(?<=1)9[0-9\x80-\xff]|(?<=2)[05][0-9\x80-\xff]|[0-9\x80-\xff]{7})"
)
# The Thai calendar counts from 543 BC, "พ.ศ." before the year or not; "ค.ศ." is the other one. No other has such years.
_BUDDHIST_YEARS, _FIRST_BUDDHIST = 543, 2500
_MARKED = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s?({'|'.join(map(re.escape, MARKED_MONTHS))})[\s,]{{0,2}}"
    r"(?:[พค]\.\s?ศ\.\s?)?((?:19|20|25)\d\d)(?!\d)"
)
# Arabic, Persian and Urdu, Devanagari, Bengali, Thai.
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙", "0123456789" * 5)
_YEAR = re.compile(r"(?:19|20|25)\d\d")
_YEAR_FIRST = re.compile(
    r"(?<![\d.])((?:19|20|25)\d\d)(?:\s?[年년]\s?|[-/.])(\d{1,2})(?:\s?[月월]\s?|[-/.])(\d{1,2})(?!\d)"
)
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?=T|\s|$)")
_YEAR_LAST = re.compile(r"(?<![\d./-])(\d{1,2})(\.\s?|[/-])(\d{1,2})\2((?:19|20|25)\d\d)(?![\d/-])")
_DAY_MONTH = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?[\s-]{0,3}(?:(?:de|of|d')\s)?([^\W\d_]{3,12})\.?,?[\s-]{0,3}"
    r"(?:(?:de|del)\s)?((?:19|20)\d\d)(?!\d)"
)
_MONTH_DAY = re.compile(
    r"([^\W\d_]{3,12})\.?[\s-]{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}((?:19|20)\d\d)(?!\d)"
)
# Hungarian and Lithuanian, and archives of several.
_YEAR_NAME_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:\s?m)?[.,]?[\s-]{1,3}([^\W\d_]{3,12})\.?[\s-]{1,3}(\d{1,2})(?!\d)"
)
# Vietnamese numbers the months.
_DAY_THANG = re.compile(
    r"(?<!\d)(\d{1,2})\stháng\s(\d{1,2})(?:,|\snăm)?\s((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
_TIME = re.compile(
    r"[T\s]\s?(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(?:(Z)\b|([+-])(\d\d):?(\d\d)?)"
)
_EPOCH = re.compile(r"\s*(\d{10})(?:\d{3})?\s*")
_IN_URL = re.compile(
    r"/((?:19|20)\d\d)(?:/(\d{1,2})/(\d{1,2})(?=/|[-_.]|$)|-(\d\d)[-/](\d\d)(?!\d)|/?(\d\d)-?(\d\d)(?=/))"
)
# What stands between a dateline and the text that it begins.
_DATELINE_END = re.compile(r"\)?\s(?:[–—-]{1,2}|/\w+/)\s|\)[.:]?\s|:\s")
_MAX_DATELINE_CHARS, _MAX_DATELINE_WORDS = 60, 6
_MAX_CHARS = 200
# A sentence ends behind a word or year, and has words that neither a date nor the names beside it are made of. Such as
# "p. m." and "14:30 Uhr" stand in dates, and so do the names of days in languages that write them in small letters.
_SENTENCE_END = re.compile(r"\w{3}[.!?…:][\"'”’»“]?\s*\Z")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_MIN_LONG_WORDS = 3
# What is said of a text, not in it: that it was published, or changed.
_OF_TEXT = re.compile(
    r"\b(?:publi[cs]|publié|pubblic|veröffentl|gepubl|posted|created|written|appeared|review|revis|edited|modifi|upda|opda"
    r"|oppda|uppda|erschien|erstellt|geschrieben|geändert|aktuali|actuali|aggiorn|bijgewerkt|mise?s?\sà\sjour|paru|opublik"
    r"|zaktuali|zveřejn|objav|julkais|päivit|yayın|güncel|опублик|обновл|измен)",
    re.IGNORECASE,
)
# English as it is spoken where the month comes last.
_DAY_FIRST_ENGLISH = re.compile(r"en[-_](?!us\b)", re.IGNORECASE)


def _reads_month_first(language: str | None) -> bool | None:
    """Tell whether ``05/04`` is the fourth of May in *language*, as a page declares it; None: unknown.

    >>> _reads_month_first("en-US"), _reads_month_first("en-GB"), _reads_month_first(None)
    (True, False, None)
    """
    if not language:
        return None
    return language[:2].lower() == "en" and not _DAY_FIRST_ENGLISH.match(language)


def read_date(text: str, *, fetched_at: datetime, language: str | None = None) -> str | None:
    """Return the first date in *text* as ``YYYY-MM-DD``, None when there is none.

    None, too, when it is later than *fetched_at*, which has a time zone. *language*: of the page, as it declares it.

    >>> day = datetime(2024, 3, 5, 20, tzinfo=UTC)
    >>> read_date("2024-03-06T01:00+09:00", fetched_at=day), read_date("5. März 2024", fetched_at=day)
    ('2024-03-05', '2024-03-05')
    """
    text = text[:_MAX_CHARS]
    if not text.isascii():
        text = text.translate(_DIGITS)
        match = _MARKED.search(text)
        if match:
            return _checked(_marked_parts(match), text[match.end() :], fetched_at)
    match = _EPOCH.fullmatch(text)
    if match:
        return _bounded(datetime.fromtimestamp(int(match[1]), UTC).date(), None, fetched_at)
    if not _YEAR.search(text):
        return None
    for pattern, order in (
        (_YEAR_FIRST, (1, 2, 3)),
        (_COMPACT, (1, 2, 3)),
        (_DAY_THANG, (3, 2, 1)),
    ):
        match = pattern.search(text)
        if match:
            year, month, day = (int(match[place]) for place in order)
            return _checked((_western(year), month, day), text[match.end() :], fetched_at)
    return _read_named(text, fetched_at, language) or _read_numbers(text, fetched_at, language)


def _read_named(text: str, fetched_at: datetime, language: str | None) -> str | None:
    for pattern, places in (
        (_DAY_MONTH, (3, 2, 1)),
        (_MONTH_DAY, (3, 1, 2)),
        (_YEAR_NAME_DAY, (1, 2, 3)),
    ):
        for match in pattern.finditer(text):
            year, month, day = (match[place] for place in places)
            number = month_number(month.lower(), language)
            if number is not None:
                return _checked((int(year), number, int(day)), text[match.end() :], fetched_at)
    return None


def _marked_parts(match: re.Match[str]) -> tuple[int, int, int]:
    day, name, year = match.groups()
    return _western(int(year)), MARKED_MONTHS[name], int(day)


def _western(year: int) -> int:
    return year - _BUDDHIST_YEARS if year >= _FIRST_BUDDHIST else year


def _read_numbers(text: str, fetched_at: datetime, language: str | None) -> str | None:
    match = _YEAR_LAST.search(text)
    if match is None:
        return None
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if second > 12:
        first, second = second, first
    elif first <= 12 and first != second and match[2][0] != "." and year < _FIRST_BUDDHIST:
        month_first = _reads_month_first(language)
        if month_first is None:
            return None
        if month_first:
            first, second = second, first
    return _checked((_western(year), second, first), text[match.end() :], fetched_at)


def dateline(text: str) -> str:
    """Return the words before the text of an article that say where and when it was written, or nothing.

    >>> dateline("London, 5 March 2024 – It rained."), dateline("Since 5 March 2024 it has rained: a flood.")
    ('London, 5 March 2024', '')
    """
    end = _DATELINE_END.search(text, 0, _MAX_DATELINE_CHARS)
    words = text[: end.start()] if end else ""
    return words if len(words.split()) <= _MAX_DATELINE_WORDS else ""


def is_told(text: str) -> bool:
    """Tell whether *text* is a sentence that tells of something else than itself: the date in it is not its own.

    >>> is_told("Am 12.03.2020 fuhr ein Mann gegen einen Baum."), is_told("Last updated by the editors on 5 March 2024.")
    (True, False)
    """
    if _SENTENCE_END.search(text) is None or _OF_TEXT.search(text):
        return False
    words = (word for word in _LONG_WORD.findall(text) if word.islower() and word not in MONTHS)
    return len([*words]) >= _MIN_LONG_WORDS


def date_of_url(url: str, *, fetched_at: datetime) -> str | None:
    """Return the date in the path of *url*.

    >>> date_of_url("http://a.com/2024/03/05/title", fetched_at=datetime(2025, 1, 1, tzinfo=UTC))
    '2024-03-05'
    """
    match = _IN_URL.search(url[: 10 * _MAX_CHARS].partition("?")[0])
    if match is None:
        return None
    month, day = match[2] or match[4] or match[6], match[3] or match[5] or match[7]
    return _checked((int(match[1]), int(month), int(day)), "", fetched_at)


def _checked(parts: tuple[int, int, int], rest: str, fetched_at: datetime) -> str | None:
    """Return the date of year, month and day in *parts*, a time of day at the start of *rest*."""
    try:
        day = date(*parts)
    except ValueError:
        return None
    return _bounded(day, _TIME.match(rest), fetched_at)


def _bounded(day: date, time: re.Match[str] | None, fetched_at: datetime) -> str | None:
    if day.year < MIN_YEAR:
        return None
    today = fetched_at.astimezone(UTC).date()
    if day <= today:
        return day.isoformat()
    if day > today + timedelta(days=1) or time is None:
        return None
    instant = _instant(day, time)
    is_past = instant is not None and instant <= fetched_at
    return instant.astimezone(UTC).date().isoformat() if is_past and instant else None


def _instant(day: date, time: re.Match[str]) -> datetime | None:
    hour, minute, second, zulu, sign, zone_hours, zone_minutes = time.groups()
    offset = timedelta(0)
    if not zulu:
        offset = timedelta(hours=int(zone_hours), minutes=int(zone_minutes or 0))
        offset = -offset if sign == "-" else offset
    try:
        zone = timezone(offset)
        return datetime(
            day.year, day.month, day.day, int(hour), int(minute), int(second or 0), tzinfo=zone
        )
    except ValueError:
        return None
