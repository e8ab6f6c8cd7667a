"""The three methods for duplicate n-grams give the same set, in chunks, in partitions, from disk."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.duplicates import ngram_partitions
from pipelines.duplicates.elias import decode, encode
from pipelines.duplicates.ngram_partitions import MIN_MEMORY, NgramPartitions, ngrams_of_documents
from pipelines.duplicates.spex import spex
from pipelines.duplicates.suffix_arrays import duplicate_ngrams

collections = st.lists(st.lists(st.integers(0, 3), max_size=15), max_size=6)


def arrays(documents):
    ids = np.array([word for document in documents for word in document], dtype=np.uint32)
    return ids, np.cumsum([0, *map(len, documents)])


def counted(documents, n):
    grams = [tuple(d[i : i + n]) for d in documents for i in range(len(d) - n + 1)]
    return {gram: count for gram, count in Counter(grams).items() if count > 1}


def words_of(ids):
    """Words as large numbers, as hashes are."""
    return (ids.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD6E8FEB86659FD93)


def hashed(ids, starts, n, **options):
    with NgramPartitions(n, **options) as partitions:
        partitions.add(words_of(ids), starts)
        duplicates = partitions.duplicates()
        assert partitions.n_file_bytes <= 8 * partitions.n_ngrams
        assert (partitions.n_file_bytes > 0) == ("folder" in options)
        return duplicates, partitions.n_ngrams, partitions.n_distinct


@given(collections, st.integers(1, 6), st.integers(1, 9))
def test_all_methods_find_the_same(documents, n, chunk_words):
    ids, starts = arrays(documents)
    expected = counted(documents, n)
    assert dict(duplicate_ngrams(ids, starts, n, chunk_words=chunk_words)) == expected
    found = spex(ids, starts, n)
    grams = {tuple(ids[p : p + n].tolist()) for p in found.positions.tolist()}
    assert grams == set(expected)
    duplicates, n_ngrams, n_distinct = hashed(ids, starts, n)
    assert len(duplicates) == len(expected)
    counts = Counter(ngrams_of_documents(words_of(ids), starts, n).tolist())
    assert duplicates.tolist() == sorted(value for value, count in counts.items() if count > 1)
    assert n_ngrams == counts.total() == sum(max(len(d) - n + 1, 0) for d in documents)
    assert n_distinct == len(counts)


def test_from_disk_equals_from_memory(tmp_path, monkeypatch):
    rng = np.random.default_rng(8)
    documents = [rng.integers(0, 12, size=size).tolist() for size in rng.integers(0, 900, 300)]
    # One n-gram in half of all places.
    documents += [[5] * 60_000]
    ids, starts = arrays(documents)
    in_memory = hashed(ids, starts, 5)
    monkeypatch.setattr(ngram_partitions, "_BUFFER_HASHES", 1000)
    monkeypatch.setattr(ngram_partitions, "_CACHED_SLOTS", 64)
    monkeypatch.setattr(ngram_partitions, "_MAX_SHARED", 16)
    from_disk = hashed(ids, starts, 5, memory=MIN_MEMORY, folder=tmp_path)
    assert in_memory[0].tolist() == from_disk[0].tolist()
    assert in_memory[1:] == from_disk[1:]
    assert len(in_memory[0]) == len(counted(documents, 5))
    assert not list(tmp_path.iterdir())


def test_added_in_parts():
    rng = np.random.default_rng(9)
    words = rng.integers(0, 50, size=5000).astype(np.uint64)
    starts = np.array([0, 10, 10, 13, 3000, 5000])
    with NgramPartitions(3) as whole, NgramPartitions(3) as parts:
        whole.add(words, starts)
        for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            parts.add(words[first:end], np.array([0, end - first]))
        assert whole.duplicates().tolist() == parts.duplicates().tolist()


@given(st.lists(st.integers(0, 2**40), max_size=40))
def test_elias(values):
    code = encode(np.array(values, dtype=np.uint64))
    assert decode(code, len(values)).tolist() == values
    digits = "".join(f"{'0' * ((v + 1).bit_length() - 1)}{v + 1:b}" for v in values)
    assert "".join(f"{byte:08b}" for byte in code.tolist())[: len(digits)] == digits
    assert len(code) == (len(digits) + 7) // 8
    with pytest.raises(ValueError, match="ends before value"):
        decode(code, len(values) + 9)


def test_wrong_arguments():
    with pytest.raises(ValueError, match="n must be at least 1"):
        NgramPartitions(0)
    with NgramPartitions(3) as left:
        left.add(np.ones(5, np.uint64), np.array([0, 5]))
    with pytest.raises(ValueError, match="after leaving"):
        left.add(np.ones(5, np.uint64), np.array([0, 5]))
    with pytest.raises(ValueError, match="memory must be at least 1048576 bytes, got 5"):
        NgramPartitions(3, memory=5)
    with pytest.raises(ValueError, match="chunk_words"):
        next(duplicate_ngrams(np.empty(0, np.uint32), np.array([0]), 1, chunk_words=0))
