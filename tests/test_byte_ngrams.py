import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from pipelines.linguistics.byte_ngrams import ByteNgrams


@pytest.fixture(scope="module")
def identifier():
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@pytest.fixture(scope="module")
def classifier(identifier):
    return ByteNgrams(identifier)


def agree(classifier, identifier, text):
    """Tell whether both give each language the same probability; py3langid sums in float32."""
    ours: dict[str, float] = {}
    for label, probability in zip(classifier.labels, classifier.probabilities(text), strict=True):
        ours[label] = ours.get(label, 0.0) + probability
    theirs = dict(identifier.rank(text))
    assert ours.keys() == theirs.keys()
    assert sum(ours.values()) == pytest.approx(1)
    return all(ours[label] == pytest.approx(theirs[label], rel=1e-3, abs=1e-6) for label in ours)


@pytest.mark.parametrize(
    "text",
    [
        "",  # no feature: all are alike
        "\x00\x01",
        "Jeg har en bil og en hund her.",
        "THE QUICK BROWN FOX JUMPS",  # capitals only are read as small letters
        "Sve ljude, Све људе",  # Serbian has two columns
        "e\u0301tude",  # read in NFC
        "the cat and the older dog " * 80,
        "\ud800 lone",
    ],
)
def test_probabilities_are_those_of_py3langid(classifier, identifier, text):
    assert agree(classifier, identifier, text)


@settings(deadline=None)
@given(st.text(st.characters(codec=None)) | st.text("abcde éßж и한漢\ud800", max_size=60))
def test_probabilities_of_any_text(classifier, identifier, text):
    assert agree(classifier, identifier, text)


def test_probabilities_of_some_languages_only(identifier):
    few = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    few.set_languages(["da", "no", "sr"])
    classifier = ByteNgrams(few)
    assert agree(classifier, few, "Jeg har en bil og en hund her.")
    assert set(classifier.labels) == {"da", "no", "sr"}


def test_one_text_leaves_nothing_behind_for_the_next(classifier):
    before = classifier.probabilities("Det er en kort tekst.")
    classifier.probabilities("quite another text " * 50)
    assert np.array_equal(classifier.probabilities("Det er en kort tekst."), before)
