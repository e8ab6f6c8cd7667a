"""The detector after WISDOM against a slow version, and each of its steps on a page made for it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.page.words import evaluation_words
from pipelines.templates.detectors.page_nodes import PageNodes
from pipelines.templates.detectors.wisdom import Wisdom
from tests.site_pages import bodies, page, sites, stays
from tests.test_templates_entropy import slow_entropy

MENU = "<div>menu home news contact</div>"
# On all pages, as often: an entropy of 1 each.
COMMON = "menu home news contact often said by us"


def own(number, n=6):
    """Words of one page, whose entropy is 0."""
    return " ".join(f"own{number}x{n}" for n in range(n))


def site_of(body, n_pages=6):
    """Pages of *body*, with words of their own for ``{}``, and those of `COMMON` on each."""
    return [
        page(f"<p>{COMMON}</p><section>{body.format(own(number))}</section>")
        for number in range(n_pages)
    ]


def kept_of(body, **options):
    site = site_of(body)
    return stays(site[0], Wisdom(**options).fit(site).extract(site[0]))


def test_filter():
    """Own words of another part have less than the share of the page's information that is asked for."""
    site = [
        page(f"<div>{own(n, 40)}</div>{MENU}<div>x{n}</div>{MENU}<p>often said</p>")
        for n in range(6)
    ]
    found = {
        coverage: stays(site[0], Wisdom(coverage=coverage).fit(site).extract(site[0]))
        for coverage in (0.0, 0.02, 0.1)
    }
    menu = "menu home news contact"
    # by itself it would be a block, and the menu between stands between two blocks
    assert found[0.0] == found[0.02] == [own(0, 40), menu, "x0"]
    # passed by, it stays beside the other one, and what stands between does not
    assert found[0.1] == [own(0, 40), "x0"]


def test_merge():
    """An informative element is a block with its redundant parts, if these are few words, however deep."""
    body = "<div><p>{}</p><div><b>home</b></div></div>" + MENU
    assert kept_of(body, rest=0.2) == [own(0), "home"]
    assert kept_of(body, rest=0.1) == [own(0)]
    # of 12 words of the section 5 are of redundant parts
    assert kept_of(body, rest=0.5) == [own(0), "home", "menu home news contact"]


def test_expand():
    """What stands between two blocks of one element stays; what is before and behind does not."""
    body = f"{MENU}<p>one{{0}}</p>{MENU}<p>two{{0}}</p>{MENU}"
    found = kept_of(body, threshold=0.3)
    assert found == [f"one{own(0)}", "menu home news contact", f"two{own(0)}"]


def test_a_page_of_nothing_but_common_words():
    assert kept_of(f"<p>{COMMON}") == []


def test_options_out_of_range():
    for name in ("threshold", "coverage", "rest"):
        with pytest.raises(ValueError, match=f"{name} must be 0 to 1, got 1.5"):
            Wisdom(**{name: 1.5})


class SlowTree:
    """The parts of a page, elements and numbers of texts; each sum is made anew for each part."""

    def __init__(self, models, model, threshold):
        self.pages = [Counter(evaluation_words(" ".join(PageNodes(each).texts))) for each in models]
        nodes = PageNodes(model)
        self.root, self.texts, self.threshold = nodes.elements[0], nodes.texts, threshold
        self.own = {element: [] for element in nodes.elements}
        for number, holder in enumerate(nodes.holder.tolist()):
            self.own[nodes.elements[holder]].append(number)

    def within(self, part):
        if isinstance(part, int):
            return [part]
        return sorted(number for each in part.iter() for number in self.own.get(each, ()))

    def words(self, part):
        return [
            word for number in self.within(part) for word in evaluation_words(self.texts[number])
        ]

    def information(self, part):
        return sum(1 - slow_entropy(self.pages, word) for word in self.words(part))

    def is_informative(self, part):
        words = self.words(part)
        return bool(words) and 1 - self.information(part) / len(words) <= self.threshold + 1e-9

    def parts(self, part):
        if isinstance(part, int):
            return []
        children = [each for each in part if each in self.own and self.within(each)]
        return sorted(self.own[part] + children, key=lambda each: self.within(each)[0])

    def redundant(self, part):
        if not self.is_informative(part):
            return len(self.words(part))
        return sum(map(self.redundant, self.parts(part)))

    def stays(self, parts, coverage, rest):
        """The texts that stay of *parts*, all those of one element."""
        least = coverage * self.information(self.root) - 1e-9
        large = [self.information(part) >= least for part in parts]
        informative = [self.is_informative(part) for part in parts]
        few = [self.redundant(part) <= (rest + 1e-9) * len(self.words(part)) for part in parts]
        blocks = [all(each) for each in zip(large, informative, few, strict=True)]
        kept = set()
        for place, part in enumerate(parts):
            is_between = any(blocks[: place + 1]) and any(blocks[place:])
            is_beside = any(blocks) and informative[place] and not large[place]
            if is_between or is_beside:
                kept.update(self.within(part))
            elif large[place]:
                kept |= self.stays(self.parts(part), coverage, rest)
        return kept


@settings(deadline=None, max_examples=200)
@given(
    site=sites,
    body=bodies,
    threshold=st.sampled_from([0.1, 0.47, 0.81]),
    coverage=st.sampled_from([0.0, 0.011, 0.13]),
    rest=st.sampled_from([0.0, 0.11, 0.43]),
)
def test_as_the_slow_way(site, body, threshold, coverage, rest):
    models, model = [page(each) for each in site], page(body)
    detector = Wisdom(threshold=threshold, coverage=coverage, rest=rest).fit(models)
    slow = SlowTree(models, model, threshold)
    kept = slow.stays([slow.root], coverage, rest)
    expected = [number in kept for number in range(len(slow.texts))]
    assert detector.extract(model).texts.tolist() == expected
