"""Fingerprint templates, density templates, and their overlap."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.jobs.laws.spool import SegmentSpool
from pipelines.linguistics.laws.density_templates import (
    template_overlap,
    template_table,
)
from pipelines.linguistics.laws.fingerprints import FingerprintCounts, fingerprint, normal_form


def add(counted, text):
    """Count the segment *text*; return the serial number of its fingerprint."""
    return int(counted.add_all([normal_form(text)])[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  Contact\u00a0 Us! ", "contact us"),
        ("Page 3 of 17", "page of"),
        ("Monday, 3 January 2011", "$DATE$"),
        ("Mon 3 Jan", "$DATE$"),
        ("montag january's", "montag s $DATE$"),  # whole words only
        ("at 5 pm", "at"),  # AM and PM go, but name no date
        ("I am what I may be", "i what i be $DATE$"),
        ("visit http://may.com/a?b=1 now", "visit now $URL$"),
        ("www.Example.org on Sunday", "on $DATE$ $URL$"),
        ("$DATE$ $URL$", "date url"),  # the text's own signs are no indicators
        ("12 | 34", ""),
        ("Größe in Übersee", "größe in übersee"),
        ("Новости дня", "новости дня"),
    ],
)
def test_normal_form(text, expected):
    assert normal_form(text) == expected


def test_the_published_form_keeps_latin_letters_only():
    assert normal_form("Новости iPhone дня, Größe", latin_only=True) == "iphone größe"
    assert normal_form("Новости", latin_only=True) == ""


@given(st.text(alphabet=st.characters(codec="latin-1")))
def test_both_forms_agree_on_latin_text(text):
    # µ is a Greek letter in Latin-1
    text = text.replace("µ", " ")
    assert normal_form(text, latin_only=True) == normal_form(text)


def test_a_fingerprint_is_a_sha1():
    assert fingerprint("Home!").hex() == hashlib.sha1(b"home").hexdigest()
    assert fingerprint("\ud800 a").hex() == hashlib.sha1(b"a").hexdigest()


@given(
    st.lists(st.sampled_from(["home", "site map", "next page"]), max_size=12), st.integers(0, 99)
)
def test_fingerprints_ignore_case_numbers_and_spacing(words, number):
    plain = " ".join(words)
    loud = f" {number} -  ".join(word.upper() for word in words) + f" {number}"
    assert fingerprint(plain) == fingerprint(loud)


def test_templates_are_the_frequent_fingerprints():
    counted = FingerprintCounts(min_frequency=3)
    texts = ["Home", "Page 1", "A text of its own", "HOME", "Page 2", "home 7", "Page 9", "Home"]
    serials = [add(counted, text) for text in texts]
    found = counted.templates()
    assert (found.n_templates, counted.n_fingerprints, counted.n_segments) == (2, 3, 8)
    assert found.top == [(4, "home"), (3, "page")]
    assert found.frequencies.tolist() == [4, 3, 1]
    assert found.serials.tolist() == sorted({serials[0], serials[1]})
    assert found.max_missed == 0
    assert counted.templates(n_top=1).top == [(4, "home")]


def test_top_templates_do_not_depend_on_the_order():
    texts = ["Home"] * 3 + ["HOME"] * 2 + ["About us", "about US"] * 2 + ["x"]
    forward, backward = FingerprintCounts(min_frequency=2), FingerprintCounts(min_frequency=2)
    for one, other in zip(texts, reversed(texts), strict=True):
        add(forward, one)
        add(backward, other)
    assert forward.templates().top == backward.templates().top


def test_forgotten_fingerprints_are_said():
    counted = FingerprintCounts(max_fingerprints=10)
    for i in range(100):
        add(counted, "home")
        add(counted, "abcdefghij"[i % 10] * (i // 10 + 1))
    found = counted.templates()
    assert found.top == [(100, "home")]
    assert counted.n_forgotten == 101 - counted.n_fingerprints
    assert found.max_missed >= 1


def test_a_template_is_seen_more_than_once():
    with pytest.raises(ValueError, match="min_frequency must be at least 2"):
        FingerprintCounts(min_frequency=1)


# Rounded density, tokens, template, full stop
SEGMENTS = [(2, 10, True, False), (5, 20, False, False), (6, 30, True, True), (12, 40, False, True)]


def columns(segments):
    rounded, tokens = (np.array([row[i] for row in segments], dtype=np.int64) for i in (0, 1))
    flags = [np.array([row[i] for row in segments], dtype=bool) for i in (2, 3)]
    return rounded, tokens, *flags


def test_overlap_of_both_detectors():
    rounded, tokens, template, full_stop = columns(SEGMENTS)
    table = template_table(rounded, tokens, template=template, full_stop=full_stop)
    assert table.sum() == 100
    found = template_overlap(table)
    assert found.n_tokens == 100
    assert (found.sparse, found.template) == (0.3, 0.4)
    assert (found.template_sparse, found.sparse_template) == (0.25, pytest.approx(1 / 3))
    # A ratio of sizes, no overlap, as the text has it
    assert found.size_ratio == 0.75
    assert found.sparse_plain_template == pytest.approx(1 / 3)
    assert found.dense_stop_template == (pytest.approx(3 / 7), 0.0)
    assert found.template_plain == 0.25


def test_overlap_of_nothing():
    found = template_overlap(np.zeros((41, 2, 2), dtype=np.int64))
    assert (found.n_tokens, found.sparse, found.size_ratio) == (0, 0.0, 0.0)
    with pytest.raises(ValueError, match="tokens must be of shape"):
        template_overlap(np.zeros((41, 2), dtype=np.int64))


def test_the_spool_joins_notes_and_templates():
    rounded, tokens, template, full_stop = columns(SEGMENTS)
    serials = [7, 1, 7, 2]
    with SegmentSpool() as spool:
        assert spool.template_tokens(np.array([7])).sum() == 0
        spool.add(serials[:3], tokens[:3], rounded[:3], full_stop[:3])
        spool.add(serials[3:], tokens[3:], rounded[3:], full_stop[3:])
        found = spool.template_tokens(np.array([7]))
        none = spool.template_tokens(np.array([], dtype=np.int64))
    expected = template_table(rounded, tokens, template=template, full_stop=full_stop)
    assert found.tolist() == expected.tolist()
    assert none[:, 1].sum() == 0
    assert none.sum() == 100
