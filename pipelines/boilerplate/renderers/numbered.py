"""The numbers of the items of a list, as HTML counts them: from a start, up or down, some said anew.

Markdown numbers a list up from its first item. A list that goes otherwise, counts down or leaves out items that
are not shown, is divided into such lists, so that each item has the number that the page shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.boilerplate.renderers.nodes import List

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.boilerplate.renderers.nodes import Node

# CommonMark 0.31, section 5.2: no more than nine digits, and no sign.
_MAX_NUMBER = 999_999_999


def numbers_of(values: Sequence[int | None], start: int | None, *, is_reversed: bool) -> list[int]:
    """Return the numbers of items whose *values* are said, or None, in a list that says its *start*, or None.

    >>> numbers_of([None, 7, None], None, is_reversed=False), numbers_of([None, None], None, is_reversed=True)
    ([1, 7, 8], [2, 1])
    """
    step = -1 if is_reversed else 1
    first = len(values) if is_reversed else 1
    number = (first if start is None else start) - step
    numbers = []
    for value in values:
        number = number + step if value is None else value
        numbers.append(number)
    return numbers


def numbered_lists(items: Sequence[list[Node]], numbers: Sequence[int]) -> list[List]:
    """Return *items* as lists, each of which counts up by one; as one from 1 on where Markdown has no such
    *numbers*.
    """
    if not all(0 <= number <= _MAX_NUMBER for number in numbers):
        return [List(list(items), 1)]
    lists: list[List] = []
    after = -1
    for item, number in zip(items, numbers, strict=True):
        if not lists or number != after:
            lists.append(List([], number))
        lists[-1].items.append(item)
        after = number + 1
    return lists
