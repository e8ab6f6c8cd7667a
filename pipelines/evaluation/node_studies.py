"""Pomikálek's studies of text nodes: fragments, coherence of paragraphs, and filters of one feature.

``python -m pipelines.evaluation.node_studies FOLDER... [--methods A,B]`` prints, for gold standards that label text
nodes:

- how many fragments the kept text of each method has, and how long they are, beside perfect cleaning (table 2.11);
- how many of jusText's paragraphs have both good and bad nodes (section 2.9.4);
- the best thresholds of link density, tokens and stop words, and of the last two together, with their F1 and F0.5
  by the characters of nodes (table 2.3). *Source: Pomikálek 2011, sections 2.9.3, 2.9.4 and 2.9.10.*

Nodes count on whose label *min_agreement* percent of the annotators agree; fragments are of all nodes. Nodes that no
block has, such as signs alone, part no fragments. Cost: that of the methods, and of aligning nodes with blocks.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from crawler.errors import InputError, ModuleParser, run_module
from crawler.page import PageRules, build_page
from pipelines.boilerplate.justext import JusText
from pipelines.boilerplate.justext.paragraphs import paragraphs_of
from pipelines.evaluation.gold import BAD, GOOD
from pipelines.evaluation.harness.specs import OWN, subject
from pipelines.evaluation.measures import sweeps
from pipelines.evaluation.measures.fragments import (
    fragment_lengths,
    fragmentation,
    perfect_cleaning,
)
from pipelines.evaluation.measures.node_alignment import blocks_of_nodes
from pipelines.evaluation.measures.text_nodes import coherence
from pipelines.evaluation.readers import open_dataset
from pipelines.evaluation.report.tables import aligned

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from crawler.page import PageModel
    from pipelines.evaluation.gold import GoldPage
    from pipelines.evaluation.harness.specs import Subject

# Table 2.11.
METHODS = ("tc20-sw0.30", "bte", "numwords-tree", "victor-canola", "justext-a", "justext-b")
PERFECT = "perfect"
# The grids of table 2.3 are not told.
_DENSITIES = tuple(percent / 100 for percent in range(0, 62, 2))
_LENGTHS = tuple(range(61))
_FEW_DENSITIES = tuple(percent / 100 for percent in range(0, 65, 5))
_FEW_LENGTHS = tuple(range(0, 65, 5))


class NodeFeatures(NamedTuple):
    """What the paragraph of a good or bad node has; *chars* of the node."""

    link_density: float
    n_tokens: float
    stop_word_density: float
    is_good: bool
    chars: int


@dataclass(slots=True)
class Seen:
    """What pages showed: lengths of fragments by method, a list a page; blocks with nodes; the features of nodes."""

    fragments: dict[str, list[list[int]]] = field(default_factory=dict)
    n_mixed: int = 0
    n_paragraphs: int = 0
    nodes: list[NodeFeatures] = field(default_factory=list)


def see(pages: Iterable[GoldPage], subjects: Sequence[Subject], *, min_agreement: int = 0) -> Seen:
    """Return what the *pages* with labels of text nodes show of *subjects*, which are no peers."""
    seen = Seen({name: [] for name in (PERFECT, *(one.name for one in subjects))})
    cleaners = {one.name: one.cleaner() for one in subjects}
    for gold in pages:
        if not gold.node_labels:
            continue
        texts = [node.text for node in gold.node_labels]
        models = _Models(gold, texts)
        for one in subjects:
            model, block = models.of(one.rules(OWN))
            kept = np.append(cleaners[one.name].label(model).kept, False)[block]
            _add_fragments(seen, one.name, texts, kept.tolist(), block)
        model, block = models.of(PageRules(inline=JusText.inline))
        _add_fragments(seen, PERFECT, texts, perfect_cleaning(gold.node_labels), block)
        _add_paragraphs(seen, gold, model, block, min_agreement)
    return seen


class _Models:
    """The models of a page, and the blocks that its nodes are in, by the rules of methods."""

    def __init__(self, gold: GoldPage, texts: Sequence[str]) -> None:
        self._gold, self._texts = gold, texts
        self._made: dict[PageRules, tuple[PageModel, Any]] = {}

    def of(self, rules: PageRules) -> tuple[PageModel, Any]:
        if rules not in self._made:
            gold = self._gold
            model = build_page(gold.body, url=gold.url, content_type=gold.content_type, rules=rules)
            self._made[rules] = model, blocks_of_nodes(self._texts, model.blocks.text.strings)
        return self._made[rules]


def _add_fragments(
    seen: Seen, name: str, texts: Sequence[str], kept: Sequence[bool], block: Any
) -> None:
    found = np.flatnonzero(block >= 0).tolist()
    lengths = fragment_lengths([texts[k] for k in found], [kept[k] for k in found])
    seen.fragments[name].append(lengths)


def _add_paragraphs(
    seen: Seen, gold: GoldPage, model: PageModel, block: Any, min_agreement: int
) -> None:
    paragraphs = paragraphs_of(model)
    of_node = np.append(paragraphs.of_block.astype(np.int64), -1)[block].tolist()
    told = coherence(gold.node_labels, of_node, min_agreement=min_agreement)
    seen.n_mixed += told.n_mixed
    seen.n_paragraphs += told.n_blocks
    features = JusText().features(model, paragraphs, all_densities=True)
    columns = (features.link_density, features.n_tokens, features.stop_word_density)
    for node, number in zip(gold.node_labels, of_node, strict=True):
        if node.label in {GOOD, BAD} and number >= 0 and node.agreement >= min_agreement:
            links, tokens, stops = (float(column[number]) for column in columns)
            is_good = node.label == GOOD
            seen.nodes.append(NodeFeatures(links, tokens, stops, is_good, len(node.text)))


def best_filters(nodes: Sequence[NodeFeatures], beta: float) -> dict[str, tuple[float, ...]]:
    """Return by filter of *nodes*, of which there is one at least, its best threshold, or two, and its F-beta."""
    links, tokens, stops, is_good, chars = map(np.array, zip(*nodes, strict=True))
    of_links = sweeps.sweep(links, is_good, chars, _DENSITIES, keep="at most")
    both = sweeps.sweep_both(tokens, stops, is_good, chars, (_FEW_LENGTHS, _FEW_DENSITIES))
    return {
        "link density": of_links.best(beta),
        "tokens": sweeps.sweep(tokens, is_good, chars, _LENGTHS).best(beta),
        "stop words": sweeps.sweep(stops, is_good, chars, _DENSITIES).best(beta),
        "tokens; stop words": both.best(beta),
    }


def as_json(seen: Seen) -> dict[str, Any]:
    """Return the figures of the three studies as one object."""
    betas = (1.0, 0.5) if seen.nodes else ()
    return {
        "fragments": {name: fragmentation(of)._asdict() for name, of in seen.fragments.items()},
        "coherence": {"n_mixed": seen.n_mixed, "n_paragraphs": seen.n_paragraphs},
        "filters": {f"f{beta:g}": best_filters(seen.nodes, beta) for beta in betas},
    }


def screen(told: dict[str, Any]) -> str:
    """Return what `as_json` gives as tables."""
    rows = [["", "mean chars", "median chars", "a page"]]
    for name, (mean, median, per_page) in (
        (name, of.values()) for name, of in told["fragments"].items()
    ):
        rows.append([name, f"{mean:.1f}", f"{median:.0f}", f"{per_page:.2f}"])
    n_mixed, n_paragraphs = told["coherence"].values()
    parts = ["\n".join(["fragments", *aligned(rows)])]
    parts.append(f"paragraphs with good and bad nodes: {n_mixed:,} of {n_paragraphs:,}")
    for measure, filters in told["filters"].items():
        rows = [["", "threshold", measure.upper()]]
        for name, (*cuts, score) in filters.items():
            rows.append([name, "; ".join(f"{cut:g}" for cut in cuts), f"{score:.4f}"])
        parts.append("\n".join([f"filters, the best by {measure.upper()}", *aligned(rows)]))
    return "\n\n".join(parts)


def main(arguments: list[str] | None = None) -> int:
    """Print the studies of the folders that *arguments* name, and return the exit status."""
    options = _parser().parse_args(arguments)
    return run_module(lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    if not 0 <= options.min_agreement <= 100:
        raise InputError(f"--min-agreement is {options.min_agreement}; give 0 to 100")
    seen = see(
        _pages(options.folders), _subjects(options.methods), min_agreement=options.min_agreement
    )
    if not seen.fragments[PERFECT]:
        named = ", ".join(map(str, options.folders))
        raise InputError(f"no page of {named} has labels of text nodes; give a standard with them")
    told = as_json(seen)
    sys.stdout.write((json.dumps(told) if options.json else screen(told)) + "\n")


def _pages(folders: Sequence[Path]) -> Iterator[GoldPage]:
    for folder in folders:
        yield from open_dataset(folder)


def _subjects(methods: str) -> list[Subject]:
    try:
        found = [subject(name.strip()) for name in methods.split(",")]
    except ValueError as error:
        raise InputError(f"--methods: {error}") from error
    for one in found:
        if one.is_peer or one.problem:
            raise InputError(f"--methods: {one.name} gives no blocks; name methods of ours")
    return found


def _parser() -> ModuleParser:
    parser = ModuleParser(
        prog="python -m pipelines.evaluation.node_studies",
        description="Tell fragments, coherence of paragraphs and the best filters of one feature (Pomikálek 2011, "
        "sections 2.9.3, 2.9.4, 2.9.10) on gold standards that label text nodes.",
    )
    parser.add_argument(
        "folders", nargs="+", type=Path, help="gold standards with labels of text nodes"
    )
    parser.add_argument(
        "--methods",
        default=",".join(METHODS),
        help="as of scrapy evaluate; by commas (%(default)s)",
    )
    parser.add_argument(
        "--min-agreement", type=int, default=0, metavar="PERCENT",
        help="percent of the annotators who agree on a node that counts (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
