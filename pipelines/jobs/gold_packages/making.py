"""Gold pages of pages as they were served, by the rules of their sites or by texts that are given.

A page without a gold text is left out, and counted by the reason: those of `gold_text`, ``no rule`` for one whose host
no rule is for, ``no address`` where a rule could not be chosen, ``no text`` without a file, ``empty text`` with one of
no word, ``undecodable`` for an answer that is not coded as it says, ``no page`` for an image or the like, by its type
or its bytes.

Memory: about 300 bytes for each page that is left out, beside the page at hand.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from crawler.errors import InputError
from crawler.page import build_page
from crawler.page.words import evaluation_words
from crawler.urls import host_name, page_key
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.landmarks.gold_text import gold_text
from pipelines.evaluation.readers.files import optional_text, page_bytes, site_of
from pipelines.jobs.page_files import STDIN, media_type_of, page_files
from pipelines.jobs.stored_answers import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipelines.evaluation.landmarks.rules import SiteRule

_ENDING = re.compile(r"\.(?:x?html?|xht)(?:\.gz)?$|\.gz$", re.IGNORECASE)
# What browsers write at the beginning of a page that they save.
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
_HEAD_BYTES = 2048


class ServedPage(NamedTuple):
    """A page as it was served; its *body* is None when it cannot be decoded."""

    page_id: str
    url: str
    body: bytes | None
    content_type: str | None = None
    language: str | None = None


class LeftOut(NamedTuple):
    """A page without a gold text, and why."""

    page_id: str
    url: str
    reason: str


class GoldSource(Protocol):
    """Where gold texts come from."""

    def gold_page(self, page: ServedPage, body: bytes) -> GoldPage | str:
        """Return *page* with its gold text, or the reason why it has none."""


class ByRules:
    """Gold texts by *rules*; of the one of *site* if that is named, or else of the first that is for the page's host.

    Rules of one site without hosts are for all pages.
    """

    def __init__(self, rules: Mapping[str, SiteRule], site: str | None = None) -> None:
        if site is not None and site not in rules:
            raise InputError(f"--site {site} is in no rule; give one of {', '.join(rules)}")
        self._rules = [*rules.values()]
        only = self._rules[0] if len(rules) == 1 and not self._rules[0].hosts else None
        self._named = only if site is None else rules[site]

    def gold_page(self, page: ServedPage, body: bytes) -> GoldPage | str:
        rule = self._named or next((rule for rule in self._rules if rule.is_for(page.url)), None)
        if rule is None:
            return "no rule" if page.url else "no address"
        found = gold_text(rule, body, page.content_type)
        if found.reason:
            return found.reason
        return _gold_page(page, body, found.text, rule.language, rule.page_type)


class ByTexts:
    """Gold texts of the files ID.txt, UTF-8, in *folder*."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError(f"--texts {folder} is no folder; give that of the files ID.txt")
        self._folder = folder

    def gold_page(self, page: ServedPage, body: bytes) -> GoldPage | str:
        text = optional_text(self._folder / f"{page.page_id}.txt")
        if text is None:
            return "no text"
        return _gold_page(page, body, text) if evaluation_words(text) else "empty text"


def _gold_page(
    page: ServedPage,
    body: bytes,
    text: str,
    language: str | None = None,
    page_type: str | None = None,
) -> GoldPage:
    return GoldPage(
        dataset="",
        page_id=page.page_id,
        body=body,
        content_type=page.content_type,
        url=page.url,
        gold=text,
        # Told by people, where a crawl guesses.
        language=language or page.language,
        page_type=page_type,
        site=site_of(page.url),
    )


class Made:
    """The gold pages of *pages*, given once; ``left`` are those without, ``ids`` the names of those with a gold
    text.
    """

    def __init__(self, pages: Iterable[ServedPage], source: GoldSource) -> None:
        self._pages, self._source = pages, source
        self.left: list[LeftOut] = []
        self.ids: list[str] = []

    def __iter__(self) -> Iterator[GoldPage]:
        """Raise `InputError` at the end where no page has a gold text."""
        for page in self._pages:
            found = self._found(page)
            if isinstance(found, str):
                self.left.append(LeftOut(page.page_id, page.url, found))
            else:
                self.ids.append(page.page_id)
                yield found
        if not self.ids:
            told = self.told_left() or "there is none"
            if self.left:
                told += f" (the first is {self.left[0].page_id!r})"
            homeless = any(page.reason == "no address" for page in self.left)
            site = ", or give the rule of pages without an address as --site" * homeless
            raise InputError(
                f"no page has a gold text: {told}; mend the rules or texts, or name other pages{site}"
            )

    def _found(self, page: ServedPage) -> GoldPage | str:
        if page.body is None:
            return "undecodable"
        # Types are told by the beginning.
        head = build_page(page.body[:_HEAD_BYTES], url="", content_type=page.content_type)
        if head.reject == "content_type":
            return "no page"
        return self._source.gold_page(page, page.body)

    def told_left(self) -> str:
        """Return how many pages were left out by each reason, the most frequent first."""
        reasons = Counter(each.reason for each in self.left)
        ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        return ", ".join(f"{n:,} {reason}" for reason, n in ordered)


def saved_pages(names: Sequence[str]) -> Iterator[ServedPage]:
    """Give the pages in the files and folders *names*; their ids are the names of the files, without ending.

    Raises InputError for what cannot be read. The address is what a browser wrote that saved the page, "" without.
    Which files there are is looked at now: not those that are made meanwhile.
    """
    files = [each for name in names for each in _files_of(name)]
    return (_saved_page(file, folder) for file, folder in files)


def _files_of(name: str) -> list[tuple[Path, Path]]:
    """Return the files that *name* means, with the folder that their ids are relative to."""
    if name == STDIN:
        raise InputError("standard input has no name; give files or folders of saved pages")
    folder = Path(name) if Path(name).is_dir() else Path(name).parent
    return [(Path(file), folder) for file in page_files([name])]


def _saved_page(file: Path, folder: Path) -> ServedPage:
    body = page_bytes(file)
    saved = _SAVED_FROM.search(body, 0, _HEAD_BYTES)
    url = saved[1].decode("utf-8", "replace") if saved else ""
    return ServedPage(_id_of(file, folder), url, body, media_type_of(file.name) or None)


def _id_of(file: Path, folder: Path) -> str:
    named = _ENDING.sub("", file.relative_to(folder).as_posix())
    return " ".join(named.replace("/", "-").split())


def id_of_url(url: str) -> str:
    """Return the id of the page of *url*, the same in each package.

    >>> id_of_url("http://www.a.example/x?y=1")
    'www.a.example-cc4eb0f59ce628f6'
    """
    key = page_key(url)
    host = host_name(key.host) if key else "page"
    return f"{host}-{url_hash(url):016x}"
