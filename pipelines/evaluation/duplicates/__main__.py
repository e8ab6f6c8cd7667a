"""``python -m pipelines.evaluation.duplicates FOLDER``: the quality of every method and peer.

FOLDER holds the sets of :mod:`pipelines.evaluation.duplicates.judged`. A table a set on stdout, or
one JSON object; exit code 2 and one line when the folder is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import InputError
from pipelines.evaluation.duplicates.judged import read_judged
from pipelines.evaluation.duplicates.table import as_object, run, screen

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; return the exit code."""
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--methods", default="*", metavar="PATTERN", help="such as 'simhash*'")
    parser.add_argument("--curves", action="store_true", help="F1 by threshold")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    try:
        quality = run(read_judged(options.folder), options.methods)
    except InputError as error:
        sys.stderr.write(f"winnow: {error}\n")
        return 2
    told = (
        json.dumps(as_object(quality)) if options.json else screen(quality, curves=options.curves)
    )
    sys.stdout.write(f"{told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
