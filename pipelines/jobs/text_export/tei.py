"""A document in TEI P5, the XML of text collections: ``<TEI>`` with a header and the kept blocks.

*On disk.* One ``<teiCorpus>`` a file. A header says what is known of a document: title, author, date, host and URL of
the page and when it was fetched (``sourceDesc``), words, description, language and categories. In the body a heading
begins a ``<div>``, which ends before the next heading of its rank or a higher one; lines that were wrapped by hand are
one ``<p>`` (`pipelines.linguistics.wrapped_lines`); items that follow each other are a ``<list>``, quoted paragraphs a
``<quote>``; code and cells of tables, of whose rows a corpus knows nothing, are ``<ab>`` with a ``type``. Comments,
and what stands between them, are in a ``<div type="comments">`` and in one of ``type="text"``. Characters that XML has
no way to write are left out.

*Source*: TEI Consortium, TEI P5 Guidelines, chapters 2 (the header), 4 (divisions) and 15.1 (corpora).
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from pipelines.boilerplate.labels import COMMENT
from pipelines.jobs.text_export.paragraphs import paragraphs
from pipelines.metadata.said_dates import MODIFIED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

COLUMNS = (
    "url", "host", "title", "author", "date", "date_source", "description", "language", "category",
    "fetched_at", "n_words", "blocks",
)  # fmt: skip

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<teiCorpus xmlns="http://www.tei-c.org/ns/1.0">\n'
    "<teiHeader><fileDesc><titleStmt><title>Web pages</title></titleStmt>"
    "<publicationStmt><p>Texts of web pages; their rights are those of the pages.</p></publicationStmt>"
    "<sourceDesc><p>The sources are named in the header of each text.</p></sourceDesc>"
    "</fileDesc></teiHeader>\n"
)
TAIL = "</teiCorpus>\n"

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What an attribute `when` takes: a year, a month or a day.
_WHEN = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def tei_document(row: Mapping[str, Any]) -> str:
    """Return the document *row*, which has `COLUMNS`, as an element on lines of its own."""
    return "\n".join(("<TEI>", *_header(row), *_text(row), "</TEI>\n"))


def _header(row: Mapping[str, Any]) -> Iterator[str]:
    title = _element("title", row["title"] or row["url"])
    author = "".join(_element("author", name) for name in (row["author"] or "").split("; "))
    yield "<teiHeader>"
    yield f"<fileDesc><titleStmt>{title}{author}</titleStmt>"
    yield f'<extent><measure unit="words" quantity="{row["n_words"] or 0}"/></extent>'
    yield "<publicationStmt><p>The text of a web page.</p></publicationStmt>"
    fetched = row["fetched_at"].strftime("%Y-%m-%dT%H:%M:%SZ")
    yield (
        f"<sourceDesc><bibl>{title}{author}{_element('publisher', row['host'])}{_date(row)}"
        f'<date type="accessed" when="{fetched}"/><ptr target={_quoted(row["url"])}/></bibl></sourceDesc>'
    )
    yield "</fileDesc>"
    yield from _profile(row)
    yield "</teiHeader>"


def _profile(row: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is said of the text itself, if anything is."""
    parts = []
    if row["description"]:
        parts.append(f"<abstract>{_element('p', row['description'])}</abstract>")
    if row["language"]:
        parts.append(f"<langUsage><language ident={_quoted(row['language'])}/></langUsage>")
    if row["category"]:
        terms = "".join(_element("term", each) for each in row["category"])
        parts.append(f"<textClass><keywords>{terms}</keywords></textClass>")
    if parts:
        yield f"<profileDesc>{''.join(parts)}</profileDesc>"


def _text(row: Mapping[str, Any]) -> Iterator[str]:
    kept = list(paragraphs(row))
    yield f"<text xml:lang={_quoted(row['language'])}>" if row["language"] else "<text>"
    yield "<body>"
    if any(block["label"] == COMMENT for block in kept):
        for are_comments, blocks in groupby(kept, lambda block: block["label"] == COMMENT):
            yield f'<div type="{"comments" if are_comments else "text"}">'
            yield from _divisions(blocks)
            yield "</div>"
    else:
        yield from _divisions(kept) if kept else ("<p/>",)
    yield "</body>"
    yield "</text>"


def _divisions(blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield *blocks*, with a division for each heading and what belongs to it."""
    open_ranks: list[str] = []
    for kind, alike in groupby(blocks, lambda block: block["kind"] or "paragraph"):
        texts = [_escaped(block["text"]) for block in alike]
        if not kind.startswith("heading"):
            yield from _alike(kind, texts)
            continue
        for text in texts:
            while open_ranks and open_ranks[-1] >= kind:
                open_ranks.pop()
                yield "</div>"
            open_ranks.append(kind)
            yield f"<div><head>{text}</head>"
    yield from ("</div>" for _ in open_ranks)


def _alike(kind: str, texts: list[str]) -> Iterator[str]:
    """Yield blocks of one *kind*, no heading, that follow each other."""
    if kind == "item":
        yield "<list>"
        yield from (f"<item>{text}</item>" for text in texts)
        yield "</list>"
    elif kind == "quote":
        yield "<quote>"
        yield from (f"<p>{text}</p>" for text in texts)
        yield "</quote>"
    elif kind == "code":
        yield from (f'<ab type="code" xml:space="preserve">{text}</ab>' for text in texts)
    elif kind == "cell":
        yield from (f'<ab type="cell">{text}</ab>' for text in texts)
    else:
        yield from (f"<p>{text}</p>" for text in texts)


def _date(row: Mapping[str, Any]) -> str:
    date = row["date"]
    if not date:
        return ""
    kind = MODIFIED if row["date_source"] == MODIFIED else "published"
    when = f" when={_quoted(date)}" if _WHEN.fullmatch(date) else ""
    return f'<date type="{kind}"{when}>{_escaped(date)}</date>'


def _element(name: str, text: str | None) -> str:
    return f"<{name}>{_escaped(' '.join(text.split()))}</{name}>" if text else ""


def _escaped(text: str) -> str:
    return escape(_NO_XML.sub("", text))


def _quoted(text: str) -> str:
    return f'"{escape(_NO_XML.sub("", text), {chr(34): "&quot;"})}"'
