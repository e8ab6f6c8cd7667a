"""Hosts and domains of which no page is wanted, whatever a search service finds there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.errors import InputError
from crawler.urls import host_name, page_key

if TYPE_CHECKING:
    from collections.abc import Sequence

_PORT = re.compile(r":[0-9]+$")
# The local key of a URL that is nothing but a host.
_ROOT = "0/"


def excluded_names(text: str) -> list[str]:
    """Return the names of hosts and domains in *text*, commas between them, as canonical URLs have them.

    Raises `InputError` for what is none.

    >>> excluded_names("Example.org, .bücher.de")
    ['example.org', 'xn--bcher-kva.de']
    """
    found = []
    for given in text.split(",") if text else ():
        name = given.strip().strip(".")
        key = page_key(f"http://{name}/")
        if key is None or key.local != _ROOT:
            raise InputError(
                f"exclude has {name!r}, which is no host; give names such as example.org"
            )
        found.append(host_name(key.host))
    return found


def is_excluded(url: str, names: Sequence[str]) -> bool:
    """Tell whether *url* is of a host that *names* has, or of one below it; a name without a port stands for all.

    >>> is_excluded("http://www.example.org:8080/", ["example.org"])
    True
    """
    key = page_key(url)
    if key is None:
        return False
    name = host_name(key.host)
    forms = (f".{name}", f".{_PORT.sub('', name)}")
    return any(form.endswith(f".{own}") for own in names for form in forms)
