"""Dates that pages say of themselves far from their title, and of changes alone."""

from __future__ import annotations

from itertools import count

import pytest

from crawler.page import build_page
from pipelines.metadata.said_dates import SaidDates, said_dates
from tests.test_metadata_page import known

DAY = "2024-03-05"
# More blocks than lie near a title.
BEHIND = "<html lang={}><h1>T</h1>" + "<p>text" * 40
PUBLISHED = {
    "en": ["Published March 5, 2024", "Posted on 5 March 2024", "Published: Tuesday, March 5, 2024 at noon"],
    "de": ["Veröffentlicht am 5. März 2024", "Veröffentlichungsdatum: 05.03.2024"],
    "fr": ["Publié le mardi 5 mars 2024", "Mise en ligne : 5 mars 2024"],
    "es": ["Publicado el 5 de marzo de 2024"],
    "pl": ["Opublikowano: 5 marca 2024"],
    "ru": ["Опубликовано 5 марта 2024"],
    "zh": ["发布时间：2024年3月5日", "发布于 2024-03-05"],
    "ja": ["公開日: 2024年3月5日"],
}  # fmt: skip
CHANGED = {
    "en": [
        "Last updated: March 5, 2024",
        "This page was last edited on 5 March 2024, at 10:32.",
        "Updated 2024-03-05",
        "This page was last modified 00:37, 5 March 2024.",
        "Page last modified on Mar. 5, 2024 by the editors",
        "Last updated by Jane Doe on March 5, 2024",
        "This page was last edited by jane_d, 5 March 2024",
        "Medically reviewed by Jane Doe, MD on March 5, 2024",
    ],
    "de": [
        "Zuletzt geändert am 5. März 2024",
        "Zuletzt geändert von Jane Doe am 5. März 2024",
        "Stand: 05.03.2024",
        "Letzte Aktualisierung: 5.3.2024",
    ],
    "fr": ["Dernière mise à jour : 5 mars 2024"],
    "es": ["Fecha de última actualización: 05/03/2024"],
    "it": ["Ultimo aggiornamento: 5 marzo 2024"],
    "cs": ["Poslední změna: 5. března 2024"],
    "zh": ["最后更新：2024年3月5日", "最后更新时间：2024-03-05"],
    "ja": ["最終更新日：2024年3月5日"],
    "tr": ["Son Güncelleme Tarihi: 5 Mart 2024"],
    "ro": ["Ultima actualizare: 5 martie 2024"],
    "hu": ["Utolsó frissítés: 2024. március 5."],
}
# As MediaWiki has it below its pages.
FEET = {
    "de": "Diese Seite wurde zuletzt am 5. März 2024 um 10:32 Uhr bearbeitet.",
    "fr": "La dernière modification de cette page a été faite le 5 mars 2024 à 10:32.",
    "es": "Esta página se editó por última vez el 5 mar 2024 a las 10:32.",
    "pt": "Esta página foi editada pela última vez às 10h32min de 5 de março de 2024.",
    "it": "Questa pagina è stata modificata per l'ultima volta il 5 mar 2024 alle 10:32.",
    "nl": "Deze pagina is voor het laatst bewerkt op 5 mrt 2024 om 10:32.",
    "ru": "Эта страница в последний раз была отредактирована 5 марта 2024 в 10:32.",
    "uk": "Цю сторінку востаннє відредаговано о 10:32, 5 березня 2024.",
    "pl": "Tę stronę ostatnio edytowano 5 mar 2024, 10:32.",
    "cs": "Stránka byla naposledy editována 5. 3. 2024 v 10:32.",
    "sv": "Sidan redigerades senast den 5 mars 2024 kl. 10.32.",
    "tr": "Sayfa en son 10.32, 5 Mart 2024 tarihinde değiştirildi.",
    "zh": "本页面最后修订于2024年3月5日 (星期二) 10:32。",
    "ko": "이 문서는 2024년 3월 5일 (화) 10:32에 마지막으로 편집되었습니다.",
}  # fmt: skip
SAID = [
    *((language, line, "text") for language, lines in PUBLISHED.items() for line in lines),
    *((language, line, "modified") for language, lines in CHANGED.items() for line in lines),
    *((language, line, "modified") for language, line in FEET.items()),
]


@pytest.mark.parametrize(("language", "line", "source"), SAID)
def test_a_line_that_says_so_dates_its_page(language, line, source):
    found = known(f"{BEHIND.format(language)}<p>{line}")
    assert (found.date, found.date_source) == (DAY, source)


NOT_SAID = [
    "<p>Updated 3 times since 5 March 2024",
    "<p>Published 2019 in Nature; read 5 March 2024",
    "<p>Updated terms take effect on March 5, 2024",
    "<p>Posted in News March 5, 2024",
    "<p>It was published March 5, 2024",
    "<p>Site last updated: March 5, 2024",
    "<p>Reviewed in the United States on March 5, 2024",
    "<p>Published soon",
    "<p>Updated by Jane Doe 3 times since 5 March 2024",
    # Of the rows of tables.
    "<table><tr><th>Name<th>Updated<tr><td>March 5, 2024<td>Rain</table>",
    "<table><tr><th>Published<tr><td>March 5, 2024</table>",
    "<p>Stand 31. Dezember 2020 lebten hier 3000 Einwohner.",
    # Of entries, or of posts.
    "<p>Posted March 5, 2024<p>One<p>Posted March 6, 2024<p>Two",
    # Later than the fetch.
    "<p>Last updated: March 5, 2034",
    "<p>Last updated: " + "one " * 20 + "March 5, 2024",
]


@pytest.mark.parametrize("lines", NOT_SAID)
def test_dates_of_something_else_are_none_of_the_page(lines):
    found = known(BEHIND.format("en") + lines)
    assert (found.date, found.date_source) == (None, None)


def test_a_date_may_stand_in_the_cell_beside_what_it_is_of():
    found = known(BEHIND.format("en") + "<table><tr><th>Published<td>March 5, 2024</table>")
    assert (found.date, found.date_source) == (DAY, "text")


def test_a_date_may_stand_in_the_line_below_what_it_is_of():
    found = known(BEHIND.format("en") + "<div><h4>Published</h4><div>March 5, 2024</div></div>")
    assert (found.date, found.date_source) == (DAY, "text")


def test_a_tag_has_the_date_of_a_line_that_says_how_long_ago_it_was():
    line = "<p>Last updated <time datetime='2024-03-05T06:16:41Z'>two months ago</time>"
    found = known(BEHIND.format("en") + line)
    assert (found.date, found.date_source) == (DAY, "modified")


def test_a_line_that_stands_several_times_counts_once():
    found = known(BEHIND.format("en") + "<p>Last updated: March 5, 2024" * 3)
    assert found.date == DAY


@pytest.mark.parametrize(
    "declared",
    [
        '<script type="application/ld+json">{"@type": "Article", "dateModified": "2024-03-05"}</script>',
        '<script type="application/ld+json">[{"@type": "WebPage", "dateModified": "2024-03-05T10:00:00Z"}]</script>',
        "<meta property='article:modified_time' content='2024-03-05T10:00:00Z'>",
        "<meta name='dcterms.modified' content='2024-03-05'>",
        "<meta itemprop='dateModified' content='2024-03-05'>",
    ],
)
def test_a_change_that_is_declared_dates_a_page_without_another_date(declared):
    found = known(declared + BEHIND.format("en"))
    assert (found.date, found.date_source) == (DAY, "modified")
    shown = known(declared + BEHIND.format("en") + "<p>Published January 2, 2023")
    assert (shown.date, shown.date_source) == ("2023-01-02", "text")
    published = known(declared + "<meta property='article:published_time' content='2022-02-02'>")
    assert (published.date, published.date_source) == ("2022-02-02", "meta")


CHANGED_NEAR = [
    "<p>Last updated: March 6, 2024",
    "<p>Updated <time datetime='2024-03-06'>March 6</time>",
]


@pytest.mark.parametrize("near", CHANGED_NEAR)
@pytest.mark.parametrize("gap", ["", "<p>text" * 40])
def test_a_page_that_says_when_it_was_published_has_no_date_of_a_change(near, gap):
    found = known(f"<html lang=en><h1>T</h1>{near}{gap}<p>Published: March 5, 2024")
    assert (found.date, found.date_source) == (DAY, "text")


@pytest.mark.parametrize("near", CHANGED_NEAR)
def test_what_was_posted_behind_the_change_is_an_answer(near):
    found = known(f"<html lang=en><h1>T</h1>{near}<p>text<p>Posted on March 9, 2024")
    assert (found.date, found.date_source) == ("2024-03-06", "modified")


def test_a_list_of_many_dates_is_read_at_its_ends():
    lines = "<p>Updated 2024-03-05" * 5000 + f"<p>Published {DAY}"
    page = build_page(lines.encode(), url="http://a.test/", content_type="text/html")
    days = count()
    assert said_dates(page, lambda _: DAY if next(days) < 2000 else None) == SaidDates(DAY, DAY)
    assert next(days) <= 2000
