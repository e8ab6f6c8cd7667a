"""Labelled blocks with their shallow features, from folders of gold pages.

Classes, as in the four-class problem of *Kohlschütter 2011, section 4.4.3*: boilerplate, full text,
headline, supplemental; in the two-class problem all but the first are content. Where annotators told these parts
apart, comments are full text, and related content is content, but none of the four. Most gold standards
mark main text only, so (decision):

- full text is what the gold holds (:mod:`.gold_labels`; labels of text nodes, where there are any);
- of that, blocks in h1 to h6 are headlines, and blocks in a ``figcaption`` or ``caption`` supplemental;
- supplemental are also blocks of which the annotators were uncertain or divided: the rules of KrdWrd
  put captions there.

The feature of frequency counts equal block texts in all the folders read, in place of a crawl.
Pages without gold text, or without a block, are left out. Blocks are those of ``inline="gap"``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.errors import InputError
from crawler.page import build_page
from pipelines.boilerplate.shallow_features import ALL, LOCAL, QUOTIENTS, shallow_features
from pipelines.evaluation.gold import GOOD, PARTS, TIED, UNCERTAIN
from pipelines.evaluation.readers import check_once, open_dataset
from pipelines.evaluation.training.classifiers import Instances
from pipelines.evaluation.training.gold_labels import label_blocks, label_by_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from crawler.page.blocks import Blocks
    from pipelines.evaluation.gold import GoldPage

BOILERPLATE, FULL_TEXT, HEADLINE, SUPPLEMENTAL, RELATED = range(5)
FOUR_CLASSES = ("boilerplate", "full text", "headline", "supplemental")
TWO_CLASSES = ("boilerplate", "content")
# Every feature of the table, those that are in no larger set too.
NAMES = tuple(dict.fromkeys((*LOCAL, *QUOTIENTS, *ALL)))
_CLASS_OF_PART = dict(
    zip(PARTS, (BOILERPLATE, HEADLINE, FULL_TEXT, SUPPLEMENTAL, RELATED, FULL_TEXT), strict=True)
)
_CAPTIONS = frozenset({"figcaption", "caption"})


class Examples(NamedTuple):
    """Blocks of many pages: features by ``NAMES``, class, words, number of the page and of its site."""

    features: npt.NDArray[np.float64]
    label: npt.NDArray[np.int64]
    n_words: npt.NDArray[np.float64]
    page: npt.NDArray[np.int64]
    site: npt.NDArray[np.int64]

    def instances(
        self, names: Sequence[str], *, n_classes: int = 2, by_site: bool = False
    ) -> Instances:
        """Return what is learned from with the features called *names*, in 2 or 4 classes."""
        if n_classes not in {2, 4}:
            raise ValueError(f"n_classes must be 2 or 4, got {n_classes}")
        places = [NAMES.index(name) for name in names]
        four = np.where(self.label == RELATED, BOILERPLATE, self.label)
        label = four if n_classes == 4 else np.minimum(self.label, 1)
        group = self.site if by_site else self.page
        return Instances(self.features[:, places], label, self.n_words, group, n_classes)


def read_examples(folders: Sequence[Path]) -> Examples:
    """Return the blocks of all gold pages in *folders*.

    Raises InputError when there are no pages with gold text, and for a folder that is given twice: its pages would
    be learned from and judged.
    """
    check_once(folders)
    pages: list[tuple[GoldPage, Blocks]] = []
    for folder in folders:
        for gold in open_dataset(folder):
            blocks = _blocks(gold)
            if gold.gold is not None and len(blocks):
                pages.append((gold, blocks))
    if not pages:
        raise InputError("no page has gold text; give folders of gold pages, with gold/ID.txt")
    frequencies = Counter(text for _, blocks in pages for text in blocks.text)
    n_blocks = [len(blocks) for _, blocks in pages]
    sites = [gold.site or f"page {number}" for number, (gold, _) in enumerate(pages)]
    _, site = np.unique(sites, return_inverse=True)
    return Examples(
        np.concatenate([shallow_features(blocks, NAMES, frequencies) for _, blocks in pages]),
        np.concatenate([block_classes(blocks, gold) for gold, blocks in pages]),
        np.concatenate([blocks.n_words for _, blocks in pages]).astype(np.float64),
        np.repeat(np.arange(len(pages)), n_blocks),
        np.repeat(site.astype(np.int64), n_blocks),
    )


def _blocks(gold: GoldPage) -> Blocks:
    url = gold.url or "http://localhost/"
    return build_page(gold.body, url=url, content_type=gold.content_type).blocks


def block_classes(blocks: Blocks, gold: GoldPage) -> npt.NDArray[np.int64]:
    """Return which of ``FOUR_CLASSES``, or ``RELATED``, each of *blocks* is of, by *gold*."""
    if any(node.part for node in gold.node_labels):
        nodes = [node._replace(label=node.part) for node in gold.node_labels]
        parts = label_by_nodes(blocks.text, nodes)
        return np.array([_CLASS_OF_PART.get(part or "", BOILERPLATE) for part in parts], np.int64)
    if gold.node_labels:
        said = label_by_nodes(blocks.text, gold.node_labels)
        is_main = np.array([label == GOOD for label in said], dtype=np.bool_)
        is_unsure = np.array([label in {UNCERTAIN, TIED} for label in said], dtype=np.bool_)
    else:
        is_main = label_blocks(blocks.text, gold.gold or "")
        is_unsure = np.zeros_like(is_main)
    is_caption = np.array(
        [not _CAPTIONS.isdisjoint(path.split("/")) for path in blocks.path], dtype=np.bool_
    )
    # the first that holds
    choices = (is_unsure | (is_main & is_caption), is_main & (blocks.heading_level > 0), is_main)
    return np.select(choices, (SUPPLEMENTAL, HEADLINE, FULL_TEXT), BOILERPLATE).astype(np.int64)
