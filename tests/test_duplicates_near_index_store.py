"""The index of kept pages across restarts: its rows in the journal, and the file of it."""

from __future__ import annotations

import os
import unicodedata

import numpy as np
import pytest

from crawler.durable.journal import Journal
from pipelines.duplicates.exact import text_digest
from pipelines.duplicates.near_index import store as near_index_store
from pipelines.duplicates.near_index.file import HEADER_BYTES
from pipelines.duplicates.near_index.rows import (
    KeptPage,
    KnownDigests,
    digest_edits,
    digests_of_bytes,
    end_of,
    forget_pages,
    put_digests,
)
from pipelines.duplicates.near_index.store import FILE, Copy, Neighbours, StoredIndex
from pipelines.duplicates.verdicts import NearRule, Signature

RULE = NearRule()


@pytest.fixture
def journal(tmp_path):
    opened = Journal.open_writer(tmp_path / "journal")
    yield opened
    opened.close()


def made_page(number):
    rng = np.random.default_rng(number)
    keys = rng.integers(0, 2**64, size=4, dtype=np.uint64)
    code, raw, digest = rng.integers(0, 2**64, size=3, dtype=np.uint64).tolist()
    return KeptPage(1000 + number, raw, Signature(digest, keys, code))


def opened(journal, rule=RULE):
    index = StoredIndex(journal, rule)
    if index.is_stale:
        index.remake([])
    return index


def keep(index, numbers, *, commit=True):
    for number in numbers:
        row = index.add(made_page(number))
        if commit:
            index.journal.write(lambda txn, row=row: txn.put(*row))
            index.committed(1000 + number, kept=True)


def found(index, number, **changes):
    """Ask for a copy of the made page *number* under another page id."""
    page = made_page(number)
    signature = page.signature._replace(**changes)
    return index.find(KeptPage(5, page.raw, signature)).copy


def near(number):
    return {"digest": 1, "code": made_page(number).signature.code ^ 0b111 << 20}


def test_found_before_and_after_the_commit(journal):
    index = opened(journal)
    rows = [index.add(made_page(number)) for number in range(3)]
    for committed in (False, True):
        if committed:
            journal.write(lambda txn: txn.put_many("extra", [row[1:] for row in rows]))
            for number in range(3):
                index.committed(1000 + number, kept=True)
        assert found(index, 1) == Copy(1001, "duplicate_bytes")
        assert found(index, 1, **near(1)) == Copy(1001, "near_duplicate")
        assert index.find(made_page(1)._replace(page_id=6, raw=9)).copy == Copy(1001, "duplicate")
        assert found(index, 7) is None
        # No page is a copy of itself.
        assert index.find(made_page(1)).copy is None


def test_of_2950_texts_in_877_groups_2073_are_removed(journal):
    """Pomikálek 2011, 3.6.1: one text of each checksum stays, the first."""
    rng = np.random.default_rng(70)
    groups = np.concatenate((np.arange(877), np.arange(877), rng.integers(0, 877, 2950 - 2 * 877)))
    rng.shuffle(groups)
    rule = NearRule(threshold=0)
    index = opened(journal, rule)
    first, n_removed = {}, 0
    for page_id, group in enumerate(groups.tolist(), start=1000):
        # Spaces and the composition of letters are no difference.
        text = f"text number {group} café".replace(" ", " " * int(rng.integers(1, 4)))
        text = unicodedata.normalize(str(rng.choice(["NFC", "NFD"])), text)
        page = KeptPage(page_id, page_id, rule.signature(text, text_digest(text)))
        copy = index.find(page).copy
        assert copy == (Copy(first[group], "duplicate") if group in first else None)
        n_removed += copy is not None
        if copy is None:
            first[group] = page_id
            row = index.add(page)
            journal.write(lambda txn, row=row: txn.put(*row))
            index.committed(page_id, kept=True)
    assert (len(first), n_removed) == (877, 2073)


def test_waiting_pages_of_the_same_keys(journal):
    """As a text has, and one that says it several times: alike, but for their sizes."""
    index = opened(journal)
    first = made_page(1)
    signature = first.signature._replace(digest=7, code=first.signature.code ^ 0xFF)
    other = KeptPage(1002, 8, signature)
    rows = [index.add(page) for page in (first, other)]
    for number in range(2):
        assert index.find(other._replace(page_id=5)).copy == Copy(1002, "duplicate_bytes")
        journal.write(lambda txn, row=rows[number]: txn.put(*row))
        index.committed(1001 + number, kept=True)
    assert index.find(other._replace(page_id=5)).copy == Copy(1002, "duplicate_bytes")


def test_across_restarts_with_and_without_the_file(journal):
    index = opened(journal)
    keep(index, range(20))
    index.save()
    keep(index, range(20, 30))  # killed here: the file covers twenty
    for _ in range(2):
        again = opened(journal)
        assert len(again) == 30
        assert [found(again, n) for n in range(30)] == [
            Copy(1000 + n, "duplicate_bytes") for n in range(30)
        ]
        (journal.folder / FILE).unlink(missing_ok=True)


def test_what_is_not_committed_is_forgotten(journal):
    index = opened(journal)
    keep(index, range(5))
    keep(index, [7], commit=False)
    again = opened(journal)
    assert found(again, 7) is None
    assert len(again) == 5


def test_a_page_that_a_later_stage_rejected(journal):
    index = opened(journal)
    row = index.add(made_page(1))
    journal.write(lambda txn: txn.put(*row))
    index.committed(1001, kept=False)
    assert found(index, 1) is None
    assert found(opened(journal), 1) is None


def test_a_file_ahead_of_the_journal_is_passed_over(journal, tmp_path):
    """As after power loss, or with a journal from a copy."""
    index = opened(journal)
    keep(index, range(5))
    index.save()
    forget_pages(journal)
    assert found(opened(journal), 1) is None
    again = opened(journal)
    keep(again, range(10, 15))
    assert found(opened(journal), 12) == Copy(1012, "duplicate_bytes")
    assert found(opened(journal), 1) is None


def test_growth(journal, monkeypatch):
    monkeypatch.setattr("pipelines.duplicates.near_index.index.FIRST_CAPACITY", 8)
    index = opened(journal)
    keep(index, range(40))
    assert 40 <= index.index.capacity <= 47
    assert [found(index, n).page_id for n in range(40)] == list(range(1000, 1040))
    assert os.path.getsize(journal.folder / FILE) >= HEADER_BYTES
    assert len(opened(journal)) == 40


def test_another_rule_makes_all_signatures_anew(journal):
    index = opened(journal)
    keep(index, range(3))
    other = StoredIndex(journal, NearRule(shingle_words=4))
    assert other.is_stale
    other.remake(map(made_page, range(2, 6)))
    assert found(other, 3) == Copy(1003, "duplicate_bytes")
    assert found(other, 0) is None
    assert StoredIndex(journal, RULE).is_stale


def test_remaking_that_is_cut_is_done_again(journal, monkeypatch):
    monkeypatch.setattr(near_index_store, "CHUNK", 2)
    index = StoredIndex(journal, RULE)

    def cut():
        yield from map(made_page, range(5))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.remake(cut())
    again = StoredIndex(journal, RULE)
    assert again.is_stale
    again.remake(map(made_page, range(3)))
    assert len(again) == 3


def test_end_of_numbers(journal):
    journal.write(lambda txn: txn.put("extra", b"nearly", b""))
    for number in (None, 0, 1, 2, 3, 6, 7, 8, 100, 2**40):
        if number is not None:
            key = b"near:" + number.to_bytes(8)
            journal.write(lambda txn, key=key: txn.put("extra", key, b""))
        with journal.read() as txn:
            assert end_of(txn) == (0 if number is None else number + 1)


def test_digests_of_bytes(journal):
    index = opened(journal)
    keep(index, range(3))
    edits = digest_edits(journal, [(7, 70), (8, 80)])
    journal.write(lambda txn: [txn.put(*edit) for edit in edits])
    ids, digests = digests_of_bytes(journal)
    assert ids.tolist() == [1000, 1001, 1002, 7, 8]
    assert digests.tolist() == [*(made_page(n).raw for n in range(3)), 70, 80]


def test_known_digests_of_hosts_beyond_the_precision_of_floats(journal):
    """A fleet gives HostIDs in blocks: a crawl of two million hosts has such."""
    first = 2**22 << 32
    edits = digest_edits(journal, [(first + n, 10 + n) for n in (3, 1, 2)] + [(first + 1, 77)])
    journal.write(lambda txn: [txn.put(*edit) for edit in edits])
    known = KnownDigests([journal])
    assert [known.of(first + n) for n in range(5)] == [0, 77, 12, 13, 0]
    assert list(known) == [(first + 1, 77), (first + 2, 12), (first + 3, 13)]
    forget_pages(journal)
    assert list(KnownDigests([journal])) == []
    put_digests(journal, known)
    assert list(KnownDigests([journal])) == list(known)


def test_likeness_to_pages_of_the_host_before_and_after_their_commit(journal):
    """Of two pages that share one band, the codes are equal in 42 and 46 of 56 bits."""
    index = opened(journal)
    one = made_page(1)
    pages = []
    for n_differing, place in ((14, 0), (10, 1)):
        keys = made_page(2 + place).signature.keys.copy()
        keys[place] = one.signature.keys[place]
        code = one.signature.code ^ ((1 << n_differing) - 1) << 8
        # Of another size: they are no near-duplicates.
        signature = Signature(place, keys, code ^ 0x80)
        pages.append(KeptPage(2000 + place, place, signature))
    rows = [index.add(page) for page in pages]
    expected = ((2 * 42 / 56 - 1) + (2 * 46 / 56 - 1)) / 2
    elsewhere = one._replace(page_id=1 << 32 | 1)
    for committed in (False, True):
        if committed:
            journal.write(lambda txn: txn.put_many("extra", [row[1:] for row in rows]))
            for page in pages:
                index.committed(page.page_id, kept=True)
        assert index.find(one) == Neighbours(None, pytest.approx(expected))
        assert index.find(elsewhere) == Neighbours(None, 0.0)
    # Not to itself.
    assert index.find(pages[1]).likeness != pytest.approx(1)


def test_simhashes(journal):
    rule = NearRule(method="simhash", distance=3)
    index = opened(journal, rule)
    page = KeptPage(1, 11, Signature(5, np.array([5], dtype=np.uint64), 0xF0F0))
    row = index.add(page)
    asked = KeptPage(2, 11, Signature(6, np.array([6], dtype=np.uint64), 0xF0F7))
    far = asked._replace(signature=asked.signature._replace(code=0xF0FF))
    assert (index.find(asked).copy, index.find(far).copy) == (Copy(1, "near_duplicate"), None)
    journal.write(lambda txn: txn.put(*row))
    index.committed(1, kept=True)
    assert (index.find(asked).copy, index.find(far).copy) == (Copy(1, "near_duplicate"), None)
    assert index.find(page._replace(page_id=3)).copy == Copy(1, "duplicate_bytes")
    assert opened(journal, rule).find(asked).copy == Copy(1, "near_duplicate")
