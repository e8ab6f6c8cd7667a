"""elISA as a cleaning method, and the attributes that its rules set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pipelines.boilerplate.elisa.default_rules import DEFAULT_RULES
from pipelines.boilerplate.elisa.expressions import Reads
from pipelines.boilerplate.elisa.rules import apply, read_rules
from pipelines.boilerplate.elisa.text_variables import TextVariables
from pipelines.boilerplate.labels import BOILERPLATE, CONTENT, Labels
from pipelines.boilerplate.reasons import Reasons, of_blocks
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import start_tag, told_by_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml import etree

    from crawler.page import PageModel
    from crawler.page.limits import Inline
    from pipelines.boilerplate.elisa.rules import Rule

TYPE_ATTRIBUTE = "elISAtype"


class Elisa:
    """elISA with the rules of *rules_file*, or with its own."""

    inline: Inline = "gap"

    def __init__(self, *, rules_file: str | None = None):
        self.rules = read_rules(DEFAULT_RULES if rules_file is None else _read(rules_file))

    def label(self, page: PageModel) -> Labels:
        """Label each block of *page* with its kind of region, ``boilerplate`` where no rule says one."""
        nodes = TreeNodes(page)
        kinds, region = self._regions(nodes)
        of_text = [kinds.get(element, BOILERPLATE) for element in region]
        kept = nodes.kept(np.array([kind == CONTENT for kind in of_text], np.bool_))
        labels = [CONTENT if keep else BOILERPLATE for keep in kept.tolist()]
        for text, block in zip(nodes.piece_text.tolist(), nodes.piece_block.tolist(), strict=True):
            if labels[block] == BOILERPLATE and of_text[text] != CONTENT:
                labels[block] = of_text[text]
        return Labels(kept, labels)

    def reasons(self, page: PageModel) -> Reasons:
        """Return the region that each block of *page* stands in, and its kind."""
        nodes = TreeNodes(page)
        kinds, region = self._regions(nodes)

        def say(text: int) -> str:
            its = region[text]
            return f"{kinds[its]}: {start_tag(nodes, its)}" if its >= 0 else "no rule says a kind"

        note = f"Rules say of elements what kind of region they are; kept is {CONTENT}."
        return of_blocks(note, told_by_text(nodes, say))

    def _regions(self, nodes: TreeNodes) -> tuple[dict[int, str], list[int]]:
        """Return the kinds of regions, by element, and the region of each text, -1 for none."""
        kinds = {
            element: attributes[TYPE_ATTRIBUTE]
            for element, attributes in annotate(nodes, self.rules, text_only=True).items()
            if TYPE_ATTRIBUTE in attributes
        }
        is_region = np.zeros(len(nodes.tag), np.bool_)
        is_region[list(kinds)] = True
        return kinds, nodes.nearest(is_region)[nodes.holder].tolist()


def annotate(
    nodes: TreeNodes, rules: Sequence[Rule], *, text_only: bool = False
) -> dict[int, dict[str, str]]:
    """Return the attributes that *rules* set, by the number of the element.

    *text_only*: of elements with visible text alone, as no other ones hold blocks.
    """
    found: dict[int, dict[str, str]] = {}
    variables = TextVariables(nodes)
    tried = [_Tried(rule) for rule in rules]
    of_tag = {tag: [each for each in tried if tag in each.rule.context] for tag in set(nodes.tag)}
    for place, tag in enumerate(nodes.tag):
        if not of_tag[tag] or (text_only and not variables.has_text(place)):
            continue
        its = variables.of(place)
        for each in of_tag[tag]:
            for attributes in each.attributes(nodes.elements[place], its):
                found.setdefault(place, {}).update(attributes)
    return found


class _Tried:
    """A rule on one page, with what it gave at earlier elements by what it read of them."""

    def __init__(self, rule: Rule):
        self.rule = rule
        reads = rule.reads or Reads()
        self._variables, self._attributes = sorted(reads.variables), sorted(reads.attributes)
        self._known: dict[tuple[object, ...], list[Mapping[str, str]]] = {}

    def attributes(
        self, element: etree._Element, variables: dict[str, float | str]
    ) -> list[Mapping[str, str]]:
        """Return what the rule sets on *element*, an item a test that is true."""
        if self.rule.reads is None:
            return apply(self.rule, element, variables)
        read = (
            *[variables[name] for name in self._variables],
            *[element.get(name) for name in self._attributes],
        )
        found = self._known.get(read)
        if found is None:
            found = self._known[read] = apply(self.rule, element, variables)
        return found


def _read(rules_file: str) -> str:
    try:
        return Path(rules_file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"rules_file must be a file of rules in UTF-8: {error}") from error
