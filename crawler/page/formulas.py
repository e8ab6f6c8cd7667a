"""Formulas that a page holds as images, or in elements of its own, as text within a line.

*Which*: images whose class says that they show a formula; what stands for one is its source in TeX (WordPress,
QuickLaTeX, Sphinx, Doxygen, MediaWiki of old). MathML that MediaWiki hides beside an image, which is dropped. The
elements of MathJax 3, whose names begin with ``mjx-`` and which hold MathML. The scripts that hold the sources of
MathJax 2: dropped where it has drawn them, as the MathML beside the drawing is.

Cost: O(n). Needed for pages on which the scan has met such a class alone.
"""

from __future__ import annotations

import re

from crawler.page.attributes import written_values

_MARKUP = re.compile(
    rb"<script\b(?P<of_script>[^<>]*\bmath/tex\b[^<>]*)>(?P<tex>.*?)(?:</script>|\Z)"
    rb"|(?<=</nobr>)<span\b[^<>]*\bMJX_Assistive(?P<second>.*?)(?:</math></span>|\Z)"
    rb"|<(?:(?P<image>img|meta)(?=[\s/])|(?P<element>span|div)(?=\s)|(?P<mathjax>/?mjx-[^\s/<>]*+))"
    rb"""(?P<attributes>(?>(?:[^<>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')?|["'])*))>""",
    re.DOTALL | re.IGNORECASE,
)
# MathJax names the scripts that it has drawn.
_DRAWN = b"MathJax-Element"
_OF_IMAGE = re.compile(
    rb"mwe-math-fallback|latex\Z|tex\Z|math\Z|formula(?:inl|dsp)\b|ql-img-", re.IGNORECASE
)
_UNSEEN = b"mwe-math-mathml"
_BEHIND_MATHML = (b"</math></span>", b"</math></div>")
_LOOKED_BACK = 400
# What an image of a formula has in place of its source.
_NO_SOURCE = b"Rendered by"
START_OF_TEX, _END = b'<span class="formula">', b"</span>"


def with_formulas(source: bytes) -> bytes:
    r"""Return *source* with its formulas as text that stands within a line.

    >>> with_formulas(b'<p>Let <img class="latex" alt="x &lt; 1" src=x.png> be given')
    b'<p>Let <span class="formula">x &lt; 1</span> be given'
    """
    return _MARKUP.sub(_of_formula, source)


def _of_formula(match: re.Match[bytes]) -> bytes:
    if match["second"] is not None:
        return b""
    if match["tex"] is not None:
        return b"" if _DRAWN in match["of_script"] else _shown(match["tex"])
    if match["mathjax"]:
        return _END if match["mathjax"].startswith(b"/") else START_OF_TEX
    # Of equal names the first counts.
    values = dict(reversed(list(written_values(match["attributes"]))))
    kind = values.get(b"class", b"").strip()
    if match["element"]:
        is_unseen = kind.lower().startswith(_UNSEEN)
        return b'<%b class="formula">' % match["element"] if is_unseen else match[0]
    if not _OF_IMAGE.match(kind):
        return match[0]
    before = match.string[max(match.start() - _LOOKED_BACK, 0) : match.start()]
    if b"".join(before.split()).endswith(_BEHIND_MATHML):
        return b""
    formula = values.get(b"alt", b"").strip()
    if not formula or formula.startswith(_NO_SOURCE):
        return match[0]
    return _shown(formula)


def _shown(formula: bytes) -> bytes:
    return START_OF_TEX + formula.replace(b"<", b"&lt;").replace(b">", b"&gt;") + _END
