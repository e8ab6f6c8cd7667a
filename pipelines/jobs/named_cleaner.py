"""A cleaner by its name and options, as a command or a setting names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawler.errors import InputError
from pipelines.boilerplate.registry import get, methods
from pipelines.evaluation.harness.specs import parse_spec, typed_value
from pipelines.evaluation.peers import PREFIX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipelines.boilerplate.labels import Cleaner

# What a cleaner of another project may take of a page where nobody else waits for it.
WORKER_SECS = 60.0
WORKER_BYTES = 2 * 2**30


def cleaner_of(
    method: str,
    options: Sequence[str] = (),
    *,
    settings: Mapping[str, Any] | None = None,
    named_by: str = "--method",
    worker: tuple[float, int] = (WORKER_SECS, WORKER_BYTES),
) -> Cleaner:
    """Return the cleaner called *method* with *options*, each as ``NAME=VALUE``, over *settings*.

    A *method* that an option of a command names may have options of its own behind it, as `scrapy evaluate` has
    them: ``NAME:OPTION=VALUE``. Values are those of :func:`option_values`; *worker* are the seconds and the
    bytes that one of another project may take for a page. Raises :exc:`InputError`, which says what the method was
    *named_by*, or that an option or a setting of it is wrong.
    """
    known = settings or {}
    if method.startswith(PREFIX):
        _check_no_options(method, options, known, named_by)
        return _foreign(method, worker, named_by)
    named, given = f"{named_by} {method}", option_values(options)
    own: dict[str, Any] = {}
    if named_by.startswith("--"):
        method, own = _parsed(method, named_by)
    for name in sorted(own.keys() & given.keys()):
        raise InputError(f"--option {name} is in {named}, too; give it once")
    # In the order in which they are blamed.
    parts = {named: own, "CLEAN_OPTIONS": known, "--option": given}
    try:
        return get(method, **{**known, **own, **given})
    except (ValueError, TypeError) as error:
        raise InputError(f"{_blamed(method, parts, named)}: {error}") from error
    except ImportError as error:
        raise InputError(f"{named_by} {method} needs {error.name}; install it") from error


def _parsed(method: str, named_by: str) -> tuple[str, dict[str, Any]]:
    """Return the name of *method* and the options behind it."""
    try:
        name, own = parse_spec(method)
    except ValueError as error:
        raise InputError(f"{named_by}: {error}") from error
    return name, dict(own)


def _blamed(method: str, parts: Mapping[str, Mapping[str, Any]], named: str) -> str:
    """Return, as the user wrote it, what *method* does not take: the name, or the options of one of *parts*."""
    wrong = named
    for part, options in parts.items() if method in methods() else ():
        if not options:
            continue
        wrong = part
        # Settings that options replace are not asked.
        replaced = parts["--option"] if part == "CLEAN_OPTIONS" else ()
        try:
            get(method, **{name: options[name] for name in options if name not in replaced})
        except (ValueError, TypeError):
            break
    return wrong


def option_values(options: Sequence[str]) -> dict[str, Any]:
    """Return *options*, each as ``NAME=VALUE``, by name; raise :exc:`InputError` for one of another form or a name
    given twice.

    A value is an integer, a decimal, ``true``, ``false``, ``none`` or else text.
    """
    values: dict[str, Any] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not (name and equals):
            raise InputError(f"--option is {option!r}; give NAME=VALUE")
        name = name.strip().replace("-", "_")
        if name in values:
            raise InputError(f"--option {name} is given twice; give it once")
        values[name] = typed_value(value.strip())
    return values


def _check_no_options(
    method: str, options: Sequence[str], settings: Mapping[str, Any], named_by: str
) -> None:
    if options:
        raise InputError(f"{named_by} {method} takes no --option; leave it out")
    if settings:
        raise InputError(f"{named_by} {method} takes no CLEAN_OPTIONS; leave them out")


def _foreign(method: str, worker: tuple[float, int], named_by: str) -> Cleaner:
    from pipelines.evaluation.foreign_cleaner import Limits, foreign_cleaner

    try:
        return foreign_cleaner(method, Limits(page_secs=worker[0], memory_bytes=worker[1]))
    except ValueError as error:
        raise InputError(f"{named_by} {method}: {error}") from error
    except ImportError as error:
        raise InputError(f"{named_by} {error}; install it") from error
