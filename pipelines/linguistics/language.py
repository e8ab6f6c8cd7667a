"""The language of a text, as an ISO 639-1 code, and how sure that is.

Three steps, each asked only when the one before cannot tell:

1. *Script.* A script with one language, or Han and kana (`ja` with kana, else `zh`), that holds
   `MIN_SCRIPT_SHARE` of the text's letters.
2. *Gate.* resiliparse's out-of-place rank (Cavnar and Trenkle 1994 on hashed n-grams), believed for
   well-separated languages only, with a low rank and a clear lead on the second language.
3. *Classifier.* py3langid's multinomial Bayes over byte n-grams (Lui and Baldwin 2011, 2012;
   `pipelines.linguistics.byte_ngrams`), its probabilities tempered by the length of the text, over the languages that
   have a code.

The score is the confidence, 0 to 1, that the code names the language of most of the text: after
step 1 the share of the letters in that script, after step 2 the lower bound that was measured for
it, after step 3 the probability. Declared languages count as evidence in step 3 only, as odds of 3
to 1, since pages often declare the template's language and not the text's.

`und` with score 0 is the answer for fewer than `MIN_LETTERS` letters (a Han character counts 3, a
kana or Hangul syllable 2), for text that is no language, and where no language reaches `MIN_SCORE`.

Codes: Bokmål and Nynorsk are both `no`; Mandarin, Cantonese and Wu `zh`; the Arabics `ar`; Bosnian,
Croatian, Serbian stay `bs`, `hr`, `sr`; deprecated declared codes (`iw`, `in`, `ji`) are renamed.
Languages without a two-letter code get that of the nearest one that has it.

Only the first `READ_CHARS` characters are read: cost and memory are constant. Deterministic. The
models are loaded at the first call that needs them (0.7 s and 110 MB for the classifier).
Not handled: which languages a mixed text is in; Latin transcriptions of other scripts.
"""

from __future__ import annotations

import errno
import tempfile
import threading
from functools import cache
from typing import TYPE_CHECKING, cast

import numpy as np

from crawler.errors import InputError
from pipelines.linguistics.language_codes import OTHER_CODES, UNDETERMINED
from pipelines.linguistics.scripts import HAN, KANA, OTHER, script_weights

if TYPE_CHECKING:
    import numpy.typing as npt

    from pipelines.linguistics.byte_ngrams import ByteNgrams


_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

# measured: longer samples change no answer on 1,688 labelled gold texts and cost as they are longer
READ_CHARS = 2000
# below, a posterior says more about the alphabet than about the text
MIN_LETTERS = 20
MIN_SCORE = 0.25
# technical pages in Chinese, Korean or Thai hold as much code and English as text of their own
MIN_SCRIPT_SHARE = 0.4
# Japanese running text is about half kana; below a tenth they are quoted names in Chinese
MIN_KANA_SHARE = 0.1

# measured on 1,767 gold texts of real pages: with these bounds no answer of the gate is wrong, and
# it answers four fifths of them; 0 wrong of 1,411 bounds the error below 0.0022 (95 %)
GATE_MIN_CHARS = 150
GATE_MAX_RANK = 450
GATE_MIN_LEAD = 50
GATE_SCORE = 0.99
_FAR = ("", GATE_MAX_RANK + GATE_MIN_LEAD)
# languages whose near relatives the gate's 101 profiles hold as well (Malay, say, it lacks)
GATE_LANGUAGES = frozenset(
    ["ar", "cs", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "pl", "pt", "ro", "ru", "sv", "tr"]
)

DECLARED_ODDS = 3.0

# replaced codes, members of a macrolanguage, individual languages, under the code that ISO 639-1 has for them
_CODE_OF_LABEL = OTHER_CODES | {
    "yue": "zh",
    "wuu": "zh",
    "arz": "ar",
    "ary": "ar",
    "uzs": "uz",
    "sdh": "ku",
    "ltg": "lv",
    "gug": "gn",
    "fuv": "ff",
    "kik": "ki",
}
# the classifier's label for text that is no language
_NO_LANGUAGE = "zxx"
# three-letter codes that pages declare
_CODE_OF_DECLARED = _CODE_OF_LABEL | {
    "cmn": "zh", "nob": "no", "nno": "no", "fil": "tl", "eng": "en", "deu": "de",
}  # fmt: skip


_loading = threading.Lock()


def identify(text: str, declared: str | None = None) -> tuple[str, float]:
    """Return (ISO 639-1 code, score 0 to 1) of *text*, ("und", 0.0) when there is too little.

    *declared* is the page's own word, a BCP 47 tag such as ``de-AT``; nonsense there is ignored.
    Never raises on any string.
    """
    return _at_once(text) or _by_classifier(_sample(text), declared_code(declared))


def is_unsure(text: str) -> bool:
    """Tell whether :func:`identify` asks the classifier for *text*."""
    return _at_once(text) is None


def classifier_is_loaded() -> bool:
    """Tell whether the classifier is in memory."""
    return bool(_classifier.cache_info().currsize)


def load_classifier() -> None:
    """Bring the classifier to memory, once for all threads: about a second, most of it unpacking.

    Raises `InputError` where that fails.
    """
    with _loading:
        _classifier()


def _sample(text: str) -> str:
    head = text[:READ_CHARS]
    # the two models take no lone surrogates
    return head if head.isascii() else head.encode("utf-8", "ignore").decode("utf-8")


def _at_once(text: str) -> tuple[str, float] | None:
    weights = script_weights(text[:READ_CHARS])
    if sum(weights.values()) < MIN_LETTERS:
        return UNDETERMINED, 0.0
    return _by_script(weights) or _by_gate(_sample(text))


def declared_code(declared: str | None) -> str | None:
    """Return the code that a BCP 47 tag names, None for what is no language tag.

    >>> declared_code("nb-NO"), declared_code("x-default")
    ('no', None)
    """
    if not declared:
        return None
    primary = declared.strip().lower().replace("_", "-").partition("-")[0]
    code = _CODE_OF_DECLARED.get(primary, primary)
    return code if len(code) == 2 and code.isascii() and code.isalpha() else None


def _by_script(weights: dict[str, int]) -> tuple[str, float] | None:
    candidates = {script: n for script, n in weights.items() if script not in {OTHER, HAN, KANA}}
    n_han, n_kana = weights.get(HAN, 0), weights.get(KANA, 0)
    is_japanese = n_kana >= MIN_KANA_SHARE * (n_han + n_kana)
    candidates["ja" if is_japanese else "zh"] = n_han + n_kana
    code, n = max(candidates.items(), key=lambda item: item[1])
    share = n / sum(weights.values())
    return (code, share) if share >= MIN_SCRIPT_SHARE else None


def _by_gate(sample: str) -> tuple[str, float] | None:
    from resiliparse.parse.lang import detect_fast

    if len(sample) < GATE_MIN_CHARS:
        return None
    # what is beyond resiliparse's own cutoff is not listed
    nearest = cast(list[tuple[str, int]], detect_fast(sample, n_results=2))
    (code, rank), (_, second_rank) = [*nearest, _FAR, _FAR][:2]
    is_clear = rank <= GATE_MAX_RANK and second_rank - rank >= GATE_MIN_LEAD
    return (code, GATE_SCORE) if is_clear and code in GATE_LANGUAGES else None


def _by_classifier(sample: str, declared: str | None) -> tuple[str, float]:
    classifier, codes, number_of_label = _classifier()
    scores = np.bincount(number_of_label, classifier.probabilities(sample))
    if declared in codes:
        scores[codes.index(declared)] *= DECLARED_ODDS
    # the first of equal ones in the model's order
    place = int(scores.argmax())
    code, score = codes[place], min(float(scores[place] / scores.sum()), 1.0)
    return (UNDETERMINED, 0.0) if code == _NO_LANGUAGE or score < MIN_SCORE else (code, score)


@cache
def _classifier() -> tuple[ByteNgrams, list[str], npt.NDArray[np.intp]]:
    """Return the classifier, the codes, and the number of the code of each of its labels."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    from pipelines.linguistics.byte_ngrams import ByteNgrams

    try:
        identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:
        raise InputError(_not_loaded(error)) from error
    known = {*_CODE_OF_LABEL, _NO_LANGUAGE}
    identifier.set_languages(
        [label for label in identifier.labels if len(label) == 2 or label in known]
    )
    classifier = ByteNgrams(identifier)
    code_of_label = [_CODE_OF_LABEL.get(label, label) for label in classifier.labels]
    codes = list(dict.fromkeys(code_of_label))
    return classifier, codes, np.array([codes.index(code) for code in code_of_label])


def _not_loaded(error: OSError) -> str:
    """Say what *error* kept from being unpacked: py3langid does it in a temporary file."""
    mend = "mend that and start again"
    if error.errno in _NO_ROOM:
        mend = f"make room in {tempfile.gettempdir()}, or name another folder in TMPDIR"
    return f"cannot load the classifier of languages ({error.strerror}); {mend}"
