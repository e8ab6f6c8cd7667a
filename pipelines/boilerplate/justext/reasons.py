"""jusText's reasons in words: the rule of Algorithm 2.2 that classed a paragraph, and what became of it by context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.wording import counted
from pipelines.boilerplate.justext.classes import BAD, CLASS_NAMES, GOOD, NEAR_GOOD, SHORT
from pipelines.boilerplate.justext.density import page_language
from pipelines.boilerplate.reasons import Reason, Reasons, percentage

if TYPE_CHECKING:
    from crawler.page import PageModel
    from pipelines.boilerplate.justext.classes import I8
    from pipelines.boilerplate.justext.method import Features, JusText
    from pipelines.boilerplate.justext.paragraphs import Paragraphs


def reasons_of(
    method: JusText, page: PageModel, paragraphs: Paragraphs, before: I8, after: I8
) -> Reasons:
    """Return why *method* classed the *paragraphs* as *before*, and *after* by context."""
    features = method.features(page, paragraphs, all_densities=True)
    told = [
        f"{_rule(method, features, k)}: {classes(int(before[k]), int(after[k]))}"
        for k in range(len(paragraphs))
    ]
    about = note(method.language, method.stop_list, page)
    return Reasons([about], [Reason(told[k]) for k in paragraphs.of_block.tolist()])


def _rule(method: JusText, features: Features, k: int) -> str:
    """Return the rule of Algorithm 2.2 that holds for paragraph *k*."""
    tokens, links = int(features.n_tokens[k]), float(features.link_density[k])
    stops = float(features.stop_word_density[k])
    if features.forced[k]:
        return "it has the sign ©"
    if links > method.max_link_density:
        return f"{percentage(links)} of it links, more than {percentage(method.max_link_density)}"
    if tokens < method.length_low:
        few = f"{tokens} of at least {counted(method.length_low, 'token')}"
        return f"{few}, with links" if links > 0 else few
    share = f"{percentage(stops)} stop words"
    if stops > method.stopwords_high and tokens > method.length_high:
        return (
            f"{share}, more than {percentage(method.stopwords_high)}, in {counted(tokens, 'token')}"
        )
    if stops > method.stopwords_high:
        return f"{share}, but {counted(tokens, 'token')} and no more than {method.length_high}"
    is_fair = stops > method.stopwords_low
    limit = method.stopwords_high if is_fair else method.stopwords_low
    return f"{share}, no more than {percentage(limit)}"


def classes(before: int, after: int) -> str:
    """Return what the class *before* context became *after* it, in words."""
    name = CLASS_NAMES[after]
    if before in {SHORT, NEAR_GOOD}:
        kind = "short" if before == SHORT else "near-good"
        return f"{kind}, {name} by what stands around it"
    # Headings before good text alone change what was bad.
    return f"{name}, as a heading before good text" if (before, after) == (BAD, GOOD) else name


def note(language: str | None, stop_list: frozenset[str] | None, page: PageModel) -> str:
    """Return how *page* is classed, and by which stop words."""
    of_language = f"those of {language or page_language(page)}"
    words = of_language if stop_list is None else "those given"
    return f"Paragraphs are classed by links, length and stop words, {words}; then by what stands around them."
