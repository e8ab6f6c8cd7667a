"""Notes on every segment, on disk until it is known which fingerprints are templates.

*On disk*: a temporary file without a name, 14 bytes a segment; it is gone when it is closed.
Memory: one chunk of `CHUNK_SEGMENTS` notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.durable.temporary_files import temporary_file
from pipelines.linguistics.laws.density_templates import template_table
from pipelines.linguistics.laws.histograms import DENSITY_CLASSES

if TYPE_CHECKING:
    from typing import Self

    import numpy.typing as npt

CHUNK_SEGMENTS = 1 << 18
_NOTE = np.dtype([("serial", "<u8"), ("tokens", "<u4"), ("density", "u1"), ("full_stop", "?")])


class SegmentSpool:
    """Takes the notes of segments, and gives their tokens by density, template and full stop."""

    def __init__(self) -> None:
        self._file = temporary_file()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(
        self,
        serials: npt.NDArray[np.int64],
        n_tokens: npt.NDArray[np.int64],
        rounded: npt.NDArray[np.int64],
        full_stop: npt.NDArray[np.bool_],
    ) -> None:
        """Note segments: serial number of the fingerprint, tokens, rounded density, full stop."""
        notes = np.empty(len(serials), dtype=_NOTE)
        notes["serial"] = serials
        notes["tokens"] = n_tokens
        notes["density"] = rounded
        notes["full_stop"] = full_stop
        self._file.write(notes.tobytes())

    def template_tokens(self, templates: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return int64[k, 2, 2], the tokens by density, template and full stop.

        *templates*: serial numbers of the fingerprints that are templates.
        """
        total = np.zeros((DENSITY_CLASSES, 2, 2), dtype=np.int64)
        self._file.seek(0)
        while data := self._file.read(CHUNK_SEGMENTS * _NOTE.itemsize):
            notes = np.frombuffer(data, dtype=_NOTE)
            total += template_table(
                notes["density"].astype(np.int64),
                notes["tokens"].astype(np.int64),
                template=np.isin(notes["serial"].astype(np.int64), templates),
                full_stop=notes["full_stop"],
            )
        return total
