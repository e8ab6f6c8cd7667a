"""The rules of elISA: read from XML, compiled, and applied to an element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lxml import etree

from pipelines.boilerplate.elisa.expressions import Reads, compiled, reads, value
from pipelines.boilerplate.elisa.text_variables import NAMES, by_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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
        bound = _bound(rule, element, by_name(n_chars, n_chars, quota, "text"))
        for check in rule.checks:
            for test, _ in check.tests:
                test(element, **bound)


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
        if its is None or not its.variables <= bound | NAMES:
            return None
        found = Reads(found.variables | (its.variables - bound), found.attributes | its.attributes)
        if part.tag == "CALL":
            bound.add(str(part.attrib["name"]))
    return found


def apply(
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


def _bound(
    rule: Rule, element: etree._Element, variables: dict[str, float | str]
) -> dict[str, Any]:
    """Return *variables* and those that the calls of *rule* bind at *element*."""
    bound: dict[str, Any] = dict(variables)
    for name, select in rule.calls:
        bound[name] = value(select(element, **bound))
    return bound
