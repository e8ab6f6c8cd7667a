"""The stop rule of a fleet: its parent applies it to what all processes count together.

*On disk.* ``frontier/fleet/stop.json``, replaced as a whole: an object ``windows`` (list of [bytes, words]) and
``open`` ([bytes, words] of the window that is not full).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from crawler.durable.files import make_folder, write_atomic
from crawler.durable.layout import fleet_folder
from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from crawler.frontier.steering.stop_rule import StopRule

FILE = "stop.json"
# What each process counts, since its start, of the pages that it has committed.
BYTES_STAT, WORDS_STAT = "steering/bytes", "steering/words"


class FleetStop:
    """Feeds *rule*, which is new, with the stats of the fleet of *corpus_dir*; goes on where that was."""

    def __init__(self, corpus_dir: Path, rule: StopRule) -> None:
        self.rule = rule
        self.path = fleet_folder(corpus_dir) / FILE
        self._counted = (0, 0)
        if self.path.exists():
            try:
                value = json.loads(self.path.read_bytes())
                rule.restore(value["windows"], *value["open"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise FormatError(f"{self.path} is damaged ({error}); remove it") from error

    def is_over(self, stats: Mapping[str, Any]) -> bool:
        """Count what *stats*, of all processes together, have more than before; tell whether to stop."""
        n_bytes, n_words = stats.get(BYTES_STAT, 0), stats.get(WORDS_STAT, 0)
        self.rule.add(n_bytes - self._counted[0], n_words - self._counted[1])
        self._counted = n_bytes, n_words
        return self.rule.is_over()

    def save(self) -> None:
        """Write the windows."""
        rule = self.rule
        value = {"windows": rule.windows, "open": [rule.n_bytes, rule.n_words]}
        make_folder(self.path.parent)
        write_atomic(self.path, json.dumps(value).encode())
