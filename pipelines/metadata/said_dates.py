"""Dates that a page says of itself far from its title: "Published 5 March 2024", "Last updated: March 5, 2024".

Manuals, wikis and offices say so below their text, or beside it. Only what such a line begins with counts, in the
languages of :data:`_PUBLISHED` and :data:`_CHANGED`, and only if all of its kind on the page have the same date: else
they are those of entries, posts or reviews. A ``time`` in the line may have the date where the text says "a year ago".

Cost: linear in the bytes of the page's text, with _MOST_LINES lines that are looked at each.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.line_words import lines_with, words_of
from crawler.page.found_tags import start_tags
from pipelines.metadata.tag_values import value_of_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from crawler.page import PageModel

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
_BEFORE = r"(?!\w)(?:\s?[:：@|–—-]|\s(?:on|at|am|vom|le|el|il|em|op|den|dne|dnia)(?!\w))*\s*"
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
    |aktualizováno|(?:последнее\s)?(?:обновление|изменение)|обновлено|изменено|оновлено|son\sgüncelleme
    |τελευταία\sενημέρωση|(?:最后|最後)?更新(?:时间|日期|于|時間|於)|(?:最后|最後)更新|最后修改|最終更新日?時?|更新日時?|최종\s?수정일?|수정일
    )"""
    + _BEFORE,
    re.IGNORECASE | re.VERBOSE,
)


_BEGINS = (_PUBLISHED, _CHANGED)
# What may stand between that and the first number of a date: "Thursday, October 14", "lundi 5 mars", "Sept. 5th".
_DAY_NAMES = re.compile(
    r"(?:[^\W\d_]+[.,]?\s*|[^\W\d_a-z][^\W\d_]*[.,]?\s+[^\W\d_a-z][^\W\d_]*[.,]?\s*)?(?=\d)"
)


# The source of the date of a page that says only when it was last changed.
MODIFIED = "modified"


class SaidDates(NamedTuple):
    """When a page says that it was published, and last changed, ``YYYY-MM-DD`` each."""

    published: str | None
    changed: str | None


def said_dates(page: PageModel, read: Callable[[str], str | None]) -> SaidDates:
    """Return the dates that lines of *page* say are its own, as *read* finds them in a text.

    >>> from crawler.page import build_page
    >>> page = build_page(b"<p>A tale.<p>Last updated: 2024-03-05", url="http://a.example/", content_type="text/html")
    >>> said_dates(page, lambda text: text or None)
    SaidDates(published=None, changed='2024-03-05')
    """
    days: tuple[set[str], set[str]] = set(), set()
    for line, date in _candidates(page):
        begins = (
            (number, begin.match(line, 0, _MAX_BEGIN_CHARS)) for number, begin in enumerate(_BEGINS)
        )
        number, begin = next((found for found in begins if found[1]), (0, None))
        rest = date or (line[begin.end() :] if begin else "")
        if begin and _DAY_NAMES.match(rest) and (day := read(rest[:_MAX_CHARS])):
            days[number].add(day)
    return SaidDates(*(its.pop() if len(its) == 1 else None for its in days))


def is_of_change(text: str) -> bool:
    """Tell whether *text* begins with what is said of a change.

    >>> is_of_change("Updated on 5 March 2024"), is_of_change("5 March 2024, updated by the editors")
    (True, False)
    """
    return _CHANGED.match(text, 0, _MAX_BEGIN_CHARS) is not None


def _candidates(page: PageModel) -> Iterator[tuple[str, str | None]]:
    """Yield lines of *page* that may say a date, and the date where a tag has it.

    With the line before, too, which may say what the date is of.
    """
    n_words, texts = page.blocks.n_words, page.blocks.text
    is_short = n_words <= _MAX_WORDS
    has_year = lines_with(page.blocks.utf8, len(n_words), _YEARS)
    places = np.flatnonzero(is_short & has_year).tolist()
    if len(places) > _MOST_LINES:
        places = places[: _MOST_LINES // 2] + places[-_MOST_LINES // 2 :]
    for place in places:
        yield texts[place], None
        if place and n_words[place - 1] <= _MAX_LABEL_WORDS:
            yield f"{texts[place - 1]} {texts[place]}", None
    runs = page.found_runs
    for start, end in start_tags(page, "time", most=_MOST_TAGS):
        run = int(runs[:, 0].searchsorted(np.uint32(end)))
        date = value_of_tag(page.source, start, end)
        if date and run < len(runs) and is_short[runs[run, 2]]:
            yield texts[int(runs[run, 2])], date
