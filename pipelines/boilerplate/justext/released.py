"""The released program's jusText: lengths in characters, headings, link density in characters.

What it does otherwise than the thesis, all of it kept so that paragraphs and classes are those of the package: a
paragraph is of ``length_low`` and ``length_high`` *characters* (70 and 200); stop words are counted among runs of
non-whitespace, in lower case, so that "the," is none; their densities are compared by ``>=``; link density is
characters within links, with the whitespace at their ends, over characters of the paragraph; "&copy" in the text forces
bad, too; ``body`` splits; two ``br`` count as consecutive across block-level tags; the first end tag of an ``a`` ends
the link. A heading that ends up bad becomes good when a finally good paragraph follows within 200 characters. The other
rule for headings, which would make short ones near-good first, has no effect in the package (it reads final classes
before they are given), and none here.

Its cleaner drops comments, scripts, styles, style sheets, ``head``, ``applet``, ``button``,
``input``, ``select`` and ``textarea`` with their content, and the tags ``form``, ``iframe``,
``embed``, ``layer``, ``object`` and ``param`` without it.

*Source: jusText 3.0.2 (core.py, paragraph.py), its documented algorithm.* The package reads the page
as lxml does; here the page's tree is read. They differ where the page model's tree differs from that
of a plain parse: beyond 256 nested elements, behind an early ``</html>``, in comments without an
end.

A block is kept when at least half of its words, counted by text node, are in good paragraphs, and
takes the label of the paragraph that has the most of them; blocks of which the paragraphs have
nothing are ``bad``. Cost: O(n) beside the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pipelines.boilerplate.justext.classes import (
    BAD,
    CLASS_NAMES,
    GOOD,
    MAX_HEADING_DISTANCE,
    NEAR_GOOD,
    SHORT,
    context_sensitive,
    headings_before_good,
    label_names,
)
from pipelines.boilerplate.justext.density import page_language
from pipelines.boilerplate.justext.tree_paragraphs import tree_paragraphs
from pipelines.boilerplate.labels import Labels
from pipelines.boilerplate.option_ranges import check_least, check_shares
from pipelines.boilerplate.reasons import of_blocks, percentage
from pipelines.boilerplate.tree_reasons import NO_TEXT
from pipelines.linguistics.stop_lists import stop_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.justext.tree_paragraphs import TreeParagraph
    from pipelines.boilerplate.reasons import Reasons

    I8 = npt.NDArray[np.int8]
    I64 = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ReleasedJusText:
    """The jusText 3 package with its defaults; *length_low* and *length_high* are in characters.

    *language* and *stop_list* as of ``JusText``; the package itself has to be told one. Raises ValueError
    as it does.
    """

    inline: ClassVar[Inline] = "transparent"

    length_low: int = 70
    length_high: int = 200
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    max_link_density: float = 0.2
    max_heading_distance: int = MAX_HEADING_DISTANCE
    headings: bool = True
    language: str | None = None
    stop_list: frozenset[str] | None = None

    def __post_init__(self) -> None:
        check_shares(
            stopwords_low=self.stopwords_low,
            stopwords_high=self.stopwords_high,
            max_link_density=self.max_link_density,
        )
        check_least(
            0,
            length_low=self.length_low,
            length_high=self.length_high,
            max_heading_distance=self.max_heading_distance,
        )
        if self.language is not None:
            stop_words(self.language)

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* by the classes of the paragraphs that have its text."""
        n_blocks = len(page.blocks)
        if not n_blocks or not len(page.runs):
            return Labels(np.zeros(n_blocks, np.bool_), [CLASS_NAMES[BAD]] * n_blocks)
        paragraphs, of_node = tree_paragraphs(page.tree)
        before, after = self.classify(page, paragraphs)
        kept, paragraph = _of_blocks(page, of_node, after)
        names = label_names(before, after)
        label = [names[k] if k >= 0 else CLASS_NAMES[BAD] for k in paragraph.tolist()]
        return Labels(kept, list(map(str, label)))

    def reasons(self, page: PageModel) -> Reasons:
        """Return the rules that gave each block of *page* its label, by its longest paragraph."""
        from pipelines.boilerplate.justext.reasons import classes, note

        about = note(self.language, self.stop_list, page)
        if not len(page.blocks) or not len(page.runs):
            return of_blocks(about, [NO_TEXT] * len(page.blocks))
        paragraphs, of_node = tree_paragraphs(page.tree)
        before, after = self.classify(page, paragraphs)
        stops = self._stops(page)
        told = [
            f"{self._rule(each, stops)[1]}: {classes(int(first), int(last))}"
            for each, first, last in zip(paragraphs, before, after, strict=True)
        ]
        _, paragraph = _of_blocks(page, of_node, after)
        return of_blocks(about, [told[k] if k >= 0 else NO_TEXT for k in paragraph.tolist()])

    def classify(self, page: PageModel, paragraphs: list[TreeParagraph]) -> tuple[I8, I8]:
        """Return the context-free and the final class of each of *paragraphs*."""
        stops = self._stops(page)
        before = np.array([self._rule(each, stops)[0] for each in paragraphs], np.int8)
        after = context_sensitive(before)
        if self.headings:
            is_heading = np.array([each.is_heading for each in paragraphs], np.bool_)
            n_chars = np.array([len(each.text) for each in paragraphs], np.int64)
            lost = is_heading & (after == BAD) & (before != BAD)
            found = headings_before_good(lost, after == GOOD, n_chars, self.max_heading_distance)
            after = np.where(found, GOOD, after).astype(np.int8)
        return before, after

    def _stops(self, page: PageModel) -> frozenset[str]:
        if self.stop_list is not None:
            return frozenset(map(str.lower, self.stop_list))
        return stop_words(self.language or page_language(page))

    def _rule(self, paragraph: TreeParagraph, stops: frozenset[str]) -> tuple[int, str]:
        """Return the context-free class of *paragraph*, and the rule that gave it in words."""
        text = paragraph.text
        links = paragraph.linked_chars / len(text) if text else 0.0
        if links > self.max_link_density:
            return (
                BAD,
                f"{percentage(links)} of it links, more than {percentage(self.max_link_density)}",
            )
        if "\N{COPYRIGHT SIGN}" in text or "&copy" in text or paragraph.in_select:
            return BAD, "it has the sign ©, or is a selection"
        if len(text) < self.length_low:
            few = f"{len(text)} of at least {self.length_low} characters"
            return (BAD, f"{few}, with links") if paragraph.linked_chars else (SHORT, few)
        words = text.split()
        density = sum(word.lower() in stops for word in words) / len(words) if words else 0.0
        share = f"{percentage(density)} stop words in {len(text):,} characters"
        if density >= self.stopwords_high:
            return (GOOD if len(text) > self.length_high else NEAR_GOOD), share
        return (NEAR_GOOD if density >= self.stopwords_low else BAD), share


def _of_blocks(page: PageModel, of_node: I64, after: I8) -> tuple[npt.NDArray[np.bool_], I64]:
    """Return which blocks are kept, and the paragraph of each that has most of its words, -1 for none."""
    n_blocks = len(page.blocks)
    pieces, nodes = page.tree.pieces, page.tree.nodes
    texts = [node.text for node in nodes]
    places = zip(pieces.node.tolist(), pieces.start.tolist(), pieces.end.tolist(), strict=True)
    words = np.array([len(texts[node][start:end].split()) for node, start, end in places], np.int64)
    paragraph = of_node[pieces.node]
    is_read = paragraph >= 0
    block, paragraph, words = pieces.block[is_read], paragraph[is_read], words[is_read]
    total = np.bincount(block, words, n_blocks)
    good = np.bincount(block, words * (after[paragraph] == GOOD), n_blocks)
    shares = np.zeros(n_blocks)
    longest = np.full(n_blocks, -1)
    # By words; the last of a block is the one that has the most.
    order = np.lexsort((-paragraph, words, block))
    block, paragraph = block[order], paragraph[order]
    longest[block] = paragraph
    np.divide(good, total, out=shares, where=total > 0)
    return shares >= 0.5, longest
