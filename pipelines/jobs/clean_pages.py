"""Cleans pages from disk: what ``scrapy clean`` does."""

from __future__ import annotations

import gzip
import zlib
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from crawler.errors import InputError, standard_input
from crawler.page import LinkKind, PageLimits, PageRules, build_page
from crawler.page.encoding.charsets import charset_of
from pipelines.boilerplate.labels import CleaningFailed
from pipelines.boilerplate.renderers.inline import absolute
from pipelines.corpus.rows import block_rows
from pipelines.jobs.page_files import STDIN, media_type_of
from pipelines.metadata import metadata

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from io import BufferedReader

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.labels import Cleaner, Labels

_GZIP_MARK = b"\x1f\x8b"
_WARC_MARK = b"WARC/1."

# Those of ``PageModel.cuts`` that take text away, and their limits.
_TEXT_CUTS = {"bytes": "max_bytes", "blocks": "max_blocks"}


def labels_of_page(cleaner: Cleaner, model: PageModel, name: str) -> Labels:
    """Return what *cleaner* says of file *name*; raise :exc:`InputError` where it fails."""
    with failures_told(name):
        return cleaner.label(model)


@contextmanager
def failures_told(name: str) -> Iterator[None]:
    """Raise :exc:`InputError` for a cleaner that fails on page *name*."""
    try:
        yield
    except CleaningFailed as error:
        raise InputError(
            f"{shown_name(name)} ends the method in {error.reason}; give another --method"
        ) from error


def page_rules_of(
    cleaner: Cleaner,
    *,
    hidden: Literal["keep", "drop"],
    inline: Inline | None = None,
) -> PageRules:
    """Return the rules that *cleaner* was published for, unless *inline* says otherwise."""
    return PageRules(inline=inline or cleaner.inline, hidden=hidden)


def check_inputs(names: Sequence[str], charset: str | None) -> None:
    """Raise :exc:`InputError` for the first wrong input, before anything is cleaned.

    *names* are those that were given. Nobody named the files of a folder: one that cannot be read is told in its turn.
    """
    if charset is not None and charset_of(charset) is None:
        raise InputError(f"--charset is {charset!r}; give an encoding of the web, such as utf-8")
    for name in names:
        if name != STDIN and not Path(name).is_dir():
            try:
                Path(name).open("rb").close()
            except OSError as error:
                raise _unreadable(name, error) from error


def read_page(name: str, charset: str | None, limits: PageLimits, rules: PageRules) -> PageModel:
    """Return the page model of file *name*, ``-`` for standard input; gzip is unpacked.

    *charset* is what a server would have named. Raises :exc:`InputError` for what is no page.
    """
    body = _body(name, limits.max_bytes + 1)
    if body.startswith(_WARC_MARK):
        raise InputError(f"{shown_name(name)} is a WARC file; give it to scrapy crawl warc")
    url = "" if name == STDIN else Path(name).resolve().as_uri()
    # Without a type the page model looks for tags.
    content_type = f"{media_type_of(name)};charset={charset or ''}"
    model = build_page(body, url=url, content_type=content_type, limits=limits, rules=rules)
    if model.reject == "content_type":
        raise InputError(f"{shown_name(name)} is no HTML and no plain text; name a page")
    return model


def lost_of_page(name: str, model: PageModel) -> str | None:
    """Return what a limit kept out of the text of file *name*, in a line; None when nothing."""
    said = [
        f"{getattr(model.limits, field):,} {cut} (PAGE_{field.upper()})"
        for cut, field in _TEXT_CUTS.items()
        if cut in model.cuts
    ]
    if not said:
        return None
    return f"of {shown_name(name)} only the first {' and '.join(said)} are read; set more"


def _body(name: str, most: int) -> bytes:
    """Return the first *most* bytes of file *name*, once unpacked."""
    try:
        is_stdin = name == STDIN
        source = standard_input().fileno() if is_stdin else name
        with open(source, "rb", closefd=not is_stdin) as stream:
            return _unpacked(stream, most)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{shown_name(name)} is damaged gzip ({error}); name a whole file"
        ) from error
    except OSError as error:
        raise _unreadable(name, error) from error


def _unpacked(stream: BufferedReader, most: int) -> bytes:
    if stream.peek(len(_GZIP_MARK)).startswith(_GZIP_MARK):
        with gzip.GzipFile(fileobj=stream) as unpacked:
            return unpacked.read(most)
    return stream.read(most)


def cleaned_page(
    name: str, model: PageModel, labels: Labels, *, with_links: bool = False
) -> dict[str, Any]:
    """Return the record of one cleaned page; *with_links* adds the links of its kept blocks, absolute as in
    Markdown.
    """
    known = metadata(model, fetched_at=datetime.now(UTC))
    record = {
        "file": shown_name(name),
        "title": known.title,
        "title_source": known.title_source,
        "author": known.author,
        "author_source": known.author_source,
        "date": known.date,
        "date_source": known.date_source,
        "description": known.description,
        "description_source": known.description_source,
        "site_name": known.site_name,
        "page_type": known.page_type,
        "charset": model.charset,
        "declared_language": model.declared_language,
        "text": model.main_text(labels.kept),
        "blocks": block_rows(model.blocks, labels.kept, labels.label, codes=model.code_texts),
    }
    if with_links:
        record["links"] = _links(model, labels)
    return record


def _links(model: PageModel, labels: Labels) -> list[dict[str, Any]]:
    references = model.references
    kept = labels.kept.tolist()
    texts = model.blocks.text
    most = model.limits.max_anchor_chars
    charset = model.charset or "utf-8"
    return [
        {"href": found, "anchor": anchor, "block": place}
        for href, anchor, kind, block in zip(
            references.href,
            references.anchor,
            references.kind.tolist(),
            references.block.tolist(),
            strict=True,
        )
        if kind == LinkKind.A
        # What is cut may be so within a word.
        if (place := _first_kept(anchor + " " * (len(anchor) < most), block, texts, kept))
        is not None
        if (found := absolute(model.base_url, href, charset=charset)) is not None
    ]


def _first_kept(anchor: str, block: int, texts: Sequence[str], kept: Sequence[bool]) -> int | None:
    """Return the first kept block of a link that begins in *block*, as cards do with a picture or a label.

    It goes on into the blocks behind whose *texts* its own, the *anchor*, has in their order; the last may begin
    with the rest of it. A blank stands behind an anchor that is whole.
    """
    words, place = f" {anchor}", 0
    for each in range(block, len(kept)):
        start = words.find(f" {texts[each]} ", place)
        is_last = start < 0 and each > block
        rest = words[place:].lstrip()
        if is_last and not (rest and f"{texts[each]} ".startswith(rest)):
            return None
        if kept[each]:
            return each
        if is_last:
            return None
        if start >= 0:
            place = start + len(texts[each]) + 1
    return None


def shown_name(name: str) -> str:
    """Return the *name* of a file as text that can be written in UTF-8."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _unreadable(name: str, error: OSError) -> InputError:
    why = error.strerror or error
    return InputError(f"cannot read {shown_name(name)}: {why}; name a file that can be read")
