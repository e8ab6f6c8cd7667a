"""Every method on every judged set: the run, and its table as text and as an object."""

from __future__ import annotations

import fnmatch
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import InputError
from pipelines.evaluation.duplicates import measures
from pipelines.evaluation.duplicates.default_index import DEFAULT
from pipelines.evaluation.duplicates.families import family_scores
from pipelines.evaluation.duplicates.methods import methods
from pipelines.evaluation.duplicates.peers import PEERS, peer_methods
from pipelines.evaluation.report.tables import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.duplicates.families import FamilyScore
    from pipelines.evaluation.duplicates.judged import JudgedPairs
    from pipelines.evaluation.duplicates.measures import Difference, Measured
    from pipelines.evaluation.duplicates.method import F64, Method

CURVE_THRESHOLDS = tuple(step / 20 for step in range(6, 20))
_PEER_PREFIX = "peer/"
OURS, ALL_PEERS = "all of ours", "all peers"
# Sets of more pairs have few duplicates, which all rows find.
_MAX_PAIRS_OF_FAMILIES = 10_000


@dataclass(frozen=True, slots=True)
class Score:
    """One method on one set; *curve* holds F1 at each of :data:`CURVE_THRESHOLDS`."""

    method: str
    settings: str
    dataset: str
    default: Measured
    best: Measured
    held_out: float
    curve: tuple[float, ...]
    reported: npt.NDArray[np.bool_]
    reported_at_best: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The default at its threshold against the best peer at the threshold best for it."""

    dataset: str
    peer: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class QualityRun:
    """*scores*, a row a method and set, in the order of the methods; *families* by small set."""

    sets: Sequence[JudgedPairs]
    scores: list[Score]
    families: dict[str, list[FamilyScore]]
    missing: list[str]

    def comparisons(self) -> list[Comparison]:
        """Return the comparison with peers on each set; none without both sides."""
        found = []
        for judged in self.sets:
            rows = [score for score in self.scores if score.dataset == judged.name]
            ours = next((score for score in rows if score.method == DEFAULT), None)
            peers = [score for score in rows if score.method.startswith(_PEER_PREFIX)]
            if ours is not None and peers:
                peer = max(peers, key=lambda score: score.best.f1)
                difference = measures.f1_difference(
                    ours.reported, peer.reported_at_best, judged.is_duplicate
                )
                title = f"{peer.method} {peer.settings}"
                found.append(Comparison(judged.name, title, difference))
        return found


def run(sets: Sequence[JudgedPairs], pattern: str = "*") -> QualityRun:
    """Score the methods whose name and settings match *pattern*; InputError when none does."""
    found, missing = peer_methods()
    chosen = [each for each in (*methods(), *found) if fnmatch.fnmatch(each.title, pattern)]
    if not chosen:
        raise InputError(f"no method matches {pattern!r}; give a pattern such as 'simhash*'")
    rows: list[Score] = []
    kept: dict[str, dict[str, F64]] = {}
    for method in chosen:
        for judged in sets:
            scores = method.scores(judged.texts, judged.pairs)
            rows.append(_score(method, judged, scores))
            if len(judged.pairs) <= _MAX_PAIRS_OF_FAMILIES and judged.is_duplicate.sum() > 1:
                kept.setdefault(judged.name, {})[method.title] = scores
    families = {
        judged.name: family_scores(kept[judged.name], judged.is_duplicate, _families(chosen))[0]
        for judged in sets
        if judged.name in kept
    }
    return QualityRun(sets, rows, families, missing)


def _families(chosen: Sequence[Method]) -> dict[str, list[str]]:
    """Return the rows of each method's name, of all of ours, and of all peers."""
    families: dict[str, list[str]] = {}
    for method in chosen:
        is_peer = method.name.startswith(_PEER_PREFIX)
        for family in (method.name, ALL_PEERS if is_peer else OURS):
            families.setdefault(family, []).append(method.title)
    return families


def _score(method: Method, judged: JudgedPairs, scores: F64) -> Score:
    truth = judged.is_duplicate
    best = measures.best(scores, truth)
    return Score(
        method=method.name,
        settings=method.settings,
        dataset=judged.name,
        default=measures.at(scores, truth, method.default),
        best=best,
        held_out=measures.held_out(scores, truth),
        curve=tuple(measures.at(scores, truth, each).f1 for each in CURVE_THRESHOLDS),
        reported=scores >= method.default,
        reported_at_best=scores >= best.threshold,
    )


def screen(quality: QualityRun, *, curves: bool = False) -> str:
    """Return the tables as text."""
    parts = [_set_table(quality, judged, curves=curves) for judged in quality.sets]
    if not curves:
        parts += [_family_table(name, rows) for name, rows in quality.families.items()]
    compared = [
        [
            each.dataset,
            each.peer,
            f"{each.difference.difference:+.3f}",
            f"{each.difference.low:+.3f} to {each.difference.high:+.3f}",
        ]
        for each in quality.comparisons()
    ]
    if compared:
        head = ["set", "best peer, at its best", "F1 of the default", "95% interval"]
        parts.append("\n".join(["the default minus peers", *aligned([head, *compared])]))
    parts += [f"{name} is not installed: no row" for name in quality.missing]
    return "\n\n".join(parts)


def _set_table(quality: QualityRun, judged: JudgedPairs, *, curves: bool) -> str:
    head = ["", "F1", "precision", "recall", "at", "best F1", "precision", "recall", "at"]
    head += ["F1 held out"]
    if curves:
        head = ["", *(f"{threshold:.2f}" for threshold in CURVE_THRESHOLDS)]
    lines = [head]
    for score in quality.scores:
        if score.dataset == judged.name:
            told = (*_cells(score.default), *_cells(score.best), f"{score.held_out:.3f}")
            row = [f"{f1:.3f}" for f1 in score.curve] if curves else list(told)
            lines.append([f"{score.method} {score.settings}".rstrip(), *row])
    n_duplicates = int(judged.is_duplicate.sum())
    everything = measures.at(np.ones(len(judged.pairs)), judged.is_duplicate, 0)
    title = (
        f"{judged.name}: {len(judged.texts):,} texts, {len(judged.pairs):,} pairs, "
        f"{n_duplicates} duplicates; all pairs reported have F1 {everything.f1:.3f}"
    )
    return "\n".join([title, *aligned(lines)])


def _family_table(name: str, rows: Sequence[FamilyScore]) -> str:
    lines = [["", "rows", "F1", "of 95% of halves", "picked most", "times"]]
    for row in sorted(rows, key=lambda row: -row.f1):
        spread = f"{row.low:.3f} to {row.high:.3f}"
        share = f"{row.picked_share:.0%}"
        lines.append([row.family, str(row.n_methods), f"{row.f1:.3f}", spread, row.picked, share])
    title = f"{name}: row and threshold picked on one half of the pairs, scored on the other"
    return "\n".join([title, *aligned(lines)])


def _cells(measured: Measured) -> tuple[str, ...]:
    return (
        f"{measured.f1:.3f}",
        f"{measured.precision:.3f}",
        f"{measured.recall:.3f}",
        f"{measured.threshold:.3f}",
    )


def as_object(quality: QualityRun) -> dict[str, Any]:
    """Return the run as an object for JSON."""
    return {
        "sets": [
            {
                "name": judged.name,
                "texts": len(judged.texts),
                "pairs": len(judged.pairs),
                "duplicates": int(judged.is_duplicate.sum()),
            }
            for judged in quality.sets
        ],
        "curve_thresholds": CURVE_THRESHOLDS,
        "scores": [
            {
                "method": score.method,
                "settings": score.settings,
                "set": score.dataset,
                "default": score.default._asdict(),
                "best": score.best._asdict(),
                "held_out_f1": score.held_out,
                "curve": score.curve,
            }
            for score in quality.scores
        ],
        "families": {
            name: [row._asdict() for row in rows] for name, rows in quality.families.items()
        },
        "comparisons": [asdict(each) for each in quality.comparisons()],
        "peers": {name: version(name) for name in PEERS if name not in quality.missing},
        "missing": quality.missing,
    }
