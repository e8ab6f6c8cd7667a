"""``python -m crawler.commands.gold_packages``: makes evaluation packages for ``scrapy evaluate``, and changes them.

::

    make PACKAGE PAGES …      a new package of pages, with gold texts by --rules of their sites, or of --texts
    add PACKAGE PAGES …       the same, into one that is there
    change PACKAGE ID         other gold text, page, address or language of a document
    remove PACKAGE ID …       documents out of it
    merge PACKAGE GOLD …      a new package of documents of others, or of any gold standards, all or some
    list PACKAGE …            what packages have

PAGES are files or folders of saved pages, WARC files, and folders of corpora that were crawled with WARC_ENABLED=1, of which the
documents count. A document's id is the name of its file, or its host with a number made of its address.
*Source: Gottron 2008, sections 5.2.1 and 5.3.2; the file is told in* `pipelines.evaluation.readers.gottron_zip`, *rules in*
`pipelines.evaluation.landmarks.rules`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.commands.served_pages import ServedPages
from crawler.errors import InputError, ModuleParser, run_module
from crawler.page.words import evaluation_words
from crawler.urls import page_key
from crawler.wording import counted
from pipelines.evaluation.landmarks.rules import PUBLISHED, read_rules
from pipelines.evaluation.readers.files import page_bytes, text
from pipelines.evaluation.readers.gottron_zip import Package, read
from pipelines.evaluation.report.tables import aligned
from pipelines.jobs.gold_packages.changing import (
    Selection,
    add_pages,
    change_page,
    make_package,
    merge,
    remove_pages,
)
from pipelines.jobs.gold_packages.linked import LinkedPages
from pipelines.jobs.gold_packages.making import ByRules, ByTexts, Made

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipelines.jobs.gold_packages.making import GoldSource


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what *arguments* ask for; return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: options.run(options))


def _make(options: argparse.Namespace) -> None:
    served = ServedPages(options.pages)
    made, linked = Made(served, _source(options)), LinkedPages(served.body)
    pages = linked.noted(made) if options.linked else made
    make_package(options.package, _description(options), pages, linked=linked)
    _tell_made(options, made, len(linked))


def _add(options: argparse.Namespace) -> None:
    made = Made(ServedPages(options.pages), _source(options))
    add_pages(options.package, made, replacing=options.replace)
    _tell_made(options, made)


def _source(options: argparse.Namespace) -> GoldSource:
    if (options.rules is None) == (options.texts is None):
        raise InputError("give --rules or --texts, from which the gold texts are")
    if options.texts is not None:
        if options.site is not None:
            raise InputError("--site is of --rules; leave it out")
        return ByTexts(options.texts)
    return ByRules(read_rules(options.rules), options.site)


def _description(options: argparse.Namespace) -> Package:
    name = options.name or options.package.name.removesuffix(".zip")
    return Package(name, options.language, options.type)


def _tell_made(options: argparse.Namespace, made: Made, n_linked: int = 0) -> None:
    if options.json:
        left = [each._asdict() for each in made.left]
        told = {"documents": made.ids, "linked": n_linked, "left_out": left}
        print(json.dumps(told, ensure_ascii=False))
        return
    others = f"; left out: {made.told_left()}" if made.left else ""
    linked = f", {counted(n_linked, 'page linked')}" if n_linked else ""
    print(f"{options.package}: {counted(len(made.ids), 'document')} written{linked}{others}")


def _change(options: argparse.Namespace) -> None:
    changes: dict[str, Any] = {}
    if options.text is not None:
        changes["gold"] = text(options.text)
        if not evaluation_words(changes["gold"]):
            raise InputError(
                f"--text {options.text} has no word; give the gold text, or remove the document"
            )
    if options.page is not None:
        changes |= {"body": page_bytes(options.page), "content_type": None}
    if options.url is not None and page_key(options.url) is None:
        raise InputError(
            f"--url {options.url!r} is no address of the web; give one of http or https"
        )
    for field in ("url", "language"):
        if getattr(options, field) is not None:
            changes[field] = getattr(options, field)
    if not changes:
        raise InputError("nothing to change; give --text, --page, --url or --language")
    change_page(options.package, options.id, changes)


def _remove(options: argparse.Namespace) -> None:
    remove_pages(options.package, options.ids)


def _merge(options: argparse.Namespace) -> None:
    if options.pages is not None and options.pages < 1:
        raise InputError(f"--pages is {options.pages}; give 1 or more")
    ids = None if options.ids is None else frozenset(options.ids)
    wanted = Selection(ids, options.only_language, options.pages, options.seed)
    written = merge(options.package, _description(options), options.gold, wanted)
    print(f"{options.package}: {counted(len(written), 'document')} written")


def _list(options: argparse.Namespace) -> None:
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
        for path in options.packages
        for page in read(path)
    ]
    if options.json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    lines = [[*rows[0]], *([str(value or "") for value in row.values()] for row in rows)]
    print("\n".join(aligned(lines)))


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog=f"python -m {__spec__.name if __spec__ else __name__}",
        description=(__doc__ or "").partition("*Source")[0].replace("::\n\n", "").replace("``", ""),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    adders = parser.add_subparsers(required=True, metavar="ACTION")

    def action(name: str, run: Callable[[argparse.Namespace], None], told: str) -> ModuleParser:
        added = adders.add_parser(name, help=told, description=told)
        added.set_defaults(run=run)
        if name != "list":
            added.add_argument("package", type=Path)
        return added

    make = action("make", _make, "make a new package of pages")
    add = action("add", _add, "add pages to a package")
    for each in (make, add):
        _add_page_options(each)
    make.add_argument(
        "--linked", action="store_true", help="with the stored pages that documents link to"
    )
    add.add_argument("--replace", action="store_true", help="documents of the same id")
    change = action("change", _change, "change a document of a package")
    change.add_argument("id")
    change.add_argument("--text", type=Path, help="file of the gold text, UTF-8")
    change.add_argument("--page", type=Path, help="file of the page as served")
    change.add_argument("--url", help="its address")
    change.add_argument("--language", help="its language, ISO 639-1")
    action("remove", _remove, "remove documents of a package").add_argument("ids", nargs="+")
    merged = action("merge", _merge, "make a new package of documents of gold standards")
    _add_selection_options(merged)
    for each in (make, merged):
        each.add_argument("--name", help="of the package (default: that of its file)")
        each.add_argument("--language", help="of documents that tell none themselves")
        each.add_argument("--type", help="of documents that tell none, such as news")
    shown = action("list", _list, "list the documents of packages")
    shown.add_argument("packages", type=Path, nargs="+")
    shown.add_argument("--json", action="store_true", help="print one JSON array")
    return parser


def _add_page_options(parser: ModuleParser) -> None:
    parser.add_argument(
        "pages", nargs="+", help="saved pages, WARC files, corpora; see --help above"
    )
    published = ", ".join(PUBLISHED)
    parser.add_argument(
        "--rules", help=f"TOML file of rules of sites, or the published {published}"
    )
    parser.add_argument(
        "--site",
        help="the rule for all pages, such as those of an archive (default: by their hosts)",
    )
    parser.add_argument("--texts", type=Path, help="folder of ID.txt, gold texts in UTF-8")
    parser.add_argument(
        "--json", action="store_true", help="print ids, and why others were left out"
    )


def _add_selection_options(parser: ModuleParser) -> None:
    parser.add_argument(
        "gold", type=Path, nargs="+", help="packages, or others that `evaluate` reads"
    )
    parser.add_argument("--ids", nargs="+", help="of the documents to take (default: all)")
    parser.add_argument("--only-language", help="take documents of this language")
    parser.add_argument("--pages", type=int, help="take so many of each, drawn by --seed")
    parser.add_argument("--seed", type=int, default=0, help="default %(default)s")


if __name__ == "__main__":
    sys.exit(main())
