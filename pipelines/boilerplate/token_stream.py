"""A page as the methods on its source see it: texts, and the tags before each of them.

The thesis' token sequence B has a 1 for each tag, start or end, and a 0 for each word; comments,
declarations, and what is in ``script`` and ``style`` are left out. The content code vector counts
characters instead. *Source: Gottron 2008, sections 3.2.2 and 6.4.1.*

Where the thesis is silent: all text outside of tags counts, also what no block holds (titles, lists of
options, lone signs). The tags of ``script`` and ``style`` are tokens like others (*script_tags* of the
methods), but no code. A
word is a maximal run of no whitespace; in scripts that are written without spaces it counts as
many words as :func:`crawler.page.words.density_tokens` finds in it, but at least one (deviation).
``&name;`` is one character, whether HTML knows the name or not, and ``&nbsp;`` is whitespace.

Shapes: int64[n] each, one entry a text in page order; the last has no text, and block -1, as have those
that belong to no block. Invariant: each run of the page's text is one entry. A page without
markup is its blocks and no tags. Cost: O(bytes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.characters import character_classes
from pipelines.boilerplate import token_kernels as at
from pipelines.boilerplate.picked import kept_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from crawler.page.blocks import Blocks

    I64 = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class TokenStream(NamedTuple):
    """Texts and the tags before each.

    ``words``, ``chars`` (but whitespace), ``block`` of the text; ``tags`` and ``tag_chars`` of
    those before it but ``a``, ``script`` and ``style``, ``a_tags``, ``a_chars``, ``raw_tags`` of these;
    ``code_chars`` of declarations and instructions. ``body``: index of the first text in the body,
    0 when no tag says so.
    """

    words: I64
    chars: I64
    block: I64
    tags: I64
    tag_chars: I64
    a_tags: I64
    a_chars: I64
    raw_tags: I64
    code_chars: I64
    body: int

    @property
    def all_tags(self) -> I64:
        """Tag tokens before each text."""
        return self.tags + self.a_tags + self.raw_tags

    def counted_tags(self, script_tags: bool) -> I64:
        """Tag tokens before each text; those of ``script`` and ``style`` are some if *script_tags*."""
        return self.all_tags if script_tags else self.tags + self.a_tags

    def kept(self, picked: npt.NDArray[np.float64] | I64 | Bools, n_blocks: int) -> Bools:
        """Return the blocks of which at least half the words are *picked*, as words of each text."""
        return kept_blocks(self.block, picked, self.words, n_blocks)


class Tokens(NamedTuple):
    """The token sequence: ``is_tag``, bool[N], and the range of each text's words in it."""

    is_tag: Bools
    first: I64
    end: I64

    def words_in(self, chosen: Bools) -> I64:
        """Return how many words of each text are *chosen* tokens."""
        counted = np.concatenate(([0], np.cumsum(chosen)))
        return counted[self.end] - counted[self.first]


def token_stream(page: PageModel) -> TokenStream:
    """Return the texts and tags of *page*."""
    if not len(page.found_runs):
        return _without_markup(page.blocks)
    runs = page.found_runs.astype(np.int64)
    data = np.frombuffer(page.source, np.uint8)
    # A text that is no run begins behind a run or some markup; rows without use take no memory.
    n_rows = page.source.count(b"<") + 2 * len(runs) + 2
    rows = np.zeros((n_rows, at.N_COLUMNS), np.int64)
    state = np.zeros(at.N_STATE, np.int64)
    at.read_stream(data, runs, character_classes(), state, rows)
    n_rows = int(state[at.N_ROWS])
    rows[n_rows - 1, at.BLOCK] = -1
    return TokenStream._make((*rows[:n_rows].T.copy(), int(state[at.BODY_ROW])))


def token_sequence(tags: I64, words: I64) -> Tokens:
    """Return the sequence of so many *tags* before each text, and its *words*."""
    counts = np.stack((tags, words), axis=1).ravel()
    is_tag = np.repeat(np.arange(len(counts)) % 2 == 0, counts)
    end = np.cumsum(counts)[1::2]
    return Tokens(is_tag, end - words, end)


def _without_markup(blocks: Blocks) -> TokenStream:
    n_texts = len(blocks) + 1
    none = np.zeros(n_texts, np.int64)
    chars = [sum(map(len, text.split())) for text in blocks.text]
    block = np.arange(n_texts)
    block[-1] = -1
    return TokenStream(
        np.append(blocks.n_words, 0).astype(np.int64),
        np.array([*chars, 0], np.int64),
        block,
        *(none, none, none, none, none, none),
        body=0,
    )
