"""What is told of every merged corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def closing_words(output: str, rules: Mapping[str, Sequence[str]]) -> str:
    """Return what to know of the corpus *output* and do with it; *rules* are settings whose values differed, with
    these.
    """
    differing = "; ".join(f"{name} {', '.join(its)}" for name, its in rules.items())
    return (
        f"{f'not all pages were made by the same rules: {differing}{chr(10)}' if differing else ''}"
        f"`scrapy dedup --corpus {output} --close` decides the duplicates of all of them"
    )
