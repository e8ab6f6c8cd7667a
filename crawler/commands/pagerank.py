"""``scrapy pagerank``: ranks the pages of a corpus folder's graph, and writes ``ranks/``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from crawler.commands.base import WinnowCommand, check_no_extras
from crawler.commands.corpus_folder import corpus_of, ranks_output
from crawler.errors import refused_option
from crawler.ranking.corpus.job_texts import (
    OPTIONS,
    check_used,
    read_job,
    read_options,
    read_topic_options,
    read_topics,
)

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from crawler.ranking.corpus.ranks import RankReport
    from crawler.ranking.corpus.topic_report import TopicReport
    from crawler.ranking.corpus.topics import TopicOptions
    from crawler.ranking.options import RankJob, RankOptions


class Command(WinnowCommand):
    """Options as in `OPTIONS`; results on stdout, as a screen or with ``--json`` as an object."""

    values = OPTIONS
    flags = (("json", "print one JSON object"),)

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Rank the pages of a corpus by PageRank"

    def long_desc(self) -> str:
        return (
            "Rank every page of the link graph of a corpus folder by PageRank, whether it was fetched or "
            "only linked to. Writes ranks/pagerank.parquet there: host_id, local_id, url, rank (the mean "
            "rank is 1). A run that was killed goes on at its last checkpoint; one that finds old ranks "
            "starts from them. --output writes them elsewhere, as where the corpus may not be written; what "
            "else reads ranks looks in the corpus.\n"
            "\n"
            "--topics ranks by topic instead, and writes ranks/topics.parquet: a rank for each category "
            "of the seeds, or of a file, whose third column, if it has one, is the weight of a page: the share of "
            "jumps that go there (none weighs 1). Categories that begin as 'country:de' are of another dimension "
            "than topics (`scrapy facets`). --topics tld has the top-level domains with most pages as such a "
            "dimension, as 'tld:de'; --topics seeds,tld and FILE,tld have them beside the others.\n"
            "\n"
            "--internal-share 0.3 ranks by other links than each alike: a page gives that share of its rank "
            "to links within its host, and the rest to other hosts; all, where it has links of one kind. With "
            "--topics, too; topics are ranked one by one then, which takes longer.\n"
            "\n"
            '--json has in "changes" how much a page\'s rank changed on average, of the mean 1, iteration by '
            "iteration (not of topics); of more than 200, some.\n"
            "\n"
            "--engine spark gives the same ranks on any Spark master (extra [spark], Java 17). The code "
            "is sent along; the workers need its dependencies.\n"
            "\n"
            "Examples:\n"
            "  scrapy pagerank --corpus mine\n"
            "  scrapy pagerank --corpus mine --topics seeds,tld\n"
            "  scrapy pagerank --corpus mine --engine spark --master spark://host:7077"
        )

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        check_no_extras(args, allowed=0)
        try:
            check_used(vars(opts))
            options, job = read_options(vars(opts)), read_job(vars(opts))
            topic_options = read_topic_options(vars(opts)) if opts.topics is not None else None
        except ValueError as error:
            raise refused_option(error, vars(opts)) from error
        folder = corpus_of(self.settings, opts)
        output = ranks_output(folder, opts.output)
        if topic_options is None:
            report: RankReport | TopicReport = _ranked(folder, options, job, output)
        else:
            report = _topics_ranked(
                folder, options, job, topic_options, topics=opts.topics, output=output
            )
        print(json.dumps(asdict(report)) if opts.json else report.screen())


def _ranked(folder: Path, options: RankOptions, job: RankJob, output: Path | None) -> RankReport:
    from crawler.ranking.corpus.ranks import rank_corpus

    return rank_corpus(folder, options, job, output=output)


def _topics_ranked(
    folder: Path,
    options: RankOptions,
    job: RankJob,
    topic_options: TopicOptions,
    *,
    topics: str,
    output: Path | None,
) -> TopicReport:
    from crawler.ranking.corpus.topics import rank_topics

    return rank_topics(
        folder,
        options,
        topic_options,
        listed=read_topics(topics),
        job=job,
        output=output,
    )
