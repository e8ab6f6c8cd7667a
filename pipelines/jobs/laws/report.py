"""What `fit_corpus` found, as an object: for the screen, for machines, for the page."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pipelines.jobs.laws.gather import CLASSES

if TYPE_CHECKING:
    from pipelines.jobs.laws.gather import LawsData
    from pipelines.jobs.laws.stratum import Stratum
    from pipelines.linguistics.laws.density_templates import TemplateOverlap
    from pipelines.linguistics.laws.fit import Fit
    from pipelines.linguistics.laws.full_stop import FullStopCriterion

N_TERMS = 20


@dataclass(frozen=True, slots=True)
class LawFit:
    """A law fitted to something of the corpus.

    *key* names it (`zipf`, `density_two_beta`), *subject* says what was fitted; *published*: the
    source's own figures for its corpus, "" without.
    """

    key: str
    subject: str
    fit: Fit
    published: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the figures of the fit, without its points; what is not a number is null."""
        fit = self.fit
        values = {
            "law": fit.law,
            "subject": self.subject,
            "source": fit.source,
            "parameters": {name: _number(value) for name, value in fit.parameters.items()},
            "n": fit.n,
            **{name: _number(getattr(fit, name)) for name in STATISTICS},
            "converged": fit.converged,
            "note": fit.note,
        }
        return {"key": self.key, **values}


STATISTICS = ("r2", "r2_adjusted", "rmse", "chi2", "df", "p", "c")


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


@dataclass(frozen=True, slots=True)
class LawsReport:
    """The laws of a corpus folder.

    *alternatives*: the discrete distributions that were fitted to the density quotients, best first.
    *full_stop_segments*, *full_stop_tokens*: the criterion, counted in either.
    *word_threshold*: words from which a block is rather long than short text, None without a fit.
    *files*: what was written.
    """

    corpus: str
    data: LawsData
    laws: list[LawFit]
    alternatives: list[Fit]
    full_stop_segments: FullStopCriterion
    full_stop_tokens: FullStopCriterion
    overlap: TemplateOverlap
    word_threshold: int | None
    stratum: Stratum | None = None
    files: list[str] = field(default_factory=list)

    def law(self, key: str) -> LawFit:
        """Return the law *key*; raise `KeyError` when it is none of the report's."""
        for law in self.laws:
            if law.key == key:
                return law
        raise KeyError(key)

    def as_json(self) -> dict[str, Any]:
        """Return the report as one object of plain values."""
        data = self.data
        sparse, dense = data.typicality.extremes(N_TERMS)
        return {
            "corpus": self.corpus,
            **counts(data),
            "not_counted": data.n_cut,
            "laws": [law.as_json() for law in self.laws],
            "quotient_alternatives": [
                LawFit("alternative", "density quotients", fit).as_json()
                for fit in self.alternatives
            ],
            "term_typicality": {
                "min_documents": data.typicality.min_documents,
                "terms": len(data.typicality.terms),
                "sparse": data.typicality.n_sparse,
                "dense": data.typicality.n_dense,
                "max_missed": data.typicality.max_missed,
                "top_sparse": sparse,
                "top_dense": dense,
            },
            "full_stop": {
                "segments": asdict(self.full_stop_segments),
                "tokens": asdict(self.full_stop_tokens),
            },
            "classes": {
                name: {"words": sum(words), "by_density": words}
                for name, words in zip(CLASSES, data.class_density.T.tolist(), strict=True)
            },
            "templates": {
                "fingerprints": len(data.templates.frequencies),
                "templates": data.templates.n_templates,
                "max_missed": data.templates.max_missed,
                "top": data.templates.top,
                **asdict(self.overlap),
            },
            "word_threshold": self.word_threshold,
            "document": None if self.stratum is None else self.stratum.as_json(),
            "files": self.files,
        }


def counts(data: LawsData) -> dict[str, int]:
    """Return how much text *data* is about."""
    return {
        "documents": data.n_documents,
        "documents_without_words": data.n_empty,
        "segments": int(data.density_segments.sum()),
        "blocks": int(data.block_lengths.sum()),
        "tokens": int(data.density_tokens.sum()),
        "terms": data.n_terms,
    }
