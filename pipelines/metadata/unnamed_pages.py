"""Titles that name no page: those of the first page of any site, of all its pages, and what programs write where nobody
did.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from pipelines.metadata.titles import MAX_TITLE_CHARS, PATH_SIGNS, SEPARATOR, bare

# What sites call their first page, also beside their own name.
_FIRST_PAGE = frozenset(
    map(
        bare,
        (
            *("Home", "Homepage", "Main page", "Front page", "Start page", "Start", "Welcome"),
            *("Startseite", "Hauptseite", "Willkommen", "Herzlich willkommen"),
            *("Accueil", "Page d'accueil", "Bienvenue", "Inicio", "Página principal"),
            *("Página de inicio", "Bienvenido", "Bienvenidos", "Início", "Página inicial"),
            *("Bem-vindo", "Pagina iniziale", "Benvenuto", "Benvenuti", "Startpagina", "Welkom"),
            *("Strona główna", "Witamy", "Úvod", "Domů", "Úvodní stránka", "Hlavní stránka"),
            *("Domov", "Domovská stránka", "Početna", "Početna stranica", "Naslovnica"),
            *("Hem", "Startsida", "Välkommen", "Hjem", "Forside", "Forsiden", "Velkommen"),
            *("Etusivu", "Tervetuloa", "Kezdőlap", "Főoldal", "Acasă", "Prima pagină"),
            *("Главная", "Главная страница", "Добро пожаловать", "Головна", "Головна сторінка"),
            *("Начало", "Начална страница", "Почетна", "Αρχική", "Αρχική σελίδα"),
            *("Ana sayfa", "Hoş geldiniz", "Trang chủ", "Beranda", "Laman utama"),
            *(
                "首页",
                "网站首页",
                "主页",
                "首頁",
                "主頁",
                "ホーム",
                "トップ",
                "トップページ",
                "홈",
                "메인",
            ),
            *("الرئيسية", "الصفحة الرئيسية", "صفحه اصلی", "דף הבית", "עמוד הבית"),
            *("หน้าแรก", "หน้าหลัก", "होम", "मुखपृष्ठ"),
        ),
    )
)
# Names of files, and what frameworks and editors begin a page with; it may also be the name of a page.
_GENERIC = _FIRST_PAGE | frozenset(
    map(
        bare,
        (
            *("Index", "index.html", "index.htm", "index.php", "Default", "Document", "Title"),
            *("React App", "Vite App", "Vite + React", "Create Next App", "My Site", "Website"),
            *("New Page", "Page Title", "Loading...", "Sitename"),
        ),
    )
)
# Dreamweaver in some languages, and FrontPage.
_UNTITLED = frozenset(
    map(
        bare,
        (
            *("Untitled Document", "Untitled", "Untitled Page", "New Page 1", "No title"),
            *("Unbenanntes Dokument", "Unbenannt", "Document sans nom", "Sans titre"),
            *("Documento sin título", "Sin título", "Documento senza titolo", "Senza titolo"),
            *("Documento sem título", "Sem título", "Naamloos document", "Bez tytułu"),
            *(
                "無題ドキュメント",
                "无标题文档",
                "未命名文件",
                "Документ без названия",
                "Без названия",
            ),
        ),
    )
)
# Of words, not of numbers. Fewer may be in an address by chance.
_WORD = re.compile(r"[^\W\d_]{2,}")
_MIN_ADDRESS_WORDS = 3


def is_untitled(title: str) -> bool:
    """Tell whether *title* is what editors write where no title is.

    >>> is_untitled("Untitled Document"), is_untitled("Home")
    (True, False)
    """
    return bare(title) in _UNTITLED


def is_generic(title: str) -> bool:
    """Tell whether any page may be called *title*.

    >>> is_generic("Home"), is_generic("Home again")
    (True, False)
    """
    return bare(title) in _GENERIC


def without_first_page(title: str) -> str:
    """Return *title* without what sites call their first page at its ends, unless it is nothing else.

    >>> without_first_page("Home | The Daily"), without_first_page("Home"), without_first_page("Going home")
    ('The Daily', 'Home', 'Going home')
    """
    pieces = SEPARATOR.split(title[:MAX_TITLE_CHARS])
    while len(pieces) > 1 and bare(pieces[0]) in _FIRST_PAGE:
        del pieces[:2]
    while len(pieces) > 1 and bare(pieces[-1]) in _FIRST_PAGE:
        del pieces[-2:]
    return "".join(pieces).strip()


def is_path(title: str) -> bool:
    """Tell whether *title* has the signs between the steps of a path, the first of which is the site's first page.

    >>> is_path("Home » Rain"), is_path("Home - Rain")
    (True, False)
    """
    return any(not PATH_SIGNS.isdisjoint(separator) for separator in SEPARATOR.split(title)[1::2])


def is_of_all_pages(title: str, heading: str, path: str) -> bool:
    """Tell whether a page whose address ends in *path* has *title* as others of its site have, and is called *heading*.

    The last step of the path, but for its ending, is made of the words of a title; none of them is one of this.

    >>> is_of_all_pages("Sharing weather", "Rain again, in the north", "/rain_again_in_the_north/")
    True
    """
    step = unquote(path.rstrip("/").rpartition("/")[2])
    named = _words(step.partition(".")[0])
    is_named = len(named) >= _MIN_ADDRESS_WORDS and named <= _words(heading)
    return is_named and named.isdisjoint(_words(title))


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text[:MAX_TITLE_CHARS])}
