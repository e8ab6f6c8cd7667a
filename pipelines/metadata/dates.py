"""Dates as pages write them.

Full dates only: year, month and day. With names of months in the languages of :data:`MONTHS`, in Thai, Hindi and
Bengali, with their numbers in Vietnamese; numbers alone in the order year, month, day, or with the year last.
There ``05.04.2024`` is the fifth of April, and a number above 12 is the day; ``05/04/2024`` and ``05-04-2024`` are the fourth of May where the
page's language is English (but not that of another country than the United States), the fifth of
April in any other language, and no date where the page declares none.

A date is that of the place that the page names it for; one that is still to come where the clock shows
another day is that of UTC. Years before 1990 are none: they are what is written when nothing is known.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from unicodedata import normalize

MIN_YEAR = 1990

# January to December, apart by spaces: full names as they stand in dates, then short ones.
_NAMES = (
    # English, German, French, Spanish, Italian, Portuguese, Dutch
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber mär apr mai jun jul aug sept okt nov dez",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "ene feb mar abr may jun jul ago sept oct nov dic",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "jan feb mrt apr mei jun jul aug sep okt nov dec",
    # Polish, Czech, Russian, Ukrainian, Greek
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "янв фев мар апр май июн июл авг сен окт ноя дек",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    (
        "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου "
        "νοεμβρίου δεκεμβρίου"
    ),
    "ιαν φεβ μαρ απρ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
    # Swedish and Danish beside German, Turkish
    "januari februari mars april maj juni juli augusti september oktober november december",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    # Danish, Norwegian, Finnish, Romanian, Indonesian
    "januar februar marts april maj juni juli august september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    (
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
        "marraskuuta joulukuuta"
    ),
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    # Hungarian, Slovak, Slovenian, Bulgarian, Serbian
    "január február március április május június július augusztus szeptember október november december",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
    "януари февруари март април май юни юли август септември октомври ноември декември",
    "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    # Catalan, Icelandic, Estonian, Lithuanian, Urdu
    "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    # Arabic, also without hamzas; Hebrew
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر",
    "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
)


def _numbered(lines: tuple[str, ...]) -> dict[str, int]:
    return {name: place + 1 for line in lines for place, name in enumerate(line.split())}


MONTHS = _numbered(_NAMES)

# Names whose vowels are marks of their own, or that have points: Thai, Hindi, Bengali.
_MARKED_NAMES = (
    "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
    "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.",
    "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितम्बर अक्तूबर नवम्बर दिसम्बर",
    "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর",
)
_MARKED_MONTHS = _numbered(tuple(normalize("NFC", line) for line in _MARKED_NAMES))
# The Thai calendar counts from 543 BC, "พ.ศ." before the year or not; "ค.ศ." is the other one. No other has such years.
_BUDDHIST_YEARS, _FIRST_BUDDHIST = 543, 2500
_MARKED = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s?({'|'.join(map(re.escape, _MARKED_MONTHS))})[\s,]{{0,2}}"
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
# English as it is spoken where the month comes last.
_DAY_FIRST_ENGLISH = re.compile(r"en[-_](?!us\b)", re.IGNORECASE)


def reads_month_first(language: str | None) -> bool | None:
    """Tell whether ``05/04`` is the fourth of May in *language*, as a page declares it; None: unknown.

    >>> reads_month_first("en-US"), reads_month_first("en-GB"), reads_month_first(None)
    (True, False, None)
    """
    if not language:
        return None
    return language[:2].lower() == "en" and not _DAY_FIRST_ENGLISH.match(language)


def read_date(text: str, *, fetched_at: datetime, month_first: bool | None = None) -> str | None:
    """Return the first date in *text* as ``YYYY-MM-DD``, None when there is none.

    None, too, when it is later than *fetched_at*, which has a time zone.

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
    return _read_named(text, fetched_at) or _read_numbers(text, fetched_at, month_first)


def _read_named(text: str, fetched_at: datetime) -> str | None:
    for pattern, places in (
        (_DAY_MONTH, (3, 2, 1)),
        (_MONTH_DAY, (3, 1, 2)),
        (_YEAR_NAME_DAY, (1, 2, 3)),
    ):
        for match in pattern.finditer(text):
            year, month, day = (match[place] for place in places)
            number = _month(month.lower())
            if number is not None:
                return _checked((int(year), number, int(day)), text[match.end() :], fetched_at)
    return None


def _month(name: str) -> int | None:
    # Small letters of the Turkish İ and I: "i" and a dot, and "i" for "ı".
    name = name.replace("i\u0307", "i")
    return MONTHS.get(name) or MONTHS.get(name.replace("i", "ı"))


def _marked_parts(match: re.Match[str]) -> tuple[int, int, int]:
    day, name, year = match.groups()
    return _western(int(year)), _MARKED_MONTHS[name], int(day)


def _western(year: int) -> int:
    return year - _BUDDHIST_YEARS if year >= _FIRST_BUDDHIST else year


def _read_numbers(text: str, fetched_at: datetime, month_first: bool | None) -> str | None:
    match = _YEAR_LAST.search(text)
    if match is None:
        return None
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if second > 12:
        first, second = second, first
    elif first <= 12 and first != second and match[2][0] != "." and year < _FIRST_BUDDHIST:
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
