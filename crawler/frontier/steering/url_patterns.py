"""What URLs of a host have in common: the patterns that a URL is one of.

A segment of a path is reduced to its class: ``n`` a number or a date, ``x`` an id (eight characters or
more with digits and letters, or hexadecimal), ``s`` words with hyphens, ``w`` anything else; the
extension stays. Of a query the names of its parameters remain. From the narrowest:

========= ========= ====================================================================================
level     example   of ``/shop/red-shoes/12.html?page=2&sort=price``
========= ========= ====================================================================================
script              ``/shop/red-shoes/12.html?``: one path, any query
parameter           ``page`` and ``sort``: one parameter, any path
shape               ``/shop/s/n.html?page&sort``: the first segment as it is, the others as classes
plan                ``/w/s/n.html?``: all segments as classes
section             ``/shop/``: all that is below a first segment
repeat              segments that repeat, or more of them than people make: not this URL
host                everything of one scheme
========= ========= ====================================================================================
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

# Heritrix' PathologicalPathDecideRule and BUbiNG's DuplicateSegmentsLessThan(3) ask for the same.
REPEATED_SEGMENTS = 3
MANY_SEGMENTS = 12

# A hostile URL may have hundreds.
MAX_PARAMETERS = 16

_NUMBER = re.compile(r"[0-9]+(?:[-_.:][0-9]+)*\Z")
_ID = re.compile(r"(?=[A-Za-z]*[0-9])[0-9A-Za-z]{8,}\Z|[0-9a-f]{8,}\Z|[0-9A-F]{8,}\Z")
_EXTENSION = re.compile(r"\.[A-Za-z][0-9A-Za-z]{0,4}\Z")


class UrlPattern(NamedTuple):
    """The patterns of a URL by level, and what they leave out.

    *script*, *section* are empty where there is no query or no second segment. *parameters* are
    (name, value). *variable* is what the path patterns leave out: the query, or the path if there is none.
    """

    shape: str
    plan: str
    section: str
    script: str
    parameters: tuple[tuple[str, str], ...]
    is_repeat: bool
    variable: str

    @property
    def scheme(self) -> str:
        """The scheme bit and a slash: with what every local key of the host's side begins."""
        return self.shape[:2]


def local_part(url: str) -> str:
    """Return the local key (crawler.urls.keys) of the canonical *url*."""
    scheme, _, rest = url.partition("://")
    return f"{int(scheme == 'https')}/{rest.partition('/')[2]}"


def url_pattern(local: str) -> UrlPattern:
    """Return the patterns of the page with the local key *local*; linear in its length.

    >>> url_pattern("0/shop/red-shoes/12.html?page=2&sort=price")[:4]
    ('0/shop/s/n.html?page&sort', '0/w/s/n.html?', '0/shop/', '0/shop/red-shoes/12.html?')
    """
    path, mark, query = local.partition("?")
    segments = path.split("/")
    scheme, first = segments[0], segments[1] if len(segments) > 1 else ""
    classes = [segment_class(segment) for segment in segments[1:-1]]
    last, extension = _split_extension(segments[-1])
    classes.append(segment_class(last) + extension)
    plan = f"{scheme}/{'/'.join(classes)}"
    has_section = len(segments) > 2 and bool(first)
    shape = "/".join([scheme, first, *classes[1:]]) if has_section else plan
    parameters = tuple(_parameter(part) for part in query.split("&", MAX_PARAMETERS) if part)
    names = "&".join(sorted({name for name, _ in parameters}))
    return UrlPattern(
        shape=f"{shape}?{names}" if mark else shape,
        plan=plan + mark,
        section=f"{scheme}/{first}/" if has_section else "",
        script=path + mark if mark else "",
        parameters=parameters,
        is_repeat=_repeats(segments),
        variable=query or path,
    )


@lru_cache(maxsize=1 << 14)
def segment_class(segment: str) -> str:
    """Return the class of one segment, empty for an empty one.

    >>> [segment_class(s) for s in ("2024-05-17", "9f86d081884c", "a-b", "about", "")]
    ['n', 'x', 's', 'w', '']
    """
    if not segment:
        return ""
    if _NUMBER.match(segment):
        return "n"
    if _ID.match(segment):
        return "x"
    return "s" if "-" in segment or "_" in segment or "%20" in segment or "+" in segment else "w"


def is_id(value: str) -> bool:
    """Tell whether *value* looks like an id that somebody's program made up."""
    return segment_class(value) == "x" or (value.isdigit() and len(value) >= 8)


def without(local: str, names: set[str]) -> str:
    """Return *local* without the parameters *names*.

    >>> without("0/a?sid=1&x=2", {"sid"}), without("0/a?sid=1", {"sid"})
    ('0/a?x=2', '0/a')
    """
    path, _, query = local.partition("?")
    kept = "&".join(part for part in query.split("&") if part.partition("=")[0] not in names)
    return f"{path}?{kept}" if kept else path


def _split_extension(segment: str) -> tuple[str, str]:
    found = _EXTENSION.search(segment)
    return (segment[: found.start()], found[0].lower()) if found else (segment, "")


def _parameter(part: str) -> tuple[str, str]:
    name, _, value = part.partition("=")
    return name, value


def _repeats(segments: list[str]) -> bool:
    n_segments = len(segments) - 1
    if n_segments < REPEATED_SEGMENTS:
        return False
    most = max(segments.count(segment) if segment else 0 for segment in set(segments[1:64]))
    return n_segments > MANY_SEGMENTS or most >= REPEATED_SEGMENTS
