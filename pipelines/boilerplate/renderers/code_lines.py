"""The text of code line by line, as it stands on the page; that of a block has but spaces.

Cost: O(n) in bytes of the page where it has such a block. Invariant: the words are those of the block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.tags import names
from pipelines.boilerplate.renderers.line import has_word, text_of
from pipelines.boilerplate.renderers.markup_events import NO_BLOCK, Tag, events, markup_of

if TYPE_CHECKING:
    from crawler.page import PageModel
    from crawler.page.blocks import Blocks

CODE = names("pre listing plaintext")
# Tables and lists of numbered lines.
ENDS_LINE = frozenset({"div", "p", "li", "tr"})


def stands_in_code(blocks: Blocks) -> list[bool]:
    """Tell which of *blocks* stand in preformatted text."""
    of_path = [not CODE.isdisjoint(path.split("/")) for path in blocks.paths.strings]
    return [of_path[number] for number in blocks.path_number.tolist()]


def code_texts(page: PageModel) -> dict[int, str]:
    """Return the texts of the blocks of *page* that stand in code, by number, lines and blanks as they are."""
    is_code = stands_in_code(page.blocks)
    if not any(is_code):
        return {}
    markup = markup_of(page)
    parts: dict[int, list[str]] = {}
    between: list[str] = []
    for event in events(markup):
        if isinstance(event, Tag):
            if event.name == "br" or event.name in ENDS_LINE:
                between.append("\n")
            elif event.name in CODE:
                between = []
        elif event.block == NO_BLOCK:
            # Signs alone; what has words is hidden, or of a script.
            text = text_of(markup.source[event.start : event.end], verbatim=True)
            between.append("" if has_word(text) else text)
        else:
            if is_code[event.block]:
                its = parts.setdefault(event.block, [])
                # Before the first text, but the blanks that indent it, all is another block's.
                its += between if its else between[-1:]
                its.append(text_of(markup.source[event.start : event.end], verbatim=True))
            between = []
    return {number: _trimmed("".join(its)) for number, its in parts.items()}


def _trimmed(text: str) -> str:
    lines = text.rstrip().split("\n")
    first = next(place for place, line in enumerate(lines) if line.strip())
    return "\n".join(lines[first:])
