"""What an export of the documents is asked for. Loads no compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pipelines.jobs.text_export.dates import Days

FORMATS = {
    "text": "the texts, a block a line, code without its empty lines, an empty line behind each document",
    "vertical": "a token a line in <doc url host title author date language category fetched_at n_words> and <p kind>, "
    "with <g/> where no space stood, for Sketch Engine, NoSketch Engine, CWB",
    "tei": "TEI P5, a <TEI> a document with its header, headings, lists and quotes, for TXM and other readers of XML",
    "jsonl": "an object a document, one a line; its id is the same in each export of the same visit of a page",
    "markdown": "an object a document, as jsonl, and its Markdown, made of the answers in WARC files",
    "parquet": "the columns of jsonl in one Parquet file, for Hugging Face's datasets and polars, too, which cannot "
    "tell the type of a field that is null or empty in the first objects of jsonl",
}
# What the name of a packed file ends in.
PACKED = {"none": "", "gzip": ".gz", "zstd": ".zst"}
# What --since and --until are of: what a page says of itself, or the visit.
DATES = ("published", "fetched")
Packing = Literal["none", "gzip", "zstd"]


@dataclass(frozen=True, slots=True)
class TextExportOptions:
    """*format*: of `FORMATS`. *languages*: codes of those that are written, all if there are none.

    *hosts*: names, as `named_hosts` gives them, of the hosts whose documents are written, with those of hosts below them.
    *min_words*: documents of fewer words of main text are left out. *with_links*: links are kept, in Markdown.
    *with_sentences*: they are marked, in the vertical format.
    *days*: of which documents are written, any for None.
    *part_documents*: documents of one file, 0 for all in one. *packing*: of lines, one of `PACKED`.
    """

    format: str
    languages: tuple[str, ...] = ()
    min_words: int = 0
    hosts: tuple[str, ...] = ()
    with_links: bool = False
    with_sentences: bool = False
    part_documents: int = 0
    packing: Packing = "none"
    days: Days | None = None

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {self.format!r}")
        for name in ("min_words", "part_documents"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must be at least 0, got {getattr(self, name)}")
        if self.packing not in PACKED:
            raise ValueError(f"--compress is {self.packing!r}; give one of {', '.join(PACKED)}")
        if self.packing != "none" and self.format == "parquet":
            raise ValueError("--compress is for lines, Parquet is packed; leave it out")
