"""Whether a corpus has, or can have, texts in the languages that are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.errors import InputError
from pipelines.linguistics.language_codes import TOLD_CODES, UNDETERMINED

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipelines.corpus.corpus import Corpus


def check_languages(corpus: Corpus, asked: Collection[str]) -> None:
    """Raise `InputError`, which names those that there are, when no document of *corpus* is in a language of *asked*, or
    when no text of any corpus gets one of them, such as ``cz``: one that was meant would be passed over.

    Any will do when none is asked for.
    """
    if not asked:
        return
    there: set[str] = set()
    for batch in corpus.batches("documents", ["language"]):
        there.update(code or UNDETERMINED for code in batch["language"].unique().to_pylist())
    has = f"its languages are {', '.join(sorted(there))}" if there else "it has none"
    if there.isdisjoint(asked):
        raise InputError(
            f"no document of {corpus.corpus_dir} is in {' or '.join(sorted(asked))}; {has}"
        )
    for code in sorted({*asked} - there - TOLD_CODES - {UNDETERMINED}):
        raise InputError(
            f"--language has {code!r}, which no text of {corpus.corpus_dir} can get; {has}"
        )
