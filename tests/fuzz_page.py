"""Coverage-guided fuzzing of the page model: ``python -m tests.fuzz_page --minutes 60``.

atheris (libFuzzer) mutates inputs and keeps those that reach new code. The kernels run as Python
(:mod:`tests.python_kernels`), where they are slow, but every branch is seen and a place outside of an
array raises. Each input is a page: its first byte chooses the content type, bits of the second one tight
limits and other rules, the rest is the body. What
must hold is in :mod:`tests.page_invariants`. A failure is shortened, printed once a place in the
code, and kept in the folder.

The inputs that were kept go through the compiled kernels afterwards, or with ``--compiled`` alone:
both must say the same of every page, and compiled code is checked for memory errors that way.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.errors import ModuleParser
from tests.conftest import ROOT
from tests.page_fragments import ATTRIBUTES, CONTENT_TYPES, MARKUP, SNIPPETS, TAG_NAMES, TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from crawler.page.limits import PageRules

    Failure = tuple[str, str]

MAX_BYTES = 256
HEADER_BYTES = 2
# Of so many inputs one is built twice.
REPEATED_ONE_OF = 8
TIGHT = {"max_blocks": 3, "max_links": 3, "max_depth": 3, "max_anchor_chars": 7} | {
    "max_url_chars": 5,
    "max_head_chars": 7,
}
# Tries to leave out a part of a failing input before it is printed.
MAX_SHORTENING = 400
# Inputs that the compiled kernels read differently, as far as they are printed.
MAX_SHOWN = 10


def content_type_of(data: bytes) -> str | None:
    """Return the content type that the first byte of an input stands for."""
    return CONTENT_TYPES[data[0] % len(CONTENT_TYPES)] if data else None


def arguments_of(data: bytes) -> tuple[dict[str, int], PageRules]:
    """Return the limits and rules that the second byte of an input stands for."""
    from crawler.page.limits import PageRules

    bits = data[1] if len(data) > 1 else 0
    rules = PageRules(
        inline=("gap", "transparent", "phrasing", "phrasing")[bits >> 1 & 3],
        hidden="drop" if bits & 8 else "keep",
    )
    return TIGHT if bits & 1 else {}, rules


def run(data: bytes) -> tuple[object, ...]:
    """Build the page of one input and check it, some again after another page; return what it says."""
    from crawler.page import PageLimits
    from tests.page_invariants import check, outcome, page

    limits, rules = arguments_of(data)
    model = page(data[HEADER_BYTES:], content_type_of(data), rules, **limits)
    check(model, PageLimits(**limits))
    assert model.reject or model.tree is not None
    said = outcome(model)
    if sum(data) % REPEATED_ONE_OF == 0:
        page(SNIPPETS[2])
        again = page(data[HEADER_BYTES:], content_type_of(data), rules, **limits)
        assert outcome(again) == said, "the page before changes it"
    return said


def failure_of(data: bytes) -> Failure | None:
    """Run one input; return the error and its place in the code, None when all holds."""
    try:
        run(data)
    except Exception as error:  # noqa: BLE001  whatever it raises is what we look for
        frames = traceback.extract_tb(error.__traceback__)
        places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-2:]]
        media_type = (content_type_of(data) or "none").partition(";")[0]
        return f"{type(error).__name__} ({media_type})", " < ".join(reversed(places))
    return None


def shortened(data: bytes, failure: Failure) -> bytes:
    """Return a shorter input with the same failure, found by leaving parts out."""
    data = data.ljust(HEADER_BYTES, b"\0")
    n_tries, size = 0, max(1, len(data) // 2)
    while size and n_tries < MAX_SHORTENING:
        start = HEADER_BYTES
        while start < len(data) and n_tries < MAX_SHORTENING:
            n_tries += 1
            shorter = data[:start] + data[start + size :]
            if failure_of(shorter) == failure:
                data = shorter
            else:
                start += size
        size //= 2
    return data


class Log:
    """Prints each kind of failure once, keeps its shortest input, and says how far it came."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: set[Failure] = set()
        self.n_run = 0
        self.start = self.last = time.monotonic()

    def take(self, data: bytes) -> None:
        """Run one input and note what it did."""
        self.n_run += 1
        failure = failure_of(data)
        if failure is not None and failure not in self.seen:
            self.seen.add(failure)
            data = shortened(data, failure)
            name = hashlib.sha256(data).hexdigest()[:16]
            (self.folder / f"failure-{name}").write_bytes(data)
            self.say(
                f"{failure[0]} at {failure[1]}: {content_type_of(data)!r} {data[1]} {data[HEADER_BYTES:]!r}"
            )
        if time.monotonic() - self.last > 60:
            self.last = time.monotonic()
            self.say(f"{self.n_run} pages, {len(self.seen)} kinds of failure")

    def say(self, text: str) -> None:
        """Print a line with the seconds since the start."""
        sys.stdout.write(f"[{time.monotonic() - self.start:6.0f} s] {text}\n")
        sys.stdout.flush()


def seeds() -> Iterable[bytes]:
    """Return the inputs to begin with."""
    for number, snippet in enumerate(SNIPPETS):
        yield bytes([0, 0]) + snippet
        yield bytes([number, number]) + snippet[: len(snippet) // 2]
    for text in MARKUP:
        yield bytes([1, 0]) + f"<p>one {text} two</p>".encode()


def write_dictionary(file: Path) -> None:
    """Write the fragments as a dictionary of libFuzzer."""
    tags = [f"<{slash}{name}>" for name in TAG_NAMES for slash in ("", "/")]
    entries = {text.encode() for text in (*tags, *ATTRIBUTES, *TEXTS, *MARKUP) if len(text) < 40}
    quoted = ("".join(f"\\x{byte:02x}" for byte in entry) for entry in sorted(entries))
    file.write_text("".join(f'"{entry}"\n' for entry in quoted), encoding="ascii")


def fuzz(folder: Path, minutes: float) -> None:
    """Fuzz the kernels as Python for so many minutes; never returns."""
    try:
        import atheris  # type: ignore[import-untyped]  # has no hints
    except ImportError:
        sys.stdout.write("needs atheris, which is not installed: pip install atheris\n")
        raise SystemExit(0) from None
    # Before anything imports numba; numpy warns of the wrapping that hashes live by.
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    warnings.simplefilter("ignore")
    with atheris.instrument_imports(include=["crawler.page", "crawler.urls"]):
        import crawler.page
        import crawler.page.scanning.results
    from tests.python_kernels import watch_kernels

    watch_kernels()
    inputs = folder / "inputs"
    inputs.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (inputs / f"seed-{number}").write_bytes(seed)
    write_dictionary(folder / "dictionary")
    log = Log(folder)
    log.say(f"fuzzing {crawler.page.__name__} for {minutes:g} minutes, inputs in {inputs}")
    options = [f"-max_total_time={int(60 * minutes)}", f"-max_len={MAX_BYTES}"]
    options += [f"-dict={folder / 'dictionary'}", "-verbosity=0", "-timeout=120"]
    atheris.Setup([sys.argv[0], str(inputs), *options], log.take)
    atheris.Fuzz()


def digests(folder: Path) -> dict[str, str]:
    """Run every kept input with the kernels as they are; return what each came to."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        from tests.python_kernels import watch_kernels

        watch_kernels()
    results = {}
    for file in sorted((folder / "inputs").iterdir()):
        data = file.read_bytes()
        failure = failure_of(data)
        text = repr(run(data)) if failure is None else repr(failure)
        results[file.name] = hashlib.sha256(text.encode()).hexdigest()
    return results


def replay(folder: Path) -> None:
    """Run the kept inputs through the kernels as Python, and compiled; print where they differ."""
    say: Callable[[str], int] = sys.stdout.write
    answers = []
    for disabled in ("1", "0"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "tests.fuzz_page", "--digests", str(folder)],
            cwd=ROOT,
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            say(
                f"NUMBA_DISABLE_JIT={disabled} ended with {done.returncode}: {done.stderr[-500:]}\n"
            )
            return
        answers.append(json.loads(done.stdout))
    different = [name for name, digest in answers[0].items() if answers[1][name] != digest]
    say(f"{len(answers[0])} kept pages, {len(different)} read differently by compiled kernels\n")
    for name in different[:MAX_SHOWN]:
        say(f"  {name}: {(folder / 'inputs' / name).read_bytes()!r}\n")


def main() -> None:
    """Fuzz in a process of its own, then compare with the compiled kernels."""
    parser = ModuleParser(prog="python -m tests.fuzz_page", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument(
        "--folder", type=Path, help="keeps inputs and failures; a new one if left out"
    )
    parser.add_argument("--compiled", action="store_true", help="only compare the kept inputs")
    parser.add_argument("--fuzz", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--digests", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.digests:
        sys.stdout.write(json.dumps(digests(arguments.digests)))
        return
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="fuzz-page-"))
    if arguments.fuzz:
        fuzz(folder, arguments.minutes)
    if not arguments.compiled:
        options = ["--fuzz", "--minutes", str(arguments.minutes), "--folder", str(folder)]
        subprocess.run([sys.executable, "-m", "tests.fuzz_page", *options], cwd=ROOT, check=False)
    if (folder / "inputs").is_dir():
        replay(folder)


if __name__ == "__main__":
    main()
