"""Write a stop list from raw text: ``python -m pipelines.linguistics.stop_lists [-n 100] FILE ...``.

Each FILE is UTF-8 text, ``-`` the standard input. One word a line, the most frequent first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipelines.linguistics.stop_lists import build_stop_list


def main(arguments: list[str] | None = None) -> int:
    """Read the files that *arguments* name and write their stop list; return the exit status."""
    parser = argparse.ArgumentParser(prog="stop_lists", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-n", "--size", type=int, default=100, help="words of the list (100)")
    parser.add_argument("--characters", action="store_true", help="for scripts without spaces")
    called = parser.parse_args(arguments)
    try:
        texts = [_read(name) for name in called.files]
        words = build_stop_list(texts, called.size, characters=called.characters)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"winnow: {error}\n")
        return 2
    sys.stdout.write("".join(f"{word}\n" for word in words))
    return 0


def _read(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")


if __name__ == "__main__":
    sys.exit(main())
