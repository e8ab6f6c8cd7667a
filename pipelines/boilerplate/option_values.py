"""The values that options of methods take, by the annotations of their constructors.

- ``int`` takes a whole number and ``float`` a finite one, both at most 1e9 in size; ``bool`` and ``str`` their like.
- A collection of words may be given as such, as one text with commas or blanks between the words, or as ``@FILE``, a
  file in UTF-8 that holds the words.
- ``None`` is taken where the annotation has it.

What else a value must be, such as its range, is the constructor's to check.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Collection
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from crawler.page.words import nfc

_WORDS = frozenset({"Collection[str]", "frozenset[str]"})
_FILE = "@"
# Of whose words one makes no list: no text has enough of it, and all would be boilerplate.
_LISTS = frozenset({"stop_list"})
# What no word has: a path or markup, and characters of control, which files that are no text have.
_NO_WORD = re.compile(r"[/\x00-\x1f\x7f-\x9f]")
# Beyond all counts, sizes and scores, and far from where arithmetic with them ends.
_LARGEST = 1e9
_NAMES = {
    "int": "a whole number",
    "float": "a finite number",
    "bool": "true or false",
    "str": "a text",
    "Path": "a path",
    "None": "none",
    **dict.fromkeys(_WORDS, "words"),
}


def option_value(cls: type, option: str, value: Any) -> Any:
    """Return *value* as the constructor of *cls* takes it for *option*, one of its parameters.

    Raises ValueError for one of another type. Types that are not listed above pass.

    >>> class Method:
    ...     def __init__(self, *, words: int = 3, tags: frozenset[str] = frozenset()): ...
    >>> option_value(Method, "words", 5), sorted(option_value(Method, "tags", "td, th"))
    (5, ['td', 'th'])
    >>> option_value(Method, "words", "five")
    Traceback (most recent call last):
    ValueError: words must be a whole number, got 'five'
    """
    annotation = str(inspect.signature(cls).parameters[option].annotation)
    kinds = [kind.strip() for kind in annotation.split("|")]
    if isinstance(value, Real) and abs(value) > _LARGEST:  # type: ignore[operator]  # of two real numbers
        raise ValueError(f"{option} must be between -1e9 and 1e9, got {str(value)[:24]}")
    if not _NAMES.keys() >= set(kinds):
        if isinstance(value, list | dict | set):
            raise ValueError(f"{option} must be a single value, got {value!r}")
        return value
    if any(_is(value, kind) for kind in kinds):
        # Methods look words up, and keep what they made of them by the words.
        return value if _WORDS.isdisjoint(kinds) or value is None else frozenset(value)
    if isinstance(value, str) and not _WORDS.isdisjoint(kinds):
        words = _words(option, value)
        if words:
            return words
    wanted = " or ".join(_NAMES[kind] for kind in kinds)
    raise ValueError(f"{option} must be {wanted}, got {value!r}")


def _words(option: str, text: str) -> frozenset[str]:
    if text.startswith(_FILE):
        file = text.removeprefix(_FILE)
        place, mend = f"{option}: {file}", "give a file of words"
        text = _read(option, file)
    else:
        place, mend = option, f"a file of words is {_FILE}FILE"
    words = frozenset(nfc(text).replace(",", " ").split())  # as the texts of pages are
    if place != option and not words:
        raise ValueError(f"{place} holds no word; {mend}")
    wrong = min(filter(_NO_WORD.search, words), default=None)
    if wrong is not None:
        raise ValueError(f"{place} has {wrong[:40]!r}, which is no word; {mend}")
    if len(words) == 1 and option in _LISTS:
        raise ValueError(f"{place} has one word alone, {min(words)[:40]!r}; {mend}")
    return words


def _read(option: str, file: str) -> str:
    try:
        return Path(file).read_text("utf-8-sig")
    except OSError as error:
        raise ValueError(
            f"{option}: cannot read {error.filename}: {error.strerror}; name a file that can be read"
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{option}: {file} is no UTF-8 text; convert it") from error


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool) or value is None:
        return kind == ("None" if value is None else "bool")
    if kind in _WORDS:
        is_words = isinstance(value, Collection) and not isinstance(value, str | bytes)
        return is_words and all(isinstance(word, str) for word in value)
    if kind == "float":
        return isinstance(value, Real) and math.isfinite(value)
    return kind in _TYPES and isinstance(value, _TYPES[kind])


_TYPES: dict[str, type] = {"int": Integral, "str": str, "Path": Path}
