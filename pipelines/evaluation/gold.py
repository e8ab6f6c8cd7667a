"""A page with its gold standard, and what an extraction is scored as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class GoldMetadata(NamedTuple):
    """What a standard says of a page beside its text, as it writes it; None where it says nothing."""

    title: str | None = None
    author: str | None = None
    date: str | None = None


NO_METADATA = GoldMetadata()


@dataclass(frozen=True, slots=True, eq=False)
class GoldPage:
    """One page of a gold standard.

    *body* are the bytes as served, *content_type* what the server said of them. *gold* is the main
    text, or None where the standard only says which segments must (*required*) and must not
    (*forbidden*) be found. *full_gold* is the main text with user comments, and *tagged_gold* the
    one with marks for paragraphs, headings and lists, and *lenient_gold* the one with what the
    annotators were uncertain of, where the standard has them. *node_labels* are labels of the page's
    text nodes, in order. *metadata*: title, author and date, where the standard has them. *marked_body*
    is *body* as the standard keeps it, where that has marks of its annotators around text nodes, which no
    method is to see; they do not tell the labels.
    """

    dataset: str
    page_id: str
    body: bytes
    content_type: str | None = None
    url: str = ""
    gold: str | None = None
    full_gold: str | None = None
    tagged_gold: str | None = None
    lenient_gold: str | None = None
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    node_labels: tuple[NodeLabel, ...] = ()
    language: str | None = None
    page_type: str | None = None
    site: str = ""
    metadata: GoldMetadata = NO_METADATA
    marked_body: bytes | None = None


class NodeLabel(NamedTuple):
    """The label that annotators gave to one text node: one of the four below.

    *agreement*: the annotators who gave it, in percent; 100 where the standard does not say. *part*: which of ``PARTS``
    it was taken for, where the standard tells them apart.
    """

    text: str
    label: str
    agreement: int = 100
    part: str = ""


# Labels of text nodes; the last: as many annotators for one label as for another.
GOOD, BAD, UNCERTAIN, TIED = "good", "bad", "uncertain", "tied"
# Parts of a news page (Kohlschütter 2011, section 4.4.3), by the numbers of L3S-GN1.
PARTS = (
    *("not content", "headline", "full text"),
    *("supplemental", "related content", "user comments"),
)


class Scores(NamedTuple):
    """Precision, recall and F1 of one page, each 0 to 1."""

    precision: float
    recall: float
    f1: float


def scores(found: float, n_extracted: float, n_gold: float) -> Scores:
    """Return the scores of *found* right ones among *n_extracted*, of *n_gold*.

    Of nothing wanted all is found, and in nothing extracted nothing is wrong: the recall, and the
    precision, is 1 then (Gottron 2008, section 2.2.4).
    """
    precision = found / n_extracted if n_extracted else 1.0
    recall = found / n_gold if n_gold else 1.0
    total = precision + recall
    return Scores(precision, recall, 2 * precision * recall / total if total else 0.0)
