"""The pages that the page model is timed on: wcxb-dev of ``../shared``, as they were served."""

from __future__ import annotations

import gzip
import json
import sys
from typing import TYPE_CHECKING, NamedTuple

from tests.conftest import SHARED

if TYPE_CHECKING:
    from pathlib import Path

EXTRACTION = SHARED / "data" / "extraction"
SETS = ("train/wcxb-dev", "dev/wcxb-dev")
# Of 594; in a quick run one of ten.
N_PAGES = 594
QUICK_STEP = 10


class ServedPage(NamedTuple):
    """A page: its bytes, its URL, and the header it is served with."""

    body: bytes
    url: str
    content_type: str


def wcxb_pages(*, quick: bool) -> list[ServedPage]:
    """Return the pages; without the data, say so in one line and exit with 2."""
    named = []
    for folder in (EXTRACTION / name for name in SETS):
        manifest = folder / "manifest.jsonl"
        if not manifest.is_file():
            sys.stderr.write(f"needs {manifest}, which is not part of the project\n")
            raise SystemExit(2)
        lines = manifest.read_text(encoding="utf-8").splitlines()
        named += [(folder, json.loads(line)) for line in lines]
    assert len(named) == N_PAGES, f"{len(named)} pages instead of {N_PAGES}"
    return [_page(folder, told) for folder, told in (named[::QUICK_STEP] if quick else named)]


def _page(folder: Path, told: dict[str, str]) -> ServedPage:
    body = gzip.decompress((folder / "pages" / f"{told['id']}.html.gz").read_bytes())
    url = told.get("url") or f"http://{told.get('domain', 'a.sample')}/"
    # Such a page names another encoding than it is in; it was served with this one.
    charset = "; charset=utf-8" if told.get("charset_conflict") else ""
    return ServedPage(body, url, f"text/html{charset}")
