"""Stop lists by language, and their builder."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from crawler.page.words import alpha_words
from pipelines.boilerplate.justext.density import densities
from pipelines.linguistics.stop_lists import (
    best_language,
    build_stop_list,
    cased,
    known_language,
    languages,
    stop_words,
)
from pipelines.linguistics.stop_lists.__main__ import main
from pipelines.linguistics.stop_lists.codes import NAME_OF_CODE
from tests.conftest import ROOT


@pytest.mark.parametrize(("characters", "expected"), [(False, [0.5, 0, 0]), (True, [0.5, 0.4, 0])])
def test_densities_by_words_and_by_characters(characters, expected):
    texts, asked = ["the cat", "我的书在哪", "the dog"], np.array([True, True, False])
    stops = frozenset({"the", "的", "在"})
    assert densities(texts, asked, stops, characters=characters).tolist() == expected


def test_languages():
    assert len(languages()) == 102
    assert set(NAME_OF_CODE.values()) <= set(languages())
    without_code = set(languages()) - set(NAME_OF_CODE.values())
    assert without_code == {"Belarusian Taraskievica", "Simple English"}
    for language in languages():
        words = stop_words(language)
        assert words
        assert all(word == word.strip().lower() or "İ" in word.upper() for word in words)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("English", "English"),
        ("Norwegian_Bokmal", "Norwegian Bokmal"),
        ("english", "English"),
        ("LOW SAXON", "Low Saxon"),
        ("EN-us", "English"),
        ("zh_Hant", "Chinese"),
        (" de ", "German"),
        ("x-default", None),
        ("", None),
        (None, None),
    ],
)
def test_known_language(given, name):
    assert known_language(given) == name


def test_unknown_language():
    with pytest.raises(ValueError, match="no stop list for 'tlh'; known are Afrikaans, Albanian"):
        stop_words("tlh")


def test_best_language():
    assert best_language(alpha_words("the cat sat on the mat and it was of no use")) == "English"
    assert best_language(alpha_words("Der Hund und die Katze sind nicht im Haus")) == "German"
    assert best_language(alpha_words("я не знаю что это такое и где он был")) == "Russian"
    assert best_language(["qqqq"]) is None
    assert best_language([]) is None


def test_builder():
    texts = ["The cat and THE dog. It's well-known", "the well-known cat"]
    assert build_stop_list(texts, 3) == ["the", "cat", "well-known"]
    assert build_stop_list([], 3) == []
    assert build_stop_list(["İçin için", "ve"], 1) == ["için"]
    assert build_stop_list(["的书的 a", "书的"], 1, characters=True) == ["的"]
    with pytest.raises(ValueError, match="size must be at least 1, got 0"):
        build_stop_list(texts, 0)
    assert cased(frozenset(build_stop_list(texts, 1))) == {"the", "The"}


def test_stop_words_are_found_whatever_signs_they_have():
    """Words were cut at vowel signs: of running Hindi a fifth was found, and jusText kept nothing."""
    text = "यह जनसंख्या के आधार पर विश्व का सबसे बड़ा देश है और यहाँ के लोग अनेक धर्मों को मानते हैं"
    words = alpha_words(text)
    assert words == text.split()
    assert best_language(words) == "Hindi"
    assert sum(word in stop_words("hi") for word in words) > len(words) / 2
    assert build_stop_list([text], 1) == ["के"]


def test_command(tmp_path, capsys):
    sample = tmp_path / "sample.txt"
    sample.write_text("to be or not to be, to", "utf-8")
    assert main(["-n", "2", str(sample)]) == 0
    assert capsys.readouterr().out == "to\nbe\n"
    sample.write_text("O\u0308l o\u0308l und", "utf-8")  # decomposed: in no page one was found
    assert main(["-n", "1", str(sample)]) == 0
    assert capsys.readouterr().out == "\u00f6l\n"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("bg", {"\u045d", "година"}),  # и with a grave, which the list has as two characters
        ("fr", {"d", "qu", "Qu", "jusqu", "un"}),
        ("en", {"however", "However"}),
    ],
)
def test_entries_are_words_of_pages(language, words):
    assert words <= cased(stop_words(language))
    # The released package has them as they stand.
    assert not words & {"d", "qu", "however", "\u045d"} & stop_words(language)
    assert "s" not in cased(stop_words("en"))


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("öl und öl".encode(), (0, "öl\nund\n", "")),
        (b"\xff\xfe", (2, "", "winnow: standard input is no UTF-8 text; convert it\n")),
        (b"1, 2", (2, "", "winnow: - holds no word; give running text of the language\n")),
    ],
)
def test_standard_input_is_utf8_whatever_the_locale(text, done):
    program = subprocess.run(
        [sys.executable, "-m", "pipelines.linguistics.stop_lists", "-"],
        input=text, capture_output=True, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "latin-1"},
    )  # fmt: skip
    assert (program.returncode, program.stdout.decode(), program.stderr.decode()) == done
