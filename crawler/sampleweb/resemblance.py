"""Near-duplicates of a known resemblance.

The resemblance of two texts is that of their sets of word shingles, ``r(A, B) = |A ∩ B| / |A ∪ B|``
over the runs of ``w = 5`` words (Broder, "On the resemblance and containment of documents", 1997,
section 2, which leaves w open; 5-grams are what the unrelated pages of this web are held apart by).
Words are density tokens in lower case, in the order of the main text.

Replacing a run of *m* words inside a text of *n* shingles alters ``m + w - 1`` of them, replacing its
last *m* words alters *m*. With *x* altered ``r = (n - x) / (n + x)``, hence
``x = n (1 - r) / (1 + r)`` is what :func:`plant` spends. A replaced word keeps its place, its
punctuation and, in scripts without spaces, its number of characters, so that all blocks and all
unaltered words stay as they are.

Invariant: the resemblance of an article of at least 250 words and its planted twin lies within
.02 of the target.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category

from crawler.page.words import HAN_KANA, SOUTH_EAST_ASIAN, density_tokens
from crawler.sampleweb.article import Article, Block

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

SHINGLE_WORDS = 5

# Words replaced in one go, as an editor changes a clause rather than every fifth word.
_MAX_RUN = 12

_HAN_KANA = re.compile(f"[{HAN_KANA}]")
_SOUTH_EAST_ASIAN = re.compile(f"[{SOUTH_EAST_ASIAN}]")

_CORE = re.compile(r"\w(?:.*\w)?", re.DOTALL)


def shingles(text: str) -> set[tuple[str, ...]]:
    """Return the set of word 5-grams of *text*, empty when it has fewer words."""
    words = [word.lower() for word in density_tokens(text)]
    return set(zip(*(words[start:] for start in range(SHINGLE_WORDS)), strict=False))


def resemblance(a: str, b: str) -> float:
    """Return the resemblance of two texts, 0 to 1; two texts without shingles have 1."""
    first, second = shingles(a), shingles(b)
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def plant(rng: Random, elder: Article, target: float, fresh: str) -> Article:
    """Return *elder* with words replaced by words of *fresh* until their resemblance is *target*.

    The title stays. *target* lies in (0, 1]; *fresh* is a text of the same language.
    """
    n_title = len(density_tokens(elder.title))
    n_words = len(density_tokens(elder.text))
    n_altered = round((n_words - SHINGLE_WORDS + 1) * (1 - target) / (1 + target))
    altered = iter(sorted(_positions(rng, n_title, n_words, n_altered)))
    rewriter = _Rewriter(rng, fresh, altered, n_title)
    blocks = tuple(
        Block(block.kind, rewriter.rewrite(block.text), anchor)
        for block in elder.blocks
        for anchor in [rewriter.rewrite(block.anchor)]
    )
    return Article(elder.title, blocks)


def _positions(rng: Random, start: int, stop: int, n_altered: int) -> Iterator[int]:
    """Yield the words in ``start … stop-1`` whose replacement alters *n_altered* shingles.

    Runs lie at least ``w - 1`` words apart and from both ends, so that what they alter adds up.
    """
    margin = SHINGLE_WORDS - 1
    runs: list[int] = []
    left = n_altered
    while left > margin:
        runs.append(min(rng.randint(1, _MAX_RUN), left - margin))
        left -= runs[-1] + margin
    tail = stop - left
    yield from range(tail, stop)
    slack = tail - start - margin - sum(runs) - margin * len(runs)
    cuts = sorted(rng.randint(0, max(0, slack)) for _ in runs)
    position = start + margin
    for run, cut, before in zip(runs, cuts, [0, *cuts], strict=False):
        position += cut - before
        yield from range(position, position + run)
        position += run + margin


class _Rewriter:
    """Replaces the words at the *altered* positions, text after text of one article.

    *position* is that of the first word of the next text.
    """

    def __init__(self, rng: Random, fresh: str, altered: Iterator[int], position: int) -> None:
        self.rng = rng
        self.words = [core[0] for word in density_tokens(fresh) if (core := _CORE.search(word))]
        self.letters: dict[str, list[str]] = {}
        for letter in fresh:
            self.letters.setdefault(_script(letter), []).append(letter)
        self.altered = altered
        self.next = next(altered, -1)
        self.position = position

    def rewrite(self, text: str) -> str:
        """Return *text* with its share of the altered words replaced."""
        pieces: list[str] = []
        copied = end = 0
        for word in density_tokens(text):
            start = text.index(word, end)
            end = start + len(word)
            if self.position == self.next:
                pieces += text[copied:start], self._replace(word)
                copied = end
                self.next = next(self.altered, -1)
            self.position += 1
        return "".join([*pieces, text[copied:]])

    def _replace(self, word: str) -> str:
        letters = [self._letter(letter) for letter in word]
        if letters != list(word):
            return "".join(letters)
        core = _CORE.search(word)
        old = core[0] if core else word
        new = next(
            w for w in iter(lambda: self.rng.choice(self.words), "") if w.lower() != old.lower()
        )
        return word.replace(old, new, 1)

    def _letter(self, letter: str) -> str:
        """Return another letter of the same script if it is one written without spaces."""
        script = _script(letter)
        if not script:
            return letter
        options = self.letters.get(script) or [letter]
        new = self.rng.choice(options)
        return new if new != letter else self.rng.choice(options)


def _script(letter: str) -> str:
    """Return the group of *letter* if it is of a script without spaces, else an empty string."""
    if _HAN_KANA.match(letter):
        return "han"
    # Not its marks: a vowel sign stays with its consonant.
    return "thai" if _SOUTH_EAST_ASIAN.match(letter) and category(letter) == "Lo" else ""
