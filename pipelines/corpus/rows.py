"""From the page of a crawl to a row of ``documents``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.items import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from crawler.items import Page
    from crawler.page import Blocks


def document_row(page: Page) -> dict[str, Any]:
    """Return the row of *page*: its fields, with the digest as 16 bytes."""
    row = {column: getattr(page, column) for column in COLUMNS}
    row["digest"] = None if page.digest is None else bytes.fromhex(page.digest)
    return row


def block_rows(
    blocks: Blocks,
    kept: npt.NDArray[np.bool_],
    labels: Sequence[str],
    segments: npt.NDArray[np.uint32] | None = None,
) -> list[dict[str, Any]]:
    """Return *blocks* as the entries of column ``blocks``, in page order.

    Without *segments* (uint32[n]) the segment of each is None.
    """
    columns = {
        "text": blocks.text,
        "kind": blocks.kind,
        "segment": [None] * len(blocks) if segments is None else segments.tolist(),
        "label": labels,
        "kept": kept.tolist(),
        "words": blocks.n_words.tolist(),
        "link_density": blocks.link_density.tolist(),
        "text_density": blocks.text_density.tolist(),
        "path": blocks.path,
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
