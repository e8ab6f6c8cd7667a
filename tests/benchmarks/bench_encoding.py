"""Encodings: texts read right when nothing is declared, beside faust-cchardet; and the time it takes.

A text is right if it is the same after NFC as in its own encoding, whatever the guess is called; a
character is right if it is the same in the same place. The texts are own ones in the languages that
the encoding was made for (Romanian counts against us in windows-1250 and ISO-8859-2: there it has
cedillas, and we read it as ISO-8859-16, with the commas that it is written with). Where the
shared data lie beside the project, its pages are written in the old encodings of their languages,
declarations taken out, and the undeclared pages of 1997 and after are shown where the two differ.

Times are of `decode` for a page of 319 kB that is UTF-8, beside Python's strict decoder, and of the
guess for 64 kB.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
import unicodedata
from functools import partial
from typing import TYPE_CHECKING

import cchardet
from fastwarc.warc import ArchiveIterator, WarcRecordType

from crawler.errors import ModuleParser
from crawler.page.encoding.charsets import charset_of
from crawler.page.encoding.decoders import text_of
from crawler.page.encoding.guess import guess
from crawler.page.encoding.text import decode
from tests.benchmarks.report import figure
from tests.conftest import SHARED
from tests.encoding_texts import LANGUAGES, TEXTS, known_charset, texts_of, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# What faust-cchardet calls encodings for which the standard has another name or none.
THEIR_NAMES = {"maccentraleurope": "mac_latin2", "mac-centraleurope": "mac_latin2", "uhc": "euc-kr"}
PAGE_LANGUAGES = {
    "pl": "windows-1250 iso-8859-2",
    "ru": "windows-1251 koi8-r ibm866",
    "el": "windows-1253 iso-8859-7",
    "zh": "gbk",
    "de": "windows-1252 iso-8859-15 macintosh",
    "ja": "shift_jis euc-jp",
}
SETS_OF_ONE_LANGUAGE = {"trafilatura-eval": "de", "zh-immortal": "zh"}
GUESSED = (
    *(("windows-1252", "fr"), ("windows-1250", "cs"), ("windows-1251", "ru")),
    *(("shift_jis", "ja"), ("gbk", "zh-hans")),
)
DECLARATION = re.compile(r"""charset\s*=\s*["']?[\w-]+|<\?xml[^>]*>""", re.IGNORECASE)


def their_text(body: bytes) -> str:
    """Read *body* as faust-cchardet says, windows-1252 if it says nothing."""
    name = cchardet.detect(body)["encoding"] or "windows-1252"
    name = THEIR_NAMES.get(name.lower(), name)
    charset = charset_of(name)
    if charset is not None:
        return text_of(body, charset)
    try:
        return body.decode(name, "replace")
    except LookupError:
        return ""


def share_of_right_characters(found: str, expected: str) -> float:
    """Return the share of characters that are the same in the same place."""
    same = sum(a == b for a, b in zip(found, expected, strict=False))
    return same / max(len(found), len(expected), 1)


class Score:
    """Texts and characters read right by us and by them."""

    def __init__(self) -> None:
        self.n_texts = 0
        self.texts = [0, 0]
        self.characters = [0.0, 0.0]

    def add(self, body: bytes, expected: str) -> None:
        """Let both read *body*."""
        expected = unicodedata.normalize("NFC", expected)
        self.n_texts += 1
        for i, text in enumerate((decode(body).text, their_text(body))):
            found = unicodedata.normalize("NFC", text)
            self.texts[i] += found == expected
            self.characters[i] += share_of_right_characters(found, expected)

    def cells(self) -> list[str]:
        """Return the shares of texts and of characters, ours before theirs."""
        n = max(self.n_texts, 1)
        return [f"{right / n:6.3f}" for right in (*self.texts, *self.characters)]


def text_scores(n_chars: int, n_texts: int) -> dict[str, Score]:
    """Score own texts of *n_chars* in every encoding."""
    scores = {}
    for label in LANGUAGES:
        scores[label] = Score()
        for text in texts_of(label, n_chars, n_texts):
            body = written(text, label)
            scores[label].add(body, text_of(body, known_charset(label)))
    return scores


def shared_pages(n_pages: int) -> Iterator[tuple[str, str]]:
    """Yield (language, text) of shared pages that are UTF-8, without their declarations."""
    counts: dict[str, int] = {}
    for manifest in sorted((SHARED / "data" / "extraction").glob("*/*/manifest.jsonl")):
        for line in manifest.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            language = entry.get("lang") or entry.get("lang_detected")
            language = SETS_OF_ONE_LANGUAGE.get(manifest.parent.name, language)
            if language not in PAGE_LANGUAGES or counts.get(language, 0) == n_pages:
                continue
            page = manifest.parent / "pages" / f"{entry['id']}.html.gz"
            found = decode(gzip.decompress(page.read_bytes()))
            if found.replacement_share == 0 and not found.utf8.isascii():
                counts[language] = counts.get(language, 0) + 1
                yield language, DECLARATION.sub("", found.text)


def page_scores(n_pages: int) -> dict[str, Score]:
    """Score shared pages written in the old encodings of their languages."""
    scores: dict[str, Score] = {}
    for language, text in shared_pages(n_pages):
        for label in PAGE_LANGUAGES[language].split():
            body = written(text, label)
            if not body.isascii():
                score = scores.setdefault(f"{label} ({language} pages)", Score())
                score.add(body, text_of(body, known_charset(label)))
    return scores


def print_table(title: str, scores: dict[str, Score]) -> None:
    """Print one line an encoding, and fail where ours is worse."""
    columns = f"{'texts':>13} {'characters':>14}"
    sys.stdout.write(f"\n{title}\n{'':28} {columns}\n{'':28}" + "   ours theirs" * 2 + "     n\n")
    for label, score in scores.items():
        cells = " ".join(score.cells())
        sys.stdout.write(f"{label:28} {cells} {score.n_texts:5}\n")
    worse = [label for label, score in scores.items() if score.texts[0] < score.texts[1]]
    assert not worse, f"faust-cchardet reads more texts right: {worse}"


def undeclared_pages() -> Iterator[tuple[str, bytes]]:
    """Yield (url, body) of the archived pages that are neither ASCII, UTF-8 nor declared."""
    for name in ("webkb-1997.warc.gz", "pages-2011-2026.warc.gz"):
        with (SHARED / "data" / "warc" / name).open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
                body = record.reader.read()
                if not body.isascii():
                    found = decode(body)
                    if found.source in {"guess", "default"} and found.charset != "utf-8":
                        yield record.headers["WARC-Target-URI"], body


def print_undeclared_pages() -> None:
    """Print what both read in the words where they differ."""
    sys.stdout.write("\nUndeclared pages: words that the two read differently\n")
    n_pages = n_different = 0
    for url, body in undeclared_pages():
        n_pages += 1
        ours, theirs = decode(body), their_text(body)
        pairs = zip(ours.text.split(), theirs.split(), strict=False)
        different = [(a[-24:], b[-24:]) for a, b in pairs if a != b][:3]
        n_different += bool(different)
        if different:
            sys.stdout.write(f"{ours.charset:14} {url[-40:]:40} {different}\n")
    sys.stdout.write(f"{n_pages} pages, {n_different} read differently\n")


def micros(function: Callable[[], object], n: int = 50) -> list[float]:
    """Return the microseconds of *n* calls, sorted, without the slowest tenth."""
    times = []
    for _ in range(n):
        start = time.perf_counter()
        function()
        times.append(1e6 * (time.perf_counter() - start))
    return sorted(times)[: n - n // 10]


def print_times() -> None:
    """Print the time of the common case, and of the guess."""
    line = '<div class="teaser">plain words of text and some more of them</div>\n'
    page = f"<!doctype html><meta charset=utf-8>{(line * 20 + 'café – “quoted”') * 230}"
    body = page.encode()[:319_000].decode("utf-8", "ignore").encode()
    # Nothing gets fast by not looking: one bad byte at the end is seen.
    assert decode(body).utf8 is body
    assert decode(body + b"\xff").replacement_share > 0
    data = f"UTF-8 page of {len(body) // 1000} kB, one byte in {len(line) * 20 // 15} not ASCII"
    figure(
        "encoding", "decode_utf8_us", micros(lambda: decode(body)), unit="us", data=data, goal=60
    )
    figure("encoding", "python_strict_us", micros(body.decode), unit="us", data=data)
    for label, language in GUESSED:
        item = f'<li class="item"><a href="/x">{TEXTS[language]}</a>'
        sample = written(item * 400, label)[: 1 << 16]
        assert guess(sample).charset.name == label
        data = f"{label}, {len(sample)} bytes"
        times = micros(partial(guess, sample))
        figure("encoding", "guess_us", times, unit="us", data=data, goal=300)
        times = micros(partial(cchardet.detect, sample), 10)
        figure("encoding", "cchardet_us", times, unit="us", data=data)


def main() -> None:
    """Print the tables and the times."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="4 texts an encoding, 4 pages")
    quick = parser.parse_args().quick
    for n_chars in (200, 2000):
        scores = text_scores(n_chars, 4 if quick else 40)
        print_table(f"Undeclared texts of {n_chars} characters", scores)
        for i, name in enumerate(("texts_right", "cchardet_texts_right")):
            shares = [score.texts[i] / score.n_texts for score in scores.values()]
            figure("encoding", name, [sum(shares) / len(shares)], unit="share", data=f"{n_chars}")
    if SHARED.is_dir():
        print_table("Shared pages in old encodings", page_scores(4 if quick else 40))
        print_undeclared_pages()
    print_times()


if __name__ == "__main__":
    main()
