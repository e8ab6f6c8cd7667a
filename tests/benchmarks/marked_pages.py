"""The pages that were segmented by hand: dataset-random of ``../shared``, in two forms.

The annotators' own copy of the DOM has the marks in it. The page as it was served is another
source, in which the marked words are looked for; it counts when nine tenths of its words are found
(51 of 77 pages).
"""

from __future__ import annotations

import gzip
import json
import sys
from typing import TYPE_CHECKING, NamedTuple

from crawler.page import build_page
from pipelines.segmentation import gold, studies
from tests.conftest import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from crawler.page import Blocks

DATA = SHARED / "data" / "segmentation" / "rkrzr-random"
MIN_MATCHED = 0.9


class Marked(NamedTuple):
    """A marked page: its blocks, gold labels by level, how many of its words have a partner."""

    blocks: Blocks
    labels: dict[int, gold.Labels]
    n_matched: int


def marked_pages(*, served: bool) -> list[Marked]:
    """Return the pages with words; without the data, say so in one line and exit with 2.

    *served* takes the blocks from the answers instead of the annotators' copies.
    """
    if not DATA.is_dir():
        sys.stderr.write(f"needs {DATA}, which is not part of the project\n")
        raise SystemExit(2)
    pages = []
    for line in (DATA / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        name = f"{told['id']}.html.gz"
        copy = gzip.decompress((DATA / "blocks" / name).read_bytes())
        marked = gold.read_marked(copy.decode(told["encoding"], "replace"))
        body, header = marked.source.encode(), "text/html; charset=utf-8"
        if served:
            if not told["has_orig"]:
                continue
            body, header = gzip.decompress((DATA / "orig" / name).read_bytes()), "text/html"
        blocks = build_page(body, url=told["url"], content_type=header).blocks
        found = {
            level: gold.align(marked.words, labels, blocks.text)
            for level, labels in marked.labels.items()
        }
        n_matched = found[1].n_matched
        if n_matched and n_matched >= MIN_MATCHED * int(blocks.n_tokens.sum()):
            labels = {level: aligned.labels for level, aligned in found.items()}
            pages.append(Marked(blocks, labels, n_matched))
    return pages


def gold_pages(pages: Iterable[Marked], level: int) -> list[studies.GoldPage]:
    """Return *pages* with the gold of *level* as a 1-D segmentation."""
    return [studies.GoldPage(page.blocks, gold.runs(page.labels[level])) for page in pages]
