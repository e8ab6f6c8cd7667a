"""Which lines go on with the line before them: text that was wrapped by hand, at one width.

Old pages and archives of mail end each line of a paragraph by ``br``, in the middle of sentences. A program that wraps
begins a new line only where the next word has no room. So a line goes on with the one before it where its first word
would not fit there, by the width that three of four lines keep to, and that one ends no sentence; of all lines most do,
and most of these begin with a small letter.

Not handled: scripts without capitals, where a list of lines of one length looks the same.

Cost: O(n log n) in lines.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Lines of mail that was quoted and wrapped are short; none is longer than a screen.
_MIN_WIDTH, _MAX_WIDTH = 40, 100
# How much longer a line may be, and a first word: longer ones are addresses, which are never wrapped.
_SLACK, _MAX_WORD = 8, 20
# Fewer lines may be of one length by chance.
_MIN_LINES = 4
_MIN_SHARE = 0.5
_ENDS = (".", "!", "?", ":")


def go_on(lines: Sequence[str]) -> list[bool]:
    """Tell of each of *lines*, that stand in one element, whether it goes on with the one before it.

    >>> go_on(["It was late in the evening when the old man", "came home. He asked his wife where she had",
    ...        "been for so long, but she did not answer.", "He", "laughed."])
    [False, True, True, False, False]
    """
    n_lines = len(lines)
    width = sorted(map(len, lines))[3 * n_lines // 4] if n_lines >= _MIN_LINES else 0
    if not _MIN_WIDTH <= width <= _MAX_WIDTH:
        return [False] * n_lines
    is_full = [_is_full(line, after, width) for line, after in pairwise(lines)]
    n_small = sum(
        after[:1].islower() for full, after in zip(is_full, lines[1:], strict=True) if full
    )
    if not _MIN_SHARE * (n_lines - 1) < sum(is_full) < n_small / _MIN_SHARE:
        return [False] * n_lines
    ends = (line.endswith(_ENDS) for line in lines)
    return [False, *(full and not end for full, end in zip(is_full, ends, strict=False))]


def _is_full(line: str, after: str, width: int) -> bool:
    """Tell whether a *line* of at most *width* has no room for the first word of the one *after* it."""
    word = len(after.partition(" ")[0])
    return len(line) - _SLACK <= width < len(line) + 1 + word <= len(line) + 1 + _MAX_WORD
