"""Files of pages on disk: which ones names of files and folders mean."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from crawler.errors import InputError, cause
from crawler.page.build import XHTML
from crawler.page.links import NON_TEXT_EXTENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STDIN = "-"

_GZIP = ".gz"
_XHTML_ENDINGS = (".xhtml", ".xht")


def page_files(names: Sequence[str]) -> list[str]:
    """Return *names*, each folder among them replaced by its files and those of its folders, in the order of their
    paths.

    Of a folder's files those are left out that are hidden, or whose name says that they are no page (``.css``,
    ``.png``), and pipes, sockets and devices. Links that lead nowhere are none of these: a page is missing there.
    Raises :exc:`InputError` for a folder that cannot be read, or has no other.
    """
    found = []
    for name in names:
        if name == STDIN or not os.path.isdir(name):
            found.append(name)
            continue
        files = sorted(_pages_in(name))
        if not files:
            raise InputError(f"the folder {name} has no file of a page; name another")
        found += files
    return found


def has_pages(folder: str) -> bool:
    """Tell whether `page_files` finds one in *folder*."""
    return next(_pages_in(folder), None) is not None


def _pages_in(folder: str) -> Iterator[str]:
    def fail(error: OSError) -> None:
        raise InputError(
            f"cannot read {error.filename}: {cause(error)}; name a folder that can be read"
        ) from error

    for place, folders, files in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(place, name)
            is_special = os.path.exists(path) and not os.path.isfile(path)
            if not name.startswith(".") and is_named_as_page(name) and not is_special:
                yield path


def is_named_as_page(name: str) -> bool:
    """Tell whether the file called *name* may be a page; packed by gzip or saved with its query, too.

    >>> [is_named_as_page(name) for name in ("a.html", "b.htm.gz", "c.php?id=3", "d")]
    [True, True, True, True]
    >>> [is_named_as_page(name) for name in ("e.css?ver=6", "f.tar.gz", "g.PNG")]
    [False, False, False]
    """
    plain = _plain_name(name)
    return plain.rpartition(".")[2] not in NON_TEXT_EXTENSIONS or "." not in plain


def media_type_of(name: str) -> str:
    """Return what the name of a file says of its type: that of XHTML, which is read otherwise, or "".

    >>> media_type_of("chapter.xhtml"), media_type_of("chapter.html")
    ('application/xhtml+xml', '')
    """
    return XHTML if _plain_name(name).endswith(_XHTML_ENDINGS) else ""


def _plain_name(name: str) -> str:
    return name.partition("?")[0].lower().removesuffix(_GZIP)
