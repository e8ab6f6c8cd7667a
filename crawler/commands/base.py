"""The base of Winnow's commands: defaults from the settings table, one line for a wrong call.

Exit codes: 0 done; 2 the call or a file is wrong (``winnow: <what is wrong>; <mend>``); 1 anything
else. A command parses, checks, calls and prints; its work is imported inside ``run_checked``.
"""

from __future__ import annotations

import io
import json
import runpy
import signal
import sys
import threading
from abc import abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol

from scrapy.commands import ScrapyCommand

import crawler as package
from crawler.commands.hang_up import end_at_termination
from crawler.commands.parsing import GivenOnce, HelpFormatter
from crawler.commands.setting_checks import check_settings, try_to_write
from crawler.errors import (
    InputError,
    WinnowError,
    drop_output,
    refused_by_system,
    tell,
    tell_interrupts,
    told_wrong,
)
from crawler.kernels.compiling import listeners

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence


def project_defaults() -> dict[str, Any]:
    """Return our table of settings, even where the name ``settings`` is somebody else's module.

    Whichever command runs, Scrapy imports those of all distributions. So in a project that does not use Winnow
    the import of ours must not fail; they refuse when they are run.
    """
    try:
        from settings import project
    except ImportError:
        table = runpy.run_path(str(Path(package.__path__[0]).parent / "settings" / "project.py"))
    else:
        table = vars(project)
    return {name: value for name, value in table.items() if name.isupper()}


PROJECT_DEFAULTS = project_defaults()
"""The one table of defaults; the add-on puts the same one under a crawl."""


def refuse(error: WinnowError) -> int:
    """Print the one line that *error* is, and return exit code 2."""
    tell(f"winnow: {' '.join(str(error).split())}")
    return 2


def check_no_extras(args: list[str], allowed: int) -> None:
    """Raise :exc:`InputError` when *args* holds an unknown option or more than *allowed* words."""
    unknown = [arg for arg in args if arg.startswith("-") and arg != "-"]
    if unknown:
        raise InputError(f"unknown option {unknown[0]}; see --help")
    if len(args) > allowed:
        raise InputError(f"unexpected argument {args[allowed]!r}; see --help")


def add_values(parser: argparse.ArgumentParser, options: Iterable[tuple[str, object, str]]) -> None:
    """Add to *parser* options with a value each: name, default, help.

    They are read as strings: a wrong value is one line then, not argparse's usage.
    """
    for name, default, text in options:
        shown = text if default is None else f"{text} (default {default})"
        value = None if default is None else str(default)
        parser.add_argument(f"--{name}", default=value, metavar="VALUE", help=shown)


def add_flags(parser: argparse.ArgumentParser, flags: Iterable[tuple[str, str]]) -> None:
    """Add to *parser* options without a value: name, help."""
    for name, text in flags:
        parser.add_argument(f"--{name}", action="store_true", help=text)


def is_keep(opts: argparse.Namespace, name: str) -> bool:
    """Return whether the option *name* is ``keep``; raise :exc:`InputError` unless it is ``keep`` or ``drop``."""
    value = getattr(opts, name)
    if value not in {"drop", "keep"}:
        raise InputError(f"--{name} is {value!r}; give drop or keep")
    return bool(value == "keep")


class Report(Protocol):
    """What a command found."""

    @property
    def files(self) -> list[str]:
        """The files that were written, the page that shows all of it last."""

    def as_json(self) -> dict[str, Any]:
        """Return all of it as values that JSON has."""


def print_report(report: Report, screen: Callable[[], str], *, is_json: bool) -> None:
    """Print *report* as a JSON object, or else what *screen* gives and the path of its page."""
    if is_json:
        print(json.dumps(report.as_json(), ensure_ascii=False))
        return
    print(screen())
    for path in report.files[-1:]:
        print(f"\nwritten  {path}")


def one_line_errors(parser: argparse.ArgumentParser) -> None:
    """Have *parser* report a wrong option in one line, without its usage, and exit with code 2.

    From now on Ctrl-C is told in one line, too, and an option that is added may be given only once.
    """
    parser.formatter_class = HelpFormatter
    parser.register("action", None, GivenOnce)
    tell_interrupts()
    given: list[str] = []
    parse = parser.parse_known_args

    def parse_known_args(args: Any = None, namespace: Any = None) -> Any:
        given[:] = sys.argv[1:] if args is None else args
        return parse(args, namespace)

    def error(message: str) -> NoReturn:
        sys.exit(refuse(InputError(f"{told_wrong(parser, message, given)}; see --help")))

    # argparse has no other hooks
    parser.parse_known_args = parse_known_args  # type: ignore[method-assign]
    parser.error = error  # type: ignore[method-assign]


@contextmanager
def interrupts_raised() -> Iterator[None]:
    """Have a Ctrl-C end the block, a moment later, where Python cannot raise it: while a compiled kernel is loaded.

    Python itself prints a traceback there, and goes on.
    """
    before = sys.unraisablehook

    def pass_on(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            threading.Timer(0.05, _interrupt_main).start()
        else:
            before(unraisable)

    sys.unraisablehook = pass_on
    try:
        yield
    finally:
        sys.unraisablehook = before


def _interrupt_main() -> None:
    """Send the main thread what Ctrl-C does, which ends a wait, too."""
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, signal.SIGINT)


@contextmanager
def files_refused() -> Iterator[None]:
    """Exit with code 2 and one line when the block's file cannot be used."""
    try:
        yield
    except OSError as error:
        sys.exit(refuse(refused_by_system(error)))


def check_profile(opts: argparse.Namespace) -> None:
    """Raise `OSError` when the file of ``--profile``, which is written at the end, cannot be written."""
    if opts.profile:
        try_to_write(opts.profile)


def tell_compiling() -> None:
    """Have a line on the terminal tell of the first kernel that is compiled: else nothing would be shown for so long."""
    if not sys.stderr.isatty():
        return

    def tell() -> None:
        listeners.remove(tell)
        sys.stderr.write("Compiling its kernels once, up to a minute\n")

    listeners.append(tell)


def _open_output() -> None:
    """Have standard output take any text, in whatever locale; raise :exc:`InputError` if there is none.

    Names of files that are no UTF-8 are written with escapes, as on standard error.
    """
    if sys.stdout is None:
        raise InputError("standard output is closed; leave it open, or redirect it to a file")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


class WinnowCommand(ScrapyCommand):
    """A command that needs no crawl: subclasses implement :meth:`run_checked`.

    *values* and *flags* are its options, as :func:`add_values` and :func:`add_flags` take them.
    """

    values: ClassVar[Sequence[tuple[str, object, str]]] = ()
    flags: ClassVar[Sequence[tuple[str, str]]] = ()

    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {**PROJECT_DEFAULTS, "LOG_ENABLED": False}

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add Scrapy's options, *values* and *flags*; subclasses may add others to them."""
        super().add_options(parser)
        one_line_errors(parser)
        add_values(parser, self.values)
        add_flags(parser, self.flags)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read Scrapy's options; exit with code 2 when one of their files cannot be written."""
        with files_refused():
            super().process_options(args, opts)
            check_profile(opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the command; a :exc:`WinnowError` becomes its one line and exit code 2.

        So does what the system refuses: a disk that is full, a file that may not be read. Ctrl-C is exit code 1, and so
        is SIGTERM: what is half written goes.
        """
        try:
            end_at_termination()
            assert self.settings is not None
            check_settings(self.settings, opts.set)
            _open_output()
            tell_compiling()
            with interrupts_raised():
                self.run_checked(args, opts)
            sys.stdout.flush()
        except WinnowError as error:
            self.exitcode = refuse(error)
        except BrokenPipeError:
            drop_output()  # whoever read it has had enough
        except KeyboardInterrupt:
            drop_output()
            tell("winnow: interrupted")
            self.exitcode = 1
        except OSError as error:
            drop_output()
            self.exitcode = refuse(refused_by_system(error))

    @abstractmethod
    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do the work; raise :exc:`InputError` for a wrong call or file."""
