"""How benchmarks print: what people read, and one JSON line a figure."""

from __future__ import annotations

import json
import statistics
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def figure(
    bench: str,
    name: str,
    values: Sequence[float],
    *,
    unit: str,
    data: str,
    goal: float | None = None,
) -> float:
    """Print the median of *values* with its spread as one JSON line; return the median."""
    median = statistics.median(values)
    line = {
        "bench": bench,
        "figure": name,
        "value": round(median, 4),
        "spread": [round(min(values), 4), round(max(values), 4)],
        "unit": unit,
        "input": data,
        "goal": goal,
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
    return median
