"""One page at a time through all subjects; a run has one lane, or one in each of its processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from crawler.page import PageRules
from pipelines.evaluation.harness.extraction import built_page, cleaned, warm_up
from pipelines.evaluation.harness.isolation import IsolatedSubjects, Limits, ServedPage
from pipelines.evaluation.harness.live_proxy import LiveProxies
from pipelines.evaluation.harness.results import PageResult
from pipelines.evaluation.harness.stored_texts import stored_text
from pipelines.evaluation.measures import MARKED, MEASURES, POOLED, applies
from pipelines.evaluation.peers import PeerPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from pipelines.evaluation.gold import GoldPage
    from pipelines.evaluation.harness.extraction import BuiltPage
    from pipelines.evaluation.harness.isolation import Extraction
    from pipelines.evaluation.harness.specs import Subject


class Lane:
    """Loads the subjects once, and gives the result of a page."""

    def __init__(
        self,
        subjects: Sequence[Subject],
        measures: Sequence[str],
        *,
        hidden: str,
        limits: Limits,
    ) -> None:
        self._subjects = subjects
        self._measures = measures
        self._hidden = hidden
        self._isolated = IsolatedSubjects(limits)
        self._proxies = LiveProxies(limits.page_secs)
        run_here = [each for each in subjects if not each.isolated and not each.is_peer]
        self._cleaners = {subject.name: subject.cleaner() for subject in run_here}
        for subject in run_here:
            warm_up(self._cleaners[subject.name], subject.rules(hidden))

    def close(self) -> None:
        """End the process of the isolated subjects, and the servers for proxies."""
        self._isolated.end()
        self._proxies.close()

    def load_errors(self) -> dict[str, str]:
        """Load the isolated subjects, and ask the proxies; return what went wrong, by name."""
        errors = {
            subject.name: self._isolated.load(subject)
            for subject in self._subjects
            if subject.isolated
        }
        for subject in self._subjects:
            if subject.proxy is not None:
                errors[subject.name] = self._proxies.load_error(subject.proxy)
        return {name: error for name, error in errors.items() if error is not None}

    def result(self, page: GoldPage, dataset: str) -> PageResult:
        """Return the result of *page*, which is counted to set *dataset*."""
        pages = _Pages(page.body, page.url, page.content_type)
        model = pages.built(PageRules()).model
        text = model.source.decode("utf-8", "replace")
        language = page.language or model.declared_language
        peer_page = PeerPage(text, page.url, language)
        served = ServedPage(page.body, page.content_type, self._hidden, peer_page)
        n = len(self._subjects)
        result = PageResult(
            dataset,
            page.page_id,
            len(page.body),
            _n_chars("\n".join(model.blocks.text)),
            np.full((n, len(self._measures), 3), np.nan),
            np.zeros(n),
            np.zeros(n),
            {},
        )
        errors = {}
        scored: dict[tuple[str, str | None], npt.NDArray[np.float64]] = {}
        for row, subject in enumerate(self._subjects):
            if subject.folder is not None:
                extraction = stored_text(subject.folder, dataset, page.page_id)
            elif subject.proxy is not None:
                extraction = self._proxies.extract(subject.proxy, page)
            else:
                extraction = self._extraction(subject, pages, served)
            result.secs[row] = extraction.secs
            result.chars[row] = _n_chars(extraction.text)
            if extraction.error is not None:
                errors[row] = extraction.error
            marked = extraction.marked if subject.is_peer else extraction.marked or ""
            if (extraction.text, marked) not in scored:
                scored[extraction.text, marked] = self._scores(extraction.text, marked, page)
            result.scores[row] = scored[extraction.text, marked]
        return result._replace(errors=errors)

    def _extraction(self, subject: Subject, pages: _Pages, served: ServedPage) -> Extraction:
        if subject.isolated:
            return self._isolated.extract(subject, served)
        return cleaned(self._cleaners[subject.name], pages.built(subject.rules(self._hidden)))

    def _scores(self, text: str, marked: str | None, page: GoldPage) -> npt.NDArray[np.float64]:
        rows = np.full((len(self._measures), 3), np.nan)
        for row, name in zip(rows, self._measures, strict=True):
            if not applies(name, page) or (name in MARKED and marked is None):
                continue
            if name in POOLED:
                row[:] = POOLED[name](text, page)
            elif name in MEASURES:
                row[:] = MEASURES[name](text, page)
            else:
                row[:] = MARKED[name](marked or "", page)
        return rows


class _Pages:
    """The models of one page, each built when the first method asks for its rules."""

    def __init__(self, body: bytes, url: str, content_type: str | None) -> None:
        self._served = body, url, content_type
        self._built: dict[PageRules, BuiltPage] = {}

    def built(self, rules: PageRules) -> BuiltPage:
        if rules not in self._built:
            self._built[rules] = built_page(*self._served, rules)
        return self._built[rules]


def _n_chars(text: str) -> int:
    return sum(map(len, text.split()))
