"""The densitometric diagram: a bar a block, borders of segments, and what long and odd pages make of it."""

from __future__ import annotations

import numpy as np
import pytest
from lxml import html

from pipelines.boilerplate.renderers.density_diagram import (
    MAX_BARS,
    Density,
    Group,
    density_diagram,
)

GROUPS = (Group("kept", True, "kept"), Group("<cut>", False, "cut"))


def diagram(n_lines, density, group, segment=None):
    arrays = [np.array(n_lines), np.array(density, float), np.array(group, np.int64)]
    found = density_diagram(
        Density(*arrays, None if segment is None else np.array(segment)), GROUPS
    )
    return html.fromstring(found)


def numbers(nodes, name):
    return [float(node.get(name).rstrip("%")) for node in nodes]


def test_bars_have_the_width_of_lines_and_the_height_of_densities():
    tree = diagram([1, 3, 4, 0, 2], [2, 12.5, 0, 0, 20], [1, 0, 1, 1, 0], [0, 0, 1, 1, 2])
    bars = tree.xpath("//a/rect")
    # A block without lines is as wide as one.
    assert numbers(bars, "width") == pytest.approx(
        [100 * n / 11 for n in (1, 3, 4, 1, 2)], abs=1e-3
    )
    starts = numbers(bars, "x")
    assert starts == pytest.approx([100 * n / 11 for n in (0, 1, 4, 8, 9)], abs=1e-3)
    heights = numbers(bars, "height")
    assert heights == pytest.approx([12, 75, 0, 0, 120])
    assert {y + height for y, height in zip(numbers(bars, "y"), heights, strict=True)} == {120}
    assert [bar.get("class") for bar in bars] == ["cut pale", "kept", *["cut pale"] * 2, "kept"]
    assert tree.xpath("//a/@href") == [f"#b{place}" for place in range(5)]
    assert bars[1].xpath("string(title)") == "Block 1, kept: 12.5 words a line, 3 lines"
    borders = tree.xpath("//svg[@class='bars']/line[@class='border']")
    assert numbers(borders, "x1") == [starts[2], starts[4]]
    assert numbers(borders, "y1") == [0, 0]
    legend = [part.text_content() for part in tree.xpath("//figcaption/span")]
    assert legend[:3] == ["kept 2", "<cut> 3", "borders of 3 segments"]
    (told,) = tree.xpath("//svg[@role='img']/@aria-label")
    assert told == (
        "Text density of 5 blocks in page order, 0.0 to 20.0 words a line: 2 kept, 3 <cut>"
    )


def test_without_segments_none_are_named():
    tree = diagram([1, 1], [1, 2], [0, 0])
    assert not tree.xpath("//*[@class='border']")
    assert "segment" not in tree.text_content()


def test_no_blocks_make_no_diagram():
    empty = np.zeros(0, np.int64)
    assert density_diagram(Density(empty, empty.astype(float), empty, None), GROUPS) == ""


@pytest.mark.parametrize("highest", [0.0, 0.001, 1.0, 20.0, 20.0001, 3e6])
def test_no_bar_is_higher_than_the_highest_number(highest):
    bars = diagram([1, 1], [highest, 0], [0, 1]).xpath("//a/rect")
    assert all(0 <= height <= 120 for height in numbers(bars, "height"))
    assert not highest or float(bars[0].get("height")) >= 60


@pytest.mark.parametrize("is_even", [True, False])
def test_the_bars_of_long_pages_are_means_of_neighbours(is_even):
    rng = np.random.default_rng(4)
    n_blocks = 10_000
    lines = np.ones(n_blocks, np.int64) if is_even else rng.integers(0, 9, n_blocks) ** 3
    density, group = rng.random(n_blocks) * 20, rng.integers(0, 2, n_blocks)
    found = density_diagram(Density(lines, density, group, np.arange(n_blocks)), GROUPS)
    assert len(found) < 250 * MAX_BARS + 100 * MAX_BARS
    tree = html.fromstring(found)
    bars = tree.xpath("//a/rect")
    assert MAX_BARS / 2 < len(bars) <= MAX_BARS
    assert sum(numbers(bars, "width")) == pytest.approx(100, abs=0.5)
    wide = np.maximum(lines, 1)
    firsts = [int(href[2:]) for href in tree.xpath("//a/@href")]
    top = float(tree.xpath("string(//text[@text-anchor='end'][last() - 1])"))
    for bar, first, end in zip(bars, firsts, [*firsts[1:], n_blocks], strict=True):
        mean = np.average(density[first:end], weights=wide[first:end])
        assert float(bar.get("height")) == pytest.approx(120 * mean / top, abs=0.06)
        kept = wide[first:end][group[first:end] == 0].sum()
        assert (bar.get("class") == "kept") == (2 * kept >= wide[first:end].sum())
    assert "neighbours share a bar" in tree.text_content()
    # Below the bars, for they would hide them.
    assert set(numbers(tree.xpath("//svg[@class='bars']/line[@class='border']"), "y1")) == {120}
