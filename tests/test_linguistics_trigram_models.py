"""Models of triples: scores against a slow version, files, and the program that makes them."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from pipelines.linguistics import trigram_models
from pipelines.linguistics.trigram_models import HEAD, READ_CHARS, TrigramModel, main, read_model

texts = st.text(st.sampled_from("abcÄé 😀\u0301水\n\t\u00a0\ud800"), max_size=60)
# The first articles of the Universal Declaration of Human Rights, in Ladin's neighbours.
ITALIAN = (
    "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza "
    "e devono agire gli uni verso gli altri in spirito di fratellanza. Ad ogni individuo spettano tutti i diritti e "
    "tutte le libertà enunciate nella presente Dichiarazione, senza distinzione alcuna."
)
MORE_ITALIAN = (
    "Ogni individuo ha diritto alla vita, alla libertà ed alla sicurezza della propria persona. Nessun individuo potrà "
    "essere tenuto in stato di schiavitù o di servitù; la schiavitù e la tratta degli schiavi saranno proibite sotto "
    "qualsiasi forma. Nessun individuo potrà essere sottoposto a trattamento o a punizioni crudeli."
)
GERMAN = (
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und "
    "sollen einander im Geist der Brüderlichkeit begegnen. Jeder hat Anspruch auf die in dieser Erklärung verkündeten "
    "Rechte und Freiheiten ohne irgendeinen Unterschied."
)
SCRIPT = "function(a){var b=a.c;if(b){return b.d(a,{e:1,f:'g'});}}document.getElementById('x').innerHTML='';"


def slow_profile(text):
    """Count triples sign by sign, line by line, as the recipe does."""
    counts, pair = Counter(), "  "
    for line in (" ".join(line.split()) for line in text.split("\n")):
        if line:
            for sign in f"{line} ":
                counts[pair + sign] += 1
                pair = pair[1] + sign
    return counts


def slow_score(a, b):
    def norm(x):
        return math.sqrt(sum(n * n for n in x.values()))

    a, b = slow_profile(a), slow_profile(b)
    return sum(a[t] * b[t] for t in a) / (norm(a) * norm(b)) if a and b else 0


@given(texts, texts)
def test_scores_are_those_of_the_slow_version(text, of_language):
    model = TrigramModel.of(of_language.split("\n"))
    score = model.score(text)
    assert score == pytest.approx(slow_score(text, of_language), abs=1e-12)
    assert 0 <= score <= 1
    counts = {trigram_models._characters(key): n for key, n in zip(*map(np.ndarray.tolist, (model.keys, model.counts)), strict=True)}  # fmt: skip
    assert counts == slow_profile(of_language)


def test_a_model_of_much_text_is_counted_in_pieces(monkeypatch):
    whole = TrigramModel.of(ITALIAN.split())
    monkeypatch.setattr(trigram_models, "_CHUNK_CHARS", 20)
    pieces = TrigramModel.of(ITALIAN.split())
    assert pieces.lines() == whole.lines()


def test_languages_are_told_from_each_other():
    model = TrigramModel.of([ITALIAN])
    scores = [model.score(text) for text in (MORE_ITALIAN, GERMAN, SCRIPT)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 2 * scores[1]
    assert model.score(ITALIAN) == pytest.approx(1)


def test_what_is_read_of_a_text():
    model = TrigramModel.of([ITALIAN])
    read = (f"{ITALIAN} " * 100)[:READ_CHARS]
    assert len(read) == READ_CHARS
    assert model.score(read + GERMAN) == model.score(read)


def test_the_most_frequent_triples():
    model = TrigramModel.of(["aaaa ba"], n_triples=3)
    # "  a", " aa", "aaa" twice, "aa ", "a b", " ba", "ba "
    assert model.lines() == [HEAD, "aaa\t2", "  a\t1", " aa\t1"]


@given(texts.map(lambda text: text.replace("\ud800", "x")))
def test_a_model_is_read_as_it_was_written(tmp_path_factory, text):
    model = TrigramModel.of([text, "some"])
    path = tmp_path_factory.mktemp("models") / "model"
    path.write_bytes("".join(f"{line}\n" for line in model.lines()).encode())
    again = read_model(path)
    assert again.lines() == model.lines()
    assert again.score("some") == model.score("some")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is no model of triples; make one by python -m"),
        (b"the\t5\n", "is no model of triples"),
        (HEAD.encode(), "is no model of triples"),
        (b"\xff\xfe", "is no model of triples, nor any UTF-8 text"),
        (f"{HEAD}\nthe\t5\nth\t5\n".encode(), r"line 3 \('th\\t5'\) is no triple with a count"),
        (f"{HEAD}\nthe\t0\n".encode(), "line 2 "),
        (f"{HEAD}\nthe\t-1\n".encode(), "line 2 "),
        (f"{HEAD}\nthe\t²\n".encode(), "line 2 "),
        (f"{HEAD}\r\nthe\t5\r\n".encode(), "is no model of triples"),
        (f"{HEAD}\nthe\t5\n\n".encode(), "line 3 "),
        (f"{HEAD}\nthe\t5\nthe\t5\n".encode(), "line 3 "),
    ],
)
def test_what_is_no_model(tmp_path, content, told):
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(InputError, match=told):
        read_model(tmp_path / "model")


def test_the_program(tmp_path, capsysbinary):
    for name, text in (("one", ITALIAN), ("two", MORE_ITALIAN), ("three", GERMAN)):
        (tmp_path / name).write_text(f"\ufeff{text}", encoding="utf-8")
    assert main([str(tmp_path / "one"), str(tmp_path / "two")]) == 0
    written = capsysbinary.readouterr().out
    assert written.decode().splitlines() == TrigramModel.of([ITALIAN, MORE_ITALIAN]).lines()
    (tmp_path / "model").write_bytes(written)
    files = [str(tmp_path / name) for name in ("one", "three")]
    assert main(["--scores", str(tmp_path / "model"), *files]) == 0
    rows = [line.split("\t") for line in capsysbinary.readouterr().out.decode().splitlines()]
    assert [name for _, name in rows] == files
    assert float(rows[0][0]) > 0.8 > float(rows[1][0])


def test_no_text(tmp_path, capsys):
    (tmp_path / "empty").write_bytes(b" \n")
    assert main([str(tmp_path / "empty")]) == 2
    assert "holds no text; give running text of the language" in capsys.readouterr().err
