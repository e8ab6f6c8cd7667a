"""Lines that begin as bylines do: those that name an author, and sentences of running text."""

from __future__ import annotations

import pytest

from pipelines.metadata.authors import byline_names


@pytest.mark.parametrize(
    "line",
    [
        "Von Karl Marx stammt das Wort.",
        "Von Herrn Müller erhielt Frau Schulze.",
        "By Christmas Eve everything was Ready.",
        "By Moscow time it was Midnight",
        "By David Lynch, starring Naomi Watts",
        "Author Stephen King returns to Maine",
        "Por Navidad todos vuelven a Casa",
        "Por Juan García y María López fueron Detenidos",
        "Par Jean-Paul Sartre, il y a deux écoles.",
    ],
)
def test_sentences_name_no_author(line):
    assert byline_names(line) is None


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Ludwig van Beethoven", "Ludwig van Beethoven"),
        ("Von Ursula von der Leyen und Karl Theodor zu Guttenberg", "Ursula von der Leyen; Karl Theodor zu Guttenberg"),
        ("Por Lope de la Vega", "Lope de la Vega"),
        ("Par Jean d’Ormesson du Pont", "Jean d’Ormesson du Pont"),
        ("By Dafydd ap Gwilym", "Dafydd ap Gwilym"),
        ("By Osama al-Rashid bin Laden", "Osama al-Rashid bin Laden"),
        ("Di Lorenzo de’ Medici", "Lorenzo de’ Medici"),
        ("By Bank of England", "Bank of England"),
        ("Posted by Jane Doe in News on March 5.", "Jane Doe"),
        ("By Jane Doe on March 5 in our series about small towns.", "Jane Doe"),
        ("By Jane Doe, a weekend editor who writes in the news of what there is to tell.", "Jane Doe"),
        ("Par Jean Dupont le 5 mars.", "Jean Dupont"),
    ],
)  # fmt: skip
def test_small_words_of_names_are_none_of_sentences(line, names):
    assert byline_names(line) == names
