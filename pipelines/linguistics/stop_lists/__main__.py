"""Write a stop list from raw text: ``python -m pipelines.linguistics.stop_lists [-n 100] FILE ...``.

Each FILE is UTF-8 text, ``-`` the standard input. One word a line, the most frequent first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from crawler.errors import InputError, run_module
from pipelines.linguistics.stop_lists import build_stop_list


def main(arguments: list[str] | None = None) -> int:
    """Read the files that *arguments* name and write their stop list; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m pipelines.linguistics.stop_lists", description=__doc__
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-n", "--size", type=int, default=100, help="words of the list (100)")
    parser.add_argument("--characters", action="store_true", help="for scripts without spaces")
    called = parser.parse_args(arguments)
    texts = [_read(name) for name in called.files]
    try:
        words = build_stop_list(texts, called.size, characters=called.characters)
    except ValueError as error:
        raise InputError(f"{error}; see --help") from error
    sys.stdout.write("".join(f"{word}\n" for word in words))
    return 0


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is no UTF-8 text; convert it") from error


if __name__ == "__main__":
    sys.exit(run_module(main))
