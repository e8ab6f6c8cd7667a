"""Cleans pages from disk: what ``scrapy clean`` does."""

from __future__ import annotations

import sys
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.page import PageLimits, PageRules, build_page
from crawler.page.charsets import charset_of
from pipelines.corpus.rows import block_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Cleaner, Labels

STDIN = "-"


def check_inputs(names: Sequence[str], charset: str | None) -> None:
    """Raise :exc:`InputError` for the first wrong input, before anything is cleaned."""
    if charset is not None and charset_of(charset) is None:
        raise InputError(f"--charset is {charset!r}; give an encoding of the web, such as utf-8")
    for name in names:
        if name != STDIN:
            try:
                Path(name).open("rb").close()
            except OSError as error:
                raise _unreadable(name, error) from error


def clean_pages(
    names: Sequence[str],
    cleaner: Cleaner,
    *,
    charset: str | None = None,
    limits: PageLimits | None = None,
    rules: PageRules | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield for each file (``-``: standard input) what is known of it, its text and its blocks.

    *charset* is what a server would have named. Raises :exc:`InputError` for what is no page.
    """
    for name in names:
        model = read_page(name, charset, limits or PageLimits(), rules or PageRules())
        yield cleaned_page(name, model, cleaner.label(model))


def read_page(name: str, charset: str | None, limits: PageLimits, rules: PageRules) -> PageModel:
    """Return the page model of file *name*."""
    try:
        body = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except OSError as error:
        raise _unreadable(name, error) from error
    url = "" if name == STDIN else Path(name).resolve().as_uri()
    # Without a type the page model looks for tags.
    content_type = None if charset is None else f";charset={charset}"
    model = build_page(body, url=url, content_type=content_type, limits=limits, rules=rules)
    if model.reject == "content_type":
        raise InputError(f"{name} is no HTML and no plain text; name a page")
    return model


def cleaned_page(name: str, model: PageModel, labels: Labels) -> dict[str, Any]:
    """Return the record of one cleaned page."""
    return {
        "file": name,
        "title": model.title,
        "charset": model.charset,
        "declared_language": model.declared_language,
        "text": "\n".join(compress(model.blocks.text, labels.kept)),
        "blocks": block_rows(model.blocks, labels.kept, labels.label),
    }


def _unreadable(name: str, error: OSError) -> InputError:
    why = error.strerror or error
    return InputError(f"cannot read {name}: {why}; name a file that can be read")
