"""What the training programs share: their call, and the file of a trained model."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

import pipelines.boilerplate
from crawler.errors import ModuleParser, run_module

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy.typing as npt

# Where the methods read their models.
MODELS_FOLDER = Path(pipelines.boilerplate.__file__).parent


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
    module = sys.modules[train.__module__]
    spec = module.__spec__
    parser = ModuleParser(
        prog=f"python -m {spec.name if spec else train.__module__}",
        description=re.sub(":mod:`|`", "", module.__doc__ or ""),
    )
    parser.add_argument("folder", type=Path, help="a set of gold pages, or a folder of sets")
    folder = parser.parse_args(arguments).folder
    return run_module(lambda: train(folder))
