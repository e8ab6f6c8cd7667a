"""``python -m pipelines.evaluation.duplicates FOLDER``: the quality of every method and peer.

FOLDER holds the sets of :mod:`pipelines.evaluation.duplicates.judged`. A table a set on stdout, or
one JSON object; exit code 2 and one line when the folder is wrong.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import ModuleParser, run_module
from pipelines.evaluation.duplicates.judged import read_judged
from pipelines.evaluation.duplicates.table import as_object, run, screen

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; return the exit code."""
    parser = ModuleParser(prog=f"python -m {__package__}", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--methods", default="*", metavar="PATTERN", help="such as 'simhash*'")
    parser.add_argument("--curves", action="store_true", help="F1 by threshold")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    quality = run(read_judged(options.folder), options.methods)
    told = (
        json.dumps(as_object(quality)) if options.json else screen(quality, curves=options.curves)
    )
    sys.stdout.write(f"{told}\n")


if __name__ == "__main__":
    sys.exit(main())
