"""Canola in two parts, one to develop methods on and one to test them, as Pomikálek divided it.

Pages with a text node that nobody annotated are left out (:mod:`.readers.canola`). Those whose text nodes another
program reads otherwise (:func:`~.measures.text_nodes.is_aligned`) are for development: its labels cannot be
scored node by node. Of all others *n_test* are drawn to test on, and those left are for development, too::

    219 pages - 22 not annotated = 197;  197 - 31 misaligned = 166 = 100 (test) + 66;  66 + 31 = 97 (development)

*Source: Pomikálek 2011, section 2.9*, where the other program is Victor. The thesis does not say which 100 pages it
drew; here *seed* decides. It used the misaligned pages for development only because it had found no more boilerplate in
them than in others. That need not be so (the pages that align with Canola's ``.stat`` files have 19%, others 32%):
the share of good text in each part is printed, and a far lower one says that the part is of another kind of pages.

``python -m pipelines.evaluation.canola_split FOLDER OUTPUT [--nodes NODES]`` copies the pages to ``OUTPUT/dev`` and
``OUTPUT/test``, which are gold standards of their own. ``NODES/ID.txt`` has the text nodes of page ID as the
other program read them, one a line; a page without such a file is misaligned.
Invariant: no page is in both parts, and each annotated page is in one; the order of the pages changes nothing.
"""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crawler.durable.files import atomic_folder
from crawler.errors import InputError, ModuleParser, run_module
from crawler.wording import counted
from pipelines.evaluation.measures.text_nodes import is_aligned, node_counts
from pipelines.evaluation.readers import open_dataset
from pipelines.evaluation.readers.files import optional_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pipelines.evaluation.gold import GoldPage

# Section 2.9.
TEST_PAGES = 100


class Split(NamedTuple):
    """The ids of the pages of each part, sorted."""

    dev: tuple[str, ...]
    test: tuple[str, ...]


def split_pages(
    page_ids: Iterable[str],
    misaligned: Collection[str] = (),
    *,
    n_test: int = TEST_PAGES,
    seed: int = 0,
) -> Split:
    """Divide *page_ids*: *misaligned* ones are for development, of the others *n_test* are drawn by *seed*.

    Raises ValueError where fewer than *n_test* are aligned.

    >>> split_pages("abcd", misaligned={"b"}, n_test=2)
    Split(dev=('a', 'b'), test=('c', 'd'))
    """
    every = sorted(set(page_ids))
    aligned = [name for name in every if name not in misaligned]
    if not 0 <= n_test <= len(aligned):
        raise ValueError(f"n_test must be 0 to {len(aligned)}, the aligned pages, got {n_test}")
    test = set(random.Random(seed).sample(aligned, n_test))
    return Split(tuple(name for name in every if name not in test), tuple(sorted(test)))


def misaligned_pages(pages: Iterable[GoldPage], nodes: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the ids of the *pages* whose text nodes another program, which read *nodes* of each id, reads
    otherwise.
    """
    found = set()
    for page in pages:
        theirs = nodes.get(page.page_id)
        if theirs is None or not is_aligned([node.text for node in page.node_labels], theirs):
            found.add(page.page_id)
    return found


def good_share(pages: Iterable[GoldPage]) -> float:
    """Return the share of good text among the good and the bad of *pages*, by characters; 0 where there is none."""
    counts = [node_counts(page.node_labels, [True] * len(page.node_labels)) for page in pages]
    n_all = sum(count.n_extracted for count in counts)
    return sum(count.n_gold for count in counts) / n_all if n_all else 0.0


def write_split(folder: Path, output: Path, split: Split) -> None:
    """Copy the pages of *split* from the annotated ones in *folder* to ``dev`` and ``test`` in *output*.

    Raises InputError when *output* holds something.
    """
    if output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise InputError(f"{output} is there already; name a new folder")
    with atomic_folder(output) as unfinished:
        for part, ids in split._asdict().items():
            (unfinished / part).mkdir()
            for page_id in ids:
                file = _file_of(folder, page_id)
                shutil.copyfile(file, unfinished / part / file.name)


def _file_of(folder: Path, page_id: str) -> Path:
    plain = folder / f"{page_id}.html"
    return plain if plain.exists() else plain.with_name(f"{plain.name}.gz")


def main(arguments: list[str] | None = None) -> int:
    """Write the parts of the folder that *arguments* name, print what they hold, and return the exit status."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    pages = {page.page_id: page for page in open_dataset(options.folder, "canola")}
    misaligned = set()
    if options.nodes is not None:
        texts = {name: optional_text(options.nodes / f"{name}.txt") for name in pages}
        nodes = {name: _lines(text) for name, text in texts.items() if text is not None}
        misaligned = misaligned_pages(pages.values(), nodes)
    try:
        split = split_pages(pages, misaligned, n_test=options.test, seed=options.seed)
    except ValueError as error:
        raise InputError(f"{error}; give another --test") from error
    write_split(options.folder, options.output, split)
    for part, ids in split._asdict().items():
        share = good_share(pages[name] for name in ids)
        held = f"{counted(len(ids), 'page')}, {share:.1%} good text"
        sys.stdout.write(f"{options.output / part}: {held}\n")


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.evaluation.canola_split",
        description="Divide Canola's annotated pages into a part for development and one to test on.",
    )
    parser.add_argument("folder", type=Path, help="the annotated pages, ID.html or ID.html.gz")
    parser.add_argument("output", type=Path, help="the folder that gets dev and test")
    parser.add_argument(
        "--nodes",
        type=Path,
        help="ID.txt with the text nodes of each page as another program reads them, one a line; "
        "pages that do not align are for development (default: all do)",
    )
    parser.add_argument(
        "--test", type=int, default=TEST_PAGES, help="pages to test on (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
