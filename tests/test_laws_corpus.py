"""From a corpus folder to the data of the laws, against a slow reading of the same rows."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from crawler.errors import InputError
from crawler.page.lines import line_counts
from crawler.page.words import density_tokens
from pipelines.corpus.corpus import Corpus
from pipelines.jobs.laws import segments
from pipelines.jobs.laws.gather import LawsData, LawsOptions
from pipelines.jobs.laws.run import fit_corpus, gather
from pipelines.jobs.laws.segments import COLUMNS, batch_segments, worded
from pipelines.jobs.laws.stratum import document_stratum
from pipelines.linguistics.laws import text_runs
from pipelines.linguistics.laws.fingerprints import fingerprint
from pipelines.linguistics.laws.full_stop import has_full_stop, sentence_lengths
from pipelines.linguistics.laws.histograms import LengthCounts
from pipelines.linguistics.term_typicality import term_typicality, terms
from tests.laws_corpus import block, made_documents, make_corpus, url

N_DOCUMENTS = 40


@pytest.fixture(scope="module")
def documents():
    return made_documents(N_DOCUMENTS)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory, documents):
    folder = tmp_path_factory.mktemp("laws") / "corpus"
    make_corpus(folder, documents)
    return folder


@pytest.fixture(scope="module")
def data(corpus):
    return gather(corpus, LawsOptions(min_documents=5, template_frequency=4))[0]


def slow_segments(blocks):
    """Return (text, tokens, density) of the segments of a row's blocks."""
    runs = []
    for row in blocks:
        if runs and runs[-1][-1]["segment"] == row["segment"] is not None:
            runs[-1].append(row)
        else:
            runs.append([row])
    segments = []
    for run in runs:
        lines = []
        for row in run:
            n_tokens, n_lines, n_last = (int(column[0]) for column in line_counts([row["text"]]))
            # How the full lines share their words does not matter.
            lines += [n_tokens - n_last] + [0] * (n_lines - 2) if n_lines > 1 else []
            lines += [n_last]
        counted = lines[:-1] if len(lines) > 1 else lines
        text = "\n".join(row["text"] for row in run)
        segments.append((text, sum(lines), sum(counted) / len(counted)))
    return segments


@pytest.fixture(scope="module")
def slow(documents):
    return [slow_segments(blocks) for blocks in documents if blocks]


def histogram(counter):
    return [counter.get(k, 0) for k in range(max(counter) + 1)]


def test_counts_of_the_corpus(data, documents, slow):
    assert (data.n_documents, data.n_empty) == (len(slow), N_DOCUMENTS - len(slow))
    assert data.n_empty == 2
    assert data.n_cut == {}
    words = Counter(len(density_tokens(row["text"])) for blocks in documents for row in blocks)
    assert data.block_lengths.tolist() == histogram(words)


def test_histograms_equal_the_slow_ones(data, slow):
    segments = [segment for document in slow for segment in document]
    assert data.segment_lengths.tolist() == histogram(Counter(n for _, n, _ in segments))
    tokens, counted = np.zeros((41, 2), int), np.zeros((41, 2), int)
    sentences, token_lengths = Counter(), Counter()
    for text, n_tokens, density in segments:
        cell = (math.floor(density + 0.5), int(has_full_stop(text)))
        tokens[cell] += n_tokens
        counted[cell] += 1
        if has_full_stop(text):
            sentences.update(sentence_lengths(text))
        n_letters = sum(character.isalnum() for character in text)
        token_lengths[math.floor(n_letters / n_tokens + 0.5)] += n_tokens
    assert data.density_tokens.tolist() == tokens.tolist()
    assert data.density_segments.tolist() == counted.tolist()
    assert data.sentence_lengths.tolist() == histogram(sentences)
    assert data.token_lengths.tolist() == histogram(token_lengths)


def test_words_of_links_and_of_main_text_by_density(tmp_path):
    texts = {"Home": (False, 1.0), "a b c d": (False, 0.5), "one two three": (True, 0.0)}
    long = " ".join(["sentence"] * 9 + ["of", "words"])
    blocks = [
        block(text, 0) | {"kept": kept, "link_density": share}
        for text, (kept, share) in {**texts, long: (True, 3 / 11)}.items()
    ]
    blocks.append(block("null", 1) | {"kept": None, "link_density": None})
    make_corpus(tmp_path / "corpus", [blocks, [block("seven eight", 0)], []])
    found = gather(tmp_path / "corpus", LawsOptions())[0]
    # Nine words of eight letters fill the first line of the long block, the one that counts.
    assert found.class_words.T.tolist() == [
        [0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 8],
        [0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 3],
    ]
    assert found.class_density.T.tolist() == [
        [0, 1, 2, 3, 0, 0, 0, 0, 0, 8],
        [0, 0, 0, 0, 2, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 2, 0, 0, 0, 0, 3],
    ]
    assert found.class_density.sum() == found.density_tokens.sum()


def test_quotients_do_not_cross_documents(data, slow):
    found = Counter()
    for document in slow:
        densities = [density for _, _, density in document]
        for before, after in pairwise(densities):
            if before != after:
                found[math.ceil(abs(before - after) / after - 1e-12)] += 1
    assert data.quotients.tolist() == histogram(found)


def test_averages_of_the_documents(data, slow):
    lengths, densities = [], []
    for document in slow:
        n_tokens = sum(n for _, n, _ in document)
        letters = sum(character.isalnum() for text, _, _ in document for character in text)
        lengths.append(letters / n_tokens)
        densities.append(sum(n * density for _, n, density in document) / n_tokens)
    assert data.average_length.tolist() == pytest.approx(lengths, rel=1e-6)
    assert data.average_density.tolist() == pytest.approx(densities, rel=1e-6)


def test_typicality_of_the_corpus(data, slow):
    documents = defaultdict(lambda: [0, 0, 0])
    for document in slow:
        sides = [set(), set()]
        for text, _, density in document:
            sides[math.floor(density + 0.5) >= 9].update(terms(text))
        for term in sides[0] | sides[1]:
            row = documents[term]
            row[0] += 1
            row[1] += term in sides[0]
            row[2] += term in sides[1]
    kept = {term: row for term, row in documents.items() if row[0] >= 5}
    assert data.n_terms == len(documents)
    assert dict(zip(data.typicality.terms, data.typicality.documents.tolist(), strict=True)) == kept
    counts = data.typicality.documents
    expected = term_typicality(counts[:, 1], counts[:, 2], len(slow))
    assert data.typicality.epsilon.tolist() == expected.tolist()
    assert expected.tolist() == sorted(expected.tolist())
    assert "home" in [term for term, _ in data.typicality.extremes(20)[0]]


def test_templates_of_the_corpus(data, slow):
    segments = [segment for document in slow for segment in document]
    found = Counter(fingerprint(text) for text, _, _ in segments)
    frequent = {key for key, count in found.items() if count >= 4}
    assert data.templates.n_templates == len(frequent) > 0
    assert data.templates.frequencies.tolist() == sorted(found.values(), reverse=True)
    table = np.zeros((41, 2, 2), int)
    for text, n_tokens, density in segments:
        is_template = fingerprint(text) in frequent
        table[math.floor(density + 0.5), int(is_template), int(has_full_stop(text))] += n_tokens
    assert data.template_tokens.tolist() == table.tolist()


def test_a_small_bound_changes_no_histogram(corpus, data):
    bounded = gather(corpus, LawsOptions(max_entries=20, min_documents=5, template_frequency=4))[0]
    assert bounded.n_terms <= 20
    assert set(bounded.n_cut) == {"terms", "fingerprints"}
    assert bounded.density_tokens.tolist() == data.density_tokens.tolist()
    assert bounded.template_tokens.sum() == data.template_tokens.sum()
    # A count that falls short by max_missed can hide a template, never invent one.
    assert bounded.template_tokens[:, 1].sum() <= data.template_tokens[:, 1].sum()
    true = dict(zip(data.typicality.terms, data.typicality.documents[:, 0].tolist(), strict=True))
    found = zip(bounded.typicality.terms, bounded.typicality.documents[:, 0].tolist(), strict=True)
    for term, count in found:
        assert count <= true[term] <= count + bounded.typicality.max_missed


def test_segments_of_a_batch_and_its_slices(corpus):
    (batch,) = Corpus.open(corpus).batches("documents", COLUMNS)
    (whole,) = batch_segments(batch)
    assert whole.urls == [url(i) for i in range(N_DOCUMENTS)]
    for i in range(N_DOCUMENTS):
        (part,) = batch_segments(batch.slice(i, 1))
        one, other = whole.document(url(i)), part.document(url(i))
        assert [c.tolist() for c in one.counts] == [c.tolist() for c in other.counts]
        assert one.block_words.tolist() == other.block_words.tolist()
    assert whole.document("http://a.com/none") is None


def test_blocks_without_segment_numbers_are_segments():
    blocks = [block("a b", None), block("c", None), block("d", 0), block("e", 0), block("f", 1)]
    rows = [{"url": "http://a.com/", "blocks": blocks}, {"url": "http://b.com/", "blocks": None}]
    batch = pa.RecordBatch.from_pylist(rows)
    (found,) = batch_segments(batch)
    assert (found.starts.tolist(), found.last_blocks.tolist()) == ([0, 1, 2, 4], [0, 1, 3, 4])
    assert (found.block_ends.tolist(), found.segment_ends.tolist()) == ([5, 5], [4, 4])
    assert found.documents.tolist() == [0] * 4
    assert len(found.document("http://b.com/").block_words) == 0


def test_documents_of_no_words_are_taken_out():
    texts = [["a b", "c"], ["!"], ["d", "?", "e"], [], ["f"]]
    numbers = [[0, 1], [0], [0, 1, 1], [], [None]]
    rows = [
        {"url": url(i), "blocks": list(map(block, *pair))}
        for i, pair in enumerate(zip(texts, numbers, strict=True))
    ]
    (found,) = batch_segments(pa.RecordBatch.from_pylist(rows))
    (expected,) = batch_segments(pa.RecordBatch.from_pylist([rows[0], rows[2], rows[4]]))
    kept = worded(found)
    assert (kept.urls, kept.texts) == (expected.urls, expected.texts)
    assert [c.tolist() for c in kept.counts] == [c.tolist() for c in expected.counts]
    of_kept, of_expected = (
        (*each.blocks, each.starts, each.block_ends, each.segment_ends) for each in (kept, expected)
    )
    for one, other in zip(of_kept, of_expected, strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("max_entries", [1_000_000, 20])
def test_how_documents_come_together_changes_nothing(corpus, monkeypatch, max_entries):
    options = LawsOptions(max_entries=max_entries, min_documents=5, template_frequency=4)
    whole = gather(corpus, options)[0]
    monkeypatch.setattr(segments, "PART_BYTES", 1)
    monkeypatch.setattr(text_runs, "MAX_RUNS", 40)
    by_one = gather(corpus, options)[0]
    with np.printoptions(threshold=1 << 20):
        for name in LawsData.__slots__:
            assert str(getattr(whole, name)) == str(getattr(by_one, name))


def test_strata_of_a_document():
    long = " ".join(["word"] * 60)  # 16 words a line
    blocks = [block("Home", 0), block("About us", 1), block(long, 2)]
    batch = pa.RecordBatch.from_pylist([{"url": "http://a.com/", "blocks": blocks}])
    (found,) = batch_segments(batch)
    document = found.document("http://a.com/")
    found = document_stratum(document, 2)
    assert (found.n_tokens, found.n_segments, found.n_blocks, found.mode) == (63, 3, 3, 16)
    assert found.density_tokens[[1, 2, 16]].tolist() == [1, 2, 60]
    assert found.long_by_density == 60 / 63
    assert found.long_by_words == 62 / 63
    assert document_stratum(document, None).long_by_words is None
    names = [name for name, _ in document_stratum(document, 1).rows()]
    assert names[-1] == "long text (blocks of 1 word or more)"
    assert sum(found.as_json()["density_tokens"]) == 63


def test_empty_histograms():
    counted = LengthCounts()
    assert counted.counts.tolist() == [0]


@pytest.mark.parametrize(
    "options", [{"template_frequency": 1}, {"max_entries": 1}, {"min_documents": 0}]
)
def test_bounds_of_the_options(options):
    with pytest.raises(ValueError, match="must be at least"):
        LawsOptions(**options)


def test_no_corpus_and_no_text(tmp_path):
    with pytest.raises(InputError, match="no corpus in"):
        fit_corpus(tmp_path / "none", LawsOptions())
    make_corpus(tmp_path / "empty", [])
    with pytest.raises(InputError, match="no documents with text in"):
        fit_corpus(tmp_path / "empty", LawsOptions())
    make_corpus(tmp_path / "textless", [[], None])
    with pytest.raises(InputError, match="no documents with text in"):
        fit_corpus(tmp_path / "textless", LawsOptions())
