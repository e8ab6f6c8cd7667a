"""The main segment, and songs on differently styled sites."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np

from crawler.page import build_page
from pipelines.duplicates.kohlschuetter import is_near_duplicate, signature
from pipelines.segmentation.registry import block_methods, get_block_method
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


def test_songs_on_three_sites():
    """As table 4.3 has it: plain Block Fusion finds what tag gaps alone tear apart."""
    rng = random.Random(5)
    vocabulary = ["".join(rng.choices("abcdefgh", k=rng.randint(2, 7))) for _ in range(900)]
    songs = [song(rng, vocabulary) for _ in range(12)]
    found = {}
    for method in block_methods():
        segment = get_block_method(method).segment
        signatures = []
        for number, lines in enumerate(songs):
            row = []
            for style in STYLES:
                menu = "".join(f"<li>{' '.join(rng.choices(vocabulary, k=2))}" for _ in range(70))
                body = f"<ul>{menu}</ul>{style(f'Song {number}', lines)}".encode()
                blocks = build_page(body, url="", content_type="text/html").blocks
                row.append(signature(blocks, segment(blocks)))
            signatures.append(row)
        pairs = [(row[i], row[j]) for row in signatures for i, j in ((0, 1), (0, 2), (1, 2))]
        found[method] = sum(is_near_duplicate(a, b) for a, b in pairs)
        others = pairwise(signatures)
        assert not any(is_near_duplicate(a[0], b[0]) for a, b in others)
    # 36 pairs; the whole text is mostly menu, and lines of songs are torn apart on two sites.
    assert found["TagGap"] <= 12
    assert found["FullText"] <= 18
    for fused in ("BF-plain", "BF-smoothed", "BF-rule-based", "JustRules"):
        assert found[fused] >= 30
