"""Pomikálek's studies of text nodes on a page whose figures are counted by hand."""

from __future__ import annotations

import json

import pytest

from pipelines.evaluation import node_studies
from pipelines.evaluation.node_studies import NodeFeatures, best_filters
from tests.gold_standard import write_standard

# Four paragraphs: 10 characters of a menu, 30 of the text, 8 and 6 of a mixed one, 12 of the text.
PAGE = """<html><body><ul><li><a href=/><kw class="krdwrd-tag-1-100">Front page</kw></a></li></ul>
<p><kw class="krdwrd-tag-3-100">of the first and of the second</kw></p>
<p><kw class="krdwrd-tag-3-80">and more</kw> <a href=/top><kw class="krdwrd-tag-1-60">to top</kw></a></p>
<p><kw class="krdwrd-tag-2-60">it may be so</kw></p></body></html>"""


@pytest.fixture
def canola(tmp_path):
    folder = tmp_path / "canola"
    folder.mkdir()
    (folder / "1.html").write_text(PAGE, encoding="utf-8")
    return folder


def run(capsys, *arguments):
    status = node_studies.main([*map(str, arguments)])
    done = capsys.readouterr()
    return status, done.out, done.err


def test_figures(canola, capsys):
    methods = "keep-all,minimum-words:min_words=4"
    status, out, _ = run(capsys, canola, "--methods", methods, "--json")
    assert status == 0
    told = json.loads(out)
    # Perfect cleaning cuts at what is bad: 30 and 8 stand together, and 12 by itself.
    assert told["fragments"]["perfect"] == {"mean_chars": 25, "median_chars": 25, "per_page": 2}
    assert told["fragments"]["keep-all"] == {"mean_chars": 66, "median_chars": 66, "per_page": 1}
    # Link and text are one block to the method, as `a` is no gap: four words.
    assert told["fragments"]["minimum-words:min_words=4"]["mean_chars"] == 30 + 8 + 6 + 12
    assert told["coherence"] == {"n_mixed": 1, "n_paragraphs": 3}
    # Menu and text are told apart by any feature, the mixed paragraph by none: 38 of 44 characters, or 30 of 30 of 38.
    assert told["filters"]["f1"]["link density"] == [0.5, pytest.approx(2 * 38 / (38 + 44))]
    assert told["filters"]["f0.5"]["link density"][1] == pytest.approx(
        max(1.25 * 38 / (0.25 * 38 + 44), 1.25 * 30 / (0.25 * 38 + 30))
    )


def test_nodes_on_which_few_agree_are_left_out(canola, capsys):
    _, out, _ = run(capsys, canola, "--methods", "bte", "--min-agreement", 80, "--json")
    told = json.loads(out)
    assert told["coherence"] == {"n_mixed": 0, "n_paragraphs": 3}
    assert told["filters"]["f1"]["link density"][1] == 1
    # Nothing is left of good and bad ones.
    uncertain = PAGE.replace("tag-1-", "tag-2-").replace("tag-3-", "tag-2-")
    (canola / "1.html").write_text(uncertain, encoding="utf-8")
    _, out, _ = run(capsys, canola, "--methods", "bte", "--json")
    assert json.loads(out)["filters"] == {}


def test_screen(canola, capsys):
    _, out, _ = run(capsys, canola, "--methods", "keep-all")
    lines = out.splitlines()
    assert lines[0] == "fragments"
    assert lines[2].split() == ["perfect", "25.0", "25", "2.00"]
    assert "paragraphs with good and bad nodes: 1 of 3" in lines
    assert next(line for line in lines if line.startswith("link density")).split()[2] == "0.5"


def test_filters_keep_what_is_at_the_threshold():
    nodes = [
        NodeFeatures(0.2, 20, 0.3, is_good=True, chars=9),
        NodeFeatures(0.22, 19, 0.28, is_good=False, chars=9),
    ]
    found = best_filters(nodes, 1.0)
    assert found == {
        "link density": (0.2, 1.0),
        "tokens": (20, 1.0),
        "stop words": (0.3, 1.0),
        "tokens; stop words": (0, 0.3, 1.0),
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{none}"], "does not exist"),
        (["{plain}"], "has labels of text nodes; give"),
        (["{canola}", "--methods", "magic"], "--methods: unknown cleaning method"),
        (["{canola}", "--methods", "peer/justext"], "gives no blocks; name methods of ours"),
        (["{canola}", "--min-agreement", "101"], "--min-agreement is 101; give 0 to 100"),
    ],
)
def test_wrong_calls(canola, tmp_path, capsys, arguments, said):
    plain = write_standard(tmp_path / "plain", [("news", 1)])
    places = {"none": tmp_path / "none", "plain": plain, "canola": canola}
    status, out, err = run(capsys, *(one.format(**places) for one in arguments))
    assert (status, out) == (2, "")
    assert said in err
