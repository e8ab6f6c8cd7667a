"""The class bits of characters, against what Python says of each."""

from __future__ import annotations

import re
import unicodedata

import pytest

from crawler.page.characters import DROPPED, SPACE, UNSETTLED, WORD, character_classes
from crawler.page.words import DROPPED_CLASS

POINTS = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]
# What may stand before a character that composes with it.
STARTERS = "aeoGAI\u0391\u0627\u1100\uac00"


def test_spaces_words_and_what_is_dropped():
    classes = character_classes().tolist()
    text = "".join(map(chr, POINTS))
    for bit, pattern in ((SPACE, r"\s"), (WORD, r"[^\W_]"), (DROPPED, f"[{DROPPED_CLASS}]")):
        expected = {ord(character) for character in re.findall(pattern, text)}
        assert {point for point in POINTS if classes[point] & bit} == expected


def test_settled_characters_are_in_nfc_whatever_stands_before():
    settled = [point for point in POINTS if not character_classes()[point] & UNSETTLED]
    second = {
        int(parts[1], 16)
        for point in POINTS
        if len(parts := unicodedata.decomposition(chr(point)).split()) == 2 and "<" not in parts[0]
    }
    for character in map(chr, settled):
        assert not unicodedata.combining(character)
        assert unicodedata.is_normalized("NFC", character)
        assert ord(character) not in second
    text = "".join(starter + chr(point) for point in settled for starter in STARTERS)
    assert unicodedata.is_normalized("NFC", text)


@pytest.mark.parametrize("character", ["\u0301", "\u1161", "\u11a8", "\u212b", "\u09be", "\u3099"])
def test_unsettled(character):
    assert character_classes()[ord(character)] & UNSETTLED
