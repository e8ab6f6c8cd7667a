"""Where things lie in a corpus folder."""

from __future__ import annotations

from pathlib import Path

# One process, one shard of the web; a fleet will number them.
SHARD = "0000"

DOCUMENTS = "documents"
REJECTED = "rejected"
REPLACED = "replaced"
PROVISIONAL = "provisional"
MANIFEST = "manifest.json"

GRAPH = f"graph/{SHARD}"

SEALED_FOLDERS = (DOCUMENTS, REJECTED, REPLACED, PROVISIONAL, GRAPH)
"""The folders that hold nothing but shards sealed from the journal."""


def journal_folder(corpus_dir: Path | str) -> Path:
    """Return the folder of the journal of *corpus_dir*.

    >>> journal_folder("corpus").as_posix()
    'corpus/frontier/0000'
    """
    return Path(corpus_dir) / "frontier" / SHARD
