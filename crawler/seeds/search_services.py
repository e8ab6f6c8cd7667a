"""Search services that answer in JSON: what they are asked, and where the addresses stand in their answers.

A service is a template of a URL and a path into the answer, so that one which comes up needs no program.
What is replaced in a template: ``{query}``, ``{key}``, ``{language}``, and of the page of results ``{page}`` (from 1),
``{page0}`` (from 0), ``{start}`` (the number of its first result, from 1), ``{offset}`` (the same from 0) and
``{count}`` (results a page). A parameter that is nothing but an empty ``{language}`` is left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from crawler.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_FIELD = re.compile(r"\{([a-z0-9]*)\}")
_FIELDS = frozenset({"query", "key", "language", "page", "page0", "start", "offset", "count"})
_ONLY_LANGUAGE = re.compile(r"&[^&=]+=\{language\}")
_SEARXNG = "/search?q={query}&format=json&pageno={page}&language={language}"
DEFAULT_URLS = "results.url"


class AnswerError(Exception):
    """An answer that is not what the service should give, or none; the text is the reason, one word.

    *retry_secs*: after which it may be another, None for never.
    """

    def __init__(self, reason: str, retry_secs: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_secs = retry_secs


@dataclass(frozen=True, slots=True)
class SearchService:
    """*url*: the template; *urls*: names on the way to the addresses, through lists; *page_results*: results a page.

    *key_header* is the header that the key is sent in, where the template has no place for it.
    """

    name: str
    url: str
    urls: str = DEFAULT_URLS
    page_results: int = 10
    key_header: str = ""
    key: str = field(default="", repr=False)

    def page_url(self, query: str, *, page: int = 0, language: str = "") -> str:
        """Return the URL of page number *page*, from 0, of the results of *query*.

        >>> SearchService("", "http://a.test/?q={query}&l={language}&p={page}").page_url('"sea bass" grill', page=1)
        'http://a.test/?q=%22sea%20bass%22%20grill&p=2'
        """
        offset = page * self.page_results
        values = {
            "query": query,
            "key": self.key,
            "language": language,
            "page": page + 1,
            "page0": page,
            "start": offset + 1,
            "offset": offset,
            "count": self.page_results,
        }
        template = self.url if language else _ONLY_LANGUAGE.sub("", self.url)
        return _FIELD.sub(lambda match: quote(str(values[match[1]]), safe=""), template)

    @property
    def source(self) -> str:
        """What its answers are kept under: read by other names, the same answer has other addresses, or none."""
        known = SERVICES.get(self.name)
        usual = DEFAULT_URLS if known is None else known.urls
        return self.name if self.urls == usual else f"{self.name} {self.urls}"

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers of a request."""
        headers = {"Accept": "application/json"}
        return {**headers, self.key_header: self.key} if self.key_header else headers

    def result_urls(self, answer: bytes) -> list[str]:
        """Return the addresses that *answer* lists, in order, each once; raise `AnswerError` where it is no JSON.

        A service that took them from a page may give them as HTML writes them, with ``&amp;``.
        """
        try:
            # Python 3.13 reads what is nested deeper than its functions may call each other.
            urls = list(_strings(json.loads(answer), self.urls.split(".")))
        except (ValueError, RecursionError) as error:
            raise AnswerError("no_json") from error
        return list(dict.fromkeys(url.replace("&amp;", "&") for url in urls))


SERVICES = {
    "brave": SearchService(
        "brave",
        "https://api.search.brave.com/res/v1/web/search?q={query}&count=20&offset={page0}&search_lang={language}",
        urls="web.results.url",
        page_results=20,
        key_header="X-Subscription-Token",
    ),
    "mojeek": SearchService(
        "mojeek",
        "https://api.mojeek.com/search?q={query}&api_key={key}&fmt=json&t={count}&s={start}&lb={language}",
        urls="response.results.url",
    ),
}


def service_of(text: str, *, urls: str = "", key: str = "") -> SearchService:
    """Return the service that *text* names: one of SERVICES, a SearXNG instance by its address, or a template.

    *urls* is where the addresses stand in the answers of a template; *key* is sent to a service that asks for one.
    Raises `InputError` for what is none of these, and for a key that is missing.
    """
    if text in SERVICES:
        if not key:
            raise InputError(f"search={text} needs a key; give it as -s SEARCH_KEY=…")
        if urls:
            raise InputError(f"urls is for other services than {text}; leave it out")
        return replace(SERVICES[text], key=key)
    if not _is_address(text):
        names = ", ".join(SERVICES)
        raise InputError(
            f"search is {text!r}; give the address of a SearXNG instance, {names}, or a URL with {{query}} in it"
        )
    unknown = sorted(set(_FIELD.findall(text)) - _FIELDS)
    if unknown:
        known = ", ".join(f"{{{name}}}" for name in sorted(_FIELDS))
        raise InputError(f"search has {{{unknown[0]}}}, which stands for nothing; it takes {known}")
    if "{key}" in text and not key:
        raise InputError("search has {key}, and there is none; give it as -s SEARCH_KEY=…")
    if urls and not all(urls.split(".")):
        raise InputError(
            f"urls is {urls!r}; give names with dots between them, such as {DEFAULT_URLS}"
        )
    template = text if "{query}" in text else text.rstrip("/") + _SEARXNG
    return SearchService(text.replace("{key}", ""), template, urls or DEFAULT_URLS, key=key)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(_FIELD.sub("0", text))
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _strings(value: Any, names: Sequence[str]) -> Iterator[str]:
    """Yield the strings that *names* lead to from *value*; a list on the way stands for all it holds."""
    if isinstance(value, list):
        for each in value:
            yield from _strings(each, names)
    elif names and isinstance(value, dict):
        yield from _strings(value.get(names[0]), names[1:])
    elif not names and isinstance(value, str):
        yield value
