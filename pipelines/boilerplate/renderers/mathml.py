r"""TeX of a formula in MathML, as the page gives it, or made of what MathML shows.

Pages that were made from TeX mostly have it beside the MathML: an ``annotation``, or ``alttext``. Of others the
presentation elements are written as TeX, signs as they stand; elements that it does not know are rows.

*Source:* MathML Core 2024, section 3; MathML 3, section 5.2 (annotations).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from crawler.page.attributes import decoded_value, written_values
from crawler.page.markup_events import Text, events_between
from crawler.page.shown_text import text_of
from crawler.page.tags import names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_FORMULA_BYTES = 50_000
_MAX_DEPTH = 100
_END = re.compile(rb"</math(?=[\s/>])", re.IGNORECASE)
_TEX = frozenset({"application/x-tex", "application/x-latex", "tex", "latex", "text/x-tex"})
_TOKENS = names("mi mn mo ms mtext")
_UNSEEN = names("annotation annotation-xml mphantom mprescripts mspace none")
_FENCES = {"{": r"\{", "}": r"\}"}
_FUNCTIONS = names(
    "arccos arcsin arctan cos cosh cot det dim exp gcd inf ker lim ln log max min sin sinh sup tan tanh"
)
# Signs that say what is multiplied or applied, and are not shown.
_INVISIBLE = re.compile("[\u2061-\u2064]")
# What no text of a page has, but an attribute may.
_CONTROLS = re.compile(r"[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_SPECIAL = re.compile(r"[#$%&_{}]")
_ACCENTS = {
    **dict.fromkeys("\u00af\u203e\u0304\u0305_", r"\bar"),
    **dict.fromkeys("^\u02c6\u0302", r"\hat"),
    **dict.fromkeys("~\u02dc\u0303", r"\tilde"),
    **dict.fromkeys("\u2192\u20d7", r"\vec"),
    **dict.fromkeys("\u02d9\u0307", r"\dot"),
}
_BIG_SIGNS = frozenset("\u2211\u220f\u2210\u222b\u222e\u22c2\u22c3\u22c0\u22c1")


class _Element(NamedTuple):
    name: str
    attributes: dict[bytes, bytes]
    children: list[_Element | str]


def end_of_formula(source: bytes, start: int) -> int | None:
    """Return where the ``math`` element that begins at *start* ends; None where it does not, or is too long."""
    match = _END.search(source, start, start + MAX_FORMULA_BYTES)
    return match.start() if match else None


def tex_of(source: bytes, start: int, end: int) -> str:
    r"""Return the formula between *start* and *end* of *source*, a ``math`` element, as TeX in one line.

    >>> made = b"<math><mfrac><mn>1</mn><msup><mi>x</mi><mn>23</mn></msup></mfrac>"
    >>> tex_of(made, 0, len(made))
    '\\frac{1}{x^{23}}'
    """
    root = _tree(source, start, end)
    given = _annotation(root) or _CONTROLS.sub("", _value(root, b"alttext"))
    return " ".join((given or _row(root.children)).split())


def _tree(source: bytes, start: int, end: int) -> _Element:
    root = _Element("math", {}, [])
    stack = [root]
    for event in events_between(source, start, end):
        if isinstance(event, Text):
            stack[-1].children.append(text_of(source[event.start : event.end], verbatim=True))
        elif event.is_end:
            while len(stack) > 1 and stack.pop().name != event.name:
                pass
        else:
            attributes = dict(written_values(event.attributes))
            if event.start == start:
                root.attributes.update(attributes)
                continue
            made = _Element(event.name, attributes, [])
            stack[-1].children.append(made)
            if not event.attributes.endswith(b"/") and len(stack) < _MAX_DEPTH:
                stack.append(made)
    return root


def _value(element: _Element, name: bytes) -> str:
    return decoded_value(element.attributes.get(name, b"").decode("utf-8", "replace")).strip()


def _annotation(element: _Element) -> str:
    for child in element.children:
        if isinstance(child, str):
            continue
        if child.name == "annotation" and _value(child, b"encoding").lower() in _TEX:
            return _text(child).strip()
        found = _annotation(child)
        if found:
            return found
    return ""


def _text(element: _Element) -> str:
    return "".join(child if isinstance(child, str) else _text(child) for child in element.children)


def _row(children: Sequence[_Element | str]) -> str:
    written = ""
    for child in children:
        # Blanks between the elements are none of the formula.
        text = _escaped(child) if isinstance(child, str) else _written(child)
        if re.search(r"\\[A-Za-z]+\Z", written) and text[:1].isalpha():
            written += " "
        written += text
    return written


def _written(element: _Element) -> str:
    name = element.name
    if name in _TOKENS:
        return _token(element)
    if name in _UNSEEN:
        return ""
    parts = [child for child in element.children if not isinstance(child, str)]
    n_parts, shape = _SHAPES.get(name, (0, None))
    if shape is not None and len(parts) >= n_parts:
        return shape([_written(part) for part in parts])
    if name == "msqrt":
        return rf"\sqrt{{{_row(parts)}}}"
    if name == "mfenced":
        return _fenced(element, parts)
    if name == "mmultiscripts" and parts:
        return _with_scripts(parts)
    if name == "mtable":
        rows = r" \\ ".join(map(_cells, parts))
        return rf"\begin{{matrix}} {rows} \end{{matrix}}"
    return _row(element.children)


def _token(element: _Element) -> str:
    text = _escaped(_text(element))
    if element.name in {"mtext", "ms"}:
        return rf"\text{{{text}}}" if text else ""
    if text in _FUNCTIONS:
        return f"\\{text}"
    if element.name == "mi" and len(text) > 1 and text.isalpha():
        return rf"\mathrm{{{text}}}"
    return text


def _escaped(text: str) -> str:
    text = _INVISIBLE.sub("", text).strip().replace("\\", r"\backslash ")
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)


def _grouped(text: str) -> str:
    return text if len(text) == 1 else f"{{{text}}}"


def _based(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() or text[1:] in _FUNCTIONS else f"{{{text}}}"


def _over(parts: Sequence[str]) -> str:
    base, over = parts[:2]
    if over in _ACCENTS:
        return f"{_ACCENTS[over]}{{{base}}}"
    return f"{base}^{_grouped(over)}" if _is_big(base) else rf"\overset{{{over}}}{{{base}}}"


def _under(parts: Sequence[str]) -> str:
    base, under = parts[:2]
    return f"{base}_{_grouped(under)}" if _is_big(base) else rf"\underset{{{under}}}{{{base}}}"


def _under_over(parts: Sequence[str]) -> str:
    base, under, over = parts[:3]
    if _is_big(base):
        return f"{base}_{_grouped(under)}^{_grouped(over)}"
    return _over([_under([base, under]), over])


def _is_big(base: str) -> bool:
    return base in _BIG_SIGNS or base[1:] in _FUNCTIONS


def _sub_sup(parts: Sequence[str]) -> str:
    return f"{_based(parts[0])}_{_grouped(parts[1])}^{_grouped(parts[2])}"


def _fenced(element: _Element, parts: Sequence[_Element]) -> str:
    begin, end = _value(element, b"open") or "(", _value(element, b"close") or ")"
    separator = element.attributes.get(b"separators", b",").decode("utf-8", "replace").strip()[:1]
    inner = _escaped(separator).join(map(_written, parts))
    return rf"\left{_FENCES.get(begin, begin)}{inner}\right{_FENCES.get(end, end)}"


def _with_scripts(parts: Sequence[_Element]) -> str:
    """Return a base with pairs of scripts behind it, and behind ``mprescripts`` before it."""
    kinds = [part.name for part in parts]
    split = kinds.index("mprescripts") if "mprescripts" in kinds else len(parts)
    before, after = _scripts(parts[split + 1 :]), _scripts(parts[1:split])
    return ("{}" + before if before else "") + _based(_written(parts[0])) + after


def _scripts(parts: Sequence[_Element]) -> str:
    written = list(map(_written, parts))
    return "".join(
        f"{'_^'[place % 2]}{_grouped(script)}" for place, script in enumerate(written) if script
    )


def _cells(row: _Element) -> str:
    cells = [child for child in row.children if not isinstance(child, str)]
    return " & ".join(map(_written, cells))


# Elements of a fixed number of parts, and what is made of these.
_SHAPES: dict[str, tuple[int, Callable[[Sequence[str]], str]]] = {
    "mfrac": (2, lambda parts: rf"\frac{{{parts[0]}}}{{{parts[1]}}}"),
    "msup": (2, lambda parts: f"{_based(parts[0])}^{_grouped(parts[1])}"),
    "msub": (2, lambda parts: f"{_based(parts[0])}_{_grouped(parts[1])}"),
    "msubsup": (3, _sub_sup),
    "mroot": (2, lambda parts: rf"\sqrt[{parts[1]}]{{{parts[0]}}}"),
    "mover": (2, _over),
    "munder": (2, _under),
    "munderover": (3, _under_over),
}
