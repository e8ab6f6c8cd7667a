"""Which law is fitted to which data of a corpus, and what the source found for its own.

*Source of all published figures: Kohlschütter 2011*, sections 4.2.4 (quotients, segment lengths), 4.3.2
(averages, density, terms, full stops), 4.3.3 (templates) and 4.4.4 (block lengths).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pipelines.jobs.laws.report import LawFit, LawsReport
from pipelines.jobs.laws.stratum import document_stratum
from pipelines.linguistics.laws.beta_mixtures import (
    fit_average_token_length,
    fit_beta,
    fit_beta_beta_gauss,
    fit_sentence_lengths,
    fit_three_beta,
    fit_two_beta,
)
from pipelines.linguistics.laws.density_templates import template_overlap
from pipelines.linguistics.laws.full_stop import full_stop_criterion
from pipelines.linguistics.laws.lavalette import fit_lavalette
from pipelines.linguistics.laws.menzerath_altmann import fit_rank
from pipelines.linguistics.laws.negative_hypergeometric import fit_frumkina, rank_distributions
from pipelines.linguistics.laws.random_writer import (
    fit_random_writer,
    fit_stratified_random_writer,
    word_threshold,
)
from pipelines.linguistics.laws.zipf import fit_zipf

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from pipelines.jobs.laws.gather import LawsData
    from pipelines.jobs.laws.segments import DocumentSegments
    from pipelines.linguistics.laws.fit import Fit

# Kohlschütter 2011, section 4.3.2: of 316,448 documents, 100 with very long tokens were left out.
OMITTED_SHARE = 100 / 316_448
# The Brown corpus, as published, has sentences of 1 to 79 words.
BROWN_WORDS = 79
# Lengths handed to a fit, 8 bytes each.
MAX_VALUES = 5_000_000
# Kohlschütter 2011: what was found in the corpora of the source.
PUBLISHED = {
    "frumkina": "K=2.305 M=.1099 n=17, chi2 14.24, P .357, C .0061",
    "zipf": "C=1.479 b=.6703, RMSE .021",
    "rank_token_length": "R2 .9335",
    "rank_density": "R2 .9654",
    "rank_ratio": "R2 .97",
    "density_two_beta": "no distribution, weights .65 and .55",
    "density_three_beta": "R2 .944, RMSE .0031",
    "density_beta_beta_gauss": "modes 2 and 12, d=.64, R2 .998, RMSE .0021",
    "token_length": "a=40.53 b=2612 c=.002458 x_norm=358, R2 .9876",
    "sentence_length": "Brown corpus: a=1.926 b=6.356 c=.013 x_norm=79, R2 .996",
    "lavalette_ratio": "a1=.39 c=.01, R2 .9468",
    "lavalette_fingerprints": "a1=.7408, R2 .9329",
    "full_stop_without": "a=1.394 b=10.75 c=.02749, R2 .91",
    "full_stop_with": "a=30.15 b=61.54 c=.024, R2 .94",
    "templates_beta_beta_gauss": "d=.4821, R2 .9966, RMSE .0026",
    "random_writer": "p=.3145, adjusted R2 .967, RMSE .0046",
    "stratified_random_writer": ".7586 .3968 .04369, adjusted R2 .9881, RMSE .0027",
}


def fit_laws(corpus: str, data: LawsData, document: DocumentSegments | None) -> LawsReport:
    """Fit every law to *data*; *document*: the segments of one to report on.

    A law with too little data has no parameters, and a note that says so.
    """
    laws = list(_laws(data))
    threshold = _word_threshold(laws)
    return LawsReport(
        corpus=corpus,
        data=data,
        laws=laws,
        alternatives=rank_distributions(data.quotients[1:]),
        full_stop_segments=full_stop_criterion(*data.density_segments.T),
        full_stop_tokens=full_stop_criterion(*data.density_tokens.T),
        overlap=template_overlap(data.template_tokens),
        word_threshold=threshold,
        stratum=None if document is None else document_stratum(document, threshold),
    )


def _laws(data: LawsData) -> Iterator[LawFit]:
    yield _law("frumkina", "density quotients of neighbours", fit_frumkina(data.quotients[1:]))
    yield _law("zipf", "tokens of the segments", fit_zipf(_expanded(data.segment_lengths)))
    ratio = data.average_density / np.maximum(data.average_length, 1)
    n_omitted = math.ceil(OMITTED_SHARE * data.n_documents)
    lengths = np.sort(data.average_length)[: data.n_documents - n_omitted]
    for key, subject, values in (
        ("rank_token_length", "average token length of documents", lengths),
        ("rank_density", "average density of documents", data.average_density),
    ):
        yield _law(key, subject, fit_rank(values.astype(np.float64)))
    ratio_fit = fit_rank(ratio.astype(np.float64), form="wimmer")
    yield _law("rank_ratio", "density by token length of documents", ratio_fit)
    yield from _densities(data)
    token_lengths = fit_average_token_length(*_shares(data.token_lengths))
    yield _law("token_length", "tokens by token length", token_lengths)
    _, sentences = _shares(data.sentence_lengths[: BROWN_WORDS + 1])
    yield _law("sentence_length", "sentences by words", fit_sentence_lengths(sentences))
    yield from _lavalettes(data)
    blocks = _expanded(data.block_lengths)
    yield _law("random_writer", "words of the blocks", fit_random_writer(blocks))
    writer = fit_stratified_random_writer(blocks)
    yield _law("stratified_random_writer", "words of the blocks", writer)


def _densities(data: LawsData) -> Iterator[LawFit]:
    mixtures = {
        "density_beta": fit_beta,
        "density_two_beta": fit_two_beta,
        "density_three_beta": fit_three_beta,
        "density_beta_beta_gauss": fit_beta_beta_gauss,
    }
    observed = _shares(data.density_tokens.sum(axis=1))
    for key, fit in mixtures.items():
        yield _law(key, "tokens by density", fit(*observed))
    without, with_stop = data.density_tokens.T
    yield _law("full_stop_without", "tokens without full stop", fit_beta(*_shares(without)))
    yield _law("full_stop_with", "tokens with full stop", fit_beta(*_shares(with_stop)))
    templates = _shares(data.template_tokens[:, 1].sum(axis=1))
    yield _law("templates_beta_beta_gauss", "tokens in templates", fit_beta_beta_gauss(*templates))


def _lavalettes(data: LawsData) -> Iterator[LawFit]:
    anywhere, sparse, dense = data.typicality.documents.T
    ratio = (dense + 1) / (sparse + 1)
    for key, subject, values in (
        ("lavalette_documents", "document frequency of terms", anywhere),
        ("lavalette_ratio", "document frequency ratio of terms", ratio),
        ("lavalette_fingerprints", "frequency of fingerprints", data.templates.frequencies),
    ):
        yield _law(key, subject, fit_lavalette(values))


def _law(key: str, subject: str, fit: Fit) -> LawFit:
    return LawFit(key, subject, fit, PUBLISHED.get(key, ""))


def _shares(
    histogram: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the values 1, 2, ... up to the largest that occurs, and their shares."""
    found = np.flatnonzero(histogram)
    y = histogram[1 : found[-1] + 1 if len(found) else 1].astype(np.float64)
    return np.arange(1, len(y) + 1, dtype=np.float64), y / max(y.sum(), 1)


def _expanded(histogram: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return every value of *histogram* above 0 as often as it occurs.

    Of more than `MAX_VALUES` only every so-manieth in ascending order, so that memory stays bounded
    and rare values keep their share.
    """
    counts = histogram.copy()
    counts[:1] = 0
    step = max(1, -(-int(counts.sum()) // MAX_VALUES))
    counts = np.diff(np.cumsum(counts) // step, prepend=0)
    return np.repeat(np.arange(len(counts), dtype=np.int64), counts)


def _word_threshold(laws: list[LawFit]) -> int | None:
    """Return the words from which a block is rather long text, None when there is no such number."""
    (writer,) = (law.fit for law in laws if law.key == "stratified_random_writer")
    if not writer.parameters:
        return None
    share, short, long = writer.parameters.values()
    return word_threshold(share_short=share, p_short=short, p_long=long)
