"""What the sample web knows of its pages, and what its server sends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from crawler.sampleweb.writer import Arc


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server sends for a request: a function of seed, host and path alone.

    *first_status* is the status of the first request if that differs (a server that is out for a
    moment); *coding* the content coding that is used when the client accepts it.
    """

    status: int
    body: bytes
    content_type: str = ""
    location: str = ""
    coding: str = ""
    delay_secs: float = 0.0
    first_status: int = 0
    retry_after_secs: int = 0


@dataclass(frozen=True, slots=True)
class Truth:
    """All that is known of a URL.

    *kind* is ``regular``, one of the kinds of :mod:`~crawler.sampleweb.layout`, or a sin. *status*
    is the last one, after retries; *first_status* the first if it differs, else 0. *main_text* has
    a block a line, the title first; *boilerplate* is all other text. *cluster* is the URL of the
    first page that shows this content: two pages are exact duplicates if their clusters are equal.
    *partner* is the elder of a planted near-duplicate, *planted* the resemblance aimed at. *trap*
    marks pages that multiply without content of their own; *thin* those under 50 words.
    """

    url: str
    kind: str
    status: int
    template: str = ""
    language: str = ""
    category: str = ""
    charset: str = ""
    title: str = ""
    main_text: str = ""
    boilerplate: str = ""
    arcs: tuple[Arc, ...] = ()
    cluster: str = ""
    partner: str = ""
    planted: float = 0.0
    quoted: str = ""
    first_status: int = 0
    disallowed: bool = False
    trap: bool = False
    noindex: bool = False
    nofollow: bool = False
    thin: bool = False
    is_text: bool = True
