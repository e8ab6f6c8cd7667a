"""elISA: rules in XML that say of elements what kind of region they are.

::

    <RULE context="IMG">
      <CALL name="AttrSrc" select="./@src"/>
      <CHECK>
        <WHENEVER test="contains(lc($AttrSrc),'logo')"><SET attr="elISAtype">"logo"</SET></WHENEVER>
      </CHECK>
    </RULE>

A rule is tried on each element that its context names. CALL binds a variable to an XPath from there;
of the tests in a CHECK the first that is true sets its attributes. A later rule overwrites what an
earlier one set. XPath 1.0, and ``lc(x)``, x in lower case. Beside its own a test may use
``$TextChars``, the visible characters in the element, ``$OwnChars`` and ``$OwnText``, those of texts
that are its children, and ``$LinkQuota``, the linked share of the first. The page stays as it is.

A block is of the region that the nearest element's ``elISAtype`` says, its label, and kept when this is ``content``.

*Source: Vitali, Di Iorio, Campori 2004; Gottron 2008, section 3.2.6, figure 3.2.* The authors turn rules
into an XSLT stylesheet; these are compiled to XPath. Contexts of several names, the variables on text,
and the order of tests and rules are ours; so are the rules (:mod:`pipelines.boilerplate.elisa_rules`).

Cost: O(elements) for the default rules: 2 µs for a rule on an element where it reads variables and attributes
that it read before, else some 10. Rules that look through all that an element holds cost as much again for each.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from lxml import etree

from pipelines.boilerplate.elisa_expressions import Reads, compiled, reads, value
from pipelines.boilerplate.elisa_rules import DEFAULT_RULES
from pipelines.boilerplate.labels import BOILERPLATE, CONTENT, Labels
from pipelines.boilerplate.reasons import Reasons, of_blocks
from pipelines.boilerplate.tree_nodes import TreeNodes
from pipelines.boilerplate.tree_reasons import start_tag, told_by_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from crawler.page import PageModel
    from crawler.page.limits import Inline

TYPE_ATTRIBUTE = "elISAtype"
# Of own text no more is looked at: rules ask for notices of a few words.
_MAX_OWN_CHARS = 1000


class Check(NamedTuple):
    """Tests in their order, with what each sets."""

    tests: Sequence[tuple[etree.XPath, Mapping[str, str]]]


class Rule(NamedTuple):
    """A compiled rule: names of elements, in small letters, variables and checks.

    *reads*: the variables on text and the attributes that all of it depends on, None when on anything else.
    """

    context: frozenset[str]
    calls: Sequence[tuple[str, etree.XPath]]
    checks: Sequence[Check]
    reads: Reads | None


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
    variables = _TextVariables(nodes)
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
            return _apply(self.rule, element, variables)
        read = (
            *[variables[name] for name in self._variables],
            *[element.get(name) for name in self._attributes],
        )
        found = self._known.get(read)
        if found is None:
            found = self._known[read] = _apply(self.rule, element, variables)
        return found


def read_rules(text: str) -> list[Rule]:
    """Return the rules in *text*; raises ValueError, naming the rule, when one cannot be read or tried."""
    try:
        parser = etree.XMLParser(resolve_entities=False, encoding="utf-8")
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"the rules must be XML: {error}") from error
    elements = [root] if root.tag == "RULE" else root.findall("RULE")
    if not elements:
        raise ValueError(f"the rules must be RULE elements, got <{root.tag}> without any")
    rules = []
    for number, element in enumerate(elements, 1):
        try:
            rules.append(_read_rule(element))
            _try(rules[-1])
        except (etree.XPathError, KeyError, TypeError) as error:
            raise ValueError(
                f"rule {number} must be correct XPath with all names: {error}"
            ) from error
    return rules


def _try(rule: Rule) -> None:
    """Evaluate all of *rule* on an element: what XPath does not know is else told page by page."""
    element = etree.Element("p")
    for n_chars, quota in ((0, 0.0), (1000, 1.0)):
        bound = _bound(rule, element, _variables(n_chars, n_chars, quota, "text"))
        for check in rule.checks:
            for test, _ in check.tests:
                test(element, **bound)


def _read(rules_file: str) -> str:
    try:
        return Path(rules_file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"rules_file must be a file of rules in UTF-8: {error}") from error


def _read_rule(element: etree._Element) -> Rule:
    checks = [
        Check(
            [
                (
                    compiled(str(whenever.attrib["test"])),
                    {
                        str(setting.attrib["attr"]): (setting.text or "").strip().strip("\"'")
                        for setting in whenever.iter("SET")
                    },
                )
                for whenever in check.iter("WHENEVER")
            ]
        )
        for check in element.iter("CHECK")
    ]
    calls = [
        (str(call.attrib["name"]), compiled(str(call.attrib["select"])))
        for call in element.iter("CALL")
    ]
    context = frozenset(str(element.attrib["context"]).lower().split())
    return Rule(context, calls, checks, _reads_of_rule(element))


def _reads_of_rule(element: etree._Element) -> Reads | None:
    """Return what the rule *element* reads at an element of a page, None when that may be anything."""
    bound: set[str] = set()
    found = Reads()
    for part in (*element.iter("CALL"), *element.iter("WHENEVER")):
        its = reads(str(part.attrib["select" if part.tag == "CALL" else "test"]))
        if its is None or not its.variables <= bound | _TEXT_VARIABLES:
            return None
        found = Reads(found.variables | (its.variables - bound), found.attributes | its.attributes)
        if part.tag == "CALL":
            bound.add(str(part.attrib["name"]))
    return found


def _bound(
    rule: Rule, element: etree._Element, variables: dict[str, float | str]
) -> dict[str, Any]:
    """Return *variables* and those that the calls of *rule* bind at *element*."""
    bound: dict[str, Any] = dict(variables)
    for name, select in rule.calls:
        bound[name] = value(select(element, **bound))
    return bound


def _apply(
    rule: Rule, element: etree._Element, variables: dict[str, float | str]
) -> list[Mapping[str, str]]:
    """Return what the checks of *rule* set on *element*."""
    bound = _bound(rule, element, variables)
    found = []
    for check in rule.checks:
        for test, attributes in check.tests:
            # As XPath's boolean().
            if test(element, **bound):
                found.append(attributes)
                break
    return found


class _TextVariables:
    """The variables on the text of elements."""

    def __init__(self, nodes: TreeNodes):
        is_linked = nodes.nearest(nodes.is_link)[nodes.holder] >= 0
        own = nodes.own(nodes.chars)
        chars = nodes.within(own)
        linked = nodes.within(nodes.own(nodes.chars * is_linked))
        self._chars, self._own = chars.tolist(), own.tolist()
        self._quota = (linked / np.maximum(chars, 1)).tolist()
        self._own_text = nodes.own_text(_MAX_OWN_CHARS)

    def has_text(self, element: int) -> bool:
        return bool(self._chars[element])

    def of(self, element: int) -> dict[str, float | str]:
        return _variables(
            self._chars[element],
            self._own[element],
            self._quota[element],
            self._own_text.get(element, ""),
        )


def _variables(
    text_chars: int, own_chars: int, link_quota: float, own_text: str
) -> dict[str, float | str]:
    return {
        "TextChars": text_chars,
        "OwnChars": own_chars,
        "LinkQuota": link_quota,
        "OwnText": own_text,
    }


_TEXT_VARIABLES = _variables(0, 0, 0, "").keys()
