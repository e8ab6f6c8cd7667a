"""Wrong calls of what is run by ``python -m``: one line, exit 2; a reader that ends early is no error."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.forked_commands import complete_python


def run(command, folder):
    """Run *command*, where ``-m`` is Python's, with *folder* in place of FOLDER; by a shell for its streams."""
    if not set(command) & set("<>|"):
        option, module, *arguments = command.replace("FOLDER", str(folder)).split()
        package = "" if module.startswith(("crawler.", "tests.")) else "pipelines."
        return complete_python(option, package + module, *arguments)
    python = f"{shlex.quote(sys.executable)} -m pipelines."
    line = command.replace("-m ", python, 1).replace("FOLDER", str(folder))
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("-m duplicates.onion FOLDER/none", "cannot use FOLDER/none: No such file"),
        ("-m duplicates.onion FOLDER", "cannot use FOLDER: Is a directory"),
        ("-m duplicates.onion FOLDER/words -n 0", "see --help"),
        ("-m duplicates.onion -q FOLDER <&-", "cannot use FOLDER: Is a directory"),
        ("-m duplicates.onion <&-", "standard input is closed; name a file"),
        ("-m linguistics.stop_lists - <&-", "standard input is closed; name a file"),
        ("-m linguistics.stop_lists FOLDER/none", "cannot use FOLDER/none: No such file"),
        ("-m linguistics.stop_lists FOLDER/binary", "FOLDER/binary is no UTF-8 text"),
        ("-m linguistics.stop_lists FOLDER/words > /dev/full", "cannot use the output: No space"),
        ("-m evaluation.training.shallow FOLDER/none", "FOLDER/none does not exist"),
        ("-m evaluation.training.shallow FOLDER FOLDER/gold", "FOLDER/gold is given twice"),
        ("-m evaluation.training.justext FOLDER", "no page has main text"),
        ("-m evaluation.training.justext FOLDER/none", "FOLDER/none does not exist"),
        ("-m evaluation.training.victor FOLDER", "no page has main text"),
        (
            "-m evaluation.training.winnow --data FOLDER --trees many",
            "argument --trees: invalid int",
        ),
        ("-m evaluation.training.winnow --data FOLDER/none", "FOLDER/none does not exist"),
        ("-m evaluation.duplicates", "the following arguments are required: folder; see --help"),
        ("-m evaluation.duplicates --fast", "unrecognized arguments: --fast; see --help"),
        ("-m jobs.topic_study labels --fast", "unrecognized arguments: --fast; see --help"),
        ("-m evaluation.duplicates FOLDER", "FOLDER has neither copycat"),
        ("-m evaluation.duplicates.studies --documents 0", "see --help"),
        (
            "-m evaluation.canola_split FOLDER --tset 3",
            "unrecognized arguments: --tset; see --help",
        ),
        ("-m jobs.concordance FOLDER/none word", "no corpus in FOLDER/none"),
        ("-m linguistics.trigram_models FOLDER/none", "cannot use FOLDER/none: No such file"),
        ("-m linguistics.trigram_models FOLDER/binary", "FOLDER/binary is no UTF-8 text"),
        ("-m linguistics.trigram_models - <&-", "standard input is closed; name a file"),
        (
            "-m linguistics.trigram_models FOLDER/words --scores FOLDER/words",
            "FOLDER/words is no model of triples; make one by",
        ),
        ("-m linguistics.trigram_models FOLDER/words -n 0", "size must be at least 1, got 0"),
        ("-m jobs.collocations FOLDER/none word", "no corpus in FOLDER/none"),
        ("-m jobs.wikipedia_words FOLDER/none", "cannot use FOLDER/none: No such file"),
        ("-m jobs.wikipedia_words - <&-", "standard input is closed; name a file"),
        ("-m jobs.topic_study forest", "invalid choice: 'forest'"),
        ("-m jobs.topic_study labels FOLDER/none", "FOLDER/none"),
        ("-m retrieval.experiment --no-such-option", "see --help"),
        ("-m crawler.seeds.keywords FOLDER/words -n x", "argument -n: invalid int value: 'x'"),
        ("-m tests.benchmarks.bench_encoding --slow", "unrecognized arguments: --slow; see --help"),
    ],
)
def test_wrong_calls(tmp_path, command, told):
    (tmp_path / "gold" / "pages").mkdir(parents=True)
    row = '{"id": "1", "with": ["some words"]}'
    (tmp_path / "gold" / "manifest.jsonl").write_text(row, encoding="utf-8")
    (tmp_path / "gold" / "pages" / "1.html").write_text("<p>some words", encoding="utf-8")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "words").write_text("some words of a text", encoding="utf-8")
    done = run(command, tmp_path)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("winnow: ")
    assert done.stderr.count("\n") == 1
    assert told.replace("FOLDER", str(tmp_path)) in done.stderr


@pytest.mark.slow
def test_a_reader_that_ends_early_is_no_error(tmp_path):
    lines = "\n".join(f"word{number}" for number in range(50_000))
    (tmp_path / "words.vert").write_text(f"<doc>\n<p>\n{lines}\n</p>\n</doc>\n", encoding="utf-8")
    done = run("-m duplicates.onion FOLDER/words.vert | head -n 1", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\t<doc>\n", "")


@pytest.mark.parametrize("module", ["evaluation.training.shallow", "retrieval.experiment"])
def test_usage_names_the_folder_before_options_that_would_take_it(tmp_path, module):
    asked = run(f"-m {module} --help", tmp_path).stdout.partition("\n\n")[0]
    folder, options = " ".join(asked.split()).partition(f"{module} ")[2].split(" ", 1)
    assert folder in {"corpus", "folders"}
    assert options.endswith("[options]")


@pytest.mark.parametrize(
    "module", ["evaluation.training.shallow", "evaluation.node_studies", "retrieval.experiment"]
)
def test_usage_fits_a_terminal(tmp_path, module):
    assert max(map(len, run(f"-m {module} --help", tmp_path).stdout.splitlines())) <= 80


def test_help_of_a_training_program_is_its_own(tmp_path):
    asked = run("-m evaluation.training.justext --help", tmp_path).stdout
    assert asked.startswith("usage: python -m pipelines.evaluation.training.justext [-h] folder")
    assert "prints the parameters after each step" in " ".join(asked.split())
    assert "writes" not in asked
