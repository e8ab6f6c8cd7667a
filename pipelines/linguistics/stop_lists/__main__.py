"""Write a stop list from raw text: ``python -m pipelines.linguistics.stop_lists [-n 100] FILE ...``.

Each FILE is UTF-8 text, ``-`` the standard input. One word a line, in UTF-8, the most frequent first.
"""

from __future__ import annotations

import sys
from pathlib import Path

from crawler.errors import InputError, ModuleParser, refused_option, run_module, standard_input
from crawler.page.words import nfc
from pipelines.linguistics.stop_lists import build_stop_list


def main(arguments: list[str] | None = None) -> int:
    """Read the files that *arguments* name and write their stop list; return the exit status."""
    parser = ModuleParser(prog="python -m pipelines.linguistics.stop_lists", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-n", "--size", type=int, default=100, help="words of the list (100)")
    parser.add_argument("--characters", action="store_true", help="for scripts without spaces")
    called = parser.parse_args(arguments)
    texts = [_read(name) for name in called.files]
    try:
        words = build_stop_list(texts, called.size, characters=called.characters)
    except ValueError as error:
        raise refused_option(error, vars(called)) from error
    if not words:
        raise InputError(
            f"{' '.join(called.files)} holds no word; give running text of the language"
        )
    sys.stdout.buffer.write("".join(f"{word}\n" for word in words).encode())
    return 0


def _read(name: str) -> str:
    is_stdin = name == "-"
    try:
        data = standard_input().read() if is_stdin else Path(name).read_bytes()
        return nfc(data.decode("utf-8-sig"))  # as the texts of pages are
    except UnicodeDecodeError as error:
        shown = "standard input" if is_stdin else name
        raise InputError(f"{shown} is no UTF-8 text; convert it") from error


if __name__ == "__main__":
    sys.exit(run_module(main))
