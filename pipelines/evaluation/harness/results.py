"""What a run keeps of each page: scores, seconds, how much was extracted, and no text.

Per page 8 bytes times subjects times (3 measures + 2), and the names of the exceptions.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from pipelines.evaluation.harness.specs import Subject

# A set of which a subject returns this share of a page's text, on average, is one where it took nothing away. The rest
# is room for what a peer counts as no text, such as that of buttons.
ALL_TEXT_SHARE = 0.995


class PageResult(NamedTuple):
    """One page: *scores* float64[subjects, measures, 3] of precision, recall and F1, or of the counts
    that a pooled measure found, extracted and gold, NaN where the measure does not apply; *secs* float64[subjects] of
    CPU time; *chars* float64[subjects] of extracted text without its whitespace, beside *all_chars* of all the page's
    text; *n_bytes* of its source;
    *errors* by subject number.
    """

    dataset: str
    page_id: str
    n_bytes: int
    all_chars: int
    scores: npt.NDArray[np.float64]
    secs: npt.NDArray[np.float64]
    chars: npt.NDArray[np.float64]
    errors: Mapping[int, str] = {}


@dataclass(slots=True, eq=False)
class Run:
    """A finished run. *missing* says of each subject that did not run, by name, why, and of each page that was to be
    left out and is not there; *digests* are hex digests of each set's pages and gold, as far as they were read.
    """

    subjects: list[Subject]
    measures: tuple[str, ...]
    hidden: str
    pages: list[PageResult] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def datasets(self) -> list[str]:
        """The names of the sets, in the order in which they were read."""
        return list(dict.fromkeys(page.dataset for page in self.pages))

    def row(self, name: str) -> int:
        """Return the number of the subject called *name*; ValueError when it did not run."""
        names = [subject.name for subject in self.subjects]
        if name not in names:
            raise ValueError(f"{name!r} was not evaluated; evaluated were {', '.join(names)}")
        return names.index(name)

    def scores(self, name: str, measure: str) -> dict[str, npt.NDArray[np.float64]]:
        """Return the scores, or counts, float64[pages, 3], by set; sets without any are left out."""
        row, column = self.row(name), self.measures.index(measure)
        found = {}
        for dataset in self.datasets:
            pages = [page.scores[row, column] for page in self.pages if page.dataset == dataset]
            values = np.array(pages)
            values = values[~np.isnan(values[:, 2])]
            if len(values):
                found[dataset] = values
        return found

    def secs(self, name: str) -> npt.NDArray[np.float64]:
        """Return the CPU seconds of subject *name* on each page."""
        row = self.row(name)
        return np.array([page.secs[row] for page in self.pages])

    def errors(self, name: str) -> dict[str, int]:
        """Return how many pages subject *name* failed on, by the name of the exception."""
        row = self.row(name)
        return dict(Counter(page.errors[row] for page in self.pages if row in page.errors))

    def all_text(self, name: str) -> list[str]:
        """Return the sets of which subject *name* returned all text."""
        row = self.row(name)
        found = []
        for dataset in self.datasets:
            shares = [
                min(page.chars[row] / page.all_chars, 1.0)
                for page in self.pages
                if page.dataset == dataset and page.all_chars
            ]
            if shares and sum(shares) / len(shares) >= ALL_TEXT_SHARE:
                found.append(dataset)
        return found
