"""Traps: what a crawl learns of the URLs of its hosts, and which of them it refuses.

Learning is by :meth:`Traps.learn`, a page at a time, from what was committed; :meth:`Traps.refusal` is asked
for every page that is to be fetched and for every new link. The rules are those of
`crawler.frontier.steering.trap_rules`.

A parameter that proves to say nothing (a session id, an order of sorting) closes no page as such: a URL
is read without it, and refused when it was fetched so already (Bar-Yossef, Keidar & Schonfeld 2007,
"Do not crawl in the DUST"), so that a site whose every link bears a session is fetched once.

Memory: that of `crawler.frontier.steering.trap_memory`, and two bit maps of 8 MB.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.frontier.steering.page_worth import Worth
from crawler.frontier.steering.plan_marks import PlanMarks
from crawler.frontier.steering.trap_links import has_new_links, lead_into_new_only, new_links
from crawler.frontier.steering.trap_memory import TrapMemory
from crawler.frontier.steering.trap_rules import (
    BARREN_WEIGHTS,
    MAZES,
    SCRIPT_SHARE,
    UNTRIED_UNTIL,
    WEIGHTS,
    Evidence,
    Level,
    pattern_keys,
)
from crawler.frontier.steering.url_patterns import local_part, url_pattern, without
from crawler.urls.domains import registrable_domain

if TYPE_CHECKING:
    from crawler.frontier.steering.page_worth import PageWorth
    from crawler.frontier.steering.trap_memory import Patterns
    from crawler.frontier.steering.url_patterns import UrlPattern


# Levels that are blamed by rules of their own.
_OWN_SUMS = MAZES | {Level.PARAMETER, Level.BARREN}
# Levels that take in much that is not like what closed them.
_BROAD = frozenset({Level.SECTION, Level.HOST})


class Traps(TrapMemory):
    """The evidence of a crawl; *evidence* worthless pages of one pattern close it."""

    def __init__(self, evidence: float) -> None:
        super().__init__(evidence)
        self._tried, self._kept = PlanMarks(), PlanMarks()

    # --- refusing ------------------------------------------------------------------------------

    def refusal(self, host_id: int, host: str, local: str, *, fetch: bool) -> str | None:
        """Return the reason why a page is not to be fetched, None when it is.

        With *fetch* it is fetched now if it is not refused, and counts so.
        """
        if self.closed_domains and not self.has_kept(host_id):
            domain = registrable_domain(host)
            if domain in self.closed_domains and not self.domains[domain].may_probe(local):
                return f"trap_{self.domains[domain].kind}"
        if host_id not in self.closed_hosts:
            return None
        closed = self._closed_parameters(host_id, local)
        reduced = without(local, {evidence.text for evidence in closed})
        patterns = self.hosts[host_id]
        pattern = url_pattern(reduced)
        for key in pattern_keys(pattern):
            evidence = patterns.get(key)
            if evidence is None or not evidence.is_closed or key[0] == Level.PARAMETER:
                continue
            if key[0] in _BROAD and self._may_be_worth_it(host_id, pattern, evidence):
                continue
            return None if evidence.may_probe(local) else f"trap_{evidence.kind}"
        if closed and self.residuals.has(host_id, reduced):
            return None if closed[0].may_probe(local) else f"trap_{closed[0].kind}"
        if closed and fetch:
            self.residuals.note(host_id, reduced)
        return None

    def _may_be_worth_it(self, host_id: int, pattern: UrlPattern, broad: Evidence) -> bool:
        """Tell whether pages like it did not close *broad*, its section or host: some were kept or, of a host, none tried."""
        key = host_id, pattern.plan
        if broad.level == Level.SECTION:
            key = _shape_mark(host_id, pattern)
        elif key not in self._tried:
            return broad.score < UNTRIED_UNTIL * self.threshold(Level.HOST)
        return key in self._kept and not self._is_suspect(self.hosts[host_id], pattern, broad.level)

    def note_again(self, host_id: int, local: str) -> None:
        """Note that a page which was fetched before is so again: what differs by closed parameters only is refused."""
        if closed := self._closed_parameters(host_id, local):
            names = {evidence.text for evidence in closed}
            self.residuals.note(host_id, without(local, names))

    def _closed_parameters(self, host_id: int, local: str) -> list[Evidence]:
        """Return what is known against the parameters of *local* that are closed."""
        if host_id not in self.closed_hosts or "?" not in local:
            return []
        patterns = self.hosts[host_id]
        names = (name for name, _ in url_pattern(local).parameters)
        found = (patterns.get((Level.PARAMETER, name)) for name in names)
        return [evidence for evidence in found if evidence is not None and evidence.is_closed]

    # --- learning ------------------------------------------------------------------------------

    def learn(self, page: PageWorth) -> None:
        """Take in what *page* was worth."""
        if page.worth == Worth.OTHER:
            return
        host_id, local = page.host_id, local_part(page.url)
        closed = self._closed_parameters(host_id, local)
        pattern = url_pattern(without(local, {evidence.text for evidence in closed}))
        if page.worth == Worth.KEPT:
            self._praise(page, pattern)
        else:
            self._blame(page, pattern)
        self._tried.add(host_id, pattern.plan)
        patterns = self.hosts.get(host_id)
        if patterns is not None:
            names = {text for level, text in patterns if level == Level.PARAMETER}
            if names:
                self.residuals.note(host_id, without(local, names))
            if not patterns:
                self.forget(host_id)

    def _praise(self, page: PageWorth, pattern: UrlPattern) -> None:
        host_id = page.host_id
        self.note_kept(host_id)
        self._kept.add(host_id, pattern.plan)
        self._kept.add(*_shape_mark(host_id, pattern))
        self._watch_for_maze(page, pattern)
        patterns = self.hosts.get(host_id)
        if patterns is not None:
            for key in pattern_keys(pattern):
                evidence = patterns.get(key)
                if evidence is None or key[0] in MAZES:
                    continue
                is_barren = key[0] == Level.BARREN
                weight = evidence.score if is_barren else evidence.praise(page.likeness)
                self.take_off(host_id, patterns, key, weight)
        domain = self.domains.get(registrable_domain(page.host)) if self.domains else None
        if domain is not None:
            domain.take_off(domain.praise(page.likeness))
            self.open_again(domain)

    def _blame(self, page: PageWorth, pattern: UrlPattern) -> None:
        weight = WEIGHTS[page.worth]
        if page.worth == Worth.REDIRECT and not self._leads_round(page, pattern):
            return
        self._blame_domain(page, weight)
        if page.original not in {"", page.host}:
            return  # a mirror, not a trap: it ends where its original ends
        self._blame_barren(page, pattern)
        is_duplicate = page.worth == Worth.DUPLICATE
        if is_duplicate and self._blame_parameters(page, pattern, weight):
            return
        excused = page.worth in BARREN_WEIGHTS and self._leads_on(page, pattern)
        if excused and not is_duplicate:
            return
        for key in pattern_keys(pattern):
            level = key[0]
            if level in _OWN_SUMS or (excused and level != Level.HOST):
                continue
            self.add(page, pattern, key, weight, pattern.variable)
        self._feed(page)

    def _blame_barren(self, page: PageWorth, pattern: UrlPattern) -> None:
        """Blame the shape of a page that leads nowhere, unless a page of the shape was kept."""
        weight = BARREN_WEIGHTS.get(page.worth)
        is_declared = page.worth == Worth.NOINDEX
        if weight is None or not (is_declared or pattern.script) or has_new_links(page):
            return
        if _shape_mark(page.host_id, pattern) not in self._kept:
            variable = page.url if is_declared else pattern.variable
            self.add(page, pattern, (Level.BARREN, pattern.shape), weight, variable)

    def _feed(self, page: PageWorth) -> None:
        """Note what a worthless page's new links feed: pages of these patterns are no longer barren."""
        patterns = self.hosts.get(page.host_id, {})
        for other in new_links(page):
            for key in pattern_keys(other):
                if key in patterns:
                    patterns[key].n_fed += 1

    def _blame_parameters(self, page: PageWorth, pattern: UrlPattern, weight: float) -> bool:
        """Blame the parameters that the page's links bear too; tell whether there were any.

        One that the page which it duplicates has with the same value is not what makes the copy. A copy that only lacks
        others is no one's fault: there are no more of them than originals.
        """
        copied = url_pattern(local_part(page.copy_of))
        own = [each for each in pattern.parameters if each not in copied.parameters]
        if not own and pattern.script and pattern.script == copied.script:
            return True
        is_open = False
        variable = pattern.variable
        for name, _ in own:
            if not self._leads_on(page, pattern, lacking=name):
                is_open = True
                self.add(page, pattern, (Level.PARAMETER, name), weight, variable)
        if is_open:
            self.add(page, pattern, (Level.SCRIPT, pattern.script), weight * SCRIPT_SHARE, variable)
        return is_open

    def _blame_domain(self, page: PageWorth, weight: float) -> None:
        """Blame the domain of a host of which nothing was kept, each host once."""
        domain = registrable_domain(page.host)
        if self.has_kept(page.host_id) or domain == page.host:
            return
        if page.original and registrable_domain(page.original) != domain:
            return
        self.add_to_domain(page, domain, weight)

    # --- what a page links to ------------------------------------------------------------------

    def _leads_round(self, page: PageWorth, pattern: UrlPattern) -> bool:
        """Tell whether a redirect leads to a new page of its own plan."""
        return any(other.plan == pattern.plan for other in new_links(page))

    def _leads_on(self, page: PageWorth, pattern: UrlPattern, *, lacking: str = "") -> bool:
        """Tell whether a page has a new link of a plan that is worth fetching, or was never tried.

        The link is of another plan, or does not bear the parameter *lacking*. That a plan was never tried
        excuses no duplicate: a path that grows is always of such a plan.
        """
        patterns = self.hosts.get(page.host_id, {})
        for other in new_links(page):
            if lacking and any(name == lacking for name, _ in other.parameters):
                continue
            if not lacking and other.plan == pattern.plan:
                continue
            key = page.host_id, other.plan
            if key not in self._tried and (lacking or page.worth != Worth.DUPLICATE):
                return True
            if key in self._kept and not self._is_suspect(patterns, other):
                return True
        return False

    def _is_suspect(
        self, patterns: Patterns, pattern: UrlPattern, level: Level = Level.HOST
    ) -> bool:
        """Tell whether something but what is known of the host, and of the *level*, speaks against a URL."""
        limit = self.evidence / 4
        found = (
            patterns.get(key) for key in pattern_keys(pattern) if key[0] not in {Level.HOST, level}
        )
        return any(evidence is not None and evidence.score >= limit for evidence in found)

    def _watch_for_maze(self, page: PageWorth, pattern: UrlPattern) -> None:
        """Count the kept pages in a row that lead nowhere but into what is new."""
        patterns = self.hosts.get(page.host_id, {})
        keys = [(Level.MAZE_HOST, pattern.scheme)]
        if pattern.section:
            keys.append((Level.MAZE_SECTION, pattern.section))
        new_only = lead_into_new_only(page, [section for _, section in keys])
        for key, is_maze in zip(keys, new_only, strict=True):
            if is_maze:
                self.add(page, pattern, key, 1.0, pattern.variable)
            elif key in patterns:
                self.take_off(page.host_id, patterns, key, self.threshold(key[0]))


def _shape_mark(host_id: int, pattern: UrlPattern) -> tuple[int, str]:
    """Return what stands for a shape among the marks of plans, none of which has a blank."""
    return host_id, f"{Level.BARREN} {pattern.shape}"
