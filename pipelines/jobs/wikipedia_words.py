"""``python -m pipelines.jobs.wikipedia_words DUMP > words.tsv``: the frequency list of a Wikipedia.

A dump is one of ``pages-articles``, XML plain or packed by bzip2 or gzip, as https://dumps.wikimedia.org/ has it; ``-``
is standard input, unpacked. Articles are counted: pages of the main namespace that are no redirect. The list is that of
`pipelines.jobs.word_counts`, for ``scrapy keywords``: where a language has no corpus yet, words of middle frequency of
its Wikipedia are what to search for. *Source:* Pomikálek 2011, 1.3.3 (Corpus Factory: ranks 1001 to 6000, 5
characters).

Memory: that of `pipelines.linguistics.keyness.count_lists`, and one page.
"""

from __future__ import annotations

import bz2
import gzip
import sys
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from lxml import etree

from crawler.errors import InputError, ModuleParser, run_module, standard_input, tell
from crawler.page.words import nfc
from pipelines.jobs.word_counts import list_lines
from pipelines.linguistics.keyness import count_lists, words_of
from pipelines.linguistics.wiki_text import NAMESPACES, wiki_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

_MAIN = "0"


def articles(source: IO[bytes], name: str) -> Iterator[str]:
    """Yield the text of each article of the dump *source*, called *name*.

    Raises :exc:`InputError` for what is none, or is cut.
    """
    namespaces = set(NAMESPACES)
    try:
        parsed = etree.iterparse(
            source,
            events=("end",),
            tag=("{*}namespace", "{*}page"),
            huge_tree=True,
            resolve_entities=False,
        )
        for _, element in parsed:
            if etree.QName(element).localname == "namespace":
                namespaces.add((element.text or "").strip().lower())
                continue
            if _said(element, "ns") == _MAIN and element.find("{*}redirect") is None:
                yield nfc(wiki_text(_said(element, "revision/{*}text"), namespaces - {""}))
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except (etree.XMLSyntaxError, EOFError, OSError) as error:
        raise InputError(f"{name} is cut, or no dump of a wiki ({error}); get it again") from error


def _said(page: etree._Element, path: str) -> str:
    return cast("str", page.findtext(f"{{*}}{path}")) or ""


def main(arguments: list[str] | None = None) -> int:
    """Print the frequency list of the dump that *arguments* name; return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    if options.pages is not None and options.pages < 1:
        raise InputError(f"--pages is {options.pages}; give 1 or more")
    with ExitStack() as opened:
        source = _opened(options.dump, opened)
        found = count_lists(
            words_of(text) for text in islice(articles(source, options.dump), options.pages)
        )
    if not found.n_words:
        raise InputError(f"{options.dump} has no article with words; give a dump of pages-articles")
    if found.max_missed:
        tell(
            f"rare words were forgotten for want of room; counts fall short by at most {found.max_missed:,}"
        )
    sys.stdout.writelines(f"{line}\n" for line in list_lines(found.counts))


def _opened(name: str, opened: ExitStack) -> IO[bytes]:
    if name == "-":
        return standard_input()
    path = Path(name)
    with path.open("rb") as file:
        start = file.read(3)
    if start == b"BZh":
        return opened.enter_context(bz2.open(path))
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", opened.enter_context(gzip.open(path)))
    return opened.enter_context(path.open("rb"))


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.jobs.wikipedia_words",
        description="Print the frequency list of a dump of Wikipedia, for `scrapy keywords --corpus LIST --ranks 1001-6000`.",
    )
    parser.add_argument("dump", metavar="DUMP", help="XML, plain, .bz2 or .gz; - is standard input")
    parser.add_argument("--pages", type=int, help="articles to count, the first ones (all)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
