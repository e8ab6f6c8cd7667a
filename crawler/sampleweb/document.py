"""From a view to a document: head, body, and for one host in sixty the markup of bad authors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from crawler.sampleweb import charsets
from crawler.sampleweb.templates import RENDERERS
from crawler.sampleweb.writer import PageWriter, Speller

if TYPE_CHECKING:
    from crawler.sampleweb.article import Article
    from crawler.sampleweb.view import View
    from crawler.sampleweb.writer import Arc

BASE_PATH = "/some/deep/place/"
FEED_PATH = "/feed.xml"

# Links that are none: a scanner that reads scripts or comments finds them.
_DECOYS = (
    "<script>var more = \"<a href='/not/a/link'>more</a>\"; if (1 < 2 && 3 > 2) go();</script>",
    '<!-- <p>Nothing here.</p> <a href="/commented/out">old</a> -->',
    "<style>a:hover { color: #333 } /* <a href='/not/in/css'> */</style>",
)
_FEED_TEMPLATES = frozenset({"blog", "semantic"})


@dataclass(frozen=True, slots=True)
class Document:
    """A written page and what is known of it; *html* is text, not yet in the host's charset."""

    html: str
    article: Article | None
    boilerplate: str
    arcs: tuple[Arc, ...]
    noindex: bool = False
    nofollow: bool = False


def write_document(view: View, path: str) -> Document:
    """Write the document of *view*, which stands at *path* of its host."""
    host, style = view.host, view.site.style
    base = host.root + BASE_PATH if style.spelling == "base" else ""
    speller = Speller("document" if base else style.spelling, host.root + path, base)
    if "spelling" in host.roles:
        speller = OddSpeller(host.root + path)
    nofollow = "nofollow" in view.robots
    w = PageWriter(speller, nofollow=nofollow)
    _head(w, view, base)
    w.raw(f"<body{view.site.at('body')}>{style.newline}")
    w.raw(_DECOYS[host.content % len(_DECOYS)])
    RENDERERS[host.template](w, view)
    w.raw("</body></html>\n")
    html = "".join(w.html)
    if "broken" in host.roles:
        html = break_markup(html)
    return Document(
        html, view.article, "\n".join(w.boilerplate), w.arcs, "noindex" in view.robots, nofollow
    )


def _head(w: PageWriter, view: View, base: str) -> None:
    host = view.host
    direction = ' dir="rtl"' if host.language == "ar" else ""
    language = f' lang="{host.language}"{direction}' if host.content % 3 else direction
    doctype = "" if host.template == "table" else "<!DOCTYPE html>\n"
    w.raw(f"{doctype}<html{language}><head>{charsets.meta_element(host.charset)}")
    w.raw(f"<title>{escape(view.article.title, quote=False)}</title>\n")
    if base:
        w.raw(f'<base href="{base}">')
    if view.robots:
        w.raw(f'<meta name="robots" content="{view.robots}">\n')
    if host.template in _FEED_TEMPLATES and view.nav:
        feed = w.href(host.root + FEED_PATH)
        w.raw(f'<link rel="alternate" type="application/rss+xml" href="{feed}">\n')
    if host.template == "forum" and view.related:
        w.raw(f'<link rel="next" href="{w.href(view.related[0].url)}">\n')
    if view.refresh:
        seconds, target = view.refresh
        where = w.href(target) if target else ""
        w.raw(f'<meta http-equiv="refresh" content="{seconds}{where}">\n')
    w.raw("</head>")


class OddSpeller(Speller):
    """Spells every link in another unusual way that means the same URL."""

    def __init__(self, page: str) -> None:
        super().__init__("absolute", page)
        self._turn = 0

    def href(self, url: str) -> str:
        self._turn += 1
        root, path = url[: url.index("/", 7)], url[url.index("/", 7) :]
        host = root.removeprefix("http://")
        return (
            f"HTTP://{host.upper()}{path}",
            f"http://{host}:80{path}",
            f"{url}#part-{self._turn}",
            f"http://{host}/./here/..{path}",
            f"http://{host}.{path}",
            f" \n{url}\t",
            f"//{host}{path}",
            url.replace("a.", "%61.") if "?" not in url else url,
            url,
        )[self._turn % 9]


_END_TAGS = re.compile(r"</(?:p|li|td|tr|option|body|html)>")
_QUOTED = re.compile(r'=("[\w/.:-]+")(?=[ >])')
_STRAY = "</span></li><b><i></b></i>"


def break_markup(html: str) -> str:
    """Return *html* as a careless author writes it: the same words and links to a forgiving reader.

    End tags that HTML lets one leave out go, attribute values lose their quotes, ampersands stand
    bare, element names shout, and stray end tags come before the first third-level heading.
    """
    html = _END_TAGS.sub("", html)
    html = _QUOTED.sub(lambda match: "=" + match[1].strip('"'), html)
    html = html.replace("&amp;", "&").replace("<div", "<DIV").replace("</div>", "</DIV >")
    return html.replace("<h3", f"{_STRAY}<H3", 1) + "</DIV></td><p><b>"
