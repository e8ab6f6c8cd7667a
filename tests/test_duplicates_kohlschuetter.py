"""The main segment, and songs on differently styled sites."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np

from crawler.page import build_page
from pipelines.duplicates.fingerprints.kohlschuetter import (
    is_near_duplicate,
    signature,
    signature_by_words,
)
from pipelines.segmentation.registry import block_methods, get, get_block_method, methods
from tests.made_blocks import made_blocks


def test_main_segment_is_the_largest_with_few_links():
    blocks = made_blocks([[9], [9, 9], [5]], linked=[0, 9, 0])
    blocks.text = [f"{name} " * 9 for name in "abc"]
    segments = np.arange(3, dtype=np.uint32)
    # Half of the largest is linked, which is too much.
    only_first = made_blocks([[9]])
    only_first.text = [blocks.text[0]]
    expected = signature(only_first, np.zeros(1, dtype=np.uint32))
    assert signature(blocks, segments).tolist() == expected.tolist()
    # The last two together have a smaller share.
    assert signature(blocks, np.array([0, 1, 1], dtype=np.uint32)).tolist() != expected.tolist()


def test_pages_without_a_candidate_are_like_none():
    menu = made_blocks([[9]], linked=[9])
    assert signature(menu, np.zeros(1, dtype=np.uint32)) is None
    assert signature(made_blocks([]), np.empty(0, dtype=np.uint32)) is None
    assert not is_near_duplicate(None, None)


def song(rng, vocabulary):
    return [" ".join(rng.choices(vocabulary, k=7)) for _ in range(24)]


STYLES = (
    lambda title, lines: f"<h1>{title}</h1><p>{'<br>'.join(lines)}</p><ul><li><a>Home</a></ul>",
    lambda title, lines: (
        "<table><tr><td><a>A</a> <a>B</a> <a>C</a></td><td>"
        + "".join(f"{line}<br>\n" for line in lines)
        + f"</td></tr></table><p>Lyrics of {title}. All rights reserved by their owners.</p>"
    ),
    lambda title, lines: (
        f"<div>Submit a correction</div><h2>{title} lyrics</h2>"
        + "".join(f"<div>{line}</div>" for line in lines)
    ),
)


# Table 4.3: the share of duplicate pairs that were recognised
PUBLISHED = {
    "WordWrap": 0.054,
    "TagGap": 0.169,
    "FullText": 0.199,
    "BF-plain": 0.722,
    "BF-smoothed": 0.731,
    "BF-rule-based": 0.863,
    "JustRules": 0.894,
}


def song_pages():
    """Twelve songs, each on three sites whose pages begin with a menu of other words each time."""
    rng = random.Random(5)
    vocabulary = ["".join(rng.choices("abcdefgh", k=rng.randint(2, 7))) for _ in range(900)]
    for number in range(12):
        lines = song(rng, vocabulary)
        row = []
        for style in STYLES:
            menu = "".join(f"<li>{' '.join(rng.choices(vocabulary, k=2))}" for _ in range(70))
            body = f"<ul>{menu}</ul>{style(f'Song {number}', lines)}".encode()
            row.append(build_page(body, url="", content_type="text/html").blocks)
        yield row


def test_songs_on_three_sites():
    """As table 4.3 has it: Block Fusion finds what lines, tag gaps and whole texts do not."""
    pages = list(song_pages())
    found = {}
    for method in methods():
        labels = get(method).token_labels
        signatures = [[signature_by_words(page, labels(page)) for page in row] for row in pages]
        if method in block_methods():
            segment = get_block_method(method).segment
            by_blocks = [[signature(page, segment(page)) for page in row] for row in pages]
            assert np.array_equal(signatures, by_blocks)
        pairs = [(row[i], row[j]) for row in signatures for i, j in ((0, 1), (0, 2), (1, 2))]
        found[method] = sum(is_near_duplicate(a, b) for a, b in pairs) / len(pairs)
        others = pairwise(signatures)
        assert not any(
            is_near_duplicate(x, y) for a, b in others for x, y in zip(a, b, strict=True)
        )
    # Lines of other words before them break songs elsewhere; the whole text is mostly menu; lines of
    # songs are segments of their own on two sites.
    assert set(found) == set(PUBLISHED)
    torn = ("WordWrap", "TagGap", "FullText")
    assert found["WordWrap"] < min(found["TagGap"], found["FullText"])
    for method, share in found.items():
        if method in torn:
            assert share <= 0.35
        else:
            assert share >= PUBLISHED[method]
