"""The trained model of winnow, as a file.

*On disk* (version 1): a ZIP archive of numpy arrays (``.npz``). ``about``: JSON in UTF-8, as bytes, with ``version``,
``features`` (their names, in order), ``data`` (digest of the training data), ``settings`` and ``scores``. For each of
the forests ``main``, ``full`` and ``forum``:
``NAME_first, NAME_feature, NAME_threshold, NAME_left, NAME_right, NAME_mean, NAME_leaf``, as
:class:`pipelines.boilerplate.winnow.trees.Forest` has them. The same model makes the same bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from crawler.errors import FormatError, cause
from pipelines.boilerplate.winnow.features.matrix import FEATURE_NAMES
from pipelines.boilerplate.winnow.trees import Forest, forest_of

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 1
FORESTS = ("main", "full", "forum")
_STORED = ("first", "feature", "threshold", "left", "right", "mean", "leaf")
DEFAULT = Path(__file__).with_name("model.npz")


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The forests, and what they were trained on.

    *main* tells main text and *full* main text with user comments, of blocks; *forum* tells forums, of pages.
    """

    main: Forest
    full: Forest
    forum: Forest
    about: Mapping[str, Any]


def write_model(model: Model, file: Path) -> None:
    """Write *model* to *file*."""
    about = {"version": VERSION, "features": list(FEATURE_NAMES), **model.about}
    arrays = {"about": np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8)}
    for name in FORESTS:
        forest: Forest = getattr(model, name)
        arrays |= {f"{name}_{part}": getattr(forest, part) for part in _STORED}
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]  # its hints take the names for options
    part = file.with_name(f"{file.name}.part")
    part.write_bytes(packed.getvalue())
    part.replace(file)


@cache
def default_model() -> Model:
    """Return the model that comes with the package."""
    return read_model(DEFAULT)


def read_model(file: Path) -> Model:
    """Return the model in *file*; FormatError when it cannot be read or is of another version."""
    try:
        packed = file.read_bytes()
        if not packed.startswith(b"PK"):
            # numpy would take it for a pickle, and tell how to load it all the same.
            raise zipfile.BadZipFile("no zip file")
        with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
            about = json.loads(arrays["about"].tobytes())
            if about["version"] != VERSION or about["features"] != list(FEATURE_NAMES):
                raise FormatError(
                    f"{file} is a model for another version of winnow; train it again (make train)"
                )
            main, full, forum = (
                forest_of(*(arrays[f"{name}_{part}"] for part in _STORED)) for name in FORESTS
            )
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise FormatError(
            f"{file} is no model of winnow ({cause(error)}); restore it, or train it (make train)"
        ) from error
    return Model(main, full, forum, about)
