"""Pages with a label for each block, for the training of the surveyed methods.

A block is main content when the gold text has it (:mod:`.gold_labels`). Where annotators labelled the
text nodes, a block has the label that most of its words have; what they were uncertain or divided
about, and what is not among the nodes, is left out of training.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import InputError
from crawler.page import build_page
from crawler.page.limits import PageRules
from pipelines.evaluation.gold import BAD, GOOD
from pipelines.evaluation.readers import open_dataset
from pipelines.evaluation.training.gold_labels import label_blocks, label_by_nodes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.evaluation.gold import GoldPage


class LabelledPage(NamedTuple):
    """A page, and of each block whether it is main content; blocks that are not *known* are not used."""

    page: PageModel
    is_main: npt.NDArray[np.bool_]
    known: npt.NDArray[np.bool_]


def labelled_pages(
    folder: Path, inline: Inline, sets: Collection[str] = ()
) -> Iterator[LabelledPage]:
    """Give the pages of the gold standards in *folder* that have main text, in order of their names.

    *sets*: the names of those that are read, all when it is empty. Raises InputError behind the last when there is
    no such page, and when no block of them, or each, is main content: there is nothing to tell apart then.
    """
    n_pages = n_main = n_other = 0
    for gold in open_dataset(folder):
        if gold.gold is None or (sets and gold.dataset not in sets):
            continue
        page = build_page(
            gold.body,
            url=gold.url or "http://localhost/",
            content_type=gold.content_type,
            rules=PageRules(inline),
        )
        if not len(page.blocks):
            continue
        n_pages += 1
        labelled = _labelled(page, gold)
        n_main += int((labelled.is_main & labelled.known).sum())
        n_other += int((~labelled.is_main & labelled.known).sum())
        yield labelled
    of_sets = f" of the set {' or '.join(sorted(sets))}" if sets else ""
    if not n_pages:
        raise InputError(
            f"{folder}: no page{of_sets} has main text; give gold pages with gold/ID.txt"
        )
    if not n_main or not n_other:
        which = "every" if n_main else "no"
        raise InputError(
            f"{folder}: {which} block of the pages{of_sets} is main content; give pages that have both kinds"
        )


def _labelled(page: PageModel, gold: GoldPage) -> LabelledPage:
    if gold.node_labels:
        labels = np.array(label_by_nodes(page.blocks.text, gold.node_labels), object)
        return LabelledPage(page, labels == GOOD, (labels == GOOD) | (labels == BAD))
    is_main = label_blocks(page.blocks.text, gold.gold or "")
    return LabelledPage(page, is_main, np.ones(len(page.blocks), np.bool_))
