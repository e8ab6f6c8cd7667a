"""The harvest of the focused crawl beside breadth-first, on the sample web: figures and a plot.

Both crawl the same web from the same seeds, a third of the hosts of a topic, for as many fetches as the web
has pages; the harvest rate after *n* fetches is the share of them that were pages of the topic's hosts. The
order is that of the server's log. Hosts are many and connections few, as in a crawl of the web: with a
connection for each host there would be nothing to choose. The background seeds of the focused crawl count
as fetches that missed.

Of the 4,574 pages 270 to 468 are of the topic, so that after 50 % of the fetches nothing above .12 to .20 can be had.

Measured, November 2026, after 10, 25 and 50 % of the fetches, median of three topics: .56, .33, .17; breadth-first .10, .08, .08.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np

from crawler.errors import ModuleParser
from crawler.sampleweb.running import read_web
from tests.benchmarks.report import figure
from tests.conftest import run_scrapy, served_web

SHARES = (0.10, 0.25, 0.50)
# Of the hosts; so many background seeds are fetched first.
BACKGROUND_SHARE = 0.1
TOPICS = ("Top/World/Deutsch", "Top/World/Español", "Top/World/Polski")
KINDS = ("focused", "breadth-first")


def harvest(folder: Path, topic: str, kind: str, n_fetches: int) -> np.ndarray:
    """Crawl the web that is served from *folder*; return of each fetch whether it hit the topic."""
    sample = read_web(folder)
    relevant = {host.name for host in sample.hosts() if host.category.startswith(topic)}
    lines = (folder / "seeds.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    on_topic = sorted(line for line in lines if line.startswith(topic) and line.endswith("/\n"))
    chosen = on_topic[: max(1, len(on_topic) // 3)]
    others = [line for line in lines if not line.startswith(topic)]
    seeds = folder / f"seeds-{kind}.tsv"
    seeds.write_text("".join(chosen + (others if kind == "focused" else [])), encoding="utf-8")
    log = folder / "requests.tsv"
    before = len(log.read_text(encoding="utf-8").splitlines())
    background = round(BACKGROUND_SHARE * sample.table.n_hosts)
    spider = ("focused", "-a", f"topic={topic}", "-a", f"background={background}")
    corpus = folder / f"corpus-{kind}"
    done = run_scrapy(
        *("crawl", *(spider if kind == "focused" else ("odp",)), "-a", f"seeds={seeds}"),
        *("-a", f"max_pages={n_fetches}", "-s", f"CORPUS_DIR={corpus}", "--nolog"),
        *("-s", f"HOSTS_FILE={folder / 'hosts.tsv'}", "-s", "CONCURRENT_REQUESTS=4"),
        *("-s", "COMMIT_GROUP_PAGES=10", "-s", "HOST_DELAY_SECS=0"),
        timeout=3600,
    )
    assert done.returncode == 0, done.stderr
    shutil.rmtree(corpus)
    asked = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()[before:]]
    hits = [name in relevant for _, name, path, _ in asked if path != "/robots.txt"]
    return np.array(hits, dtype=np.float64)


def plot(curves: dict[str, list[np.ndarray]], path: Path) -> None:
    """Draw the mean harvest rate of the crawls after each share of the fetches."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure_, axes = plt.subplots(figsize=(6, 4))
    grid = np.linspace(0.01, 0.5, 100)
    for kind, style in zip(KINDS, ("-", "--"), strict=True):
        rates = [[rate_at(hits, share) for share in grid] for hits in curves[kind]]
        axes.plot(100 * grid, 100 * np.mean(rates, axis=0), style, label=kind)
        for each in rates:
            axes.plot(100 * grid, 100 * np.array(each), style, color="grey", linewidth=0.5)
    axes.set(xlabel="fetches, % of the web's pages", ylabel="harvest rate, %", ylim=(0, None))
    axes.legend()
    figure_.tight_layout()
    figure_.savefig(path, dpi=120)
    plt.close(figure_)


def rate_at(hits: np.ndarray, share: float) -> float:
    """Return the harvest rate after *share* of the fetches of a crawl that fetched half the web."""
    return float(hits[: max(1, round(2 * share * len(hits)))].mean())


def measure(n_hosts: int, n_pages: int, topics: tuple[str, ...], output: Path | None) -> None:
    """Print the figures of *topics*; assert that focus harvests more."""
    curves: dict[str, list[np.ndarray]] = {kind: [] for kind in KINDS}
    options = ("--hosts", str(n_hosts), "--pages", str(n_pages), "--plain")
    with tempfile.TemporaryDirectory() as name, served_web(Path(name), *options) as folder:
        sample = read_web(folder)
        half = sum(sample.n_pages(host.name) for host in sample.hosts()) // 2
        for topic in topics:
            for kind in KINDS:
                curves[kind].append(harvest(folder, topic, kind, half))
    data = f"sample web, {n_hosts} hosts, {n_pages} pages, {len(topics)} topics"
    for share in SHARES:
        rates = {kind: [rate_at(hits, share) for hits in curves[kind]] for kind in KINDS}
        for kind in KINDS:
            name = f"harvest_{kind.replace('-', '_')}_{share:.0%}".replace("%", "_percent")
            figure("focus", name, rates[kind], unit="share of fetches", data=data)
        # The point of the spider: what it fetches first is of the topic.
        assert all(np.array(rates["focused"]) > np.array(rates["breadth-first"])), (share, rates)
    if output is not None:
        plot(curves, output)


def main() -> None:
    """Crawl and print."""
    parser = ModuleParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="60 hosts, 600 pages, one topic")
    parser.add_argument("--plot", type=Path, help="where the plot goes, a PNG")
    arguments = parser.parse_args()
    if arguments.quick:
        measure(60, 600, TOPICS[:1], arguments.plot)
    else:
        measure(200, 4000, TOPICS, arguments.plot)


if __name__ == "__main__":
    main()
