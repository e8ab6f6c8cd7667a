"""Which language a text is in, by its byte n-grams: py3langid's model and decision, compiled.

The features are byte n-grams that an automaton finds (Lui and Baldwin 2011, 2012). With n_f the times
that feature f is found, L the bytes of the text, and a log-likelihood t and a log prior p of each language l:

    score_l = (p_l + sum over f of log(1 + n_f) t_fl) / sqrt(L),    probability_l = softmax(score)_l

and all languages are alike where no feature is found. Source of the tempering by sqrt(L):
py3langid 0.4, ``LanguageIdentifier._decide``. Deviation: sums are taken in float64.

Shapes: ``table: uint16[n_features, n_languages]``, the bits of float16; ``moves: uint32[rows * 256]``;
``rows: uint16[n_states]``, the row of a state's moves; ``found: int32[n_states]``, its feature or -1.
Cost: linear in the bytes, and in languages times distinct features. Invariant: the probabilities are those
of py3langid but for rounding.
"""

from __future__ import annotations

import threading
import unicodedata
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import lean_kernel

if TYPE_CHECKING:
    import numpy.typing as npt
    from py3langid.langid import LanguageIdentifier

# float16 has 5 bits of exponent and float32 8: the bias is 15 in one, 127 in the other.
_REBIAS = np.float32(2.0**112)
_SHIFT = np.uint32(13)
_MAGNITUDE, _SIGN = np.uint32(0x7FFF), np.uint32(0x8000)
_SIGN_SHIFT = np.uint32(16)


class ByteNgrams:
    """The classifier *identifier* over its languages."""

    def __init__(self, identifier: LanguageIdentifier):
        self.labels: list[str] = list(identifier.nb_classes)
        self.prior = np.asarray(identifier.nb_pc, np.float64)
        self.table = np.ascontiguousarray(identifier.nb_ptc, np.float16).view(np.uint16)
        self.moves = np.asarray(identifier.tk_nextmove, np.uint32)
        self.rows = np.asarray(identifier.tk_row, np.uint16)
        self.found = np.asarray(identifier.tk_output, np.int32)
        self._times = np.zeros(len(self.table), np.uint32)
        self._lock = threading.Lock()

    def probabilities(self, text: str) -> npt.NDArray[np.float64]:
        """Return the probability of each of ``labels``; one that stands there twice has two parts."""
        if text.isupper():
            text = text.lower()
        data = unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")
        scores = np.zeros(len(self.labels))
        features = np.empty(len(data), np.uint32)
        source = np.frombuffer(data, np.uint8)
        with self._lock:  # for the one array that counts
            n_features = _find(source, self.moves, self.rows, self.found, self._times, features)
            _add(features[:n_features], self._times, self.table, scores)
        if n_features:
            scores = (scores + self.prior) / sqrt(len(data))
        likelihoods = np.exp(scores - scores.max())
        probabilities: npt.NDArray[np.float64] = likelihoods / likelihoods.sum()
        return probabilities


@lean_kernel
def _find(
    data: npt.NDArray[np.uint8],
    moves: npt.NDArray[np.uint32],
    rows: npt.NDArray[np.uint16],
    found: npt.NDArray[np.int32],
    times: npt.NDArray[np.uint32],
    features: npt.NDArray[np.uint32],
) -> int:
    """Count the features of *data* in *times*, zero before; return how many there are in *features*."""
    size = 0
    state = np.uint32(0)
    for place in range(len(data)):
        state = moves[(np.uint64(rows[state]) << np.uint64(8)) + np.uint64(data[place])]
        feature = found[state]
        if feature >= 0:
            if times[feature] == 0:
                features[size] = feature
                size += 1
            times[feature] += np.uint32(1)
    return size


@lean_kernel
def _add(
    features: npt.NDArray[np.uint32],
    times: npt.NDArray[np.uint32],
    table: npt.NDArray[np.uint16],
    scores: npt.NDArray[np.float64],
) -> None:
    """Add to *scores* what *features* say, and set their *times* back to zero."""
    for feature in features:
        weight = np.float64(np.log1p(np.float32(times[feature])))
        times[feature] = np.uint32(0)
        row = table[feature]
        for place in range(len(scores)):
            bits = np.uint32(row[place])
            wide = np.uint32(((bits & _MAGNITUDE) << _SHIFT) | ((bits & _SIGN) << _SIGN_SHIFT))
            scores[place] += weight * np.float64(wide.view(np.float32) * _REBIAS)
