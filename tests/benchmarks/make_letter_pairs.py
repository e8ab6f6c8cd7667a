"""Make `crawler/page/encoding/letter_pairs.py` again: letter pairs of the languages of the code pages.

Needs, beside the project, ``pip install "lingua-language-detector<2" pythainlp``; give the folder
that they are installed in. Writes the module to standard output; format it with ruff.
"""

from __future__ import annotations

import base64
import collections
import json
import sys
import unicodedata
import zlib
from pathlib import Path

import brotli
import numpy as np

from crawler.errors import ModuleParser
from crawler.page.encoding import letter_pairs

ASCII = "abcdefghijklmnopqrstuvwxyz"
TONES = "\u0300\u0301\u0303\u0309\u0323"
CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
ARABIC = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي"
# The letters of each language beyond ASCII; those of English are of its names and loan words.
LETTERS = {
    "latin": {
        "af": "êëéèïîôûáóúö",
        "ca": "àçèéíïòóúü",
        "cs": "áčďéěíňóřšťúůýž",
        "cy": "ŵŷâêîôûáéíóúàèìòùäëïöü",
        "da": "æøåéö",
        "de": "äöüßéèáà",
        "en": "ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿœšž",
        "eo": "ĉĝĥĵŝŭ",
        "es": "áéíóúñü",
        "et": "äõöüšž",
        "fi": "äöåšž",
        "fr": "àâæçéèêëîïôœùûüÿ",
        "ga": "áéíóú",
        "hr": "čćđšž",
        "hu": "áéíóöőúüű",
        "is": "áðéíóúýþæö",
        "it": "àèéìíòóùú",
        "lt": "ąčęėįšųūž",
        "lv": "āčēģīķļņšūž",
        "mt": "ċġħżàèìòù",
        "nb": "æøåéòôóèä",
        "nl": "ëéïèóöüêç",
        "pl": "ąćęłńóśźż",
        "pt": "ãáàâçéêíóôõúü",
        "ro": "ăâîșțşţ",
        "sk": "áäčďéíĺľňóôŕšťúýž",
        "sl": "čšžćđ",
        "sq": "ëç",
        "sv": "åäöéà",
        "tr": "çğıöşüâîû",
        "vi": "àáâãèéêìíòóôõùúýăđĩũơư" + TONES,
    },
    "cyrillic": {
        "ru": CYRILLIC + "ё",
        "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
        "be": "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
        "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
        "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
        "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    },
    "greek": {"el": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ"},
    "hebrew": {"he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת"},
    "arabic": {
        "ar": ARABIC + "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652",
        "fa": "آابپتثجچحخدذرزژسشصضطظعغفقکكگلمنوهيئءأؤ",
        "ur": "آابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءئےؤ",
    },
    "thai": {"th": "".join(map(chr, [*range(0xE01, 0xE3B), *range(0xE3F, 0xE4F)]))},
}
MALTESE = """ħafna għal għandu tagħhom żgħir ġdid ċentru ħażin żmien ħin ġurnata għaliex dinjità biċċa
ħobż oġġett ħaddiem qagħad dħul ħruġ żewġ ċar ġenerali aħna żball għodda dwar għax minħabba ħadd
ħaġa ħajja ħafif magħha lilħom fuqħom rħula għoxrin wieħed tnejn tlieta seba' għaxra raħal belt
ċittà ħbieb ħuti missierħa ġewwa barra ġara ġurnali ġustizzja ċaħda liċenza deċiżjoni uffiċjali
soċjali speċjali proċess Ewropew ħtieġa ħsieb ħlas ħadem ħareġ daħal żied żar ħelu żejt għamel
għamlu għalhekk għadu bħal bħala wkoll ftit żgħażagħ universalità libertà attività nazzjonalità"""
# Of the letters, where no corpus says it: Maltese and, tones counted, Vietnamese.
SHARES = {"mt": 0.06, "vi": 0.35, "th": 1.0}
# Letters that text of the language has in two forms, in one encoding or another.
TWO_FORMS = {"ro": {"ş": "ș", "ţ": "ț"}, "fa": {"ی": "ي"}}

Counts = collections.defaultdict[str, float]


def shares_of(folder: Path, language: str, kind: str) -> dict[str, float]:
    """Return Lingua's relative frequencies: of a letter, or of a letter after another."""
    path = folder / "lingua" / "language-models" / language / f"{kind}.json.br"
    grams = json.loads(brotli.decompress(path.read_bytes()))["ngrams"]
    return {
        gram: int(share.split("/")[0]) / int(share.split("/")[1])
        for share, some in grams.items()
        for gram in some.split(" ")
    }


def counted(folder: Path, language: str) -> Counts:
    """Return the shares of pairs of letters, a space for the ends of words."""
    single = shares_of(folder, language, "unigrams")
    pairs = Counts(float)
    first, last = Counts(float, single), Counts(float, single)
    for pair, share in shares_of(folder, language, "bigrams").items():
        n = single.get(pair[0], 0) * share
        pairs[pair] += n
        last[pair[0]] -= n
        first[pair[1]] -= n
    for letter, share in single.items():
        pairs[" " + letter] += max(first[letter], share / 1000)
        pairs[letter + " "] += max(last[letter], share / 1000)
    return with_tones_apart(pairs, single) if language == "vi" else pairs


def with_tones_apart(pairs: Counts, single: dict[str, float]) -> Counts:
    """Return the *pairs* as windows-1258 writes them, tones after their letters."""
    apart = Counts(float)
    for pair, share in pairs.items():
        apart[tone_apart(pair[0])[-1] + tone_apart(pair[1])[0]] += share
    for letter, share in single.items():
        parts = tone_apart(letter)
        for i in range(len(parts) - 1):
            apart[parts[i : i + 2]] += share
    return apart


def tone_apart(letter: str) -> str:
    """Return *letter* and its tone."""
    parts = unicodedata.normalize("NFD", letter)
    base = "".join(part for part in parts if part not in TONES)
    return unicodedata.normalize("NFC", base) + "".join(part for part in parts if part in TONES)


def counted_words(words: list[str]) -> Counts:
    """Return the counts of pairs in *words*, each as frequent as another."""
    texts = [f" {word.lower()} " for word in words]
    pairs = (text[i : i + 2] for text in texts for i in range(len(text) - 1))
    return Counts(float, collections.Counter(pairs))


def counted_thai(folder: Path) -> Counts:
    """Return the counts of pairs in Thai, where four of five words have no space after them."""
    pairs = Counts(float)
    first = Counts(float)
    last = Counts(float)
    lines = (folder / "pythainlp" / "corpus" / "tnc_freq.txt").read_text(encoding="utf-8")
    for line in lines.splitlines():
        word, _, count = line.partition("\t")
        if count.isdigit() and word and all("\u0e01" <= c <= "\u0e4e" for c in word):
            first[word[0]] += int(count)
            last[word[-1]] += int(count)
            for i in range(len(word) - 1):
                pairs[word[i : i + 2]] += int(count)
    n_words = sum(first.values())
    for end, n in last.items():
        pairs[end + " "] += n * 0.2
        for start, m in first.items():
            pairs[end + start] += 0.8 * n * m / n_words
    for start, m in first.items():
        pairs[" " + start] += 0.2 * m
    return pairs


def in_both_forms(pairs: Counts, forms: dict[str, str]) -> Counts:
    """Return *pairs* with all that is counted in either form of a letter counted in both."""
    to_second, to_first = str.maketrans(forms), str.maketrans({b: a for a, b in forms.items()})
    merged = Counts(float)
    for pair, share in pairs.items():
        merged[pair.translate(to_second)] += share
    for pair, share in list(merged.items()):
        if pair.translate(to_first) != pair:
            merged[pair.translate(to_first)] = share
    return merged


def packed(pairs: Counts, alphabet: str, letters: str) -> np.ndarray:
    """Return the costs of *pairs* as the module keeps them."""
    index = {letter: i for i, letter in enumerate(alphabet)}
    shares = np.zeros((len(alphabet), len(alphabet)))
    known = " " + ASCII if "a" in alphabet else " "
    for pair, share in pairs.items():
        left, right = tuple(pair)
        if (left in letters or right in letters) and {left, right} <= set(known + letters):
            shares[index[left], index[right]] += share
    shares /= shares.sum()
    costs = 1 + np.round(-4 * np.log(np.maximum(shares, 1e-9)))
    return np.where(shares < 2e-5, 0, np.minimum(costs, 255)).astype(np.uint8)


def script_source(folder: Path, name: str) -> str:
    """Return the source of one script of the module."""
    languages = LETTERS[name]
    alphabet = (
        " " + (ASCII if name == "latin" else "") + "".join(sorted(set().union(*languages.values())))
    )
    tables, shares = [], {}
    for language, letters in languages.items():
        if language == "mt":
            pairs = counted_words(MALTESE.split())
        else:
            pairs = counted_thai(folder) if language == "th" else counted(folder, language)
        pairs = in_both_forms(pairs, TWO_FORMS.get(language, {}))
        tables.append(packed(pairs, alphabet, letters))
        single = {} if language in SHARES else shares_of(folder, language, "unigrams")
        own = sum(single.get(letter, 0) for letter in letters)
        shares[language] = SHARES.get(language) or round(own / sum(single.values()), 5)
    data = base64.b85encode(zlib.compress(np.array(tables).tobytes(), 9)).decode()
    lines = [data[i : i + 200] for i in range(0, len(data), 200)]
    return f"    {name!r}: Script({alphabet!r}, {shares!r}, " + "\n".join(map(repr, lines)) + "),\n"


def main() -> None:
    """Write the module to standard output."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where Lingua and PyThaiNLP are installed")
    folder = parser.parse_args().folder
    head = Path(letter_pairs.__file__).read_text(encoding="utf-8").partition("SCRIPTS = {")[0]
    sources = "".join(script_source(folder, name) for name in LETTERS)
    sys.stdout.write(f"{head}SCRIPTS = {{\n{sources}}}\n")


if __name__ == "__main__":
    main()
