"""Train winnow: ``python -m pipelines.evaluation.training.winnow --data FOLDER``."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import xxhash

from crawler.errors import InputError, ModuleParser, run_module
from pipelines.boilerplate.winnow.model_file import DEFAULT, Model, write_model
from pipelines.evaluation.readers import open_dataset
from pipelines.evaluation.training.winnow.boosting import Settings
from pipelines.evaluation.training.winnow.forests import train_model
from pipelines.evaluation.training.winnow.held_out import fold_of, held_out, set_of
from pipelines.evaluation.training.winnow.pages import learnt_body, training_page
from pipelines.evaluation.training.winnow.spread import likeliest_spread
from pipelines.evaluation.training.winnow.validation import set_scores, table

if TYPE_CHECKING:
    import argparse

    from pipelines.evaluation.training.winnow.pages import TrainingPage


def main(arguments: list[str] | None = None) -> int:
    """Train on a folder of gold standards, write the model, print how well it does."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    _check(options)
    pages, digest = read_pages(options.data, options.sets)
    _train(pages, digest, options)


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.evaluation.training.winnow",
        description="Train winnow on gold pages, print how well its forests do on sites and sets that they have "
        "not seen, and write the model; `scrapy evaluate --methods winnow:model=FILE` takes another than "
        "the method's own.",
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with a folder a set")
    parser.add_argument("--sets", nargs="+", help="sets to train on; all when not given")
    parser.add_argument(
        "--output", type=Path, default=DEFAULT, help="the model file to write (the method's own)"
    )
    parser.add_argument("--seed", type=int, default=Settings().seed)
    parser.add_argument("--trees", type=int, default=Settings().n_trees, help="trees a forest")
    parser.add_argument("--no-validation", action="store_true", help="train the model only")
    return parser


def _check(options: argparse.Namespace) -> None:
    """Raise :exc:`InputError` for what would end the training, minutes later at worst."""
    for name, least in (("trees", 1), ("seed", 0)):
        if getattr(options, name) < least:
            raise InputError(
                f"--{name} is {getattr(options, name)}; give a whole number of at least {least}"
            )
    folder = options.output.parent
    if options.output.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(
            f"--output {options.output} cannot be written; name a file in a folder that can"
        )


def read_pages(folder: Path, sets: list[str] | None) -> tuple[list[TrainingPage], str]:
    """Return the pages of *sets* in *folder*, all when None, and the digest of what was read."""
    digest = xxhash.xxh3_128()
    pages, known = [], set()
    for gold in open_dataset(folder):
        known.add(gold.dataset)
        if sets is not None and gold.dataset not in sets:
            continue
        for part in (gold.dataset, gold.page_id, gold.gold or "", *gold.required, *gold.forbidden):
            digest.update(f"{part}\0".encode())
        digest.update(learnt_body(gold))
        page = training_page(gold)
        if page is not None:
            pages.append(page)
    missing = sorted(set(sets or ()) - known)
    if missing or not pages:
        raise InputError(
            f"{folder} has no set {', '.join(missing) or 'with pages'}; it has {', '.join(sorted(known))}"
        )
    return pages, digest.hexdigest()


def _train(pages: list[TrainingPage], digest: str, options: argparse.Namespace) -> None:
    settings = Settings(seed=options.seed, n_trees=options.trees)
    mains = held_out(pages, "main", settings, fold_of)
    found = {}
    if not options.no_validation:
        found = {
            "by site": set_scores(pages, mains),
            "leave one set out": set_scores(pages, held_out(pages, "main", settings, set_of)),
        }
        for title, scores in found.items():
            print(table(title, scores))  # noqa: T201 - what the command is for
        print(f"likeliest spread by site: {likeliest_spread(pages, mains)}")  # noqa: T201
    about = {
        "data": digest,
        "sets": sorted({page.dataset for page in pages}),
        "n_pages": len(pages),
        "settings": asdict(settings),
        "scores": {
            title: {s.dataset: round(s.f1, 4) for s in scores} for title, scores in found.items()
        },
    }
    write_model(Model(*train_model(pages, mains, settings), about), options.output)
    print(f"{options.output}: {options.output.stat().st_size:,} bytes, data {digest}")  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
