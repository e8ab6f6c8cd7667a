"""Dates that a page says of itself far from its title: "Published 5 March 2024", "Last updated: March 5, 2024".

Manuals, wikis and offices say so below their text, or beside it. Only what such a line begins with counts, in the
languages of :data:`_PUBLISHED` and :data:`_CHANGED`, and only if all of its kind on the page have the same date: else
they are those of entries, posts or reviews. Of something else are those in `OtherBoxes`, below what is said of cookies
on a page that is not about them, and below the head of a table's column. A ``time`` in the line may have the date where
the text says "a year ago".

Cost: linear in the bytes of the page's text, with _MOST_LINES lines that are looked at each.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.line_words import lines_with, words_of
from crawler.page.found_tags import start_tags
from crawler.page.tags import GAP_BITS
from pipelines.metadata.months import MONTHS
from pipelines.metadata.other_boxes import OtherBoxes
from pipelines.metadata.tag_values import value_of_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crawler.page import PageModel

# The source of the date of a page that says only when it was last changed.
MODIFIED = "modified"
# Words of such a line, and of what its date stands in behind what it begins with the characters.
_MAX_WORDS, _MAX_CHARS = 20, 45
# Words of a line that the next one says the date of.
_MAX_LABEL_WORDS = 4
# What stands before a date is shorter; more lines with years are those of a list, and are read at its ends.
_MAX_BEGIN_CHARS = 100
_MOST_TAGS, _MOST_LINES = 30, 1000
# What years begin with, those of the Thai calendar at the end.
_YEARS = words_of([b"199", b"200", b"201", b"202", b"203", b"254", b"255", b"256", b"257", b"258"])

# Behind what is said of the date, the signs and small words that stand before it.
_BEFORE = (
    r"(?![^\W\d])(?:\s?[:：@|–—-]|\s(?:on|at|am|vom|le|el|il|em|op|den|dne|dnia|às|о)(?!\w))*\s*"
)
_PUBLISHED = re.compile(
    r"""\W{0,3}(?:
    (?:(?:first|originally|date)\s)?(?:published|posted)|date\sof\spublication|publication\sdate
    |veröffentlicht|veröffentlichungsdatum|datum\sder\sveröffentlichung|publiziert|online\sseit
    |publiée?|mise?\sen\sligne|date\sde\s(?:publication|parution)
    |publicad[oa]|fecha\sde\spublicación|data\sde\spublicação|pubblicat[oa]|data\sdi\spubblicazione|publicat
    |gepubliceerd|geplaatst|publicerad|publiceret|publisert|julkaistu
    |opublikowano|data\spublikacji|zveřejněno|publikováno|objavljeno|közzétéve
    |опубликован[оа]?|дата\sпубликации|опубліковано|δημοσιε[υύ][θτ]ηκε
    |发布(?:时间|日期|于)|發[佈布](?:時間|日期|於)|发表于|發表於|公開日|掲載日|投稿日|게시일|등록일
    )"""
    + _BEFORE,
    re.IGNORECASE | re.VERBOSE,
)
_CHANGED = re.compile(
    r"""\W{0,3}(?:
    (?:th(?:is|e)\s)?(?:(?:page|article|content|document|entry|guide|topic)\s)?(?:(?:was|has\sbeen)\s)?
    (?:(?:date\s)?last\s(?:updated|modified|revised|changed|edited|reviewed|update|modification|revision|change)
    |updated|modified|revised|medically\sreviewed)
    |date\s(?:modified|updated)
    |(?:zuletzt\s)?(?:aktualisiert|geändert|bearbeitet)|letzte\s(?:änderung|aktualisierung|bearbeitung)
    |stand(?!(?:\s\S+){6})
    |(?:dernière\s)?(?:mise?\sà\sjour|modification)
    |(?:fecha\sde\s)?(?:última\s)?(?:actualización|modificación|atualização|modificação)|actualizado|atualizado
    |actualizat
    |(?:ultimo\s)?aggiornamento|ultima\smodifica|aggiornato
    |(?:laatst\s)?(?:bijgewerkt|gewijzigd)|laatste\swijziging
    |(?:(?:senast|sist|sidst)\s)?(?:uppdaterad|oppdatert|opdateret|ändrad|endret|ændret)|(?:viimeksi\s)?päivitetty
    |frissítve|ostatnia\s(?:aktualizacja|modyfikacja|zmiana)|zaktualizowano|poslední\s(?:aktualizace|změna)
    |aktualizováno|(?:последнее\s)?(?:обновление|изменение)|обновлено|изменено|оновлено
    |son\sgüncelleme(?:\starihi)?|ultima\sactualizare|utolsó\sfrissítés|дата\sпоследнего\sобновления
    |última\s(?:revisión|alteração|revisão)|τελευταία\sενημέρωση|(?:最后|最後)?更新(?:时间|日期|于|時間|於)
    |(?:最后|最後)更新|最后修改|最終更新日?時?|更新日時?|최종\s?수정일?|수정일
    # The feet of pages of MediaWiki.
    |diese\sseite\swurde\szuletzt|la\sdernière\smodification\sde\scette\spage\sa\sété\sfaite
    |esta\spágina\sse\seditó\spor\súltima\svez|esta\spágina\sfoi\seditada\spela\súltima\svez
    |questa\spagina\sè\sstata\smodificata\sper\sl'ultima\svolta|deze\spagina\sis\svoor\shet\slaatst\sbewerkt
    |эта\sстраница\sв\sпоследний\sраз\sбыла\sотредактирована|цю\sсторінку\sвостаннє\sвідредаговано
    |tę\sstronę\sostatnio\sedytowano|stránka\sbyla\snaposledy\seditována|sidan\sredigerades\ssenast
    |sayfa\sen\sson|本页面最后修订于|本頁面最後修訂於|이\s문서는
    )"""
    + _BEFORE,
    re.IGNORECASE | re.VERBOSE,
)
_BEGINS = (_PUBLISHED, _CHANGED)
# Who changed it, up to the date.
_BY_NAME = re.compile(
    r"(?:by|von|par|por|da|di|door|av|af)\s(?:[^\s\d]\S*\s+){1,6}?"
    r"(?:(?:on|at|am|le|el|il|em|op|den|dne|dnia)\s+|(?<=,\s)(?=[^\W\d]*\.?\s?\d)|(?=\d))",
    re.IGNORECASE,
)
# In the titles of pages that are about cookies, among other rules.
_LEGAL = re.compile(
    r"cookie|privacy|terms|legal|polic|datenschutz|nutzungsb|confidentialit|privaci", re.IGNORECASE
)
_ROW = np.uint64(GAP_BITS["tr"])
# Words of a date, the time of day before it among them, and small words within.
_MAX_DATE_WORDS = 7
_SMALL_WORDS = frozenset(["de", "del", "di", "do", "of", "the", "at", "um", "à"])
_YEAR, _BARE_YEAR, _DIGIT = map(re.compile, (r"(?:19|20|25)\d\d", r"\d{4}\.?", r"\d"))


class SaidDates(NamedTuple):
    """When a page says that it was published, and last changed, ``YYYY-MM-DD`` each."""

    published: str | None
    changed: str | None


def said_dates(
    page: PageModel, read: Callable[[str], str | None], boxes: OtherBoxes | None = None
) -> SaidDates:
    """Return the dates that lines of *page* say are its own, as *read* finds them in a text; *boxes* are those of it.

    >>> from crawler.page import build_page
    >>> page = build_page(b"<p>A tale.<p>Last updated: 2024-03-05", url="http://a.example/", content_type="text/html")
    >>> said_dates(page, lambda text: text or None)
    SaidDates(published=None, changed='2024-03-05')
    """
    days: tuple[set[str], set[str]] = set(), set()
    own = _OwnLines(page, boxes or OtherBoxes(page))
    for place, line, date in _candidates(page):
        begins = (
            (number, begin.match(line, 0, _MAX_BEGIN_CHARS)) for number, begin in enumerate(_BEGINS)
        )
        number, begin = next((found for found in begins if found[1]), (0, None))
        rest = date or (line[begin.end() :] if begin else "")
        if begin and begin.re is _CHANGED and (by := _BY_NAME.match(rest)):
            rest = rest[by.end() :]
        day = read(rest[:_MAX_CHARS]) if begin and _begins_with_date(rest) else None
        if day and day not in days[number] and own.has(place, is_published=number == 0):
            days[number].add(day)
    return SaidDates(*(its.pop() if len(its) == 1 else None for its in days))


class _OwnLines:
    """Tells which lines of *page* that say a date say it of the page."""

    def __init__(self, page: PageModel, boxes: OtherBoxes):
        self.page = page
        self.boxes = boxes

    def has(self, block: int, *, is_published: bool) -> bool:
        """Tell whether the date in *block* is the page's own; *is_published*: not that of a change, as its foot has it."""
        if is_published and self.boxes.are_headed(block):
            return False
        return not (self.boxes.hold(block) or self._is_on_cookies(block))

    def _is_on_cookies(self, block: int) -> bool:
        """Tell whether cookies are named in *block*, or the two before it, of a page whose title does not."""
        texts = [self.page.blocks.text[place] for place in range(max(0, block - 2), block + 1)]
        has_named = any("cookie" in text.lower() for text in texts)
        return has_named and not _LEGAL.search(self.page.title or "")


def _begins_with_date(text: str) -> bool:
    """Tell whether nothing but a date stands up to the first year in *text*; before it, the name of the day may.

    >>> _begins_with_date("lundi 5 mars 2024"), _begins_with_date("3 times since 5 March 2024")
    (True, False)
    """
    words = text.split(maxsplit=_MAX_DATE_WORDS)[:_MAX_DATE_WORDS]
    has_digit = [_DIGIT.search(word) is not None for word in words]
    for place, word in enumerate(words):
        is_last = place + 1 == len(words)
        name = word.rstrip(".,").lower()
        if place == 0 and not is_last and _BARE_YEAR.fullmatch(word):
            # As in Hungarian; else something happened in that year.
            return has_digit[1] or words[1].lower() in MONTHS
        if _YEAR.search(word):
            return True
        # A day of the week in small letters stands before a number.
        is_day = place == 0 and not is_last and has_digit[1]
        is_of_date = has_digit[place] or name in MONTHS or name in _SMALL_WORDS
        if not (is_of_date or is_day or not word.islower()):
            return False
    return False


def is_of_change(text: str) -> bool:
    """Tell whether *text* begins with what is said of a change.

    >>> is_of_change("Updated on 5 March 2024"), is_of_change("5 March 2024, updated by the editors")
    (True, False)
    """
    return _CHANGED.match(text, 0, _MAX_BEGIN_CHARS) is not None


def _candidates(page: PageModel) -> Iterator[tuple[int, str, str | None]]:
    """Yield blocks and lines of *page* that may say a date, and the date where a tag has it.

    With the line before, too, which may say what the date is of.
    """
    n_words, texts = page.blocks.n_words, page.blocks.text
    is_short = n_words <= _MAX_WORDS
    # Before it stands the head of a column, or another row.
    begins_row = (page.blocks.gap_mask & _ROW) != 0
    has_year = lines_with(page.blocks.utf8, len(n_words), _YEARS)
    places = np.flatnonzero(is_short & has_year).tolist()
    if len(places) > _MOST_LINES:
        places = places[: _MOST_LINES // 2] + places[-_MOST_LINES // 2 :]
    for place in places:
        yield place, texts[place], None
        if place and n_words[place - 1] <= _MAX_LABEL_WORDS and not begins_row[place]:
            yield place, f"{texts[place - 1]} {texts[place]}", None
    runs = page.found_runs
    for start, end in start_tags(page, "time", most=_MOST_TAGS):
        run = int(runs[:, 0].searchsorted(np.uint32(end)))
        date = value_of_tag(page.source, start, end)
        if date and run < len(runs) and is_short[runs[run, 2]]:
            block = int(runs[run, 2])
            yield block, texts[block], date
