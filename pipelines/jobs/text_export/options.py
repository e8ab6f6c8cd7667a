"""What an export of the documents is asked for. Loads no compiled code."""

from __future__ import annotations

from dataclasses import dataclass

FORMATS = {
    "text": "the texts, a block a line, code without its empty lines, an empty line behind each document",
    "vertical": "a token a line in <doc> and <p>, for Sketch Engine, NoSketch Engine, CWB",
    "jsonl": "an object a document, one a line",
    "markdown": "an object a document, as jsonl, and its Markdown, made of the answers in WARC files",
    "parquet": "the columns of jsonl in one Parquet file",
}


@dataclass(frozen=True, slots=True)
class TextExportOptions:
    """*format*: of `FORMATS`. *languages*: codes of those that are written, all if there are none.

    *min_words*: documents of fewer words of main text are left out. *with_links*: links are kept, in Markdown.
    """

    format: str
    languages: tuple[str, ...] = ()
    min_words: int = 0
    with_links: bool = False

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {self.format!r}")
        for code in self.languages:
            is_code = code.isascii() and code.isalpha() and code.islower() and len(code) == 2
            if not is_code and code != "und":  # text of which no language can be told
                raise ValueError(f"--language takes codes of ISO 639-1 such as de,en, not {code!r}")
        if self.min_words < 0:
            raise ValueError(f"min_words must be at least 0, got {self.min_words}")
