"""The studies of the parameters, on pages whose best segmentation is known."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.segmentation.block_fusion import BlockFusion
from pipelines.segmentation.studies import (
    GoldPage,
    iteration_error,
    n_segments,
    page_accuracy,
    rewrapped,
    score,
    split_halves,
    theta_sweep,
    w_max_sweep,
)
from pipelines.segmentation.tag_gap import TagGap
from pipelines.segmentation.word_wrap import WordWrap
from tests.made_blocks import made_blocks


def page(densities, segments):
    blocks = made_blocks([[n] for n in densities])
    return GoldPage(blocks, np.repeat(np.array(segments), densities))


# Menu, text, footer: 10 and 8 differ by 0.2, 2 and 3 by a third.
PAGES = [page([2, 3, 2, 10, 8, 9, 2], [0, 0, 0, 1, 1, 1, 2]), page([10, 8, 3, 3], [0, 0, 1, 1])]


def plain(theta=0.38, max_sweeps=None):
    return BlockFusion(variant="plain", theta=theta, max_sweeps=max_sweeps)


def test_theta_sweep_finds_the_threshold():
    points = theta_sweep(plain, PAGES, [0.0, 0.34, 1.0])
    assert [point.parameter for point in points] == [0.0, 0.34, 1.0]
    assert points[1].accuracy == (1, pytest.approx(1))
    assert points[1].n_segments == 2.5
    assert points[2].n_segments == 1
    assert points[2].accuracy == (0, 0)
    assert points[0].accuracy.adjusted_rand < 1


def test_tokens_of_negative_label_are_left_out():
    gold = page([2, 3, 2], [0, 0, -1])
    apart = TagGap()
    assert page_accuracy(apart, gold).adjusted_rand == page_accuracy(apart, page([2, 3], [0, 0]))[0]
    assert n_segments(apart, gold) == 3
    assert np.isnan(page_accuracy(apart, page([2], [-1])).nmi)


def test_iterations_start_from_atomic_blocks():
    # [2,1,2] inside [3,...,3]: a sweep closes the innermost dent only.
    pages = [page([4, 3, 2, 1, 2, 3, 4], [0] * 7)]
    points = iteration_error(
        lambda sweeps: BlockFusion(variant="smoothed", theta=0, max_sweeps=sweeps), pages, 4
    )
    assert [point.parameter for point in points] == [0, 1, 2, 3, 4]
    assert [point.n_segments for point in points] == [7, 5, 3, 1, 1]


def test_rewrapping_keeps_the_words():
    blocks = made_blocks([[17], [3]])
    assert blocks.text[0].count("word") == 17
    narrow = rewrapped(blocks, 9)
    assert narrow.n_tokens.tolist() == [17, 3]
    assert narrow.n_lines.tolist() == [9, 2]
    assert narrow.last_line_tokens.tolist() == [1, 1]
    assert narrow.gap_mask is blocks.gap_mask


def test_w_max_sweep_wraps_blocks_and_pages():
    pages = [page([40, 38], [0, 1])]
    # Densities at 9 columns: 2 and 2 words a line; at 400: 40 and 38, which 0.05 parts.
    points = w_max_sweep(lambda _: plain(theta=0.04), pages, [9, 400])
    assert [point.n_segments for point in points] == [1, 2]
    points = w_max_sweep(lambda w_max: WordWrap(w_max=w_max), pages, [9, 400])
    assert [point.n_segments for point in points] == [39, 1]


def test_split_halves_agree_on_pages_of_one_kind():
    pages = [PAGES[0]] * 6
    halves = split_halves(plain, pages, seed=1, thetas=[0.0, 0.34, 0.4, 1.0])
    assert halves == ((0.34, 0.34), (0.0, 0.0))
    again = split_halves(plain, [*PAGES, *PAGES], seed=1, thetas=[0.0, 0.34, 1.0])
    assert again == split_halves(plain, [*PAGES, *PAGES], seed=1, thetas=[0.0, 0.34, 1.0])


def test_losses_are_those_in_the_other_half():
    # One page wants 0.2 and no more, the other 0.5.
    pages = [page([10, 8, 5], [0, 0, 1]), page([10, 5, 1], [0, 0, 1])]
    first, second = split_halves(plain, pages, seed=0, thetas=[0.2, 0.5])
    assert sorted(first) == [0.2, 0.5]
    assert min(second) > 0


def test_one_page_has_no_halves():
    with pytest.raises(ValueError, match="pages must be at least 2, got 1"):
        split_halves(plain, PAGES[:1], seed=0)


def test_no_pages_no_score():
    point = score(plain(), [])
    assert np.isnan(point.n_segments)
    assert np.isnan(point.accuracy.nmi)
