"""What the training programs share: their call, and the file of a trained model."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

import pipelines.boilerplate
from crawler.errors import InputError, ModuleParser, run_module

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

# Where the methods read their models.
MODELS_FOLDER = Path(pipelines.boilerplate.__file__).parent


def training_module(name: str, distribution: str) -> Any:
    """Return the module *name* of a package that training alone needs; raise `InputError` where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise InputError(
            f"training needs {distribution}; pip install 'winnow-crawler[train]'"
        ) from error


def write_model(file: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write *arrays* to *file*, an ``.npz``, and say so; equal arrays give equal bytes.

    The file is replaced at once.
    """
    temporary = file.with_name(f"{file.stem}.part.npz")
    # Its first argument by name is typed as an option.
    cast(Any, np.savez_compressed)(temporary, **arrays)
    temporary.replace(file)
    sys.stdout.write(f"{file}: {file.stat().st_size:,} bytes\n")


def run_training(train: Callable[[Path], None], arguments: list[str] | None = None) -> int:
    """Call *train* with the folder of gold standards that *arguments* name; return the exit status.

    The help is what the module of *train* says of itself.
    """
    folder = _parser(train).parse_args(arguments).folder
    return run_module(lambda: train(folder))


def run_model_training(
    train: Callable[[Path, Path], None], arguments: list[str] | None = None
) -> int:
    """Do as :func:`run_training`, with the folder for models, ``--output``, as second argument of *train*."""
    parser = _parser(train)
    parser.add_argument(
        "--output",
        type=Path,
        default=MODELS_FOLDER,
        help="the folder to write models to (the methods' own)",
    )
    called = parser.parse_args(arguments)
    return run_module(lambda: _train_into(train, called.folder, called.output))


def _parser(train: Callable[..., None]) -> ModuleParser:
    module = sys.modules[train.__module__]
    spec = module.__spec__
    parser = ModuleParser(
        prog=f"python -m {spec.name if spec else train.__module__}",
        description=re.sub(":mod:`|`", "", module.__doc__ or ""),
    )
    parser.add_argument("folder", type=Path, help="a set of gold pages, or a folder of sets")
    return parser


def _train_into(train: Callable[[Path, Path], None], folder: Path, into: Path) -> None:
    if not (into.is_dir() and os.access(into, os.W_OK)):
        raise InputError(f"--output {into} cannot be written; name a folder that can")
    train(folder, into)
