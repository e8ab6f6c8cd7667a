r"""Formulas within the text of a page: MathML, TeX of images and scripts, and TeX that a program of the page draws.

MathJax and KaTeX draw ``\(...\)``, ``\[...\]`` and ``$$...$$`` in the text of pages that load them, and ``$...$``
where their settings name it so. Of images and scripts the page model has the TeX in an element of its own
(:mod:`crawler.page.formulas`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.page.formulas import START_OF_TEX
from pipelines.boilerplate.renderers.mathml import end_of_formula, tex_of

if TYPE_CHECKING:
    from crawler.page.markup_events import Tag

# The marks of a formula: within a line, and on a line of its own.
IN_LINE, DISPLAYED = "$", "$$"
_PROGRAM = re.compile(rb"<(?:script|link)\b[^>]{0,500}?\b(?:mathjax|katex)\b", re.IGNORECASE)
# "inlineMath: [['$', '$']]", or KaTeX's "{left: '$', right: '$'}".
_SINGLE_SIGN = re.compile(
    rb"""inlineMath["']?\s*+:\s*+\[[^{}]{0,200}?["']\$["']|left["']?\s*+:\s*+["']\$["']"""
)
_TEX = r".{1,2000}?"
_DRAWN = rf"\\\((?P<inline>{_TEX})\\\)|\\\[(?P<block>{_TEX})\\\]|\$\$(?P<signs>{_TEX})\$\$"
_WITH_SINGLE_SIGN = rf"{_DRAWN}|(?<![\\$])\$(?P<sign>[^\s$](?:[^$]*[^\s$\\])?)\$"
# Pages have elements of this class, too, with formulas in other notations.
_TEX_SIGN = re.compile(r"[\\^_{]")
_DISPLAY = re.compile(rb"""\bdisplay\s*+=\s*+["']?block""")


class Formulas:
    """The formulas of the page with this *source*."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._drawn: re.Pattern[str] | None = None
        if _PROGRAM.search(source):
            is_single = _SINGLE_SIGN.search(source)
            self._drawn = re.compile(_WITH_SINGLE_SIGN if is_single else _DRAWN, re.DOTALL)
        # Where the element ends that is open, its formula with its mark, and whether text of it is kept; None where
        # none of it is text of a block.
        self._end = 0
        self.tex = self.mark = ""
        self.kept: bool | None = None

    def opens(self, tag: Tag) -> bool:
        """Tell whether *tag* begins a formula in MathML, which is open from then on."""
        if tag.name != "math" or tag.is_end:
            return False
        end = end_of_formula(self.source, tag.start)
        if end is None:
            return False
        self._end, self.kept = end, None
        self.mark = DISPLAYED if _DISPLAY.search(tag.attributes) else IN_LINE
        self.tex = tex_of(self.source, tag.start, end)
        return bool(self.tex)

    def holds(self, start: int) -> bool:
        """Tell whether what begins at *start* belongs to the formula that is open."""
        return start < self._end

    def divided(self, text: str, start: int) -> list[tuple[str, str]]:
        r"""Return *text*, which begins at *start*, as parts with the mark of those that are formulas.

        >>> Formulas(b"<script src=mathjax.js>").divided(r"so \(x_1\) is", 24)
        [('so ', ''), ('x_1', '$'), (' is', '')]
        """
        if self.source.endswith(START_OF_TEX, 0, start) and _TEX_SIGN.search(text):
            return [(text, IN_LINE)]
        if self._drawn is None:
            return [(text, "")]
        parts = []
        place = 0
        for match in self._drawn.finditer(text):
            mark = IN_LINE if match.lastgroup in {"inline", "sign"} else DISPLAYED
            parts += [(text[place : match.start()], ""), (match[match.lastgroup or 0], mark)]
            place = match.end()
        parts.append((text[place:], ""))
        return [(part, mark) for part, mark in parts if part]
