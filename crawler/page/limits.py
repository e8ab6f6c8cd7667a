"""How much of a page is taken, so that no page costs more than its bytes, and what is its text."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Limits of the page model, each at least 1; what one cut is named in ``PageModel.cuts``.

    *max_bytes* (``bytes``) of the body are read, *max_blocks* (``blocks``) and *max_links*
    (``links``) kept, URLs of up to *max_url_chars* characters; tag paths name *max_depth*
    (``depth``) elements; an anchor text has up to *max_anchor_chars* (``anchors``) characters,
    title and description up to *max_head_chars* (``head``). Beyond 512 names of elements that HTML
    does not know, a page's other ones are one name (``names``).
    """

    max_bytes: int = 64 * 2**20
    max_blocks: int = 100_000
    max_links: int = 20_000
    max_url_chars: int = 2048
    max_depth: int = 64
    max_anchor_chars: int = 1000
    max_head_chars: int = 1000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ValueError(f"{field.name} must be at least 1, got {value}")


Inline = Literal["gap", "transparent", "phrasing"]
Hidden = Literal["keep", "drop"]


@dataclass(frozen=True, slots=True)
class PageRules:
    """What divides blocks, what counts as text, and what is a pagelet.

    *inline* names the tags that are no gap, so that the text before and behind them is of one block:

    - ``gap``: ``a`` alone (Kohlschütter 2011, section 4.2.1);
    - ``transparent``: besides, the inline tags of the program that he released;
    - ``phrasing``: besides, all tags that stand within a line of text in HTML, and those with a prefix, such as
      "o:p". Formulas, and images of formulas (`crawler.page.formulas`), are among them. So are images and drawings,
      with what they hold; they do divide words, and links that nothing else stands between.

    Under ``phrasing`` text is also what a browser of today shows. Signs that only say where a line may be broken (soft
    hyphens) are left out. An inline tag divides words where its style puts it on a line of its own. What stands in
    declarative shadow roots is read, parts that React sends later are read in their places (`crawler.page.streamed`),
    and so is what ``xmp`` and CDATA sections show (`crawler.page.literal`), and what a page declares that shows next to
    no text (`crawler.page.declared_text`).

    *hidden* says what becomes of text that the page's markup hides. (What it only folds up is always text:
    `crawler.page.folded`.)

    - ``keep``: it is text, and its blocks are marked as hidden. What is hidden by an inline tag that is no gap is text
      of the line that it stands in, without a mark.
    - ``drop``: it is no text; nor is what stands in a closed ``dialog`` or a ``popover``.

    *pagelet_links*, at least 1: an element with a child of so many hyperlinks is no pagelet
    (`crawler.page.pagelets`).
    """

    inline: Inline = "gap"
    hidden: Hidden = "keep"
    # Bar-Yossef and Rajagopalan 2002, section 3.1.
    pagelet_links: int = 3

    def __post_init__(self) -> None:
        if self.inline not in {"gap", "transparent", "phrasing"}:
            raise ValueError(f"inline must be gap, transparent or phrasing, got {self.inline!r}")
        if self.hidden not in {"keep", "drop"}:
            raise ValueError(f"hidden must be keep or drop, got {self.hidden!r}")
        if self.pagelet_links < 1:
            raise ValueError(f"pagelet_links must be at least 1, got {self.pagelet_links}")


def page_limits(settings: Mapping[str, Any]) -> PageLimits:
    """Return the limits that *settings* give, ``PAGE_MAX_BLOCKS`` and so on."""
    names = [field.name for field in fields(PageLimits)]
    return PageLimits(**{name: int(settings[f"PAGE_{name.upper()}"]) for name in names})


def page_rules(settings: Mapping[str, Any]) -> PageRules:
    """Return the rules that *settings* give, ``PAGE_INLINE`` and ``PAGE_HIDDEN``."""
    return PageRules(inline=settings["PAGE_INLINE"], hidden=settings["PAGE_HIDDEN"])
