"""The topical relevance of a text: a linear model of the words of pages on and off the topic.

Words are hashed into 2^18 columns, their counts taken as 1 + ln n, each text of length 1; the model is a
logistic regression with both classes of equal weight (scikit-learn). One page of each is enough: a topic
of a directory often has one seed. It is fitted anew when it was shown a quarter more pages, so that
learning n pages costs about what five fits on them do.

Memory: at most :data:`MAX_PAGES` pages of each class, about 12 bytes a different word of each. The order
in which pages are shown decides which of them are kept, nothing else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import InputError
from crawler.page.words import density_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    F32 = npt.NDArray[np.float32]

N_COLUMNS = 2**18
# Words of a text that are read.
MAX_WORDS = 2_000
# Pages of a class that are learnt from; those shown later are let go.
MAX_PAGES = 500
_GROWTH = 1.25
UNKNOWN = 0.5
_EDGES = re.compile(r"^\W+|\W+$")
# Of a text that is read.
MAX_CHARACTERS = 20 * MAX_WORDS


class RelevanceModel:
    """How probable it is that a text is about the topic, learnt from pages that are and are not.

    Raises `InputError` when scikit-learn is missing.
    """

    def __init__(self) -> None:
        try:
            from sklearn.feature_extraction.text import HashingVectorizer
            from sklearn.linear_model import LogisticRegression
        except ImportError as error:
            raise InputError(
                "a focused crawl needs scikit-learn; pip install 'winnow-crawler[focus]'"
            ) from error
        self._rows: tuple[list[Any], list[Any]] = ([], [])
        self._fitted_on = 0
        self._words: Any = HashingVectorizer(
            n_features=N_COLUMNS, alternate_sign=False, norm=None, analyzer=words_of
        )
        self._model: Any = LogisticRegression(
            C=10.0, class_weight="balanced", solver="liblinear", random_state=0
        )

    @property
    def is_trained(self) -> bool:
        """Whether scores say anything."""
        return self._fitted_on > 0

    @property
    def n_pages(self) -> tuple[int, int]:
        """Pages learnt from, off the topic and on it."""
        return len(self._rows[0]), len(self._rows[1])

    def learn(self, text: str, *, on_topic: bool) -> bool:
        """Learn from the main text of a page that is, or is not, about the topic; tell whether it is kept."""
        rows = self._rows[on_topic]
        if len(rows) >= MAX_PAGES:
            return False
        vector = self._vectors([text])
        if not vector.nnz:  # of no word, from which nothing can be learnt
            return False
        rows.append(vector)
        if all(self._rows) and sum(self.n_pages) >= _GROWTH * self._fitted_on:
            self._fit()
        return True

    def _fit(self) -> None:
        from scipy.sparse import vstack

        off, on = self._rows
        wanted = np.repeat([0, 1], [len(off), len(on)])
        self._model.fit(vstack([*off, *on], format="csr"), wanted)
        self._fitted_on = len(wanted)

    def score(self, texts: Sequence[str]) -> F32:
        """Return the probability that each of *texts* is about the topic, float32[n].

        :data:`UNKNOWN` for all before there is a model, and for a text without a word.
        """
        scores = np.full(len(texts), UNKNOWN, np.float32)
        if self.is_trained and texts:
            vectors = self._vectors(texts)
            has_word = np.diff(vectors.indptr) > 0
            if has_word.any():  # scikit-learn takes no empty matrix
                scores[has_word] = self._model.predict_proba(vectors[has_word])[:, 1]
        return scores

    def _vectors(self, texts: Sequence[str]) -> Any:
        from sklearn.preprocessing import normalize

        vectors = self._words.transform(texts)
        vectors.data = 1 + np.log(vectors.data)
        return normalize(vectors)


def words_of(text: str) -> list[str]:
    """Return the first words of *text*, lower-cased, without signs around them.

    >>> words_of("Wind, and (the) chaff.")
    ['wind', 'and', 'the', 'chaff']
    """
    tokens = density_tokens(text[:MAX_CHARACTERS])[:MAX_WORDS]
    return [word for token in tokens if (word := _EDGES.sub("", token.lower()))]
