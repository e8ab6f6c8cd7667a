"""jusText's own paragraphs, put together from the atomic blocks of a page.

A paragraph ends at the start and the end of a block-level tag, and at two or more ``br`` with
nothing but whitespace and comments between; every other gap joins. *Source: Pomikálek 2011, section
2.7, note 15, and 2.7.1; splitting at other tags (2.4.1): :func:`splitting_tags`.* The page model has left out ``head``,
scripts, styles and the content of ``select``, which are no text in the thesis's evaluation either, and of ``noscript``
and ``textarea`` (deviation).

Shapes: all arrays of :class:`Paragraphs` have one entry a paragraph, but ``of_block``, uint32 or
int64[n_blocks]. Cost: O(n).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.tags import GAP_BITS, OTHER_BIT, TRANSPARENT, names

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    I64 = npt.NDArray[np.int64]

# The 31 of note 15; ol, tbody, body and hr are not among them.
THESIS_TAGS = names(
    "blockquote caption center col colgroup dd div dl dt fieldset form h1 h2 h3 h4 h5 h6 legend li "
    "optgroup option p pre table td textarea tfoot th thead tr ul"
)
# Those that browsers show as blocks, too (HTML standard, section 15.3.3).
HTML5_TAGS = THESIS_TAGS | names(
    "address article aside body details dialog dir figcaption figure footer header hgroup hr main "
    "menu nav ol search section summary tbody"
)
_TAGS = {"thesis": THESIS_TAGS, "html5": HTML5_TAGS}
_NAME = re.compile(r"[a-z][a-z0-9:-]*")
# Those that the page model parts no blocks at.
_WITHIN = TRANSPARENT | {"a"}

_OTHER = np.uint64(OTHER_BIT)
_BR = np.uint64(GAP_BITS["br"])
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_TAG = re.compile(rb"<(/?[a-zA-Z][^\s/>]*)[^>]*>")
# Whitespace is no text, nor is that of no break.
_TWO_BR = rb"<br>(?>(?:\s|\xc2\xa0|&nbsp;?|&#(?:160|[xX]0*[aA]0);?|</br>)*)<br>"


@dataclass(frozen=True, slots=True, eq=False)
class Paragraphs:
    """The paragraphs of a page.

    ``of_block``: number of the paragraph that each block belongs to; ``text``: its blocks, a space
    between. ``n_tokens``: runs of non-whitespace; ``n_words``, ``linked_words`` as of blocks.
    """

    of_block: I64
    text: list[str]
    n_tokens: I64
    n_words: I64
    linked_words: I64

    def __len__(self) -> int:
        return len(self.text)


@cache
def splitting_tags(tags: str) -> frozenset[str]:
    """Return the names that *tags* say: ``thesis`` and ``html5`` name lists, all else is names apart by blanks.

    Raises ValueError for what is no name, and for tags of text style and ``a``, which divide no blocks.

    >>> sorted(splitting_tags("p h1"))
    ['h1', 'p']
    """
    found = _TAGS.get(tags) or names(tags.lower().replace(",", " "))
    wrong = sorted(name for name in found if not _NAME.fullmatch(name) or name in _WITHIN)
    if wrong or not found:
        raise ValueError(
            f"tags must be thesis, html5 or names of tags that divide blocks, got {(wrong or [tags])[0]!r}"
        )
    return found


def paragraphs_of(page: PageModel, tags: str = "thesis") -> Paragraphs:
    """Return the paragraphs of *page*, split at the *tags* that :func:`splitting_tags` reads."""
    blocks = page.blocks
    begins = _begins(page, splitting_tags(tags))
    begins[:1] = True
    of_block = np.cumsum(begins) - 1
    firsts = np.flatnonzero(begins)
    if len(firsts) == len(blocks):
        text = blocks.text.strings
    else:
        bounds = [*firsts.tolist(), len(blocks)]
        spans = pairwise(bounds)
        text = [" ".join(blocks.text[start:end]) for start, end in spans]
    return Paragraphs(
        of_block=of_block,
        text=text,
        n_tokens=np.array([len(paragraph.split()) for paragraph in text], np.int64),
        n_words=_sums(blocks.n_words, firsts),
        linked_words=_sums(blocks.linked_words, firsts),
    )


def _sums(counts: npt.NDArray[np.uint32], firsts: I64) -> I64:
    return np.add.reduceat(counts, firsts, dtype=np.int64) if len(firsts) else firsts


def _begins(page: PageModel, tags: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Tell which blocks begin a paragraph."""
    mask = page.blocks.gap_mask
    splitting = np.uint64(sum(GAP_BITS[tag] for tag in tags if tag in GAP_BITS))
    begins: npt.NDArray[np.bool_] = (mask & splitting) != 0
    # Tags without a bit of their own, and how often br stands there, are read in the source.
    unsure = np.flatnonzero(~begins & ((mask & (_OTHER | _BR)) != 0))
    runs = page.runs
    if len(unsure) and len(runs):
        # A name that no tag has stands for none.
        rare = b"|".join(tag.encode() for tag in sorted(tags - GAP_BITS.keys())) or b"-"
        splits = re.compile(rb"</?(?:" + rare + rb")>|" + _TWO_BR, re.IGNORECASE).search
        # Most gaps have neither; few are copied.
        may_split = re.compile(
            rb"</?(?:" + rare + rb")\b|<br\b.*?<br\b", re.IGNORECASE | re.DOTALL
        ).search
        first_run = np.searchsorted(runs.block, unsure)
        starts = np.where(first_run > 0, runs.end[np.maximum(first_run, 1) - 1], 0).tolist()
        ends = runs.start[first_run].tolist()
        begins[unsure] = [
            may_split(page.source, start, end) is not None
            and splits(_bare(page.source[start:end])) is not None
            for start, end in zip(starts, ends, strict=True)
        ]
    return begins


def _bare(gap: bytes) -> bytes:
    """Return *gap* without comments, and its tags without attributes; in linear time."""
    # Behind the last end of a comment, or of a tag, every beginning would be read to the end of the gap.
    end = gap.rfind(b"-->") + 3
    if end >= 3:
        gap = _COMMENT.sub(b"", gap[:end]) + gap[end:]
    return _TAG.sub(rb"<\1>", gap[: gap.rfind(b">") + 1])
