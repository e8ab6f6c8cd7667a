"""``scrapy gold make`` and ``add``: gold pages of pages as they were served, into packages.

*Source: Gottron 2008, sections 5.2.1 and 5.3.2; the file is told in* `pipelines.evaluation.readers.gottron_zip`,
*rules in* `pipelines.evaluation.landmarks.rules`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.commands.base import add_flags
from crawler.commands.subcommand import Subcommand
from crawler.errors import InputError
from crawler.wording import counted

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from pipelines.evaluation.readers.gottron_zip import Package
    from pipelines.jobs.gold_packages.making import GoldSource, Made

_PAGES = (
    "PAGES are files or folders of saved pages, WARC files, and folders of corpora that were crawled with "
    "WARC_ENABLED=1, of which the documents count. Pages that have no gold text are left out, and counted by the reason."
)


class MakePackage(Subcommand):
    """The number of documents, or with ``--json`` their ids, and why others were left out."""

    short = "make a new package of pages"
    long = (
        f"Make a new package of pages, with gold texts by --rules of their sites, or of --texts. {_PAGES}\n"
        "\n"
        "Examples:\n"
        "  scrapy gold make mine.zip pages/ --rules rules.toml\n"
        "  scrapy gold make mine.zip mycorpus --rules gottron-2008 --linked"
    )
    arguments = "PACKAGE PAGES ..."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        _add_page_options(parser)
        add_package_options(parser)
        add_flags(parser, (("linked", "with the stored pages that documents link to"),))

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:  # noqa: ARG002
        from crawler.commands.served_pages import ServedPages
        from pipelines.jobs.gold_packages.changing import make_package
        from pipelines.jobs.gold_packages.linked import LinkedPages
        from pipelines.jobs.gold_packages.making import Made

        package, served = package_of(opts), ServedPages(opts.pages)
        made, linked = Made(served, _source(opts)), LinkedPages(served.body)
        pages = linked.noted(made) if opts.linked else made
        make_package(opts.package, package, pages, linked=linked)
        return _told_made(opts, made, len(linked))


class AddPages(Subcommand):
    """As `MakePackage`, into a package that is there."""

    short = "add pages to a package"
    long = (
        f"Add pages to a package, with gold texts by --rules of their sites, or of --texts. {_PAGES}\n"
        "\n"
        "Example:\n"
        "  scrapy gold add mine.zip pages/ --texts texts/ --replace"
    )
    arguments = "PACKAGE PAGES ..."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        _add_page_options(parser)
        add_flags(parser, (("replace", "documents of the same id"),))

    def run(self, settings: BaseSettings, opts: argparse.Namespace) -> str:  # noqa: ARG002
        from crawler.commands.served_pages import ServedPages
        from pipelines.jobs.gold_packages.changing import add_pages
        from pipelines.jobs.gold_packages.making import Made

        made = Made(ServedPages(opts.pages), _source(opts))
        add_pages(opts.package, made, replacing=opts.replace)
        return _told_made(opts, made)


def named_file(text: str) -> Path:
    """Return the path that *text*, an argument, names; one that is empty, as of a variable that is not set, would name
    the folder where the command runs.
    """
    if not text:
        raise argparse.ArgumentTypeError("it is empty; name a file")
    if text == "-":
        raise argparse.ArgumentTypeError("it is '-', and no stream is one; name a file")
    return Path(text)


def add_package(parser: argparse.ArgumentParser) -> None:
    """Add to *parser* the package that a subcommand writes."""
    parser.add_argument("package", type=named_file, metavar="PACKAGE", help="its zip file")


def add_package_options(parser: argparse.ArgumentParser) -> None:
    """Add to *parser* what is told of a new package."""
    parser.add_argument("--name", help="of the package (default: that of its file)")
    parser.add_argument("--language", help="code of documents that tell none themselves")
    parser.add_argument("--type", help="of documents that tell none, such as news")


def package_of(opts: argparse.Namespace) -> Package:
    """Return the new package that *opts* tell of."""
    from pipelines.evaluation.readers.gottron_zip import Package, is_utf8
    from pipelines.linguistics.language_codes import check_gold_code

    check_gold_code("--language", opts.language)
    name = opts.name or opts.package.name.removesuffix(".zip")
    for option, text in (("--name", name), ("--type", opts.type or "")):
        if not is_utf8(text):
            raise InputError(f"{option} would be {text!r}, which is not UTF-8; give another")
    return Package(name, opts.language, opts.type)


def _add_page_options(parser: argparse.ArgumentParser) -> None:
    add_package(parser)
    parser.add_argument(
        "pages", nargs="+", metavar="PAGES", help="saved pages, WARC files, corpora"
    )
    parser.add_argument(
        "--rules", help="TOML file of rules of sites, or the published gottron-2008"
    )
    parser.add_argument(
        "--site",
        help="the rule for all pages, such as those of an archive (default: by their hosts)",
    )
    parser.add_argument("--texts", type=Path, help="folder of ID.txt, gold texts in UTF-8")
    add_flags(parser, (("json", "print ids, and why others were left out"),))


def _source(opts: argparse.Namespace) -> GoldSource:
    from pipelines.evaluation.landmarks.rules import read_rules
    from pipelines.jobs.gold_packages.making import ByRules, ByTexts

    if (opts.rules is None) == (opts.texts is None):
        raise InputError("give --rules or --texts, from which the gold texts are")
    if opts.texts is not None:
        if opts.site is not None:
            raise InputError("--site is of --rules; leave it out")
        return ByTexts(opts.texts)
    return ByRules(read_rules(opts.rules), opts.site)


def _told_made(opts: argparse.Namespace, made: Made, n_linked: int = 0) -> str:
    if opts.json:
        left = [each._asdict() for each in made.left]
        told = {"documents": made.ids, "linked": n_linked, "left_out": left}
        return json.dumps(told, ensure_ascii=False)
    others = f"; left out: {made.told_left()}" if made.left else ""
    linked = f", {counted(n_linked, 'page linked')}" if n_linked else ""
    return f"{opts.package}: {counted(len(made.ids), 'document')} written{linked}{others}"
