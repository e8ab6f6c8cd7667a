"""Marks that programs leave in the attributes of what is shown otherwise than it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.kernels.jit import part
from crawler.page.scanning.letters import matches
from crawler.page.scanning.state import FORMULAS, REWRITES, SEGMENTS

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64, U8

# KaTeX writes a formula twice, as MathML and drawn, in the order of its boxes; if told so, once.
_DRAWN, _BEHIND_MATH = (
    np.frombuffer(word, np.uint8) for word in (b"katex-html", b"</math></span><span")
)
# What is read as if it were written otherwise, as it begins: classes of formulas (`crawler.page.formulas`), and the id
# of what React sends behind a page (`crawler.page.streamed`).
_MEDIAWIKI, _MATHJAX, _LATEX, _MATH, _TEX, _DOXYGEN, _QUICKLATEX = (
    np.frombuffer(word, np.uint8)
    for word in (b"mwe-math-", b"mathjax", b"latex", b"math", b"tex", b"formula", b"ql-img-")
)
_ID, _SEGMENT = (np.frombuffer(word, np.uint8) for word in (b"id", b"s:"))


@part
def class_hides(source: U8, name_end: int, start: int, end: int, state: I64) -> bool:
    """Tell whether the class from *start* to *end* hides its tag, whose name ends at *name_end*; note formulas."""
    if _is_of_formula(source, start, end):
        state[REWRITES] |= FORMULAS
    return matches(source, start, end, _DRAWN) and _is_behind_math(source, name_end)


@part
def _is_behind_math(source: U8, name_end: int) -> bool:
    """Tell whether the tag whose name ends at *name_end* is a ``span`` behind one that ends with MathML."""
    start = name_end - len(_BEHIND_MATH)
    return start >= 0 and matches(source, start, name_end, _BEHIND_MATH)


@part
def note_segment(source: U8, name_start: int, start: int, end: int, state: I64) -> None:
    """Note that an attribute is the ``id`` of a segment; its value stands from *start* to *end*."""
    if matches(source, start, end, _SEGMENT) and matches(source, name_start, start, _ID):
        state[REWRITES] |= SEGMENTS


@part
def _is_of_formula(source: U8, start: int, end: int) -> bool:
    """Tell whether the class from *start* to *end* may be that of a formula; short ones are all of it."""
    if end - start <= len(_MATH):
        word = _TEX if end - start == len(_TEX) else _MATH
        return end - start == len(word) and matches(source, start, end, word)
    is_of_program = matches(source, start, end, _MEDIAWIKI) or matches(source, start, end, _MATHJAX)
    is_of_image = matches(source, start, end, _LATEX) or matches(source, start, end, _DOXYGEN)
    return is_of_program or is_of_image or matches(source, start, end, _QUICKLATEX)
