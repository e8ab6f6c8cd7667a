"""``scrapy laws`` on stored corpora: tables, plots, the page, wrong calls."""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
from base64 import b64decode

import pytest
from scrapy.cmdline import ScrapyArgumentParser
from scrapy.settings import Settings

from crawler.commands.base import PROJECT_DEFAULTS
from crawler.commands.laws import Command
from pipelines.jobs.laws import run
from pipelines.jobs.laws.fits import PUBLISHED
from pipelines.jobs.laws.gather import LawsOptions
from pipelines.jobs.laws.plots import ALL_PLOTS, plot_classes, plot_templates
from pipelines.jobs.laws.run import fit_corpus, write_report
from tests.laws_corpus import block, made_documents, make_corpus, url

PNG = b"\x89PNG\r\n\x1a\n"


def run_laws(*arguments, **settings):
    """Run the command in this process; return exit code, stdout and stderr."""
    command = Command()
    command.settings = Settings({**PROJECT_DEFAULTS, **settings})
    parser = ScrapyArgumentParser(prog="laws", conflict_handler="resolve")
    command.add_options(parser)
    opts, args = parser.parse_known_args([str(argument) for argument in arguments])
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        command.run(args, opts)
    return command.exitcode, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("laws") / "corpus"
    make_corpus(folder, made_documents(150))
    return folder


def run_kept(*arguments, **settings):
    """Run the command, which is to succeed; return what it printed, and the report of it."""
    reports = []

    def kept(*of_corpus, **options):
        reports.append(fit_corpus(*of_corpus, **options))
        return reports[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "fit_corpus", kept)
        code, out, err = run_laws(*arguments, **settings)
    assert (code, err) == (0, "")
    (report,) = reports
    return out, report


@pytest.fixture(scope="module")
def printed_report(corpus):
    """What the command printed on *corpus*, of which it wrote laws/, and the report of it."""
    return run_kept("--min-documents", "scaled", "--document", url(5), CORPUS_DIR=corpus)


@pytest.fixture(scope="module")
def of_a_crawl(small_crawl):
    """What the command printed on the corpus of a crawl, in JSON, and the report of it."""
    return run_kept("--corpus", small_crawl[1], "--json", "--no-plots")


@pytest.fixture(scope="module")
def printed(printed_report):
    return printed_report[0]


@pytest.mark.slow
def test_tables(printed, corpus):
    titles = ("Corpus", "Laws", "Term typicality", "Full-stop criterion", "Templates", "Document")
    for title in titles:
        assert f"\n{title}" in f"\n{printed}"
    assert "documents                   148" in printed  # and two are empty
    assert f"Document {url(5)}" in printed
    assert "long text (density > 8)" in printed
    assert printed.rstrip().endswith(str(corpus / "laws" / "laws.html"))


@pytest.mark.slow
def test_plots_and_the_page(printed, corpus):
    folder = corpus / "laws"
    names = sorted(f"{name}.png" for name in ALL_PLOTS)
    assert sorted(path.name for path in folder.iterdir()) == sorted([*names, "laws.html"])
    assert all(path.read_bytes()[:8] == PNG for path in folder.glob("*.png"))
    page = (folder / "laws.html").read_text("utf-8")
    images = re.findall(r'src="data:image/png;base64,([^"]+)"', page)
    assert [b64decode(image)[:8] for image in images] == [PNG] * len(names)
    # Nothing outside the file is asked for.
    assert not re.findall(r'(?:src|href)="(?!data:)|<script|url\(', page)


@pytest.mark.slow
@pytest.mark.parametrize("plot", [plot_classes, plot_templates])
def test_legends_cover_no_bar(of_a_crawl, plot):
    drawn = plot(of_a_crawl[1])
    drawn.draw_without_rendering()
    for panel in drawn.axes:
        legend = panel.get_legend().get_window_extent()
        boxes = [bar.get_window_extent() for bar in panel.patches if bar.get_height()]
        assert boxes
        assert not [box for box in boxes if legend.overlaps(box)]


@pytest.mark.long
@pytest.mark.slow
def test_a_second_run_draws_the_same(printed, corpus, tmp_path):
    report = fit_corpus(corpus, LawsOptions(min_documents=None))
    (tmp_path / "document.png").write_bytes(b"of an earlier run")
    files = write_report(report, tmp_path)
    assert sorted(files) == sorted(str(path) for path in tmp_path.iterdir())
    assert not (tmp_path / "document.png").exists()
    for path in tmp_path.glob("*.png"):
        assert path.read_bytes() == (corpus / "laws" / path.name).read_bytes(), path.name


@pytest.mark.slow
def test_the_object_names_every_law(printed_report):
    _, report = printed_report
    plain = json.loads(json.dumps(report.as_json()))
    assert (plain["documents"], plain["documents_without_words"]) == (148, 2)
    keys = [law["key"] for law in plain["laws"]]
    assert len(set(keys)) == len(keys)
    assert set(PUBLISHED) <= set(keys)
    for law in plain["laws"]:
        assert law["note"] or math.isfinite(law["r2"]), law
    assert plain["quotient_alternatives"]
    assert 0 < plain["full_stop"]["segments"]["share"] < 1
    assert plain["templates"]["templates"] > 0
    assert sum(each["words"] for each in plain["classes"].values()) == plain["tokens"]
    assert report.law("zipf").fit.law == "Zipf"
    with pytest.raises(KeyError):
        report.law("gravity")


@pytest.mark.slow
@pytest.mark.parametrize(
    "documents",
    [
        [[block("word", 0)]],
        [[block("word", 0)]] * 3,
        [[block("Home", 0), block("About us", 1)], [block("It is. Is it? " * 9, 0)]],
    ],
)
def test_a_corpus_too_small_says_so(tmp_path, documents):
    corpus = tmp_path / "corpus"
    make_corpus(corpus, documents)
    before = sorted(corpus.rglob("*"))
    arguments = ("--corpus", corpus, "--json", "--no-plots", "--min-documents", "1")
    code, out, err = run_laws(*arguments)
    assert (code, err) == (0, "")
    laws = json.loads(out)["laws"]
    assert set(PUBLISHED) <= {law["key"] for law in laws}
    assert any(law["note"] for law in laws)
    assert sorted(corpus.rglob("*")) == before


@pytest.mark.long
def test_plots_without_fits_and_of_any_script(tmp_path):
    corpus = tmp_path / "corpus"
    make_corpus(corpus, [[block("数据科学", 0), block("ดี", 1), block("$x_1^2$ \\frac", 2)]])
    code, _, err = run_laws("--corpus", corpus, "--min-documents", "1")
    assert (code, err) == (0, "")
    assert (corpus / "laws" / "term_typicality.png").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--min-documents", "many"], "--min-documents is 'many'; give a whole number"),
        (["--min-documents", "0"], "--min-documents must be at least 1, got 0; see --help"),
        (["--template-frequency", "1"], "--template-frequency must be at least 2, got 1"),
        (["--max-entries", "1"], "--max-entries must be at least 2, got 1"),
        (["--document", "http://none.sample/"], "no document http://none.sample/ in "),
        (["extra"], "unexpected argument 'extra'"),
        (["--no-plots", "--output", "x"], "--no-plots writes nothing; leave it or --output out"),
        (["--fast"], "unknown option --fast"),
    ],
)
def test_wrong_call_is_one_line_and_writes_nothing(tmp_path, options, message):
    corpus = tmp_path / "corpus"
    make_corpus(corpus, made_documents(5))
    code, out, err = run_laws("--corpus", corpus, *options)
    assert (code, out) == (2, "")
    assert err.startswith("winnow: ")
    assert message in err
    assert err.count("\n") == 1
    assert not (corpus / "laws").exists()


def test_no_corpus_no_text_and_no_room(tmp_path):
    code, out, err = run_laws("--corpus", tmp_path / "none")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no corpus in" in err
    assert not (tmp_path / "none").exists()
    make_corpus(tmp_path / "corpus", [[], []])
    assert "no documents with text in" in run_laws("--corpus", tmp_path / "corpus")[2]
    make_corpus(tmp_path / "small", [[block("word", 0)]])
    (tmp_path / "file").write_text("in the way")
    code, out, err = run_laws("--corpus", tmp_path / "small", "--output", tmp_path / "file")
    assert (code, out) == (2, "")
    assert "file, which is no folder; name one" in err
    assert err.count("\n") == 1
    # before the corpus is read, which takes long
    early = ("--document", "http://none.sample/", "--output", tmp_path / "file")
    assert "which is no folder; name one" in run_laws("--corpus", tmp_path / "small", *early)[2]


@pytest.mark.slow
def test_the_laws_of_a_crawl(of_a_crawl):
    report = json.loads(of_a_crawl[0])
    assert report["documents"] > 100
    fitted = {law["key"]: law["r2"] for law in report["laws"]}
    assert fitted["density_beta_beta_gauss"] > 0.8
    assert fitted["stratified_random_writer"] > 0.8
