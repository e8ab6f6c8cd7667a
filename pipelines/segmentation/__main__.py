"""The studies of segmentation on hand-marked pages: ``python -m pipelines.segmentation FOLDER``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.errors import InputError, ModuleParser, run_module
from crawler.wording import counted
from pipelines.segmentation import registry, studies
from pipelines.segmentation.block_fusion import VARIANTS, BlockFusion
from pipelines.segmentation.gold import LEVELS
from pipelines.segmentation.gold_folder import gold_pages, read_folder

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from pipelines.segmentation.studies import GoldPage, Point

# The error of more is nothing (figure 4.8).
_N_SWEEPS = 6
_CURVES = ("theta", "w_max", "sweeps")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the studies of the folder that *arguments* name, and return the exit code."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    if not options.folder.is_dir():
        raise InputError(f"{options.folder} is no folder; give one of hand-marked pages")
    found = read_folder(options.folder, served=options.served)
    pages = gold_pages(found.pages, options.level)
    if not pages:
        raise InputError(
            f"no page of {options.folder} has marks of level {options.level}; give another --level"
        )
    told: dict[str, Any] = {
        "pages": len(pages),
        "left_out": found.n_left_out + len(found.pages) - len(pages),
        "level": options.level,
        "segments_by_hand": sum(int(page.labels.max()) + 1 for page in pages) / len(pages),
        "table": _table(pages),
        **_curves(pages, seed=options.seed),
    }
    sys.stdout.write((json.dumps(told) if options.json else screen(told)) + "\n")


def _table(pages: Sequence[GoldPage]) -> list[dict[str, Any]]:
    """Return table 4.1 of *pages*, beside what was published."""
    rows = []
    for name in (*studies.PUBLISHED, "FullText"):
        published = studies.PUBLISHED.get(name)
        row = _row("method", name, studies.score(registry.get(name), pages))
        rows.append({**row, "published": list(published) if published else None})
    return rows


def _curves(pages: Sequence[GoldPage], *, seed: int) -> dict[str, Any]:
    """Return the curves of each form of Block Fusion, by parameter and method, and the best thetas of halves."""
    curves: dict[str, dict[str, Any]] = {name: {} for name in _CURVES}
    halves = {}
    for variant in VARIANTS:
        by_theta, by_width, by_sweeps = _by_theta(variant), _by_width(variant), _by_sweeps(variant)
        found = (
            studies.theta_sweep(by_theta, pages),
            studies.w_max_sweep(by_width, pages),
            studies.iteration_error(by_sweeps, pages, _N_SWEEPS),
        )
        for name, points in zip(_CURVES, found, strict=True):
            curves[name][f"BF-{variant}"] = [_row(name, point.parameter, point) for point in points]
        if len(pages) > 1:
            halves[f"BF-{variant}"] = studies.split_halves(by_theta, pages, seed=seed)._asdict()
    return {**curves, "halves": halves}


def _by_theta(variant: str) -> Callable[[float], BlockFusion]:
    return lambda theta: BlockFusion(theta=theta, variant=variant)


def _by_width(variant: str) -> Callable[[int], BlockFusion]:
    # The blocks are wrapped; it is the same for each width.
    return lambda _: BlockFusion(variant=variant)


def _by_sweeps(variant: str) -> Callable[[int], BlockFusion]:
    return lambda n_sweeps: BlockFusion(variant=variant, max_sweeps=n_sweeps)


def _row(name: str, value: float | str, point: Point) -> dict[str, Any]:
    return {name: value, **point.accuracy._asdict(), "segments": point.n_segments}


def screen(told: dict[str, Any]) -> str:
    """Return *told*, the studies of a folder, as tables for people."""
    left_out = f" ({told['left_out']:,} without marks or with other words)" * bool(told["left_out"])
    by_hand = f"{told['segments_by_hand']:.1f} segments by hand a page"
    lines = [
        f"{counted(told['pages'], 'page')}{left_out}, level {told['level']}, {by_hand}",
        "",
        f"{'method':14}{'AdjRand':>9}{'NMI':>7}{'segments':>10}   published (table 4.1)",
    ]
    for row in told["table"]:
        published = row["published"]
        beside = "{:.2f}  {:.2f}  {:.2f}".format(*published) if published else ""
        lines.append(f"{row['method']:14}{_numbers(row)}   {beside}".rstrip())
    for name in _CURVES:
        lines += ["", *_curve_lines(name, told[name])]
    for method, halves in told["halves"].items():
        thetas, losses = (", ".join(f"{n:.2f}" for n in halves[each]) for each in halves)
        lines += [f"best theta of two halves of the pages, {method}: {thetas}; lost: {losses}"]
    return "\n".join(lines)


def _curve_lines(name: str, curves: dict[str, Any]) -> list[str]:
    """Return the *curves* over parameter *name* side by side, the best of each behind them."""
    header = f"{'AdjRand':>9}{'NMI':>7}{'segments':>10}"
    lines = [f"{'':8}{''.join(f'{method:>26}' for method in curves)}"]
    lines.append(f"{name:8}{header * len(curves)}")
    lines += [
        f"{rows[0][name]:<8g}{''.join(map(_numbers, rows))}"
        for rows in zip(*curves.values(), strict=True)
    ]
    for method, rows in curves.items():
        best = max(rows, key=lambda row: float(row["adjusted_rand"]))
        lines.append(f"best {name} of {method}: {best[name]:g}")
    return lines


def _numbers(row: dict[str, Any]) -> str:
    return f"{row['adjusted_rand']:9.3f}{row['nmi']:7.3f}{row['segments']:10.1f}"


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.segmentation",
        description="Tell how well the segmenters divide pages that were divided by hand (Kohlschütter 2011, table "
        "4.1), and which parameters of Block Fusion fit them: theta (figures 4.4, 4.5), w_max (4.7), sweeps (4.8), and "
        "theta on two halves of the pages.",
    )
    parser.add_argument(
        "folder",
        type=Path,
        help="HTML files whose blocks are marked by data-block=1, or 2 for blocks within; or manifest.jsonl with "
        "blocks/ (marked) and orig/ (as served)",
    )
    parser.add_argument(
        "--level",
        type=int,
        choices=LEVELS,
        default=2,
        help="marks that divide: 1 the outer blocks, 2 those within, too (default: %(default)s)",
    )
    parser.add_argument(
        "--served", action="store_true", help="divide the pages as they were served (orig/)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the halves (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


if __name__ == "__main__":
    sys.exit(main())
