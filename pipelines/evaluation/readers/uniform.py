"""The uniform layout of gold standards: one folder a set, or a folder of such folders.

*On disk*::

    manifest.jsonl          one JSON object a page; id is the only field that must be there
    pages/ID.html.gz        the bytes as served (or ID.html); KrdWrd's marks, ``kw`` tags, are taken out
    gold/ID.txt             the main text
    gold_full/ID.txt        the main text with user comments
    gold_23/ID.txt          the main text with what the annotators were uncertain of
    gold_tagged/ID.tsv      paragraphs of the main text: p, h or l, a tab, the text
    gold_blocks/ID.jsonl    text nodes: {"class": 1 bad, 2 uncertain, 3 good, 7 tied, "text": ...}

Fields of the manifest that are read: ``id, url, host, domain, lang, lang_detected, page_type,
charset_conflict, with, without, title, author, publish_date`` (or ``date``). A page with ``charset_conflict`` is UTF-8
though it says otherwise; its content type says so. A page has ``gold``, or at least segments that must (``with``) and
must not (``without``) be in its text; all other files may be missing. All text is UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from crawler.page.words import collapsed
from crawler.urls.domains import registrable_domain
from pipelines.evaluation.gold import BAD, GOOD, TIED, UNCERTAIN, GoldMetadata, GoldPage, NodeLabel
from pipelines.evaluation.readers.canola import without_marks
from pipelines.evaluation.readers.files import (
    json_lines,
    optional_text,
    page_bytes,
    shown_files,
    site_of,
    text_field,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MANIFEST = "manifest.jsonl"
# Names of files have 255 at most, with their endings.
MAX_ID_BYTES = 240
_TEXT_FIELDS = ("url", "host", "domain", "lang", "lang_detected", "page_type")
# Classes of KrdWrd's annotation.
_CLASSES = {1: BAD, 2: UNCERTAIN, 3: GOOD, 7: TIED}


def is_layout(path: Path) -> bool:
    """Tell whether *path* is the folder of a set, or of several."""
    return path.is_dir() and bool(_sets(path))


def read(path: Path) -> Iterator[GoldPage]:
    """Give the pages of the set, or of all sets, in *path*."""
    folders = _sets(path)
    if not folders:
        raise InputError(
            f"{path} holds no {MANIFEST}; give the folder of a set, or of several sets"
        )
    rows = [(folder, row) for folder in folders for row in _manifest(folder / MANIFEST)]
    if not rows:
        raise InputError(f"{path} names no page; add lines to its {MANIFEST}")
    return (_page(folder, row) for folder, row in rows)


def _sets(path: Path) -> list[Path]:
    if (path / MANIFEST).is_file():
        return [path]
    return [manifest.parent for manifest in shown_files(path, f"*/{MANIFEST}")]


def _manifest(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a manifest, sorted by id."""
    rows: dict[str, dict[str, Any]] = {}
    for where, row in json_lines(file):
        page_id = row.get("id")
        if not isinstance(page_id, str) or not _can_name_a_file(page_id) or page_id in rows:
            raise InputError(
                f"{where}: the id {page_id!r} is none or given twice; "
                "give each page a name of its own that can be a file's"
            )
        for field in _TEXT_FIELDS:
            text_field(row, field, where)
        rows[page_id] = row
    return [rows[page_id] for page_id in sorted(rows)]


def _can_name_a_file(page_id: str) -> bool:
    try:
        size = len(page_id.encode())
    except UnicodeEncodeError:
        return False
    # Nor line ends and the like, which a name may have, but no message of one line.
    return 0 < size <= MAX_ID_BYTES and not any(char < " " or char == "/" for char in page_id)


def _page(folder: Path, row: dict[str, Any]) -> GoldPage:
    page_id = row["id"]
    url = row.get("url") or ""
    stored = _body(folder, page_id)
    body = without_marks(stored)
    page = GoldPage(
        dataset=folder.resolve().name,
        page_id=page_id,
        body=body,
        content_type="text/html; charset=utf-8" if row.get("charset_conflict") else None,
        url=url,
        gold=optional_text(folder / "gold" / f"{page_id}.txt"),
        full_gold=optional_text(folder / "gold_full" / f"{page_id}.txt"),
        tagged_gold=optional_text(folder / "gold_tagged" / f"{page_id}.tsv"),
        lenient_gold=optional_text(folder / "gold_23" / f"{page_id}.txt"),
        required=_segments(folder, row, "with"),
        forbidden=_segments(folder, row, "without"),
        node_labels=_node_labels(folder / "gold_blocks" / f"{page_id}.jsonl"),
        language=row.get("lang") or row.get("lang_detected"),
        page_type=row.get("page_type"),
        site=_site(url, row),
        metadata=GoldMetadata(
            _said(row, "title"), _said(row, "author"), _said(row, "publish_date", "date")
        ),
        marked_body=stored if body != stored else None,
    )
    if page.gold is None and not page.required and not page.forbidden:
        raise InputError(
            f"{folder}: page {page_id!r} has neither gold/{page_id}.txt nor segments in the manifest; "
            "add one of them or take the page out"
        )
    return page


def _said(row: dict[str, Any], *fields: str) -> str | None:
    """Return the first of *fields* that has a text."""
    said = (row.get(field) for field in fields)
    return next((text for text in said if isinstance(text, str) and text.strip()), None)


def _site(url: str, row: dict[str, Any]) -> str:
    """Return the registrable domain that a page is from, "" when the manifest does not tell."""
    return site_of(url) or registrable_domain(row.get("host") or row.get("domain") or "")


def _segments(folder: Path, row: dict[str, Any], field: str) -> tuple[str, ...]:
    segments = row.get(field) or []
    if not isinstance(segments, list) or not all(isinstance(text, str) for text in segments):
        raise InputError(f"{folder}: {field!r} of page {row['id']!r} is no list of texts; mend it")
    if not all(collapsed(text) for text in segments):
        # It would be found in each text, as wanted or as unwanted.
        raise InputError(
            f"{folder}: {field!r} of page {row['id']!r} has a text without words; take it out"
        )
    return tuple(segments)


def _body(folder: Path, page_id: str) -> bytes:
    files = [folder / "pages" / f"{page_id}.html{packed}" for packed in (".gz", "")]
    for file in files:
        if file.exists():
            return page_bytes(file)
    raise InputError(
        f"{folder}: page {page_id!r} has neither pages/{page_id}.html nor pages/{page_id}.html.gz; "
        "add one of them or take the page out"
    )


def _node_labels(file: Path) -> tuple[NodeLabel, ...]:
    if not file.exists():
        return ()
    labels = []
    for where, row in json_lines(file):
        number = row.get("class")
        # True is a number to Python.
        label = _CLASSES.get(number) if type(number) is int else None
        if label is None:
            raise InputError(f"{where}: class must be one of {[*_CLASSES]}; mend it")
        labels.append(NodeLabel(text_field(row, "text", where) or "", label))
    return tuple(labels)
