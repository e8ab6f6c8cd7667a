"""What another program made of the pages of a gold standard, read from a folder: a subject that nothing runs.

*On disk*: for each page ``ID.txt``, its main text in UTF-8, or ``ID.html``, the page with what the program left of it,
whose text counts (Gottron 2008, 5.3.2); in the folder itself, or in one of the name of the set, which comes first. A
page without such a file is one that the program failed on. *Source:* CleanEval's scorers compare folders like that
(Pomikálek 2011, 2.9.6). Time is not known, and 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.page.words import nfc
from pipelines.evaluation.harness.isolation import Extraction
from pipelines.evaluation.measures.gottron import plain_text

if TYPE_CHECKING:
    from pathlib import Path

NO_FILE, NOT_UTF8, UNREADABLE = "NoFile", "NotUTF8", "Unreadable"


def stored_text(folder: Path, dataset: str, page_id: str) -> Extraction:
    """Return what is in *folder* for page *page_id* of the set *dataset*."""
    for place in (folder / dataset, folder):
        for suffix in (".txt", ".html"):
            path = place / f"{page_id}{suffix}"
            if path.is_file():
                return _read(path, is_text=suffix == ".txt")
    return Extraction("", 0.0, NO_FILE)


def _read(path: Path, *, is_text: bool) -> Extraction:
    try:
        body = path.read_bytes()
        return Extraction(nfc(body.decode("utf-8-sig")) if is_text else plain_text(body), 0.0)
    except UnicodeDecodeError:
        return Extraction("", 0.0, NOT_UTF8)
    except OSError:
        return Extraction("", 0.0, UNREADABLE)
