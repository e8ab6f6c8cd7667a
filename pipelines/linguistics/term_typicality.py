"""Term typicality: which terms belong to sparse text, and which to dense text.

The segments of a corpus are parted by their rounded density: pi_1 up to 8, pi_2 from 9. With w_i(t)
the number of documents whose part pi_i holds the term t, and N the number of documents::

    epsilon(t) = ln((w_2(t) + 1) / (w_1(t) + 1)) / ln(N + 1)

-1 says that all documents have the term in sparse text and none in dense text, +1 the reverse.
*Source: Kohlschütter 2011, section 4.3.2, equation 4.19.* The captions of tables 4.4 and 4.5 are
swapped there; 4.5 holds the terms of pi_1 and pi_2.

What a term is, the source leaves open; its tables hold "we'll" and "dr.who". Here: a lower-cased
corpus token with a letter that is no URL and no e-mail address; text of scripts without spaces is
cut into density tokens first.

Shapes: documents with the term, int64[n, 3]: anywhere, in pi_1, in pi_2. Invariant: epsilon is in
-1..1, and changes its sign when pi_1 and pi_2 change places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from crawler.page.inner_signs import with_gershayim
from crawler.page.words import (
    corpus_tokens,
    density_tokens,
    has_spaceless_script,
    nfc,
    small_letters,
    without_strokes,
)
from pipelines.linguistics.bounded_counts import MAX_ENTRIES, BoundedCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

# Kohlschütter 2011, section 4.3.2: pi_1 is rho' <= 8, the boundary point of the two distributions.
SPARSE_DENSITY = 8
# Kohlschütter 2011, section 4.3.2: terms of at least 100 of the 316,448 documents.
MIN_DOCUMENTS = 100
PUBLISHED_DOCUMENTS = 316_448
# Kohlschütter 2011, section 4.3.2: terms are counted as typical from here on.
TYPICAL = 0.05
# Below that many documents one document more or less moves epsilon by more than TYPICAL.
FEWEST_DOCUMENTS = 5


@dataclass(frozen=True, slots=True)
class Typicality:
    """The typicality of the terms that at least *min_documents* documents hold.

    *terms* by rising epsilon, then by name; *epsilon* float64[n]; *documents* int64[n, 3].
    *max_missed*: how many documents a count may fall short by, 0 when nothing was forgotten.
    """

    terms: list[str]
    epsilon: npt.NDArray[np.float64]
    documents: npt.NDArray[np.int64]
    n_documents: int
    min_documents: int
    max_missed: int

    @property
    def n_sparse(self) -> int:
        """Number of terms that are typical of pi_1."""
        return int(np.count_nonzero(self.epsilon <= -TYPICAL))

    @property
    def n_dense(self) -> int:
        """Number of terms that are typical of pi_2."""
        return int(np.count_nonzero(self.epsilon >= TYPICAL))

    def extremes(self, n: int) -> tuple[list[tuple[str, float]], list[tuple[str, float]]]:
        """Return the *n* most typical terms of pi_1 and of pi_2, with epsilon, each best first."""
        pairs = list(zip(self.terms, self.epsilon.tolist(), strict=True))
        sparse = [pair for pair in pairs[:n] if pair[1] < 0]
        dense = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:n]
        return sparse, [pair for pair in dense if pair[1] > 0]


class TermCounts:
    """Counts the documents that hold each term; memory as `BoundedCounts` has it."""

    def __init__(self, *, max_terms: int = MAX_ENTRIES) -> None:
        self._counts: BoundedCounts[str] = BoundedCounts(3, max_entries=max_terms)
        self.n_documents = 0

    def add_documents(
        self,
        n_documents: int,
        parts: npt.NDArray[np.int64],
        terms: npt.NDArray[np.int64],
        names: Sequence[str],
    ) -> None:
        """Count *n_documents* documents; part ``parts[i]`` holds the term ``names[terms[i]]``.

        Parts 2 i and 2 i + 1 are pi_1 and pi_2 of document i; the pairs are sorted by part, each there once.
        """
        present = np.flatnonzero(np.bincount(terms, minlength=1))
        rows = np.searchsorted(present, terms)
        keys = [names[number] for number in present.tolist()]
        fits = self._counts.fits(keys)
        if n_documents > 1 and not fits:
            # What is forgotten, and when, is not to depend on how many documents come at once.
            half = n_documents // 2
            cut = int(np.searchsorted(parts, 2 * half))
            self.add_documents(half, parts[:cut], terms[:cut], names)
            self.add_documents(n_documents - half, parts[cut:] - 2 * half, terms[cut:], names)
            return
        self.n_documents += n_documents
        n_terms = len(keys)
        sides = [np.bincount(rows[parts % 2 == side], minlength=n_terms) for side in (0, 1)]
        documents = np.sort((parts // 2) * n_terms + rows)
        documents = documents[np.diff(documents, prepend=-1) > 0]
        anywhere = np.bincount(documents % max(n_terms, 1), minlength=n_terms)
        amounts = np.column_stack([anywhere, *sides])
        # Nor is it on the numbers of the terms, by which those of a long document would be divided.
        order = range(n_terms) if fits else sorted(range(n_terms), key=keys.__getitem__)
        self._counts.add_all([keys[i] for i in order], amounts[order])

    @property
    def n_terms(self) -> int:
        """Number of terms that are counted at the moment."""
        return len(self._counts)

    @property
    def n_forgotten(self) -> int:
        """Number of entries that were forgotten for want of room."""
        return self._counts.n_forgotten

    def typicality(self, min_documents: int | None = MIN_DOCUMENTS) -> Typicality:
        """Return the typicality of all terms of at least *min_documents* documents.

        None asks for the published share of the corpus, see `scaled_min_documents`.
        """
        if min_documents is None:
            min_documents = scaled_min_documents(self.n_documents)
        if min_documents < 1:
            raise ValueError(f"min_documents must be at least 1, got {min_documents}")
        counts = self._counts.counts
        rows = np.flatnonzero(counts[:, 0] >= min_documents)
        chosen = counts[rows]
        scores = term_typicality(chosen[:, 1], chosen[:, 2], self.n_documents)
        keys = self._counts.keys
        terms = [keys[row] for row in rows.tolist()]
        order = sorted(range(len(terms)), key=lambda i: (scores[i], terms[i]))
        return Typicality(
            [terms[i] for i in order],
            scores[order],
            chosen[order],
            self.n_documents,
            min_documents,
            int(self._counts.missed[rows].max(initial=0)),
        )


def term_typicality(
    sparse: npt.NDArray[np.int64], dense: npt.NDArray[np.int64], n_documents: int
) -> npt.NDArray[np.float64]:
    """Return epsilon of terms that *sparse* documents hold in pi_1 and *dense* in pi_2.

    *n_documents* is the number of all documents; ValueError when a term is in more of them. Of no document all are 0.

    >>> term_typicality(np.array([9, 0, 3]), np.array([0, 9, 3]), 9)
    array([-1.,  1.,  0.])
    """
    if len(sparse) and max(sparse.max(), dense.max()) > n_documents:
        raise ValueError(f"n_documents must be at least every count, got {n_documents}")
    if n_documents < 1:
        return np.zeros(len(sparse))
    # A difference of logarithms: their quotient cannot leave -1..1 by rounding.
    return np.asarray((np.log1p(dense) - np.log1p(sparse)) / np.log1p(n_documents))


def scaled_min_documents(n_documents: int) -> int:
    """Return how many of *n_documents* are the share that `MIN_DOCUMENTS` was of the source's.

    At least `FEWEST_DOCUMENTS`.
    """
    return max(FEWEST_DOCUMENTS, math.ceil(MIN_DOCUMENTS * n_documents / PUBLISHED_DOCUMENTS))


def as_counted(text: str) -> str:
    """Return *text*, which is in NFC, as its terms are: in small letters, with one apostrophe, the gershayim of Hebrew,
    and without strokes that draw out words of Arabic, or join nothing.

    >>> as_counted("Don\N{RIGHT SINGLE QUOTATION MARK}t")
    "don't"
    """
    # Some pages write the one, some the other: "it's" would be a keyword of any corpus beside older texts.
    text = small_letters(text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    # Some small letters have their marks composed and the capitals have not, as those of transcribed Arabic and old
    # Greek.
    return text if text.isascii() else with_gershayim(nfc(without_strokes(text)))


def terms(text: str) -> list[str]:
    """Return the terms of *text* in their order.

    >>> terms("We'll see 3 pages, www.a.com: http://a.com/")
    ["we'll", 'see', 'pages', 'www', 'a', 'com']
    """
    if has_spaceless_script(text):
        text = " ".join(density_tokens(text))
    return [token for token in corpus_tokens(as_counted(text)) if is_term(token)]


def is_term(token: str) -> bool:
    """Tell whether *token*, one of `corpus_tokens`, is a term: neither a number, an address nor a sign."""
    return token[0].isalpha() and "://" not in token and "@" not in token
