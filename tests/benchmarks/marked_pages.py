"""The pages that were segmented by hand: dataset-random of ``../shared``, in two forms.

The annotators' own copy of the DOM has the marks in it. The page as it was served is another
source, in which the marked words are looked for; it counts when nine tenths of its words are found
(51 of 77 pages).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pipelines.segmentation.gold_folder import read_folder
from tests.conftest import SHARED

if TYPE_CHECKING:
    from pipelines.segmentation.gold_folder import Marked

DATA = SHARED / "data" / "segmentation" / "rkrzr-random"


def marked_pages(*, served: bool) -> list[Marked]:
    """Return the pages with words; without the data, say so in one line and exit with 2.

    *served* takes the blocks from the answers instead of the annotators' copies.
    """
    if not DATA.is_dir():
        sys.stderr.write(f"needs {DATA}, which is not part of the project\n")
        raise SystemExit(2)
    return read_folder(DATA, served=served).pages
