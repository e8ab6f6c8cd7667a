"""How much of a page is taken, so that no page costs more than its bytes."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Limits of the page model, each at least 1; what one cut is named in ``PageModel.cuts``.

    *max_bytes* (``bytes``) of the body are read, *max_blocks* (``blocks``) and *max_links*
    (``links``) kept, URLs of up to *max_url_chars* characters; tag paths name *max_depth*
    (``depth``) elements; an anchor text has up to *max_anchor_chars* (``anchors``) characters of
    source, title and description up to *max_head_chars* (``head``) of text.
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
