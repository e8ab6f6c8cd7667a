"""A corpus of hosts, pages and blocks, made by code, that repeats itself as the web does.

Language: a random walk over words in which each has 200 successors, the first of them the likeliest
(Zipf's law, exponent 1.1), so that short n-grams repeat by nature and long ones do not: two walks stay
together with a probability of about a fifteenth a step. Of the tokens some 40% are stop words and 15%
punctuation (42.62 and 12.65 in Pomikálek 2011, 3.6).

Repetition that was copied:

* *notices*: each host has five paragraphs, of which its pages show up to two, half of them with a word
  exchanged (a date, a price);
* *quotations*: a paragraph of a page of another host;
* *copies*: all paragraphs of another page, now and then one word altered, under own notices:
  of one's own host (print versions) or of another (syndicated articles);
* *index pages*: the beginnings of a dozen paragraphs of pages of the host.

Pages come in a random order, so that a copy may be before what it was copied from.

Tokens are numbers: stop words first, then punctuation, then the other words. Everything follows from
the seed. Exponent and shares of copies are set so that about as much text is left as in the thesis.
Shapes: :class:`MadeCorpus`. Memory: 20 bytes a token, and 16 MB of successors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt

    I64 = npt.NDArray[np.int64]
    U32 = npt.NDArray[np.uint32]
    Bools = npt.NDArray[np.bool_]

N_STOP_WORDS = 100
N_PUNCTUATION = 10
N_WORDS = 20_000
_STOP_SHARE, _PUNCTUATION_SHARE = 0.43, 0.13
_N_SUCCESSORS, _EXPONENT = 200, 1.1
_NOTICES_A_HOST = 5
# Of pages.
_QUOTES, _COPIES, _COPIES_OF_OWN_HOST, _INDEX_PAGES = 0.03, 0.06, 0.8, 0.04
_EXCERPTS, _EXCERPT_TOKENS = 12, 30
# Of the words of a copy, and of notices that show another word.
_ALTERED_WORDS, _ALTERED_NOTICES = 0.004, 0.5
# As jusText tells blocks apart by length, here in tokens.
GOOD_TOKENS, NEAR_GOOD_TOKENS = 25, 12


class MadeCorpus(NamedTuple):
    """``tokens: uint32[t]``; ``blocks: int64[b + 1]``, where blocks begin; ``documents: int64[d + 1]``.

    The last counts blocks. ``hosts: int64[d]`` is the host of each document.
    """

    tokens: U32
    blocks: I64
    documents: I64
    hosts: I64

    def document_starts(self) -> I64:
        """Return where documents begin, in tokens, int64[d + 1]."""
        return self.blocks[self.documents]

    def classes(self) -> list[str]:
        """Return the context-free class of each block."""
        sizes = np.diff(self.blocks)
        names = np.where(sizes >= NEAR_GOOD_TOKENS, "neargood", "short")
        classes: list[str] = np.where(sizes >= GOOD_TOKENS, "good", names).tolist()
        return classes


def is_stop_word(tokens: U32) -> Bools:
    """Tell which of *tokens* are stop words."""
    return tokens < N_STOP_WORDS


def is_punctuation(tokens: U32) -> Bools:
    """Tell which of *tokens* are punctuation."""
    return (tokens >= N_STOP_WORDS) & (tokens < N_STOP_WORDS + N_PUNCTUATION)


def make_corpus(n_documents: int, seed: int = 1, *, n_words: int = N_WORDS) -> MadeCorpus:
    """Return a corpus of *n_documents*, about 330 tokens each; ValueError for less than 2."""
    if n_documents < 2:
        raise ValueError(f"n_documents must be at least 2, got {n_documents}")
    return _Maker(n_documents, seed, n_words).corpus()


class _Maker:
    """Writes one page after the other; a page may copy what was written before it."""

    def __init__(self, n_documents: int, seed: int, n_words: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.language = _Language(self.rng, n_words)
        self.n_hosts = max(n_documents // 12, 2)
        self.n_documents = n_documents
        self.notices = [
            [self.language.paragraph(25, 60) for _ in range(_NOTICES_A_HOST)]
            for _ in range(self.n_hosts)
        ]
        # Of each page the blocks that others may copy.
        self.articles: list[list[U32]] = []
        self.hosts: list[int] = []

    def corpus(self) -> MadeCorpus:
        made = [self._page() for _ in range(self.n_documents)]
        order = self.rng.permutation(self.n_documents).tolist()
        pages = [made[place] for place in order]
        blocks = [block for page in pages for block in page]
        return MadeCorpus(
            np.concatenate(blocks),
            np.cumsum([0, *map(len, blocks)]).astype(np.int64),
            np.cumsum([0, *map(len, pages)]).astype(np.int64),
            np.array(self.hosts, dtype=np.int64)[order],
        )

    def _page(self) -> list[U32]:
        # A few large hosts, many small ones.
        host = int(self.n_hosts * self.rng.random() ** 2)
        kind = self.rng.random()
        article = None
        if kind < _COPIES:
            article = self._copied(host)
        elif kind > 1 - _INDEX_PAGES:
            article = self._index(host)
        if article is None:
            article = self._article()
            if kind < _COPIES + _QUOTES and self.articles:
                quoted = self.articles[self.rng.integers(len(self.articles))]
                article.append(quoted[self.rng.integers(len(quoted))])
        self.articles.append(article)
        self.hosts.append(host)
        return article + self._shown_notices(host)

    def _article(self) -> list[U32]:
        blocks = [self.language.paragraph(3, 9)]
        blocks += [self.language.paragraph(30, 110) for _ in range(int(self.rng.integers(2, 6)))]
        if self.rng.random() < 0.5:
            blocks.append(self.language.paragraph(12, 24))
        return blocks

    def _copied(self, host: int) -> list[U32] | None:
        """Return an altered copy of an earlier page; None when there is none of the wanted host."""
        wants_own = self.rng.random() < _COPIES_OF_OWN_HOST
        places = [place for place, other in enumerate(self.hosts) if (other == host) == wants_own]
        if not places:
            return None
        original = self.articles[places[self.rng.integers(len(places))]]
        return [self._altered(block, _ALTERED_WORDS) for block in original]

    def _index(self, host: int) -> list[U32] | None:
        """Return the beginnings of paragraphs of the host; None when it has too few."""
        blocks = [
            block
            for other, page in zip(self.hosts, self.articles, strict=True)
            for block in page
            if other == host and len(block) > 2 * _EXCERPT_TOKENS
        ]
        if len(blocks) < _EXCERPTS:
            return None
        chosen = self.rng.permutation(len(blocks))[:_EXCERPTS].tolist()
        return [blocks[place][:_EXCERPT_TOKENS] for place in chosen]

    def _shown_notices(self, host: int) -> list[U32]:
        shown = self.rng.permutation(_NOTICES_A_HOST)[: self.rng.integers(0, 3)].tolist()
        return [
            self._altered(notice, 1 / len(notice))
            if self.rng.random() < _ALTERED_NOTICES
            else notice
            for notice in (self.notices[host][place] for place in shown)
        ]

    def _altered(self, block: U32, share: float) -> U32:
        is_altered = self.rng.random(len(block)) < share
        altered = block.copy()
        low = N_STOP_WORDS + N_PUNCTUATION
        drawn = self.rng.integers(low, self.language.n_tokens, size=int(is_altered.sum()))
        altered[is_altered] = drawn
        return altered


class _Language:
    """The random walk over words."""

    def __init__(self, rng: np.random.Generator, n_words: int) -> None:
        self.rng = rng
        self.n_tokens = n_all = N_STOP_WORDS + N_PUNCTUATION + n_words
        u = rng.random((n_all, _N_SUCCESSORS))
        in_words = (u - _STOP_SHARE - _PUNCTUATION_SHARE) / (1 - _STOP_SHARE - _PUNCTUATION_SHARE)
        # A number V^x, x even between 0 and 1, follows Zipf's law of exponent 1.
        words = n_words ** np.clip(in_words, 0, 1) - 1 + N_STOP_WORDS + N_PUNCTUATION
        marks = N_STOP_WORDS + (u - _STOP_SHARE) / _PUNCTUATION_SHARE * N_PUNCTUATION
        stop_words = N_STOP_WORDS ** np.clip(u / _STOP_SHARE, 0, 1) - 1
        rest = np.where(u < _STOP_SHARE + _PUNCTUATION_SHARE, marks, words)
        chosen = np.where(u < _STOP_SHARE, stop_words, rest)
        self.successors: U32 = np.minimum(chosen, n_all - 1).astype(np.uint32)
        weights = np.arange(1, _N_SUCCESSORS + 1, dtype=np.float64) ** -_EXPONENT
        self.cumulated = np.cumsum(weights / weights.sum())
        self.last = 0

    def paragraph(self, low: int, high: int) -> U32:
        """Return the next *low* to *high* tokens, the last not counted."""
        size = int(self.rng.integers(low, high))
        ranks = np.searchsorted(self.cumulated, self.rng.random(size)).astype(np.int64)
        tokens = np.empty(size, dtype=np.uint32)
        _walk(self.successors, np.minimum(ranks, _N_SUCCESSORS - 1), self.last, tokens)
        self.last = int(tokens[-1])
        return tokens


@lean_kernel
def _walk(successors: U32, ranks: I64, last: int, tokens: U32) -> None:
    token = np.int64(last)
    for i in range(ranks.size):
        token = np.int64(successors[token, ranks[i]])
        tokens[i] = token
