"""``scrapy sampleweb``: serves the sample web on loopback, or checks a corpus against its answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand
from crawler.commands.corpus_folder import checked_corpus
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse

_MAX = {
    "hosts": 10_000,
    "pages": 1_000_000,
    "largest": 1_000_000,
    "traps": 500,
    "port": 65_535,
    "edition": 1000,
}
_FROM_0 = ("largest", "traps", "port")


class Command(WinnowCommand):
    """Serves until interrupted, or while the command after ``--`` runs."""

    def syntax(self) -> str:
        return "[options] [-- COMMAND ...]"

    def short_desc(self) -> str:
        return "Serve the sample web on loopback, or check a crawl of it"

    def long_desc(self) -> str:
        return (
            "Serve a deterministic web of many hosts on addresses of 127.0.0.0/8. It writes hosts.tsv "
            "(for the setting HOSTS_FILE), seeds.rdf, seeds.tsv and requests.tsv, its log, into the "
            "folder. With a COMMAND after --, it serves while the command runs, and ends with its exit "
            "code; without one it serves until it is interrupted.\n"
            "\n"
            "--check compares the corpus of a crawl with the answers that the web knows, those of the "
            "first edition, and ends with exit code 1 where they differ.\n"
            "\n"
            "Examples:\n"
            "  SCRAPY_PROJECT=local scrapy sampleweb --folder sw -- \\\n"
            "    scrapy crawl odp -a seeds=sw/seeds.rdf -s HOSTS_FILE=sw/hosts.tsv \\\n"
            "      -s CORPUS_DIR=mine --nolog\n"
            "  scrapy sampleweb --folder sw --check mine"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("the sample web")
        group.add_argument("--hosts", type=int, help="hosts, 1 to 10,000 (60)")
        group.add_argument("--pages", type=int, help="ordinary pages, 1 to 1,000,000 (3000)")
        group.add_argument("--largest", type=int, default=0, help="pages of the largest host (0)")
        group.add_argument("--plain", action="store_true", help="only hosts without peculiarities")
        group.add_argument(
            "--traps", type=int, default=0, help="sets of endless traps, 9 kinds (0)"
        )
        group.add_argument(
            "--edition", type=int, default=1, help="from 2 on some pages changed, some gone (1)"
        )
        group.add_argument("--seed", type=int, help="what the web is drawn from (1)")
        group.add_argument("--port", type=int, default=0, help="port, 0 takes free ones (0)")
        group.add_argument("--folder", default="sampleweb", help="where the files go (sampleweb)")
        group.add_argument("--check", metavar="CORPUS", help="compare this corpus with the answers")
        group.add_argument("--json", action="store_true", help="print the comparison as JSON")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        """Serve or check."""
        _check_ranges(opts)
        command = args[1:] if args[:1] == ["--"] else args
        if command and command[0].startswith("-"):
            raise InputError(f"unknown option {command[0]}; see --help")
        if command and opts.check:
            raise InputError("--check takes no command; run it after the crawl")
        if opts.check and opts.edition != 1:
            raise InputError("--check knows the answers of the first edition; leave --edition out")
        if opts.json and not opts.check:
            raise InputError("--json is of --check; leave it out")
        if opts.check and opts.port:
            raise InputError("--check serves nothing; leave --port out")
        folder = Path(opts.folder)
        if opts.check:
            self._check(folder, opts)
        else:
            self._serve(folder, opts, command)

    def _serve(self, folder: Path, opts: argparse.Namespace, command: list[str]) -> None:
        from crawler.sampleweb.running import serve
        from crawler.sampleweb.web import SampleWeb

        try:
            sample = SampleWeb(
                1 if opts.seed is None else opts.seed,
                opts.hosts or 60,
                opts.pages or 3000,
                plain=opts.plain,
                largest=opts.largest,
                n_traps=opts.traps,
            )
        except ValueError as error:
            raise InputError(f"{error}; give more hosts or fewer traps") from error
        self.exitcode = serve(sample, folder, port=opts.port, edition=opts.edition, command=command)

    def _check(self, folder: Path, opts: argparse.Namespace) -> None:
        from crawler.sampleweb.running import read_web
        from pipelines.jobs.sample_answers import CrawlRules, compare, report, report_json

        assert self.settings is not None
        rules = CrawlRules(
            retries=self.settings.getint("FETCH_RETRIES"),
            max_hops=self.settings.getint("REDIRECT_MAX_HOPS"),
        )
        sample = read_web(folder, seed=opts.seed, n_hosts=opts.hosts, n_pages=opts.pages)
        result = compare(checked_corpus(Path(opts.check)), sample, folder, rules=rules)
        print(report_json(result) if opts.json else report(result))
        self.exitcode = 0 if result.equal else 1


def _check_ranges(opts: argparse.Namespace) -> None:
    for name, most in _MAX.items():
        value = getattr(opts, name)
        least = 0 if name in _FROM_0 else 1
        if value is not None and not least <= value <= most:
            raise InputError(f"--{name} must be {least} to {most}, got {value}; see --help")
