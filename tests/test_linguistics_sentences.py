"""Where sentences end: tables by script, and a slow version that goes from character to character."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.linguistics.sentences import sentence_ends


def sentences(text: str) -> list[str]:
    ends = [0, *sentence_ends(text), len(text)]
    return [text[first:end].strip() for first, end in pairwise(ends)]


@pytest.mark.parametrize(
    "text",
    [
        "One ends. Another? And! So... Then it's 3.",
        'He said: "Stop." | "Why?" he asked. | (It was late.) | 12 came. | They left.',
        "Founded in 1990. | It grew by 3.5. | Then v1.2. | End",
        # Initials and numbers of one or two digits; what has points within.
        "J. R. R. Tolkien met J.-P. Sartre. | The U.S. Army, z. B. Panzer, am 3. Oktober im 12. Jh.",
        # Goes on in small letters, or behind a sign.
        "Yahoo! is a firm, etc. and so on, approx. (see below), etc. , and wait... what?",
        "« Oui.\u00a0» | Il part\u00a0! | Non\u00a0? | – Si.",
        "„Halt.“ | Er ging. | »Nein.« | Ende",
        "¿Qué? | ¡No! | ¿Sí?",
        "Dr.\u00a0Who came. | Он пришёл. | Она ушла.",
        "उसने कहा। | वह गया। | १२ लोग आए॥",
        "ذهب الولد. | هل عاد؟ | نعم۔ | لا",
        "Եկավ։ | Գնաց։",
        "これは本です。|読みました！|「はい。」と言った。|終わり？！|次",
        "他说：“好。”|然后走了。|（完。）|好！，不。|12。|完……好",
        "လာသည်။ | သွားသည်။",
        "a line\n|another",
        "",
        "...",
        "No end",
    ],
)
def test_sentences_end(text):
    """At each ``|``, and nowhere else; the first row is told by hand."""
    if text.startswith("One ends"):
        expected = ["One ends.", "Another?", "And!", "So...", "Then it's 3."]
    else:
        expected = [each.strip() for each in text.split("|")]
    assert sentences(text.replace("| ", "").replace("|", "")) == expected


PIECES = (*"ab", *"AB", "12", "1990", ".", "!", "?", "…", "...", '"', ")", "(", ",", " ", " ", "\u00a0", "\n", "。", "」", "”", "。", "आ", "।", "-")  # fmt: skip
SIGNS = ".!?…"
CLOSING, OPENING = "\"'”’»«›‹)]}“‘", "\"'“„‚«‹»›‘’([{¿¡—–-"


def slow_ends(text: str) -> list[int]:
    found = {place + 1 for place, sign in enumerate(text) if sign == "\n"}
    for place in range(len(text)):
        found |= {slow_end(text, place), slow_spaceless_end(text, place)}
    return sorted(end for end in found if 0 < end < len(text))


def slow_spaceless_end(text: str, place: int) -> int:
    """Return the end that the sign at *place* makes without a blank behind it, else 0."""
    behind = text[place + 1 :]
    if text[place] not in "。।" or behind[:1] in ("。", "।", "」"):
        return 0
    rest = behind.lstrip(CLOSING)
    return 0 if rest[:1] in (*",.!?…",) else len(text) - len(rest)


def slow_end(text: str, place: int) -> int:
    """Return the end that the last of the signs at *place* makes, else 0."""
    if text[place] not in SIGNS or text[place + 1 : place + 2] in (*SIGNS,):
        return 0
    if text[:place].rstrip(SIGNS) == text[:place] and text[place] == "." and is_short(text[:place]):
        return 0
    behind = text[place + 1 :]
    while behind and (
        behind[0] in CLOSING or (behind[0] == "\u00a0" and behind[1:2] in (*CLOSING,))
    ):
        behind = behind[1:]
    if not behind or behind[0] not in " \n":
        return 0
    rest = behind.lstrip(f" \u00a0\n{OPENING}")
    goes_on = not rest or rest[0].islower() or rest[0] in ",;:.!?…)]}"
    return 0 if goes_on else len(text) - len(behind)


def is_short(before: str) -> bool:
    """Whether *before* ends with a letter, letters with points between them, or one or two digits."""
    first = len(before)
    while first and (before[first - 1].isalnum() or before[first - 1] in "._"):
        first -= 1
    word = before[first:]
    is_number = word.isdigit() and len(word) < 3
    return is_number or (bool(word) and all(len(x) == 1 and x.isalpha() for x in word.split(".")))


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_ends_are_those_of_a_slow_version(text):
    assert sentence_ends(text) == slow_ends(text)


@pytest.mark.parametrize("unit", [". ", "J. ", ".", "- ", '." ', "A.", "。", "12. ", '\u00a0"', ". ("])  # fmt: skip
def test_long_texts_have_ends_in_linear_time(unit):
    for close in ("", "」"):
        ends = sentence_ends(unit * 200_000 + close)
        assert ends == sorted(set(ends))
