"""Hosts and domains that a user names, and whether a page is of one of them.

A name stands for the host and all below it, on any port unless it names one, in letters of any alphabet.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.errors import InputError
from crawler.urls.hosts import host_name
from crawler.urls.keys import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PORT = re.compile(r":[0-9]+$")
# The local key of a URL that is nothing but a host.
_ROOT = "0/"


def named_hosts(names: Iterable[str], given_as: str) -> list[str]:
    """Return *names* as canonical URLs have them; raise `InputError` for what is no host, *given_as* what it says.

    >>> named_hosts(["Example.org", " .bücher.de"], "exclude")
    ['example.org', 'xn--bcher-kva.de']
    """
    found = []
    for given in names:
        name = given.strip().strip(".")
        key = page_key(f"http://{name}/")
        if key is None or key.local != _ROOT:
            raise InputError(
                f"{given_as} has {name!r}, which is no host; give names such as example.org"
            )
        found.append(host_name(key.host))
    return found


def is_of_hosts(url: str, names: Sequence[str]) -> bool:
    """Tell whether *url* is of one of *names*, which are those of `named_hosts`.

    >>> is_of_hosts("http://www.example.org:8080/", ["example.org"])
    True
    """
    key = page_key(url)
    if key is None:
        return False
    name = host_name(key.host)
    forms = (f".{name}", f".{_PORT.sub('', name)}")
    return any(form.endswith(f".{own}") for own in names for form in forms)
