"""``scrapy gold change``, ``remove``, ``merge`` and ``list``: the documents of packages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.commands.base import add_flags
from crawler.commands.gold_making import add_package, add_package_options, named_file, package_of
from crawler.commands.subcommand import Subcommand
from crawler.errors import InputError
from crawler.wording import counted

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings


class ChangeDocument(Subcommand):
    """``scrapy gold change``."""

    short = "change a document of a package"
    long = (
        "Change the gold text, page, address or language of a document of a package.\n"
        "\n"
        "Example:\n"
        "  scrapy gold change mine.zip www.example.org-1 --text better.txt"
    )
    arguments = "PACKAGE ID"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_package(parser)
        parser.add_argument("id", metavar="ID", help="of the document")
        parser.add_argument("--text", type=Path, help="file of the gold text, UTF-8")
        parser.add_argument("--page", type=Path, help="file of the page as served")
        parser.add_argument("--url", help="its address")
        parser.add_argument("--language", help="its language, ISO 639-1")

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:  # noqa: ARG002
        from pipelines.jobs.gold_packages.changing import change_page

        change_page(opts.package, opts.id, _changes(opts))
        return f"{opts.package}: 1 document changed"


def _changes(opts: argparse.Namespace) -> dict[str, Any]:
    from crawler.page.words import evaluation_words
    from crawler.urls import page_key
    from pipelines.evaluation.readers.files import page_bytes, text
    from pipelines.linguistics.language_codes import check_gold_code

    changes: dict[str, Any] = {}
    if opts.text is not None:
        changes["gold"] = text(opts.text)
        if not evaluation_words(changes["gold"]):
            raise InputError(
                f"--text {opts.text} has no word; give the gold text, or remove the document"
            )
    if opts.page is not None:
        changes |= {"body": page_bytes(opts.page), "content_type": None}
        if not changes["body"].strip():
            raise InputError(f"--page {opts.page} is empty; give the page, or remove the document")
    if opts.url is not None and page_key(opts.url) is None:
        raise InputError(f"--url {opts.url!r} is no address of the web; give one of http or https")
    check_gold_code("--language", opts.language)
    for field in ("url", "language"):
        if getattr(opts, field) is not None:
            changes[field] = getattr(opts, field)
    if not changes:
        raise InputError("nothing to change; give --text, --page, --url or --language")
    return changes


class RemoveDocuments(Subcommand):
    """``scrapy gold remove``."""

    short = "remove documents of a package"
    long = (
        "Remove documents of a package.\n"
        "\n"
        "Example:\n"
        "  scrapy gold remove mine.zip www.example.org-1 www.example.org-2"
    )
    arguments = "PACKAGE ID ..."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_package(parser)
        parser.add_argument("ids", metavar="ID", nargs="+", help="of the documents")

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:  # noqa: ARG002
        from pipelines.jobs.gold_packages.changing import remove_pages

        remove_pages(opts.package, opts.ids)
        return f"{opts.package}: {counted(len(set(opts.ids)), 'document')} removed"


class MergePackages(Subcommand):
    """``scrapy gold merge``."""

    short = "make a new package of documents of gold standards"
    long = (
        "Make a new package of documents of others, or of any gold standards, all or some.\n"
        "\n"
        "Example:\n"
        "  scrapy gold merge few.zip mine.zip gold/ --only-language en --pages 100"
    )
    arguments = "PACKAGE GOLD ..."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        add_package(parser)
        parser.add_argument(
            "gold",
            type=named_file,
            nargs="+",
            metavar="GOLD",
            help="packages, or others that `evaluate` reads",
        )
        parser.add_argument("--ids", nargs="+", help="of the documents to take (default: all)")
        parser.add_argument("--only-language", help="take documents of this language")
        parser.add_argument("--pages", type=int, help="take so many of each, drawn by --seed")
        parser.add_argument("--seed", type=int, default=0, help="default %(default)s")
        add_package_options(parser)

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:  # noqa: ARG002
        from pipelines.jobs.gold_packages.changing import Selection, merge

        if opts.pages is not None and opts.pages < 1:
            raise InputError(f"--pages is {opts.pages}; give 1 or more")
        ids = None if opts.ids is None else frozenset(opts.ids)
        wanted = Selection(ids, opts.only_language, opts.pages, opts.seed)
        written = merge(opts.package, package_of(opts), opts.gold, wanted)
        return f"{opts.package}: {counted(len(written), 'document')} written"


class ListDocuments(Subcommand):
    """A table, or with ``--json`` an array."""

    short = "list the documents of packages"
    long = (
        "List the documents of packages: ids, languages, types, bytes, words of the gold text, addresses.\n"
        "\n"
        "Example:\n"
        "  scrapy gold list mine.zip --json"
    )
    arguments = "PACKAGE ..."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "packages", type=named_file, nargs="+", metavar="PACKAGE", help="their zip files"
        )
        add_flags(parser, (("json", "print one JSON array"),))

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:  # noqa: ARG002
        from crawler.page.words import evaluation_words
        from pipelines.evaluation.readers.gottron_zip import read
        from pipelines.evaluation.report.tables import aligned

        rows = [
            {
                "package": page.dataset,
                "id": page.page_id,
                "language": page.language,
                "type": page.page_type,
                "bytes": len(page.body),
                "words": len(evaluation_words(page.gold or "")),
                "url": page.url,
            }
            for path in opts.packages
            for page in read(path)
        ]
        if opts.json:
            return json.dumps(rows, ensure_ascii=False)
        lines = [[*rows[0]], *([str(value or "") for value in row.values()] for row in rows)]
        return "\n".join(aligned(lines))
