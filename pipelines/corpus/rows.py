"""From the page of a crawl to a row of ``documents``, and from there to one of ``rejected``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from crawler.items import COLUMNS
from pipelines.corpus.block_columns import NO_CODES, pack_blocks, unpack_blocks
from pipelines.corpus.schema import REJECTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from crawler.items import Page
    from crawler.page import Blocks, PageModel


# The stage that duplicates are rejected by, in the crawl and at its end.
DUPLICATES_STAGE = "deduplicate"

_PLAIN_COLUMNS = tuple(name for name in COLUMNS if name != "blocks")

REJECTED_AS = tuple(name for name in REJECTED.names if name != "stage")
"""The columns that a row of ``provisional`` and one of ``rejected`` share."""


def as_rejected(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch of ``provisional``, which has the columns `REJECTED_AS`, as one of ``rejected``."""
    stage = pa.array([DUPLICATES_STAGE] * batch.num_rows, pa.string())
    columns = [stage if name == "stage" else batch[name] for name in REJECTED.names]
    return pa.RecordBatch.from_arrays(columns, schema=REJECTED)


def document_row(page: Page, blocks: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the row of *page*: its fields, with the digest as 16 bytes.

    *blocks* are its blocks as columns, in the place of those that it has as dicts.
    """
    row = {column: getattr(page, column) for column in _PLAIN_COLUMNS}
    row["blocks"] = page.blocks if blocks is None else blocks
    row["digest"] = None if page.digest is None else bytes.fromhex(page.digest)
    return row


def stored_row(page: Page, model: PageModel) -> dict[str, Any]:
    """Return the row of a cleaned *page*; the blocks of *page* itself are made when they are asked for."""
    assert model.kept is not None
    assert model.labels is not None
    packed = pack_blocks(
        model.blocks, model.kept, model.labels, model.segments, codes=model.code_texts
    )
    page.make_blocks(partial(unpack_blocks, packed))
    return document_row(page, packed)


def block_rows(
    blocks: Blocks,
    kept: npt.NDArray[np.bool_],
    labels: Sequence[str],
    segments: npt.NDArray[np.uint32] | None = None,
    *,
    codes: Mapping[int, str] = NO_CODES,
) -> list[dict[str, Any]]:
    """Return *blocks* as the entries of column ``blocks``, in page order.

    Without *segments* (uint32[n]) the segment of each is None. *codes*: texts with lines, by the number of their block.
    """
    columns = {
        "text": [codes.get(number) or text for number, text in enumerate(blocks.text)],
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
