"""How each peer is called: one function a distribution, which imports it and returns the extractor.

trafilatura      ``extract``, tables and comments with the text unless the name says otherwise,
                 neither recall nor precision favoured but in ``precision``; ``fast`` leaves out its
                 fallbacks, readability and jusText.
resiliparse      ``extract_plain_text`` of main content, laid out in lines, without its bullets and
                 without the alternative texts of images, which no gold standard has.
readability-lxml the summary, read as HTML by the page model: its tags part words, not letters.
jusText          the package's own stop list of the page's language; English where there is none.
boilerpy3        with its failures on broken mark-up turned into the text found up to there.
newspaper4k, goose3   as for an article that was downloaded; neither fetches anything, and the title
                 stands before the text: the standards count it as main text where the page shows it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipelines.evaluation.peers import Extractor, PeerPage

# ISO 639-1 codes of the stop lists that jusText bears by the English names of their languages.
_LISTS = """
    af=Afrikaans ar=Arabic be=Belarusian bg=Bulgarian bn=Bengali bs=Bosnian ca=Catalan
    cs=Czech cy=Welsh da=Danish de=German el=Greek en=English eo=Esperanto es=Spanish
    et=Estonian eu=Basque fa=Persian fi=Finnish fr=French ga=Irish gl=Galician gu=Gujarati
    he=Hebrew hi=Hindi hr=Croatian hu=Hungarian hy=Armenian id=Indonesian is=Icelandic
    it=Italian ka=Georgian kk=Kazakh ko=Korean la=Latin lt=Lithuanian lv=Latvian mk=Macedonian
    ml=Malayalam mr=Marathi ms=Malay mt=Maltese nb=Norwegian_Bokmal ne=Nepali nl=Dutch
    nn=Norwegian_Nynorsk no=Norwegian_Bokmal oc=Occitan pl=Polish pt=Portuguese ro=Romanian
    ru=Russian sk=Slovak sl=Slovenian sq=Albanian sr=Serbian sv=Swedish sw=Swahili ta=Tamil
    te=Telugu tl=Tagalog tr=Turkish uk=Ukrainian ur=Urdu uz=Uzbek vi=Vietnamese
    """
_JUSTEXT_LISTS = dict(pair.split("=") for pair in _LISTS.split())


def trafilatura(*options: str) -> Extractor:
    """Return trafilatura; *options* are ``fast``, ``precision``, ``no-comments``."""
    extract = import_module("trafilatura").extract
    switches: dict[str, Any] = {
        "fast": "fast" in options,
        "favor_precision": "precision" in options,
        "include_comments": "no-comments" not in options,
    }

    def run(page: PeerPage) -> str:
        return extract(page.html, url=page.url or None, **switches) or ""

    return run


def resiliparse() -> Extractor:
    """Return resiliparse's main content."""
    extract = import_module("resiliparse.extract.html2text").extract_plain_text

    def run(page: PeerPage) -> str:
        text: str = extract(page.html, main_content=True, list_bullets=False, alt_texts=False)
        return text

    return run


def readability() -> Extractor:
    """Return readability-lxml."""
    from crawler.page import build_page

    document = import_module("readability").Document

    def run(page: PeerPage) -> str:
        summary = document(page.html, url=page.url or None).summary()
        content_type = "text/html; charset=utf-8"
        model = build_page(summary.encode(), url=page.url, content_type=content_type)
        return "\n".join(model.blocks.text)

    return run


def justext() -> Extractor:
    """Return jusText with its own defaults."""
    package = import_module("justext")
    lists: dict[str, frozenset[str]] = {}

    def run(page: PeerPage) -> str:
        code = (page.language or "en").partition("-")[0].lower()
        name = _JUSTEXT_LISTS.get(code, "English")
        if name not in lists:
            lists[name] = package.get_stoplist(name)
        paragraphs = package.justext(page.html, lists[name])
        return "\n".join(item.text for item in paragraphs if not item.is_boilerplate)

    return run


def boilerpy3(extractor: str) -> Extractor:
    """Return boilerpy3's class *extractor*."""
    made = getattr(import_module("boilerpy3.extractors"), extractor)(raise_on_failure=False)

    def run(page: PeerPage) -> str:
        text: str = made.get_content(page.html)
        return text

    return run


def newspaper4k() -> Extractor:
    """Return newspaper4k."""
    read = article_of_newspaper4k()

    def run(page: PeerPage) -> str:
        article = read(page)
        return f"{article.title}\n{article.text}"

    return run


def article_of_newspaper4k() -> Callable[[PeerPage], Any]:
    """Return what makes an article of a page, nothing fetched."""
    package = import_module("newspaper")

    def run(page: PeerPage) -> Any:
        # A new one a page: a page's own language stays in it.
        config = package.Config()
        config.fetch_images = False
        config.follow_meta_refresh = False
        article = package.Article(page.url or "http://page.invalid/", config=config)
        article.download(input_html=page.html)
        article.parse()
        return article

    return run


def goose3() -> Extractor:
    """Return goose3."""
    read = article_of_goose3()

    def run(page: PeerPage) -> str:
        article = read(page)
        return f"{article.title}\n{article.cleaned_text}"

    return run


def article_of_goose3() -> Callable[[PeerPage], Any]:
    """Return what makes an article of a page, no image fetched."""
    package = import_module("goose3")
    goose = package.Goose({"enable_image_fetching": False})

    def run(page: PeerPage) -> Any:
        return goose.extract(url=page.url or None, raw_html=page.html)

    return run
