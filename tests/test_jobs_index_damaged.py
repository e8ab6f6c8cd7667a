"""Damaged files of a search index: told in one line, wherever the engine or numpy meets them."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from crawler.errors import FormatError
from crawler.ranking.corpus.topics import rank_topics
from pipelines.jobs.index.run import TEXT, index_corpus
from pipelines.jobs.index.vectors import VECTORS, open_vectors
from pipelines.retrieval.text_index import TextIndex
from tests.facet_corpus import listed_topics, make_corpus


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The folder of a corpus, ranked by topic and indexed."""
    folder = tmp_path_factory.mktemp("damaged") / "corpus"
    make_corpus(folder)
    rank_topics(folder, listed=listed_topics())
    index_corpus(folder)
    return folder


def read_all(index):
    """Ask *index* all that can be asked."""
    hits = index.search('the one "of the"', 20)
    return [index.shown(page_id) for page_id in hits.page_ids.tolist()], index.pages()


@pytest.mark.parametrize(
    ("suffix", "damage"),
    [
        ("pos", None),
        # Bytes that opening does not look at.
        *((suffix, slice(0, -100)) for suffix in ("pos", "store", "idx", "term", "fast")),
        # The engine panics.
        ("fast", slice(16, 17)),
    ],
)
def test_damage_within_the_text_index_is_said(corpus, tmp_path, suffix, damage):
    index = tmp_path / "text"
    shutil.copytree(corpus / TEXT, index)
    read_all(TextIndex(index))
    [path] = index.glob(f"*.{suffix}")
    data = bytearray(path.read_bytes())
    # No reader has the new file mapped.
    path.unlink()
    if damage is not None:
        data[damage] = bytes(byte ^ 0xA5 for byte in data[damage])
        path.write_bytes(data)
    with pytest.raises(FormatError, match="text is damaged"):
        read_all(TextIndex(index))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("ptr.npy", b""),
        ("value.npy", b"{'descr': '<f4', 'fortran_order': False, 'shape': ((9,), }"),
        ("value.npy", b"{'descr': '<f4', 'fortran_order' False, 'shape': (9,), }"),
        ("vectors.json", b'{"format": 1}'),
        ("vectors.json", b"[1]"),
    ],
)
def test_damaged_vectors_are_said(corpus, tmp_path, name, data):
    vectors = tmp_path / VECTORS
    shutil.copytree(corpus / VECTORS, vectors)
    (vectors / name).unlink()
    if name == "value.npy":
        data = b"\x93NUMPY\x01\0" + len(data).to_bytes(2, "little") + data
    (vectors / name).write_bytes(data)
    with pytest.raises(FormatError, match="vectors is damaged"):
        open_vectors(tmp_path)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [("ptr", 0, 1), ("ptr", 5, -1), ("ptr", 5, 2**40), ("ptr", -1, 0), ("facet", 0, 60_000),
     ("pages", 3, 0)],
)  # fmt: skip
def test_vectors_whose_numbers_cannot_be_are_said(corpus, tmp_path, name, place, value):
    vectors = tmp_path / VECTORS
    shutil.copytree(corpus / VECTORS, vectors)
    array = np.load(vectors / f"{name}.npy")
    array[place] = value
    np.save(vectors / f"{name}.npy", array)
    with pytest.raises(FormatError, match="vectors is damaged"):
        open_vectors(tmp_path)
