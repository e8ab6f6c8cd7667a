"""Evaluation packages: one zip file a set, as Gottron's harness had them.

*On disk*, version 1 (the thesis says what is in a package, not how it is written)::

    package.json    {"format": "winnow-gold", "version": 1, "name": ..., "language": ..., "type": ...}
    ID.html         the bytes as served
    ID.txt          the main text, UTF-8
    ID.json         {"url": ..., "language": ..., "content_type": ..., "page_type": ...}, all optional
    linked.json     {URL: name of a member}: pages that the documents link to, for the replay proxy

*Source: Gottron 2008, sections 5.3.1 and 7.2.3.* A document without a gold text cannot be scored, so
it is an error; so is a gold text that is not UTF-8, for which two of the thesis' packages have no full recall
whatever is extracted. Members are read one at a time; one of more than ``MAX_MEMBER_BYTES`` unpacked is
an error.
"""

from __future__ import annotations

import json
import zlib
from lzma import LZMAError
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo, is_zipfile

from crawler.durable.files import atomic_path
from crawler.errors import InputError, cause
from pipelines.evaluation.gold import GoldPage
from pipelines.evaluation.readers.files import is_hidden, json_object, site_of, text_field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

DESCRIPTION, LINKED = "package.json", "linked.json"
FORMAT, VERSION = "winnow-gold", 1
# Above the largest page of a crawl, below what a zip bomb unpacks to.
MAX_MEMBER_BYTES = 64 << 20
# Of zip files; the same pages make the same file whenever they are written.
_EPOCH = (1980, 1, 1, 0, 0, 0)
# What zipfile raises for a damaged one: RuntimeError for a password or a version that it does not know, ValueError for
# names that are no UTF-8, and the errors of the three packings (that of bz2 is an OSError).
_DAMAGED = (
    OSError,
    BadZipFile,
    KeyError,
    EOFError,
    RuntimeError,
    ValueError,
    zlib.error,
    LZMAError,
)


class Package(NamedTuple):
    """What a package says of itself."""

    name: str
    language: str | None = None
    page_type: str | None = None


def is_layout(path: Path) -> bool:
    """Tell whether *path* is a zip file, or is called like one."""
    return path.is_file() and (path.suffix.lower() == ".zip" or is_zipfile(path))


def read(path: Path) -> Iterator[GoldPage]:
    """Give the documents of the package *path*, sorted."""
    with _opened(path) as archive:
        package = _package(path, archive)
        linked = set(_linked_names(path, archive).values())
        names = sorted(set(archive.namelist()) - linked)
        found = [
            name.removesuffix(".html")
            for name in names
            if name.endswith(".html") and not _is_foreign(name)
        ]
    if not found:
        raise InputError(f"{path} has no document; add ID.html and ID.txt to it")
    return _documents(path, package, found)


def read_description(path: Path) -> Package:
    """Return what the package *path* says of itself."""
    with _opened(path) as archive:
        return _package(path, archive)


def linked_pages(path: Path) -> Iterator[tuple[str, bytes]]:
    """Give the linked pages of the package *path* with their URL, sorted; most packages have none."""
    with _opened(path) as archive:
        for url, name in sorted(_linked_names(path, archive).items()):
            yield url, _member(path, archive, name)


def write_package(
    path: Path,
    package: Package,
    pages: Iterable[GoldPage],
    *,
    linked: Mapping[str, bytes] | None = None,
) -> None:
    """Write *pages*, which have gold texts, as the package *path*.

    The file is there whole or not at all; *path* may be the package that *pages* are read from.
    Raises ValueError for a page without gold text, or whose id is none (`is_package_id`).
    """
    with atomic_path(path) as written, ZipFile(written, "w", ZIP_DEFLATED) as archive:
        description = {"format": FORMAT, "version": VERSION, "name": package.name}
        known = {"language": package.language, "type": package.page_type}
        _write(archive, DESCRIPTION, _as_json(description | known))
        for page in pages:
            _write_page(archive, page)
        names = {url: f"linked/{number}.html" for number, url in enumerate(sorted(linked or {}))}
        for url, name in names.items():
            _write(archive, name, (linked or {})[url])
        if names:
            _write(archive, LINKED, _as_json(names))


def is_package_id(page_id: str) -> bool:
    r"""Tell whether a document may be called *page_id*: none has the files of another, or those that readers pass over.

    >>> [is_package_id(name) for name in ("a b.c", "a/b", "package", ".a", "", "\udce9")]
    [True, False, False, False, False, False]
    """
    name = f"{page_id}.json"
    is_taken = name in {DESCRIPTION, LINKED}
    is_name = bool(page_id) and "/" not in page_id and is_utf8(page_id)
    return is_name and not is_taken and not _is_foreign(name)


def is_utf8(text: str) -> bool:
    """Tell whether *text* can be written; names of files, and arguments, may have bytes that are no character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _write_page(archive: ZipFile, page: GoldPage) -> None:
    if page.gold is None or not is_package_id(page.page_id):
        raise ValueError(f"page {page.page_id!r} must have a gold text and a name without slashes")
    known = {
        "url": page.url or None,
        "language": page.language,
        "content_type": page.content_type,
        "page_type": page.page_type,
    }
    _write(archive, f"{page.page_id}.html", page.body)
    _write(archive, f"{page.page_id}.txt", page.gold.encode())
    _write(archive, f"{page.page_id}.json", _as_json(known))


def _write(archive: ZipFile, name: str, data: bytes) -> None:
    member = ZipInfo(name, _EPOCH)
    member.compress_type = ZIP_DEFLATED
    archive.writestr(member, data)


def _is_foreign(name: str) -> bool:
    """Tell whether the program that packed it, such as macOS's, added the member *name*."""
    return is_hidden(name) or name.startswith("__MACOSX/")


def _as_json(known: Mapping[str, Any]) -> bytes:
    said = {key: value for key, value in known.items() if value is not None}
    return json.dumps(said, ensure_ascii=False, sort_keys=True).encode()


def _opened(path: Path) -> ZipFile:
    try:
        return ZipFile(path)
    except FileNotFoundError as error:
        raise InputError(f"{path} does not exist; give the zip file of a package") from error
    except _DAMAGED as error:
        raise InputError(f"{path} is no zip file ({cause(error)}); give a package") from error


def _package(path: Path, archive: ZipFile) -> Package:
    said = _object(path, archive, DESCRIPTION)
    if said.get("format") != FORMAT or said.get("version") != VERSION:
        raise InputError(f"{path} is no package of version {VERSION}; write it anew")
    where = f"{DESCRIPTION} in {path}"
    name = text_field(said, "name", where) or path.stem
    return Package(name, text_field(said, "language", where), text_field(said, "type", where))


def _documents(path: Path, package: Package, page_ids: list[str]) -> Iterator[GoldPage]:
    with _opened(path) as archive:
        for page_id in page_ids:
            known = _object(path, archive, f"{page_id}.json", needed=False)
            where = f"{page_id}.json in {path}"
            url = text_field(known, "url", where) or ""
            yield GoldPage(
                dataset=package.name,
                page_id=page_id,
                body=_member(path, archive, f"{page_id}.html"),
                content_type=text_field(known, "content_type", where),
                url=url,
                gold=_text(path, archive, f"{page_id}.txt"),
                language=text_field(known, "language", where) or package.language,
                page_type=text_field(known, "page_type", where) or package.page_type,
                site=site_of(url),
            )


def _linked_names(path: Path, archive: ZipFile) -> dict[str, str]:
    return {url: str(name) for url, name in _object(path, archive, LINKED, needed=False).items()}


def _object(path: Path, archive: ZipFile, name: str, *, needed: bool = True) -> dict[str, Any]:
    if not needed and name not in archive.NameToInfo:
        return {}
    return json_object(_text(path, archive, name), f"{name} in {path}")


def _text(path: Path, archive: ZipFile, name: str) -> str:
    try:
        return _member(path, archive, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {name} is not UTF-8 ({error.reason}); convert it") from error


def _member(path: Path, archive: ZipFile, name: str) -> bytes:
    try:
        with archive.open(name) as member:
            data = member.read(MAX_MEMBER_BYTES + 1)
    except _DAMAGED as error:
        raise InputError(f"{path}: {name} is missing or damaged; write the package anew") from error
    if len(data) > MAX_MEMBER_BYTES:
        raise InputError(f"{path}: {name} is larger than {MAX_MEMBER_BYTES} bytes; take it out")
    return data
