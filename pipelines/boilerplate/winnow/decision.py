"""What winnow decided of a page, and by which way."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    F32 = npt.NDArray[np.float32]


class Course(Enum):
    """Which ways there are."""

    FEW_LINKS = "a few links alone are no main text"
    MESSAGE = "it calls itself an error, a guard or a list of files, and has little text"
    FORM = "it is a form, and little text"
    TEXT = "all blocks are main text or none"
    TOGETHER = "main text and comments are kept as one"
    BESIDE = "comments stand beside a main text"
    SHORT = "comments stand beside a short main text, and are cut"


class Decision(NamedTuple):
    """Which blocks are *kept*, which are *comments*, kept or not.

    *copies*: blocks that say what a likelier one says; *notices*: those that are a notice of cookies (None: none is).
    Where blocks may be comments: their *places*, what the trees for forums asked, float32[n, 1], and the probability
    that the page is a *forum*. *alike*: comments because others of their tag path are; *forms*: blocks of the form for
    a comment, which are none. *closed*: kept for they stand in short gaps or tables of a manual,
    which the page is (*manual*).
    """

    course: Course
    kept: Bools
    comments: Bools | None = None
    places: Bools | None = None
    kind: F32 | None = None
    forum: float = 0.0
    copies: Bools | None = None
    notices: Bools | None = None
    alike: Bools | None = None
    forms: Bools | None = None
    closed: Bools | None = None
    manual: bool = False

    @property
    def may_close(self) -> Bools:
        """Which blocks may be kept for others around them are: no copies, notices, nor places for what is beside."""
        may = np.ones(len(self.kept), np.bool_)
        apart = self.places if self.comments is not None else None
        for others in (self.copies, self.notices, apart):
            if others is not None:
                may &= ~others
        return may
