"""Sentences from a context-free grammar whose word classes are drawn by topic.

A grammar is a list of rules ``NAME: option | option``, each beginning a line, an option being an
optional weight (an integer of at most two digits) and its parts, separated by blanks. A part is the
name of a rule or of a column, ``a/b/c`` for one of several parts, a name with ``?`` for one that is
left out half the time, or else a word that stands for itself. Names are in capital ASCII letters
and digits.

The words of a class follow Zipf's law as Mandelbrot shifted it, and each topic prefers the lemmas
at home in it: ``p(lemma | topic) ~ B / (rank + q)^s`` with ``B = BOOST`` for these and 1 for the
others, ``q = SHIFT``, ``s = EXPONENT``, the rank counted from 0.

*Source: Mandelbrot 1953, "An informational theory of the statistical structure of language", the
rank-frequency law.* Deviation: the topic's factor is our own.

Memory: a class shares its tables with all classes of the same home topics, 8 bytes a lemma and
topic, built when a topic is first asked for. Cost: a draw and a bisection for each word and choice.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from crawler.sampleweb.languages.lexicon import N_TOPICS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from crawler.sampleweb.languages.lexicon import Column

# measured: with these the mean overlap of two pages of one topic is below .01 % of their 5-grams in
# every language (tests/test_sampleweb_text.py); a steeper law would repeat phrases.
BOOST = 8.0
SHIFT = 60.0
EXPONENT = 1.5

_NAME = re.compile(r"[A-Z][A-Z0-9]*\??")
_RULE_START = re.compile(r"\n(?=[A-Z][A-Z0-9]*:)")
_WEIGHT = re.compile(r"[0-9]{1,2}")


class Words:
    """A word class: *forms* by lemma, and by topic the cumulated probabilities."""

    __slots__ = ("_homes", "_tables", "forms")

    def __init__(self, column: Column) -> None:
        self.forms = tuple(form for form, _ in column)
        self._homes = bytes(home for _, home in column)
        self._tables: list[array[float] | None] = [None] * N_TOPICS

    def table(self, topic: int) -> array[float]:
        """Return the cumulated probabilities of the forms in *topic*."""
        found = self._tables[topic]
        if found is None:
            found = self._tables[topic] = _zipf_table(self._homes, topic)
        return found


class Rule:
    """A choice: each of *options* is a sequence of parts, stored backwards for the stack."""

    __slots__ = ("cumulated", "options")

    def __init__(self, weights: Sequence[int], options: Sequence[Sequence[Part]]) -> None:
        self.cumulated = _cumulated(weights)
        self.options = tuple(tuple(reversed(option)) for option in options)


Part = str | Rule | Words


def expand(root: Rule, topic: int, random: Callable[[], float]) -> list[str]:
    """Draw one derivation of *root*, and return its words and commas."""
    words: list[str] = []
    stack: list[Part] = [root]
    while stack:
        part = stack.pop()
        if isinstance(part, Words):
            words.append(part.forms[bisect_right(part.table(topic), random())])
        elif isinstance(part, Rule):
            stack.extend(part.options[bisect_right(part.cumulated, random())])
        else:
            words.append(part)
    return words


def compile_grammar(grammar: str, columns: Mapping[str, Column]) -> dict[str, Rule]:
    """Return the rules of *grammar* by name.

    Raises ValueError for a name that is neither rule nor column, and for a rule that uses itself.
    """
    return _Compiler(grammar, columns).rules()


class _Compiler:
    def __init__(self, grammar: str, columns: Mapping[str, Column]) -> None:
        lines = (rule.partition(":") for rule in _RULE_START.split(grammar.strip()))
        self._sources = {name.strip(): source for name, _, source in lines}
        self._columns = {name: Words(column) for name, column in columns.items()}
        self._rules: dict[str, Rule | None] = {}

    def rules(self) -> dict[str, Rule]:
        return {name: self._rule(name) for name in self._sources}

    def _rule(self, name: str) -> Rule:
        if name in self._rules:
            rule = self._rules[name]
            if rule is None:
                raise ValueError(f"grammar must not use a rule within itself, got {name}")
            return rule
        self._rules[name] = None
        weights, options = [], []
        for option in self._sources[name].split("|"):
            parts = option.split()
            weights.append(int(parts.pop(0)) if parts and _WEIGHT.fullmatch(parts[0]) else 1)
            options.append([self._part(part) for part in parts])
        rule = self._rules[name] = Rule(weights, options)
        return rule

    def _part(self, part: str) -> Part:
        if "/" in part:
            options = [[self._part(one)] if one else [] for one in part.split("/")]
            return Rule([1] * len(options), options)
        if not _NAME.fullmatch(part):
            return part
        if part.endswith("?"):
            return Rule([1, 1], [[self._named(part[:-1])], []])
        return self._named(part)

    def _named(self, name: str) -> Part:
        if name in self._columns:
            return self._columns[name]
        if name not in self._sources:
            raise ValueError(f"grammar names must be rules or columns, got {name}")
        return self._rule(name)


def _cumulated(weights: Sequence[float]) -> array[float]:
    total = sum(weights)
    table = array("d", (partial / total for partial in accumulate(weights)))
    # rounding must not leave a gap below 1 that a draw could fall into
    table[-1] = 1.0
    return table


@cache
def _zipf_table(homes: bytes, topic: int) -> array[float]:
    return _cumulated(
        [
            (BOOST if home == topic else 1.0) / (rank + SHIFT) ** EXPONENT
            for rank, home in enumerate(homes)
        ]
    )
