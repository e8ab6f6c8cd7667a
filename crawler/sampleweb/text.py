"""Text of the sample web: sentences, paragraphs, titles and labels in twelve languages.

Every text is derived from a grammar with the words of a topic (`languages.grammar`), never taken
from a pool of sentences, and depends on the language, the topic and the state of the caller's
random stream alone. Lengths are in `words`: what stands between blanks, and for Chinese and
Japanese units of two characters.

A language is read when it is first used (5 to 40 ms and some 1.5 MB, once a process).
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING

from crawler.sampleweb.languages.grammar import Rule, compile_grammar, expand
from crawler.sampleweb.languages.lexicon import N_TOPICS, TOPICS

if TYPE_CHECKING:
    from random import Random

    from crawler.sampleweb.languages.lexicon import LanguageData

__all__ = [
    "LANGUAGES",
    "N_TOPICS",
    "TOPICS",
    "label",
    "paragraphs",
    "sentence",
    "title",
    "words",
]

LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "ru", "ar", "zh", "ja", "fi", "tr")

SENTENCES_PER_PARAGRAPH = (2, 6)

# Of the scripts written without blanks, the letters; all else parts the words.
_UNSPACED = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{1,2}|[0-9A-Za-z]+")


class _Language:
    """A language read and compiled, with its root rules S, T and L."""

    def __init__(self, data: LanguageData) -> None:
        rules = compile_grammar(data.grammar, data.columns)
        self.sentence, self.title, self.label = rules["S"], rules["T"], rules["L"]
        self.stop = data.stop
        self.space = " " if data.spaces else ""
        self._upper = data.upper
        self._repairs = [(re.compile(pattern), by) for pattern, by in data.repairs]

    def text(self, root: Rule, topic: int, random: Random) -> str:
        """Draw a text from *root*: joined, repaired, its first letter a capital."""
        parts = expand(root, topic, random.random)
        joined = self.space.join(parts).replace(" ,", ",")
        for pattern, by in self._repairs:
            joined = pattern.sub(by, joined)
        first = joined[0]
        return self._upper.get(first, first.upper()) + joined[1:]

    def n_words(self, text: str) -> int:
        """Count the `words` of *text*, fast where blanks part them."""
        return text.count(" ") + 1 if self.space else len(_UNSPACED.findall(text))


@cache
def _language(code: str) -> _Language:
    if code not in LANGUAGES:
        raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {code}")
    return _Language(import_module(f"crawler.sampleweb.languages.{code}").build())


def sentence(rng: Random, language: str, topic: int) -> str:
    """Draw one sentence; *topic* is an index into `TOPICS`."""
    lang = _language(language)
    return lang.text(lang.sentence, topic, rng) + lang.stop


def paragraphs(rng: Random, language: str, topic: int, *, n_words: int) -> list[str]:
    """Draw paragraphs of 2 to 6 sentences until they hold *n_words* words.

    The last sentence may pass the number; no paragraph for a number below 1.
    """
    lang = _language(language)
    drawn: list[str] = []
    while n_words > 0:
        sentences: list[str] = []
        wanted = rng.randint(*SENTENCES_PER_PARAGRAPH)
        while n_words > 0 and len(sentences) < wanted:
            sentences.append(sentence(rng, language, topic))
            n_words -= lang.n_words(sentences[-1])
        drawn.append(lang.space.join(sentences))
    return drawn


def title(rng: Random, language: str, topic: int) -> str:
    """Draw a title of about 3 to 8 words, without a full stop."""
    lang = _language(language)
    return lang.text(lang.title, topic, rng)


def label(rng: Random, language: str, topic: int) -> str:
    """Draw a label of 1 to 3 words, for menus and anchors."""
    lang = _language(language)
    return lang.text(lang.label, topic, rng)


def words(text: str, language: str) -> list[str]:
    """Split *text* into lower-case words; Chinese and Japanese into units of two characters."""
    if language in ("zh", "ja"):
        return _UNSPACED.findall(text)
    # the lower case of İ is two characters everywhere but in Turkish
    lower = text.replace("İ", "i").lower()
    stripped = (word.strip(".,;:?!()\"'؟،؛«»„“”") for word in lower.split())
    return list(chain.from_iterable([word] if word else [] for word in stripped))
