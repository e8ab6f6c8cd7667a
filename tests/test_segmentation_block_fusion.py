"""Block Fusion against the printed algorithm, on the worked examples, and its cost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from pipelines.segmentation.block_fusion import BlockFusion
from tests.made_blocks import made_blocks

FORCE = {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "dl", "ol", "hr", "table", "address", "img"}
FORCE |= {"script"}
NO_GAP = {"a", "b", "br", "em", "font", "i", "s", "span", "strong", "sub", "sup", "u", "tt"}


def density(lines):
    return Fraction(lines[0]) if len(lines) == 1 else Fraction(sum(lines[:-1]), len(lines) - 1)


def rho(block):
    return density(block[0])


def join(*parts):
    return [n for part in parts for n in part[0]], parts[0][1], sum(part[2] for part in parts)


def fusable(p, c, theta, rules):
    if rules and c[1] & FORCE:
        return False
    if rules and c[1] <= NO_GAP:
        return True
    largest = max(rho(p), rho(c))
    return (abs(rho(p) - rho(c)) / largest if largest else 0) <= theta


def is_dent(p, c, n, rules):
    return rho(p) == rho(n) and rho(c) < rho(p) and not (rules and (c[1] | n[1]) & FORCE)


def printed(lines, gaps, theta, *, smoothed, rules):
    """The printed Algorithm 4.1, literally: blocks as lists, edited in place, 0-based."""
    blocks = [(block, gap, 1) for block, gap in zip(lines, gaps, strict=True)]
    changed = True
    while changed:
        changed = False
        i = 1
        while i < len(blocks):
            if smoothed and i + 1 < len(blocks) and is_dent(*blocks[i - 1 : i + 2], rules):
                blocks[i - 1 : i + 2] = [join(*blocks[i - 1 : i + 2])]
                changed = True
            elif fusable(*blocks[i - 1 : i + 1], theta, rules):
                blocks[i - 1 : i + 1] = [join(*blocks[i - 1 : i + 1])]
                changed = True
            else:
                i += 1
    return [number for number, block in enumerate(blocks) for _ in range(block[2])]


blocks_of_lines = st.lists(st.lists(st.integers(1, 15), min_size=1, max_size=3), max_size=14)
tags = st.sampled_from(["p", "div", "h2", "hr", "b", "span", "a", "li"])


@given(
    blocks_of_lines, st.data(), st.sampled_from(["0", "0.38", "0.5", "0.6", "1"]),
    st.sampled_from(["plain", "smoothed", "rule-based"]),
)  # fmt: skip
def test_equals_the_printed_algorithm(lines, data, theta, variant):
    sets = st.sets(tags, min_size=1, max_size=2)
    gaps = data.draw(st.lists(sets, min_size=len(lines), max_size=len(lines)))
    expected = printed(
        lines, gaps, Fraction(theta), smoothed=variant != "plain", rules=variant == "rule-based"
    )
    fusion = BlockFusion(theta=float(theta), variant=variant, max_sweeps=1000)
    assert fusion.segment(made_blocks(lines, gaps)).tolist() == expected


@pytest.mark.parametrize(
    ("densities", "variant", "expected"),
    [
        # Spec of Kohlschütter, section 7, vector 4: the rule wants the middle to be lower.
        ([1, 2, 1], "plain", [0, 1, 2]),
        ([1, 2, 1], "smoothed", [0, 1, 2]),
        ([2, 1, 2], "plain", [0, 1, 2]),
        ([2, 1, 2], "smoothed", [0, 0, 0]),
        ([1, 2, 1, 2, 1], "plain", [0, 1, 2, 3, 4]),
        ([1, 2, 1, 2, 1], "smoothed", [0, 1, 1, 1, 1]),
        ([5, 5, 5], "plain", [0, 0, 0]),
        ([7], "rule-based", [0]),
        ([], "rule-based", []),
    ],
)
def test_one_line_blocks(densities, variant, expected):
    blocks = made_blocks([[n] for n in densities])
    assert BlockFusion(variant=variant, theta=0.38).segment(blocks).tolist() == expected


def segments(html, variant, theta):
    model = build_page(html, url="http://a.sample/", content_type="text/html")
    return BlockFusion(variant=variant, theta=theta).segment(model.blocks).tolist()


def test_forced_gap_and_no_gap_of_a_page():
    heading = b"<p>aaa bbb</p><h2>ccc ddd</h2>"
    assert segments(heading, "plain", 0.38) == [0, 0]
    assert segments(heading, "rule-based", 0.6) == [0, 1]
    assert segments(b"<p>x <b>y</b> z</p>", "rule-based", 0) == [0, 0, 0]


def test_fused_lines_are_not_wrapped_again():
    # [13,12,3] has density 12.5, with [11,13,2] it has (13+12+3+11+13)/5 = 10.4: equal to the third
    # block only if unfilled lines stay as they are.
    blocks = made_blocks([[13, 12, 3], [11, 13, 2], [10, 10, 11, 11, 10, 1]])
    assert BlockFusion(variant="plain", theta=0.05).segment(blocks).tolist() == [0, 0, 0]


def test_a_hundred_thousand_blocks_end_within_the_sweeps():
    rng = np.random.default_rng(1)
    blocks = made_blocks([[int(n)] for n in rng.integers(1, 30, 100_000)])
    numbers = BlockFusion(variant="smoothed").segment(blocks)
    assert len(numbers) == 100_000
    assert set(np.diff(numbers.astype(int)).tolist()) <= {0, 1}


def test_sweep_limit_cuts():
    # Each round of a ladder of dents closes the innermost ones only: [2,1,2] inside [3,...,3].
    lines = [[5], [4], [3], [2], [1], [2], [3], [4], [5]]
    in_steps = [
        len(set(BlockFusion(variant="smoothed", theta=0, max_sweeps=n).segment(made_blocks(lines))))
        for n in range(1, 7)
    ]
    assert in_steps == sorted(in_steps, reverse=True)
    assert in_steps[0] > in_steps[-1]


def test_force_only_is_an_infinite_threshold():
    blocks = made_blocks([[1], [20], [3], [1]], gaps=[{"p"}, {"p"}, {"h2", "p"}, {"td"}])
    assert BlockFusion(theta=float("inf")).segment(blocks).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"theta": -0.1}, "theta must be at least 0"),
        ({"theta": float("nan")}, "theta must be at least 0"),
        ({"variant": "fast"}, "variant must be one of"),
        ({"max_sweeps": 0}, "max_sweeps must be at least 1"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        BlockFusion(**options)
