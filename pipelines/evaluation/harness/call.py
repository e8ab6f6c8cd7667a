"""An evaluation as a user asks for it: what ``scrapy evaluate`` does."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipelines.boilerplate.labels import rules_of
from pipelines.evaluation.harness.extraction import warm_up
from pipelines.evaluation.harness.run import RunOptions, evaluate
from pipelines.evaluation.harness.specs import OWN, subject, subjects_of
from pipelines.evaluation.measures import MARKED, MEASURES, POOLED
from pipelines.evaluation.proxy import ReplayProxy, plain_html, serve
from pipelines.evaluation.replayed_pages import StoredPages
from pipelines.evaluation.report.comparison import compare_subjects
from pipelines.evaluation.report.plots import SUFFIXES, draw
from pipelines.evaluation.report.summary import as_json, summarise
from pipelines.evaluation.report.tables import screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipelines.evaluation.report.comparison import MethodComparison
    from pipelines.evaluation.report.summary import Summary

ALL_MEASURES = "all"
# The method of a proxy that leaves pages as they were stored.
AS_STORED = "as-stored"


@dataclass(frozen=True, slots=True)
class Call:
    """*methods* as `subjects_of` reads them; *compared* none or two of them; the rest as `RunOptions`."""

    paths: tuple[Path, ...]
    methods: tuple[str, ...]
    measures: tuple[str, ...]
    compared: tuple[str, ...] = ()
    presets: bool = False
    hidden: str = OWN
    limit: int | None = None
    without: tuple[str, ...] = ()
    jobs: int = 1
    plot: Path | None = None

    def __post_init__(self) -> None:
        if self.compared and len(self.compared) != 2:
            raise ValueError(
                f"--compare takes two methods, got {', '.join(self.compared)}; give A,B"
            )
        if self.plot is not None and self.plot.suffix.lower() not in SUFFIXES:
            raise ValueError(
                f"--plot must end in one of {', '.join(SUFFIXES)}, got {self.plot.name}"
            )
        if self.plot is not None and not self.plot.resolve().parent.is_dir():
            raise ValueError(
                f"--plot {self.plot} is in no folder that exists; make it, or name another"
            )
        if self.compared and POOLED.keys() >= set(self.measures):
            raise ValueError(
                f"--compare tests by a measure that is averaged over pages, got {', '.join(self.measures)}; "
                "give one to --measures, such as token-f1"
            )


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of a call."""

    summary: Summary
    comparison: MethodComparison | None

    def screen(self, max_chars: int | None = None) -> str:
        """Return them as tables, with lines of at most *max_chars* where columns are that narrow."""
        return screen(self.summary, self.comparison, max_chars=max_chars)

    def as_json(self) -> dict[str, Any]:
        """Return them as one object."""
        compared = None if self.comparison is None else self.comparison.as_json()
        return {**as_json(self.summary), "comparison": compared}


def evaluate_call(call: Call, *, progress: Callable[[str, int], None] | None = None) -> Result:
    """Run *call*, and write its plot.

    Raises ValueError for what a user wrote wrong in it, InputError for a path that cannot be used.
    """
    every = (*MEASURES, *POOLED, *MARKED)
    with _of_option("compare"):
        compared = [subject(spec).name for spec in call.compared]
    if len(set(compared)) < len(compared):
        raise ValueError(f"--compare names {compared[0]} twice; name another beside it")
    measures = every if call.measures == (ALL_MEASURES,) else call.measures
    options = RunOptions(
        measures,
        hidden=call.hidden,
        jobs=call.jobs,
        limit=call.limit,
        without=frozenset(call.without),
        needed=frozenset(compared),
    )
    with _of_option("methods"):
        subjects = subjects_of([*call.methods, *call.compared], presets=call.presets)
    proxies = [one.name for one in subjects if one.proxy is not None]
    if proxies and call.jobs > 1:
        raise ValueError(f"--jobs must be 1 with {proxies[0]}, which is asked for a page at a time")
    run = evaluate(call.paths, subjects, options, progress=progress)
    summary = summarise(run)
    comparison = compare_subjects(run, *compared) if compared else None
    if call.plot is not None:
        draw(summary, call.plot)
    return Result(summary, comparison)


def serve_call(call: Call, port: int, *, say: Callable[[str], None]) -> None:
    """Serve the pages of *call*, cleaned by its one method, until interrupted.

    Raises ValueError for another number of methods, a peer, or a port that cannot be had.
    """
    if len(call.methods) != 1:
        raise ValueError(
            f"--proxy serves one method, got {', '.join(call.methods)}; give --methods one"
        )
    with _of_option("methods"):
        made = None if call.methods[0] == AS_STORED else subject(call.methods[0])
    if made is not None and (made.is_peer or made.problem):
        raise ValueError(
            f"--methods: {made.name} {made.problem or 'is a peer; a proxy serves our methods'}"
        )
    if not 0 <= port < 2**16:
        raise ValueError(f"--proxy must be 0 to 65535, got {port}")
    with StoredPages(call.paths) as pages, contextlib.suppress(KeyboardInterrupt):
        cleaner = None if made is None else made.cleaner()
        if cleaner is not None:
            # Else the first client would wait for all that is compiled, a minute or two.
            warm_up(cleaner, rules_of(cleaner))
        proxy = ReplayProxy(pages, cleaner, plain_html)
        try:
            asyncio.run(serve(proxy, port, say=say))
        except OSError as error:
            raise ValueError(
                f"--proxy {port} cannot be listened on ({error.strerror}); give another port"
            ) from error


@contextlib.contextmanager
def _of_option(name: str) -> Iterator[None]:
    """Name the option *name* in front of what is wrong with its value."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"--{name}: {error}") from error
