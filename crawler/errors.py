"""The exceptions of Winnow.

::

    WinnowError
    ├── InputError    a call or a file is wrong; the user can mend it (exit 2)
    ├── StoppedError  the user ended what had not begun, or can be done again (exit 0)
    ├── FormatError   a file on disk is of another version, missing or damaged
    └── WorkCancelledError  a part of the project awaited what had been cancelled

Each message is one line, ``what is wrong; the mend``, and names the argument or the file.
Bad pages of the web raise none of them: they are counted and rejected with a reason.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType


class WinnowError(Exception):
    """Base of all errors that Winnow raises on purpose."""


class InputError(WinnowError):
    """A wrong argument, or a file that cannot be used as what it was given for."""


class StoppedError(WinnowError):
    """A signal ended a crawl that waited to begin, or what its next run does again; nothing is wrong."""


class FormatError(WinnowError):
    """A file of the corpus folder is damaged, missing, or of another format version."""


class WorkCancelledError(WinnowError):
    """A start, callback, middleware, pipeline or listener awaited what had been cancelled, and was not itself.

    It stands for the ``asyncio.CancelledError``, which is no ``Exception``: Scrapy waits for the end of the page
    forever.
    """


def tell_interrupts() -> None:
    """Have Ctrl-C end this process in one line, in place of a traceback, wherever nothing else hears it."""
    sys.excepthook = _tell_uncaught


def _tell_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):  # while the modules of a command are loaded
        sys.stderr.write("winnow: interrupted\n")
    else:
        sys.__excepthook__(kind, error, trace)


@contextmanager
def interruptible(
    what: str, was_told: Callable[[Any], bool] = lambda _: False
) -> Iterator[Callable[[], None]]:
    """Let SIGINT and SIGTERM raise `StoppedError` in the block, *what* the process does while no engine hears them.

    Libraries pass over any exception in places, as redis does while it counts: what this yields, and the end of the
    block, raise it again. In another thread than the main one, where signals are not heard, they do what they did.
    A handler that *was_told* a signal before, which nobody heard yet, has the block not begin.
    """
    told = StoppedError(f"stopped while {what}; start it again to go on")
    heard: list[StoppedError] = []

    def stop(_number: int, _frame: Any) -> None:
        heard.append(told)
        raise told

    def check() -> None:
        if heard:
            raise heard[0]

    is_main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if is_main else ()
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        if any(map(was_told, before.values())):
            raise told
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    check()


def refused_by_system(error: OSError) -> InputError:
    """Return the one line that *error*, which nobody expected, is: a full disk, a missing file."""
    what = error.filename or "the output"
    return InputError(f"cannot use {what}: {error.strerror or error}; mend that or name another")


def cause(error: Exception) -> str:
    """Return what *error* says, of one of the system without its number and file, which the line names."""
    return getattr(error, "strerror", None) or str(error)


def standard_input() -> BinaryIO:
    """Return the bytes of standard input; raise :exc:`InputError` when it is closed."""
    if sys.stdin is None:
        raise InputError("standard input is closed; name a file")
    return sys.stdin.buffer


def drop_output() -> None:
    """Forget what standard output did not take: Python would try again at its exit, and complain."""
    _drop(sys.stdout)


def _drop(stream: TextIO) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def tell(line: str) -> None:
    """Write *line* to standard error; a crawl goes on where that takes nothing, as a terminal that is closed."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)


def print_lines(lines: Iterable[str]) -> None:
    """Print *lines* at the end of a crawl, which goes on where standard output takes nothing."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()  # whoever read it has had enough
    except OSError as error:
        drop_output()
        tell(f"winnow: {refused_by_system(error)}")


def refused_option(error: ValueError, options: Iterable[str]) -> InputError:
    """Return *error* as the refusal of the option that it calls by the name of its parameter, if that is one of the
    *options*.

    >>> refused_option(ValueError("new_share must be above 0, got -1"), ["new_share"])
    InputError('--new-share must be above 0, got -1; see --help')
    """
    name, blank, rest = str(error).partition(" ")
    if name in options and rest.startswith("must be"):
        name = f"--{name.replace('_', '-')}"
    return InputError(f"{name}{blank}{rest}; see --help")


def told_wrong(parser: argparse.ArgumentParser, message: str, given: Sequence[str]) -> str:
    """Return *message*, the error of *parser* for the arguments *given*, or that options are unknown, if some are.

    argparse looks for what is missing first: a word that was meant for an option is missing as an argument, too.
    """
    needed = [action for action in parser._actions if action.required]
    for action in needed:
        action.required = False
    try:
        others = argparse.ArgumentParser.parse_known_args(parser, given)[1] if needed else []
    finally:
        for action in needed:
            action.required = True
    unknown = [each for each in others if each.startswith("-") and each != "-"]
    return f"unrecognized arguments: {' '.join(unknown)}" if unknown else message


class ModuleParser(argparse.ArgumentParser):
    """The arguments of a ``python -m``: a wrong one is one line, exit code 2, without the usage."""

    _given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        self._given = sys.argv[1:] if args is None else args
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Write the line, and exit."""
        message = told_wrong(self, message, self._given)
        self.exit(2, f"winnow: {' '.join(message.split())}; see --help\n")


def run_module(main: Callable[[], int | None]) -> int:
    """Call *main*, the work of a ``python -m``; return its exit code, 2 with one line for what is wrong."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()  # whoever read it has had enough
        return 0
    except (WinnowError, OSError) as error:
        if isinstance(error, OSError):
            drop_output()
            error = refused_by_system(error)
        sys.stderr.write(f"winnow: {' '.join(str(error).split())}\n")
        return 2
    return code or 0
