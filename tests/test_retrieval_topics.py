"""Files of queries and of judgements: those of TREC, and tables."""

from __future__ import annotations

import pytest

from crawler.errors import InputError
from pipelines.retrieval.topics import read_judgements, read_queries

TOPICS = """<top>
<num> Number: 851 </num>
<title> "March of the Penguins"
<desc> Description:
Opinion on the film.
</top>
<top><num>Number: 852<title>larry summers</title></top>"""


def test_queries_and_judgements(tmp_path):
    topics, table = tmp_path / "topics", tmp_path / "queries.tsv"
    topics.write_text(TOPICS, encoding="utf-8")
    expected = {"851": '"March of the Penguins"', "852": "larry summers"}
    assert read_queries(topics) == expected
    table.write_text("# queries\n851\tmarch penguins\n\n852\tlarry\n", encoding="utf-8")
    assert read_queries(table) == {"851": "march penguins", "852": "larry"}
    qrels = tmp_path / "qrels"
    qrels.write_text("851 0 BLOG06-1 2\n851 0 BLOG06-2 -1\n852 0 BLOG06-1 0\n", encoding="utf-8")
    assert read_judgements(qrels) == {
        "851": {"BLOG06-1": 2, "BLOG06-2": -1},
        "852": {"BLOG06-1": 0},
    }
    qrels.write_text("851\thttp://a.example/a b\t1\n", encoding="utf-8")
    assert read_judgements(qrels) == {"851": {"http://a.example/a b": 1}}


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_queries, "", "holds no query; give TREC topics"),
        (read_queries, "851 no tab", "line 1 is no query; write NAME<tab>QUERY"),
        (read_judgements, "#\n", "holds no judgement"),
        (read_judgements, "\n851 0 page", "line 2 is no judgement"),
        (read_judgements, "851 0 page good", "line 1 is no judgement"),
        (
            read_queries,
            "1\tone\n2\ttwo\n1\tone\n1\ttwo",
            "line 4 has another query that is named 1",
        ),
        (
            read_queries,
            f"{TOPICS}\n<top><num>851<title>x",
            "line 8 has another query that is named",
        ),
        (read_queries, f"{TOPICS}\n<top><num>853<desc>x", "line 8 begins a topic without"),
        (
            read_judgements,
            "1 0 a 1\n2 0 a 0\n1 0 a 1\n1 0 a 0",
            "line 4 gives a another grade for 1",
        ),
        (read_judgements, "\udcff", "cannot be read as UTF-8"),
    ],
)
def test_wrong_files(read, text, message, tmp_path):
    file = tmp_path / "file"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=message):
        read(file)
