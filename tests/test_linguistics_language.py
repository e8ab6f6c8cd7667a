from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.sampleweb.text import LANGUAGES, N_TOPICS, paragraphs
from pipelines.linguistics import language
from pipelines.linguistics.language import declared_code, identify
from pipelines.linguistics.scripts import script_weights

GOLD = Path(__file__).parent.parent.parent / "shared" / "data" / "extraction" / "dev"
N_TEXTS = 500


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_generated_text_of_fifty_words_is_identified(code):
    rng = random.Random(f"language {code}")
    wrong = []
    for i in range(N_TEXTS):
        text = "\n".join(paragraphs(rng, code, i % N_TOPICS, n_words=50))
        if (found := identify(text))[0] != code:
            wrong.append((found, text))
    assert wrong == []


@pytest.mark.parametrize("code", ["en", "de", "ar"])
def test_a_wrong_declaration_does_not_change_a_long_text(code):
    text = "\n".join(paragraphs(random.Random(1), code, 1, n_words=100))
    declared = "fr" if code == "en" else "en"
    assert identify(text, declared)[0] == code


@pytest.mark.parametrize("name", ["cleaneval-dev", "daniel", "zh-immortal"])
def test_gold_texts_of_real_pages(name):
    folder = GOLD / name
    if not folder.is_dir():
        pytest.skip(f"no real pages at ../shared/data/extraction/dev/{name}")
    for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        text = (folder / "gold" / f"{row['id']}.txt").read_text("utf-8")
        assert identify(text)[0] == row["lang"], row["id"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # one script, one language
        ("Αυτή είναι μια ελληνική πρόταση.", "el"),
        ("여러분 안녕하세요, 반갑습니다.", "ko"),
        ("วันนี้อากาศดีมากและเราจะไปเที่ยวทะเลกัน", "th"),
        ("ეს არის ქართული წინადადება.", "ka"),
        ("東京タワーは高い塔です。", "ja"),
        ("东京塔是一座很高的塔。", "zh"),
        # Han beyond the BMP
        ("𠀀𠀁𠀂𠀃𠀄𠀅𠀆", "zh"),
        # a Chinese page about software is more than half Latin letters
        ("使用 Docker 和 Podman 部署 PostgreSQL 数据库的经验与踩过的坑", "zh"),
        # macrolanguages and neighbours
        ("Dette er en norsk setning om været i Oslo, og ikke noe annet.", "no"),
        ("Eg veit ikkje kva dei heiter, men dei kjem frå Noreg.", "no"),
        ("呢度係香港，我哋今日去邊度食飯好呀？", "zh"),
        ("Ово је реченица на српском језику и ништа друго.", "sr"),
        ("שלום לכולם, היום יום יפה מאוד בעיר.", "he"),
    ],
)
def test_codes(text, code):
    found, score = identify(text)
    assert found == code
    assert 0.4 <= score <= 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello world",  # 10 letters
        "中文字中文字",  # 18 letters' worth
        "1234 5678 " * 100,
        "\x00\x01\x7f" * 1000,
        "\ud800\udfff" * 2000,
        "😀🎉" * 1000,
        "\u0301" * 3000,
        " \n\t" * 10_000 + "The rest is not read, however long it is.",
    ],
)
def test_too_little_evidence_is_undetermined(text):
    assert identify(text, "en") == ("und", 0.0)


def test_twenty_letters_are_the_least_evidence():
    assert sum(script_weights("the cat and the old dog").values()) == 18
    assert identify("the cat and the old dog")[0] == "und"
    assert identify("the cat and the older dog")[0] == "en"


def test_a_declaration_settles_what_the_text_leaves_open():
    # the same words in Danish and in Norwegian
    text = "Jeg har en bil og en hund her."
    assert identify(text, "da")[0] == "da"
    assert identify(text, "nb-NO")[0] == "no"


def test_only_the_first_characters_count():
    text = "This is a plain English sentence of a known length. " * 100
    assert identify(text) == identify(text[: language.READ_CHARS] + "\ud800 漢字 и" * 10**6)


@settings(deadline=None)
@given(st.text(st.characters(codec=None)), st.none() | st.text(max_size=8))
def test_no_text_and_no_declaration_raises(text, declared):
    code, score = identify(text, declared)
    assert (code == "und") == (score == 0)
    assert 0 <= score <= 1
    assert code == "und" or (len(code) == 2 and code.isalpha())
    assert identify(text, declared) == (code, score)


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("de-AT", "de"),
        ("DE_de", "de"),
        (" en ", "en"),
        ("nn", "no"),
        ("iw", "he"),
        ("zh-Hant-TW", "zh"),
        ("yue", "zh"),
        ("x-default", None),
        ("english", None),
        ("", None),
        (None, None),
    ],
)
def test_declared_codes(declared, code):
    assert declared_code(declared) == code


def test_models_are_loaded_when_they_are_needed():
    script = (
        "import sys; from pipelines.linguistics.language import identify;"
        "identify('東京タワーは高い塔です。');"
        "assert not {'py3langid', 'resiliparse'} & set(sys.modules)"
    )
    root = Path(__file__).parent.parent
    assert subprocess.run([sys.executable, "-c", script], cwd=root, check=False).returncode == 0


def slow_script_weights(text):
    """Count letters by the names that Unicode gives them."""
    import unicodedata

    counts: dict[str, int] = {}
    for char in text:
        if char.isalpha():
            name = unicodedata.name(char, "").split()[0]
            script = {"CJK": "Han", "HIRAGANA": "Kana", "KATAKANA": "Kana", "HANGUL": "ko"}
            script |= {"GREEK": "el", "THAI": "th", "GEORGIAN": "ka"}
            weight = {"CJK": 3, "HIRAGANA": 2, "KATAKANA": 2, "HANGUL": 2}.get(name, 1)
            key = script.get(name, "other")
            counts[key] = counts.get(key, 0) + weight
    return counts


@settings(deadline=None)
@given(st.text("abéж漢字かなカナ한글ελθαไทยქართ٣1 .\U00020000"))
def test_script_weights_follow_the_names_of_the_letters(text):
    assert script_weights(text) == slow_script_weights(text)
