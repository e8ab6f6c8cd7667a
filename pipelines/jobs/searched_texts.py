"""What programs that look for words in the texts of a corpus have in common: the texts, and how finds are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.linguistics.language_codes import UNDETERMINED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from crawler.errors import ModuleParser
    from pipelines.corpus.corpus import Corpus

BLOCKS = ("kept", "all")


def add_text_arguments(parser: ModuleParser) -> None:
    """Add the arguments that say which texts are read, and how what is found is printed."""
    parser.add_argument(
        "--language",
        metavar="CODES",
        help="codes of ISO 639-1, or und: texts of these only, such as de,en",
    )
    parser.add_argument(
        "--blocks",
        default=BLOCKS[0],
        help=f"kept, or all of the page, as it was before cleaning ({BLOCKS[0]})",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def check_wanted(
    wanted: object, known: Mapping[str, Collection[str]], least: Mapping[str, int]
) -> None:
    """Raise ValueError for a field of *wanted* that is none of those *known*, or below its *least* value."""
    for name, values in known.items():
        if getattr(wanted, name) not in values:
            raise ValueError(f"{name} must be one of {', '.join(values)}")
    for name, smallest in least.items():
        if (value := getattr(wanted, name)) < smallest:
            raise ValueError(f"{name.removeprefix('n_')} must be at least {smallest}, got {value}")


def texts_of(corpus: Corpus, languages: frozenset[str], blocks: str) -> Iterator[tuple[str, str]]:
    """Yield URL and text of each document of *languages*, all if there are none, of *blocks*, in lines.

    A document without a language is of `UNDETERMINED`.
    """
    column = "text" if blocks == "kept" else "blocks"
    for row in corpus.documents(["url", "language", column]):
        if languages and (row["language"] or UNDETERMINED) not in languages:
            continue
        if blocks == "kept":
            yield row["url"], row["text"] or ""
        else:
            yield row["url"], "\n".join(block["text"] for block in row["blocks"] or ())
