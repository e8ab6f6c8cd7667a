"""Winnow's own method: trees on what a block is, stands in and stands beside; the best expected F.

1. *Features*: some 340 a block, from the page model's arrays and one pass over the markup (``features``).
2. *Probability* of main text: boosted trees (``trees.py``), trained on pages with gold text
   (``pipelines.evaluation.training.winnow``, whose EXPERIMENTS.md says what was tried; NOTICE).
3. *Choice*: the blocks with the largest expected F (``choice.py``), of probabilities that are doubted as the author's
   markup says (:func:`doubts`), and may be off for the whole page; code goes with the text before it, and of manuals
   more is kept (``manuals.py``).
4. *Comments* beside a main text have a label of their own (``comments.py``).
5. *Copies* of a paragraph are never kept beside it (``copies.py``), and notices of cookies not at all (``notices.py``).
6. Of *messages* and *forms*, pages without a main text, nothing is kept (``messages.py``, ``forms.py``).

Shapes: labels and reasons have one entry a block. Cost: O(n log n) in blocks, O(n) in bytes. The same page gives the
same labels, whatever was labelled before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel, with_first_types
from pipelines.boilerplate.labels import Labels, labels_of
from pipelines.boilerplate.winnow.choice import best_by_odds, beta_of, odds_of
from pipelines.boilerplate.winnow.comments import (
    COMMENTS,
    are_comments,
    of_comment_forms,
    page_kind,
    with_others_alike,
)
from pipelines.boilerplate.winnow.copies import PARAGRAPH_WORDS, copies
from pipelines.boilerplate.winnow.decision import Course, Decision
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES, features, passing_features
from pipelines.boilerplate.winnow.forms import is_form
from pipelines.boilerplate.winnow.manuals import DOUBT as MANUAL_DOUBT
from pipelines.boilerplate.winnow.manuals import is_manual, rest_of_manual, with_code
from pipelines.boilerplate.winnow.messages import is_message
from pipelines.boilerplate.winnow.model_file import default_model, read_model
from pipelines.boilerplate.winnow.notices import notices
from pipelines.boilerplate.winnow.outline import outline
from pipelines.boilerplate.winnow.trees import forest_scores

if TYPE_CHECKING:
    from typing import Literal

    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.limits import Hidden, Inline
    from pipelines.boilerplate.reasons import Reasons
    from pipelines.boilerplate.winnow.trees import F32, Forest

    Bools = npt.NDArray[np.bool_]
    F64 = npt.NDArray[np.float64]

# A choice that promises a smaller F is no main text.
LEAST_EXPECTED = 0.2
# The same of comments: among what stands in places for them, by cross-validation.
LEAST_EXPECTED_COMMENTS = 0.25
# Log odds taken off before the choice, by cross-validation: of all blocks of a page that names itself an article; else
# of those outside of ``main`` and ``article``, and of those within. Articles gain by doubt, lists and manuals lose.
ARTICLE_DOUBT, DOUBT, DOUBT_WITHIN = 0.75, 0.5, 0.0
_ODDS = np.exp(np.array([DOUBT, DOUBT_WITHIN]))
# What the odds of all blocks of a page are off by: the standard deviation of log odds, by the likelihood of labels on
# sites that the trees have not seen.
SPREAD = 1.5
# Words of a page below which links alone are no main text.
FEW_WORDS = 25
_LINK_SHARE = FEATURE_NAMES.index("link share")
_PAGE_WORDS = FEATURE_NAMES.index("page words")
_NAMED_ARTICLE = FEATURE_NAMES.index("page is article")
_MAIN, _ARTICLE = FEATURE_NAMES.index("within main"), FEATURE_NAMES.index("within article")


class Winnow:
    """The default method.

    *preset*: ``precision``, ``balanced``, ``recall``, or a number from 0 to 1 between them. *comments*: ``keep``
    or ``cut`` user comments beside a main text; ``auto`` keeps them where the page is a forum and cuts them
    elsewhere. What ``cut`` keeps ``auto`` keeps, and ``keep`` keeps what ``auto`` does. *least*: F that the best choice
    of a page must promise, from 0 to 1, for anything to be kept: above .2 more of the pages without a main text give
    nothing, and some with one; those that call themselves an error, a guard or a list of
    files, or are a form, give nothing at any. *model*: the
    file of another model than the package's.

    Raises ValueError for any other preset, comments or least, FormatError for a file that is no model.
    """

    inline: Inline = "phrasing"
    hidden: Hidden = "drop"

    def __init__(
        self,
        preset: str | float = "balanced",
        comments: Literal["auto", "keep", "cut"] = "auto",
        model: Path | str | None = None,
        least: float = LEAST_EXPECTED,
    ):
        if comments not in COMMENTS:
            raise ValueError(f"comments must be {', '.join(COMMENTS)}, got {comments!r}")
        if not 0 <= least <= 1:
            raise ValueError(f"least must be from 0 to 1, got {least}")
        self.preset = preset
        self.beta = beta_of(preset)
        self.comments = comments
        self.least = least
        self.model = default_model() if model is None else read_model(Path(model))

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* content, comment or boilerplate."""
        decision = self.decide(passing_features(page), page)
        return labels_of(decision.kept, decision.comments)

    def reasons(self, page: PageModel) -> Reasons:
        """Return what was decided of *page*, and what pushed each of its blocks to its label."""
        # Who only labels pages need not load the words.
        from pipelines.boilerplate.winnow.reasons.page_notes import Options
        from pipelines.boilerplate.winnow.reasons.reasons import reasons_of

        x = features(page)
        decision = self.decide(x, page)
        doubt = doubts(x, manual=decision.manual) if len(page.blocks) else 0.0
        return reasons_of(
            self.model, x, decision, doubt, Options(self.preset, self.comments, self.least)
        )

    def decide(self, x: F32, page: PageModel) -> Decision:
        """Return what labels the blocks of *page*, which have the features *x*."""
        manual = len(page.blocks) > 0 and is_manual(x, page.source)
        decision = self._decide(x, page, manual=manual)
        if is_message(page, decision.kept):
            return Decision(Course.MESSAGE, np.zeros(len(page.blocks), np.bool_))
        if is_form(page, decision.kept, is_forum=decision.forum >= 0.5):
            return Decision(Course.FORM, np.zeros(len(page.blocks), np.bool_))
        # What stands between the posts of a forum is names and dates, whether comments are cut or not.
        if not manual:
            return decision
        if decision.forum >= 0.5 or not decision.kept.any():
            return decision._replace(manual=True)
        closed = decision.may_close & rest_of_manual(decision.kept, page.blocks)
        return decision._replace(kept=decision.kept | closed, closed=closed, manual=True)

    def _decide(self, x: F32, page: PageModel, *, manual: bool) -> Decision:
        """Return what labels the blocks of *page*, whatever it calls itself."""
        blocks = page.blocks
        words, places, odds, n_places, n_repeated, n_code = outline(x, blocks.n_words, _ODDS)
        if not len(words) or _is_links_alone(x, words):
            # A few links alone are no main text; long texts stand in a link as a whole at times.
            return Decision(Course.FEW_LINKS, np.zeros(len(words), np.bool_))
        probability = probabilities(self.model.main, x)
        said_of_cookies = notices(page, x, probability)
        if said_of_cookies is not None:
            places &= ~said_of_cookies
            n_places = int(np.count_nonzero(places))
            probability[said_of_cookies] = 0.0
        # More paragraphs may be copies of others where fewer blocks may be comments.
        may_repeat = n_repeated or said_of_cookies is not None
        copied = copies(page, x, places, probability) if may_repeat else None
        same_doubt = _same_doubt(x, manual=manual)
        best = _Choice(self, words, odds if same_doubt is None else odds_of(same_doubt), copied)
        if not n_places:
            kept = best.of(with_code(probability, x) if n_code else probability)
            return Decision(Course.TEXT, kept, copies=best.copies, notices=said_of_cookies)
        full = np.where(places, probabilities(self.model.full, x, places), 0.0)
        kind = page_kind(x, places, probability, full, links=page.references)
        main, full = (with_code(its, x) for its in (np.where(places, 0.0, probability), full))
        forum = float(probabilities(self.model.forum, kind)[0])
        is_forum = forum >= 0.5
        seen = _Seen(places, kind, forum, best.copies, said_of_cookies)
        without = best.beside(main, full, self.beta, is_forum=is_forum)
        # The same at each preset: else one that keeps more could find comments where one that keeps less found text.
        balanced = without if self.beta == 1 else best.beside(main, full, 1.0, is_forum=is_forum)
        are_beside = are_comments(places, balanced, words)
        if is_forum and (self.comments != "cut" or not are_beside):
            return Decision(Course.TOGETHER, best.of(main + full), None, *seen)
        if not are_beside:
            found = best.of(with_code(probability, x))
            return self._short(found, float(words @ main), seen)
        # Comments are chosen by themselves: a few of them beside a long text add little to the F of both.
        forms = of_comment_forms(x, places, balanced, words)
        found = best.of(np.where(forms, 0.0, full), least=LEAST_EXPECTED_COMMENTS)
        comments = with_others_alike(found, places & ~forms, words, blocks.path_number)
        kept = without | comments if self.comments == "keep" else without
        return Decision(Course.BESIDE, kept, comments, *seen, comments & ~found, forms)

    def _short(self, wanted: Bools, main_words: float, seen: _Seen) -> Decision:
        """Decide of a page with little main text beside what may be comments; *wanted* is the best of both.

        Often these are no comments, so only who wants comments cut loses them, where *main_words* are expected.
        """
        if self.comments != "cut" or main_words < PARAGRAPH_WORDS:
            return Decision(Course.TEXT, wanted, None, *seen)
        return Decision(Course.SHORT, wanted & ~seen.places, wanted & seen.places, *seen)


class _Seen(NamedTuple):
    """What every decision of a page tells where blocks may be comments, in the order of its fields."""

    places: Bools
    kind: F32
    forum: float
    copies: Bools | None
    notices: Bools | None


class _Choice(NamedTuple):
    """How *method* chooses the blocks of a page, of which *copies* are out of the question.

    *odds* divide those of the probabilities: one number, or one a block.
    """

    method: Winnow
    words: F64
    odds: F64
    copies: Bools | None

    def of(self, probability: F64, beta: float | None = None, least: float | None = None) -> Bools:
        """Return the best blocks by their *probability*, at another *beta* or *least* if it is given."""
        if self.copies is not None:
            probability = np.where(self.copies, 0.0, probability)
        return best_by_odds(
            probability,
            self.words,
            self.odds,
            beta=beta or self.method.beta,
            least=self.method.least if least is None else least,
            spread=SPREAD,
        )

    def beside(self, main: F64, full: F64, beta: float, *, is_forum: bool) -> Bools:
        """Return the best blocks by *main* alone; on a forum of those by *main* and *full*.

        With more to be found, the choice may leave out what else it keeps.
        """
        found = self.of(main, beta)
        return found & self.of(main + full, beta) if is_forum else found


def doubts(x: F32, *, manual: bool) -> float | F64:
    """Return the log odds to take off before the choice, by the features *x* of a block at least.

    One a block, or one for all.
    """
    same = _same_doubt(x, manual=manual)
    return (
        np.where(np.maximum(x[_MAIN], x[_ARTICLE]), DOUBT_WITHIN, DOUBT) if same is None else same
    )


def _is_links_alone(x: F32, words: F64) -> bool:
    """Tell whether a page has few words, all of them in links."""
    return bool(x[_PAGE_WORDS, 0] < FEW_WORDS and words @ (1.0 - x[_LINK_SHARE]) < 1.0)


def _same_doubt(x: F32, *, manual: bool) -> float | None:
    """Return what all blocks are doubted, None where they are not doubted alike."""
    if manual:
        return MANUAL_DOUBT
    return ARTICLE_DOUBT if x[_NAMED_ARTICLE, 0] else None


def probabilities(forest: Forest, x: F32, wanted: Bools | None = None) -> F64:
    """Return the probability of each block, float64[n], or of those that are *wanted*, bool[n]."""
    found = np.empty(x.shape[1])
    _turn_back(forest_scores(forest, x, wanted), found)
    np.exp(found, found)
    _take_share(found)
    return found


@lean_kernel
def _negate(scores: F32, found: F64) -> None:
    for i in range(len(found)):
        found[i] = -np.float64(scores[i])


@lean_kernel
def _share(found: F64) -> None:
    """Turn odds against a label into its probability."""
    for i in range(len(found)):
        found[i] = 1 / (found[i] + 1)


_turn_back, _take_share = with_first_types(_negate), with_first_types(_share)
