"""Dates as pages write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import PageRules, build_page
from pipelines.metadata.dates import date_of_url, read_date
from pipelines.metadata.months import MONTHS
from pipelines.metadata.near_title import NearTitle
from tests.test_metadata_page import known

FETCHED = datetime(2024, 5, 1, 12, tzinfo=UTC)

WRITTEN = {
    "2024-03-05": "2024-03-05",
    "2024-03-05T23:59:59.123+02:00": "2024-03-05",
    "20240305T101500Z": "2024-03-05",
    "2024/3/5 10:00": "2024-03-05",
    "2024年3月5日 10:00": "2024-03-05",
    "2024년 3월 5일": "2024-03-05",
    "Tue, 05 Mar 2024 10:00:00 GMT": "2024-03-05",
    "March 5, 2024": "2024-03-05",
    "Mar. 5th, 2024 at noon": "2024-03-05",
    "5th of March 2024": "2024-03-05",
    "Dienstag, 5. März 2024, 10 Uhr": "2024-03-05",
    "le 1er mars 2024": "2024-03-01",
    "5 de marzo de 2024": "2024-03-05",
    "5 марта 2024 г.": "2024-03-05",
    "5 marca 2024": "2024-03-05",
    "5 Μαρτίου 2024": "2024-03-05",
    "5. marts 2024": "2024-03-05",
    "5. maaliskuuta 2024": "2024-03-05",
    "5 Maret 2024": "2024-03-05",
    "الثلاثاء 5 مارس 2024": "2024-03-05",
    "٥ أبريل ٢٠٢٤": "2024-04-05",
    "פורסם ב-5 במרץ 2024": "2024-03-05",
    "15 KASIM 2023": "2023-11-15",
    "5 NİSAN 2024": "2024-04-05",
    "30 Mayıs 2023": "2023-05-30",
    "2024. március 5.": "2024-03-05",
    "2024 m. kovo 5 d.": "2024-03-05",
    "2024-Mar-05": "2024-03-05",
    "5. marca 2024": "2024-03-05",
    "5 март 2024": "2024-03-05",
    "5 de març de 2024": "2024-03-05",
    "5 مارچ 2024": "2024-03-05",
    "Thứ ba, ngày 5 tháng 3 năm 2024": "2024-03-05",
    "5 Tháng 3, 2024": "2024-03-05",
    "05 मार्च, 2024": "2024-03-05",
    "৫ মার্চ ২০২৪": "2024-03-05",
    "۵ مارچ ۲۰۲۴": "2024-03-05",
    # The year of a calendar that is not ours.
    "۱۵ اسفند ۱۴۰۲": None,
    # Thai, by the years of its own calendar and those of others.
    "วันอังคารที่ 5 มีนาคม พ.ศ. 2567 เวลา 10:30 น.": "2024-03-05",
    "5 ก.พ. 2567": "2024-02-05",
    "๕ มีนาคม ๒๕๖๗": "2024-03-05",
    "เผยแพร่ 5 มี.ค. 2024": "2024-03-05",
    "5 มีนาคม 2568": None,
    "05/03/2567 - 10:30": "2024-03-05",
    "2567-03-05": "2024-03-05",
    "05/03/2568": None,
    "31 ก.พ. 2567": None,
    "05-MAR-2024": "2024-03-05",
    "05.04.2024": "2024-04-05",
    "5. 4. 2024": "2024-04-05",
    "13/04/2024": "2024-04-13",
    "04/13/2024": "2024-04-13",
    "04/04/2024": "2024-04-04",
    "1714521600": "2024-05-01",
    "1714521600000": "2024-05-01",
    # Ambiguous without a language; no dates; too early; too late.
    "04/05/2024": None,
    "2024-13-05": None,
    "2024-00-05": None,
    "31 February 2024": None,
    "version 2024.3": None,
    "5 Foo 2024": None,
    "0001-01-01": None,
    "1970-01-01": None,
    "2024-05-02": None,
    "9999-12-31": None,
    "9999999999": None,
    "": None,
}


@pytest.mark.parametrize("text", WRITTEN)
def test_read_date(text):
    assert read_date(text, fetched_at=FETCHED) == WRITTEN[text]


def test_the_clock_of_another_place():
    late = datetime(2024, 5, 1, 20, tzinfo=UTC)
    assert read_date("2024-05-02T05:00+09:00", fetched_at=late) == "2024-05-01"
    assert read_date("2024-05-02T06:00+09:00", fetched_at=late) is None
    assert read_date("2024-05-02T00:10", fetched_at=late) is None


@given(
    st.dates(min_value=date(1990, 1, 1), max_value=date(2030, 1, 1)), st.sampled_from(list(MONTHS))
)
def test_a_date_is_read_as_it_was_written(day, name):
    later = datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)
    written = (f"{day:%Y-%m-%d}", f"{day:%d.%m.%Y}", f"x {day:%Y/%m/%d}. y")
    assert {read_date(text, fetched_at=later) for text in written} == {day.isoformat()}
    named = read_date(
        f"{min(day.day, 28)} {name} {day.year}", fetched_at=datetime.max.replace(tzinfo=UTC)
    )
    assert named == f"{day.year}-{MONTHS[name]:02d}-{min(day.day, 28):02d}"


IN_LANGUAGE = [
    # English but not as elsewhere than in the United States has the month first.
    ("05/04/2024", "en", None),  # would be still to come
    ("05/04/2024", "en-gb", "2024-04-05"),
    ("05/04/2024", "EN-AU", "2024-04-05"),
    ("05/04/2024", "de", "2024-04-05"),
    ("04/05/2024", "en_US", "2024-04-05"),
    ("04/05/2024", "", None),
    # The eleventh month of some is the tenth of others.
    ("5. listopada 2023.", "hr", "2023-10-05"),
    ("5. listopada 2023.", "hr-HR", "2023-10-05"),
    ("5. listopada 2023.", "bs_BA", "2023-10-05"),
    ("5 listopada 2023", "pl", "2023-11-05"),
    ("5 LISTOPADA 2023", "PL-pl", "2023-11-05"),
    ("5 listopada 2023", None, None),
    ("5 listopada 2023", "en-US", None),
    ("5. listopad 2023", "cs", "2023-11-05"),
    ("5. listopad 2023", "hr", "2023-10-05"),
    ("5. listopad 2023", None, None),
    ("5. listopadu 2023", None, "2023-11-05"),
    ("5 lis 2023", "pl", "2023-11-05"),
    ("5. lis 2023", "hr", "2023-10-05"),
    ("5 lip 2023", "pl", "2023-07-05"),
    ("5. lip 2023", "hr", "2023-06-05"),
    ("5. srp 2023", "cs", "2023-08-05"),
    ("5. srp 2023", "hr", "2023-07-05"),
    ("5 wrz 2023", "pl", "2023-09-05"),
    # What is a word or a surname elsewhere.
    ("Redmi Note 13 Pro 2023", "en", None),
    ("13. pro 2023", "cs", "2023-12-13"),
    # Croatian months that are no others'.
    ("15. studenoga 2023.", None, "2023-11-15"),
    ("15. studenog 2023.", "hr", "2023-11-15"),
    ("15. srpnja 2023.", None, "2023-07-15"),
    ("15. siječnja 2024.", None, "2024-01-15"),
    ("15 marca 2024", "pl", "2024-03-15"),
    ("5 March 2024", "hr", "2024-03-05"),
]


@pytest.mark.parametrize(("text", "language", "expected"), IN_LANGUAGE)
def test_read_date_in_a_language(text, language, expected):
    assert read_date(text, fetched_at=FETCHED, language=language) == expected


URLS = {
    "http://a.example/2024/03/05/title": "2024-03-05",
    "http://a.example/news/2024-03-05-title.html": "2024-03-05",
    "http://a.example/20240305/title": "2024-03-05",
    "http://a.example/news/2024-03/05/c_11.htm": "2024-03-05",
    "http://a.example/2024-03/2024-03-05.htm": "2024-03-05",
    "http://a.example/2024-03/051.htm": None,
    "http://a.example/2024/3/5": "2024-03-05",
    "http://a.example/2024/03/title": None,
    "http://a.example/2024/13/05/": None,
    "http://a.example/?d=/2024/03/05/": None,
    "http://a.example/2025/03/05/": None,
    "http://a.example/id/20241399/": None,
    "": None,
}


@pytest.mark.parametrize("url", URLS)
def test_date_of_url(url):
    assert date_of_url(url, fetched_at=FETCHED) == URLS[url]


# A first line of a page, and whether its date is that of what it tells.
TOLD = [
    ("Am 12.03.2020 um 14:30 fuhr ein Mann gegen einen Baum.", True),
    ("On March 12, 2020 the council met in the hall and decided nothing.", True),
    ("Le 12 mars 2020, le conseil a décidé de fermer toutes les écoles.", True),
    ("Précommandez aujourd'hui pour être livré sans frais le 12 mars 2020.", True),
    # A dateline, and who wrote it.
    ("Berlin, 12. März 2020 - Die Stadt hat gestern alle Schulen geschlossen.", False),
    ("By Jane Doe on March 12, 2020 in our series about small towns.", False),
    ("Am 12.03.2020 um 14:30 Uhr wurde diese Seite zuletzt geändert.", False),
    ("This page was last updated by the editors on 12 March 2020.", False),
    ("Cette page a été mise à jour pour la dernière fois le 12 mars 2020.", False),
    ("jueves, 12 de marzo de 2020 a las 4:30 p. m.", False),
    ("mardi 12 mars 2020 à 14 heures.", False),
    ("It is currently Thu Mar 12, 2020 8:39 am", False),
]


@pytest.mark.parametrize(("line", "is_told"), TOLD)
def test_the_date_of_what_a_page_tells_is_not_its_own(line, is_told):
    body = f"<meta charset=utf-8><title>The old town</title><h1>The old town</h1><p>{line}</p>"
    page = build_page(body.encode(), url="http://a.example/x", content_type=None, rules=PageRules())
    found = NearTitle(page, FETCHED).written_date()
    assert (found and found[0]) == (None if is_told else "2020-03-12")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<meta name=published content='July 17, 2023'><p>text", "meta"),
        # Scripts say how long ago it was.
        ("<h1>T</h1><time data-published='2023-07-17 09:13:00Z'>4 hours ago</time><p>x", "time"),
        ('<h1>T</h1><time data-timestamp="1689584400">in July</time><p>x', "time"),
        ("<h1>T</h1><time data-id=2023-07-17>in July</time><p>x", None),
    ],
)
def test_dates_that_are_not_seen(source, expected):
    assert known(source).date_source == expected
    assert known(source).date == (expected and "2023-07-17")
