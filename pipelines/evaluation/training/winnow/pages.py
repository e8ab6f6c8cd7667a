"""Pages of gold standards as what the forests of winnow learn from.

Two targets. *Main* is the main text, user comments beside it left out; *full* is with them. Gold standards
differ in whether comments are in the gold, so the labels of blocks in places for comments
(``comments.may_be_comments``) are made of:

- pages whose main text is itself a discussion (page type *forum*), and pages with next to no other gold
  text: as the gold says, in both targets;
- other pages: none is main text; in the full text they are as a reader marked them (``comment_marks.py``), else as the
  gold says, where it has any of them or the page was read, else blocks of ten good words or more are in, blocks of
  fewer than four words out, others have no weight.

Where the standard gives segments only, blocks that hold one are labelled, the others have no weight.
A page of no known type that has places for comments is no forum when nothing wanted stands in them, or enough
elsewhere for a main text.
A block weighs its words' share of the page's; a page weighs 100. In the full text those in places for comments, for
which alone its forest is asked, weigh more.

Pages of KrdWrd are learnt from, and cross-validated, with its marks of text nodes (`learnt_body`); methods are
evaluated on them without.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.page import PageRules, build_page
from crawler.page.streamed import in_place
from crawler.page.words import collapsed, evaluation_words
from pipelines.boilerplate.winnow.comments import MAIN_WORDS, may_be_comments
from pipelines.boilerplate.winnow.features.matrix import features
from pipelines.boilerplate.winnow.manuals import is_manual
from pipelines.evaluation.training.gold_labels import label_blocks
from pipelines.evaluation.training.winnow.comment_marks import marked_comments

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.limits import Inline
    from crawler.page.links import References
    from pipelines.evaluation.gold import GoldPage

    Bools = npt.NDArray[np.bool_]
    F32 = npt.NDArray[np.float32]
    F64 = npt.NDArray[np.float64]

PAGE_WEIGHT = 100.0
# Of a page with segments only: a labelled block of 20 words.
SEGMENT_WEIGHT = 15.0
_LONG_WORDS, _SHORT_WORDS = 10, 4
# By cross-validation.
_PLACES_WEIGHT = 3.0
_FORUM = "forum"
# Trees that learnt from pages in which no inline tag divides blocks were no better, and these do as well on such pages.
_LEARNT_INLINE: Inline = "transparent"


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What one forest learns from a page: ``wanted: bool[n]``, ``weight: float64[n]``."""

    wanted: Bools
    weight: F64


@dataclass(frozen=True, slots=True, eq=False)
class TrainingPage:
    """The blocks of a page, n of them; *n_words* as the choice counts them.

    *is_forum* is None where neither the standard nor the places of what it wants tell.
    """

    dataset: str
    site: str
    texts: list[str]
    x: F32
    links: References
    n_words: F64
    main: Target
    full: Target
    gold: Counter[str] | None
    required: tuple[str, ...]
    forbidden: tuple[str, ...]
    is_forum: bool | None
    is_manual: bool


def training_page(gold: GoldPage) -> TrainingPage | None:
    """Return a page as training reads it; None for one without text."""
    url = gold.url or f"http://{gold.site or 'page.invalid'}/"
    rules = PageRules(inline=_LEARNT_INLINE)
    # As the method reads pages, though by other rules.
    body = in_place(learnt_body(gold))
    page = build_page(body, url=url, content_type=gold.content_type, rules=rules)
    texts = page.blocks.text.strings
    if not texts:
        return None
    x = features(page)
    places = may_be_comments(x)
    sizes = np.array([len(evaluation_words(text)) + 1.0 for text in texts])
    wanted = _wanted(gold, texts)
    main = full = _of_segments(gold, texts, wanted, sizes)
    if gold.gold is not None:
        main, full = _targets(gold, wanted, places, sizes, marked_comments(gold, page))
    return TrainingPage(
        dataset=gold.dataset,
        site=gold.site or f"{gold.dataset}/{gold.page_id}",
        texts=texts,
        x=x,
        links=page.references,
        n_words=page.blocks.n_words.astype(np.float64),
        main=main,
        full=Target(full.wanted, np.where(places, _PLACES_WEIGHT, 1.0) * full.weight),
        gold=None if gold.gold is None else Counter(evaluation_words(gold.gold)),
        required=gold.required,
        forbidden=gold.forbidden,
        is_forum=_is_forum(gold, wanted, places, sizes),
        is_manual=is_manual(x, page.source),
    )


def learnt_body(gold: GoldPage) -> bytes:
    """Return the page with the marks of its annotators, where it has any.

    They tell the trees which pages are of a standard with a convention of its own, so that others are not judged by
    that; what this is worth is told beside the other figures of the training.
    """
    return gold.body if gold.marked_body is None else gold.marked_body


def _wanted(gold: GoldPage, texts: list[str]) -> Bools:
    if gold.gold is not None:
        return label_blocks(texts, gold.gold)
    return np.array([_holds(text, gold.required) for text in texts], np.bool_)


def _is_forum(gold: GoldPage, wanted: Bools, places: Bools, sizes: F64) -> bool | None:
    if gold.page_type is not None:
        return gold.page_type == _FORUM
    has_main = sizes[wanted & ~places].sum() >= MAIN_WORDS
    return False if places.any() and (has_main or not (wanted & places).any()) else None


def _targets(
    gold: GoldPage, wanted: Bools, places: Bools, sizes: F64, marked: Bools | None
) -> tuple[Target, Target]:
    weight = sizes / sizes.sum() * PAGE_WEIGHT
    is_discussion = gold.page_type == _FORUM or sizes[wanted & ~places].sum() < MAIN_WORDS
    if is_discussion:
        return Target(wanted, weight), Target(wanted, weight)
    main = Target(wanted & ~places, weight)
    if marked is not None and marked.any():
        return main, Target(main.wanted | (marked & places), weight)
    if marked is not None or sizes[wanted & places].sum() >= _LONG_WORDS:
        return main, Target(wanted, weight)
    guessed = places & (sizes > _LONG_WORDS)
    unknown = places & ~guessed & (sizes > _SHORT_WORDS)
    return main, Target(wanted | guessed, np.where(unknown, 0.0, weight))


def _of_segments(gold: GoldPage, texts: list[str], wanted: Bools, sizes: F64) -> Target:
    """Label the blocks that hold a segment, wanted ones first."""
    unwanted = np.array([_holds(text, gold.forbidden) for text in texts], np.bool_)
    weight = SEGMENT_WEIGHT * np.sqrt(sizes / 20).clip(0.3, 1.5)
    return Target(wanted, np.where(wanted | unwanted, weight, 0.0))


def _holds(text: str, segments: tuple[str, ...]) -> bool:
    return any(collapsed(segment) in text for segment in segments)


def words_of(page: TrainingPage, kept: Bools) -> Counter[str]:
    """Return the words of the blocks that are kept."""
    words: Counter[str] = Counter()
    for number in np.flatnonzero(kept).tolist():
        words.update(evaluation_words(page.texts[number]))
    return words
