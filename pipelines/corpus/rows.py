"""From the page of a crawl to a row of ``documents``, and from there to one of ``rejected``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from crawler.items import COLUMNS
from pipelines.corpus.schema import REJECTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from crawler.items import Page
    from crawler.page import Blocks, PageModel


# The stage that duplicates are rejected by, in the crawl and at its end.
DUPLICATES_STAGE = "deduplicate"

REJECTED_AS = tuple(name for name in REJECTED.names if name != "stage")
"""The columns that a row of ``provisional`` and one of ``rejected`` share."""


def as_rejected(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch of ``provisional``, which has the columns `REJECTED_AS`, as one of ``rejected``."""
    stage = pa.array([DUPLICATES_STAGE] * batch.num_rows, pa.string())
    columns = [stage if name == "stage" else batch[name] for name in REJECTED.names]
    return pa.RecordBatch.from_arrays(columns, schema=REJECTED)


def document_row(page: Page) -> dict[str, Any]:
    """Return the row of *page*: its fields, with the digest as 16 bytes."""
    row = {column: getattr(page, column) for column in COLUMNS}
    row["digest"] = None if page.digest is None else bytes.fromhex(page.digest)
    return row


def page_blocks(model: PageModel) -> list[dict[str, Any]]:
    """Return the blocks of a cleaned page as the entries of column ``blocks``."""
    assert model.kept is not None
    assert model.labels is not None
    return block_rows(model.blocks, model.kept, model.labels, model.segments)


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
