"""The comparison for people, one table, and for machines."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipelines.jobs.sample_answers.comparison import Comparison

# Differences shown a check; the count tells how many there are.
_SHOWN = 10


def report(result: Comparison) -> str:
    """Return *result* as lines of text."""
    return "\n".join(_lines(result))


def report_json(result: Comparison) -> str:
    """Return *result* as one line of JSON, with all differences."""
    return json.dumps({"equal": result.equal, **asdict(result)}, ensure_ascii=False)


def _lines(result: Comparison) -> Iterator[str]:
    yield "Compared with the answers"
    for check in result.checks:
        verdict = f"{len(check.differences)} DIFFER" if check.differences else "equal"
        note = f"  ({check.note})" if check.note else ""
        yield f"  {check.name:<30} {check.n:>9,}  {verdict}{note}"
        yield from (f"      {difference}" for difference in check.differences[:_SHOWN])
    yield "Word F1 of the kept text        pages  precision  recall     F1"
    for score in result.templates:
        yield (
            f"  {score.template:<26} {score.n:>8,}  {score.precision:>9.3f}"
            f"  {score.recall:>6.3f}  {score.f1:>5.3f}"
        )
    yield "Near-duplicates planted at      pairs     recall  precision at it and above"
    for near in result.near:
        yield (
            f"  {near.planted:<26} {near.n:>8,}  {_share(near.recall):>9}  {_share(near.precision):>9}"
        )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
