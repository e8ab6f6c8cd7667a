"""A run: the pages of gold standards through methods and peers.

Pages are read as they are needed, results kept in their order. With several jobs each page is given
to one of as many processes, at most four waiting for each; scores are the same, times noisier.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import xxhash

from crawler.errors import InputError
from pipelines.evaluation.harness.isolation import Limits
from pipelines.evaluation.harness.lane import Lane
from pipelines.evaluation.harness.pool import in_processes
from pipelines.evaluation.harness.results import Run
from pipelines.evaluation.harness.specs import HIDDEN, OWN
from pipelines.evaluation.measures import MARKED, MEASURES, POOLED
from pipelines.evaluation.peers import installed
from pipelines.evaluation.readers import check_once, open_dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pipelines.evaluation.gold import GoldPage
    from pipelines.evaluation.harness.results import PageResult
    from pipelines.evaluation.harness.specs import Subject

_NOT_INSTALLED = "not installed"
# Four pages wait in memory for each; more than an int holds, no pool takes.
MAX_JOBS = 1_000


@dataclass(frozen=True, slots=True)
class RunOptions:
    """*measures* by name; *hidden* one of `specs.HIDDEN`; *jobs* processes, 1 to `MAX_JOBS`; the first *limit*
    pages of each set, all when None; *without* the pages of these ids; *needed* subjects by name, without which
    there is no run; *limits* of the isolated subjects.
    """

    measures: tuple[str, ...] = ("token-f1", "segments")
    hidden: str = OWN
    jobs: int = 1
    limit: int | None = None
    without: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for name in self.measures:
            if name not in {*MEASURES, *POOLED, *MARKED}:
                known = ", ".join((*MEASURES, *POOLED, *MARKED))
                raise ValueError(f"--measures: unknown measure {name!r}; known are {known}")
        if self.hidden not in HIDDEN:
            raise ValueError(f"--hidden must be {', '.join(HIDDEN)}, got {self.hidden!r}")
        if not 1 <= self.jobs <= MAX_JOBS:
            raise ValueError(f"--jobs must be 1 to {MAX_JOBS:,}, got {self.jobs}")
        if self.limit is not None and self.limit < 1:
            raise ValueError(f"--limit must be at least 1, got {self.limit}")


def evaluate(
    paths: Sequence[Path],
    subjects: Sequence[Subject],
    options: RunOptions,
    *,
    progress: Callable[[str, int], None] | None = None,
) -> Run:
    """Return the run of *subjects* over the standards at *paths*.

    Peers whose distribution is missing or fails at its import are left out, and said in ``Run.missing``, as are ids of
    pages that no standard has. *progress* is told the set and the number of pages done, a call a page. Raises
    InputError for a path that is no gold standard or a damaged one, or that is given twice, and where no page or no
    subject is left.
    """
    check_once(paths)
    readers = [open_dataset(path) for path in paths]
    run = Run(list(subjects), options.measures, options.hidden)
    _leave_out_missing(run, options)
    hashes: dict[str, xxhash.xxh3_128] = {}
    absent = set(options.without)
    wanted = [_without(reader, options.without, absent) for reader in readers]
    pages = _pages(paths, wanted, options.limit, hashes)
    make_lane = partial(_lane, run.subjects, options)
    parallel = options.jobs > 1
    results = in_processes(pages, make_lane, options.jobs) if parallel else _here(pages, make_lane)
    for result in results:
        run.pages.append(result)
        if progress is not None:
            progress(result.dataset, len(run.pages))
    if not run.pages:
        raise InputError(_no_page(paths, options))
    run.digests = {name: made.hexdigest() for name, made in hashes.items()}
    run.missing.update({f"page {name}": "not in these standards" for name in sorted(absent)})
    return run


def _no_page(paths: Sequence[Path], options: RunOptions) -> str:
    """Return what to say of *paths* of which no page is scored."""
    named = ", ".join(map(str, paths))
    if options.without:
        return f"--without leaves no page of {named}; name fewer"
    # Readers that pass over nothing have said so themselves.
    return (
        f"no page of {named} is annotated whole; give pages without text nodes that bear no label"
    )


def _leave_out_missing(run: Run, options: RunOptions) -> None:
    for subject in run.subjects:
        if subject.problem:
            run.missing[subject.name] = subject.problem
        elif subject.is_package:
            version = installed(subject.name)
            if version is None:
                run.missing[subject.name] = _NOT_INSTALLED
            else:
                run.versions[subject.name] = version
    loaded = [one for one in run.subjects if one.isolated or one.proxy is not None]
    loaded = [one for one in loaded if one.name not in run.missing]
    with closing(_lane(loaded, options)) as lane:
        failed = lane.load_errors()
    proxies = {one.name for one in loaded if one.proxy is not None}
    for name, error in failed.items():
        what = "gives no answer" if name in proxies else "cannot be loaded"
        run.missing[name] = f"{what} ({error})"
    run.subjects = [subject for subject in run.subjects if subject.name not in run.missing]
    lost = sorted(options.needed & run.missing.keys() if run.subjects else run.missing)
    if lost:
        told = ", ".join(f"{name} {run.missing[name]}" for name in lost)
        raise InputError(f"cannot evaluate: {told}; install what is missing, or name other methods")


def _lane(subjects: Sequence[Subject], options: RunOptions) -> Lane:
    return Lane(subjects, options.measures, hidden=options.hidden, limits=options.limits)


def _without(
    reader: Iterator[GoldPage], ids: frozenset[str], absent: set[str]
) -> Iterator[GoldPage]:
    """Give the pages but those of the *ids*, which are taken from *absent* when they are met."""
    for page in reader:
        absent.discard(page.page_id)
        if page.page_id not in ids:
            yield page


def _pages(
    paths: Sequence[Path],
    readers: Sequence[Iterator[GoldPage]],
    limit: int | None,
    hashes: dict[str, xxhash.xxh3_128],
) -> Iterator[GoldPage]:
    """Give the pages, their sets renamed where two have one name, and take their digests."""
    for path, reader in zip(paths, readers, strict=True):
        names: dict[str, str] = {}
        n_pages: dict[str, int] = {}
        for page in reader:
            name = names.get(page.dataset)
            if name is None:
                name = names[page.dataset] = _free_name(path, page.dataset, hashes)
                hashes[name] = xxhash.xxh3_128()
                n_pages[name] = 0
            n_pages[name] += 1
            if limit is None or n_pages[name] <= limit:
                _add(hashes[name], page)
                yield replace(page, dataset=name)


def _free_name(path: Path, name: str, taken: dict[str, xxhash.xxh3_128]) -> str:
    folder = path.resolve()
    while name in taken:
        folder = folder.parent if folder.name == name.partition("/")[0] else folder
        name = f"{folder.name}/{name}"
    return name


def _add(digest: xxhash.xxh3_128, page: GoldPage) -> None:
    told = (page.page_id, page.content_type, page.gold, page.full_gold)
    more = (page.lenient_gold, page.tagged_gold, *page.node_labels)
    # Of a page that has none of these nothing is added.
    parts = (repr(told), repr((page.required, page.forbidden)), repr(more) if any(more) else "")
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass"))
    digest.update(page.body)


def _here(pages: Iterator[GoldPage], make_lane: Callable[[], Lane]) -> Iterator[PageResult]:
    with closing(make_lane()) as lane:
        for page in pages:
            yield lane.result(page, page.dataset)
