"""The duplicates that are planted on the sample web, found by each method at its default threshold.

``python -m tests.benchmarks.planted_duplicates [--hosts 30] [--pages 1500] [--methods PATTERN]``
"""

from __future__ import annotations

import fnmatch

from crawler.errors import ModuleParser
from crawler.sampleweb.web import SampleWeb
from pipelines.evaluation.duplicates.methods import methods
from pipelines.evaluation.duplicates.planted import Planted, by_level, level_table, planted_pairs


def planted_on(web: SampleWeb) -> Planted:
    """Return the main texts of all pages of *web* that are of fifty words or more."""
    texts, clusters, elders = [], [], {}
    cluster_of: dict[str, str] = {}
    found = [truth for host in web.hosts() for truth in web.truths(host.name)]
    for truth in found:
        cluster_of[truth.url] = truth.cluster
    for truth in found:
        if truth.status == 200 and truth.main_text and not truth.thin:
            texts.append(truth.main_text)
            clusters.append(truth.cluster)
            if truth.partner in cluster_of:
                elders[truth.cluster] = cluster_of[truth.partner], truth.planted
    return planted_pairs(texts, clusters, elders)


def main() -> None:
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=30)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--methods", default="*")
    options = parser.parse_args()
    planted = planted_on(SampleWeb(1, options.hosts, options.pages))
    chosen = [each for each in methods() if fnmatch.fnmatch(each.title, options.methods)]
    print(level_table(by_level(planted, chosen)))


if __name__ == "__main__":
    main()
