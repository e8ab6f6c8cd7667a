"""``python -m tests.quality.take [--only RUN] [--lower]``: writes today's scores as the floors.

A floor is raised when the score rises. Without ``--lower`` nothing is written when a score has fallen;
what has fallen is printed, and the exit code is 1.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from crawler.durable.files import write_atomic
from crawler.errors import ModuleParser
from tests.conftest import SHARED
from tests.quality.floors import FILE, RUNS, VERSION, falls, read, take

if TYPE_CHECKING:
    from typing import Any


def main() -> int:
    """Take the floors; return the exit code."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--only", choices=RUNS, help="one run alone")
    parser.add_argument("--lower", action="store_true", help="write floors that have fallen, too")
    arguments = parser.parse_args()
    if not SHARED.is_dir():
        sys.stderr.write("needs ../shared, which is not part of the project\n")
        return 2
    floors: dict[str, Any] = read()
    for which in RUNS if arguments.only is None else (arguments.only,):
        taken = take(SHARED, which, progress=_progress)
        fallen = falls(taken, floors[which]) if which in floors else []
        fallen = [line for line in fallen if "; take" not in line]
        sys.stderr.write("\n")
        if fallen and not arguments.lower:
            sys.stdout.write("\n".join([*fallen, "nothing is written; --lower writes them", ""]))
            return 1
        floors[which] = taken
    text = json.dumps({**floors, "version": VERSION}, indent=1, sort_keys=True)
    write_atomic(FILE, (text + "\n").encode("utf-8"))
    sys.stdout.write(f"written  {FILE}\n")
    return 0


def _progress(dataset: str, n_pages: int) -> None:
    sys.stderr.write(f"\r\033[K{n_pages} pages, {dataset} ")


if __name__ == "__main__":
    raise SystemExit(main())
