"""onion's vertical input and output, and its judgement of paragraphs, against a slow version."""

from __future__ import annotations

import io
import os
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import InputError
from pipelines.duplicates.onion import OnionCounts, OnionOptions, deduplicate_vertical, main
from pipelines.duplicates.onion_paragraphs import OnionParagraphs
from pipelines.duplicates.onion_vertical import OUTSIDE, read_vertical
from tests.conftest import start_python

PRAGUE = "The train to Prague leaves at ten past nine from platform two . Please stand back ."
BRNO = "The train to Brno leaves at ten past nine from platform five . Please stand back ."
OTHER = "Nobody has ever seen the lake below this old mill freeze before the end of March"


def vertical(*documents):
    """Return a file of documents, each a list of paragraphs."""
    lines = []
    for number, paragraphs in enumerate(documents):
        lines.append(f'<doc id="{number}">')
        for paragraph in paragraphs:
            lines += ["<p>", *paragraph.split(), "</p>"]
        lines.append("</doc>")
    return "".join(f"{line}\n" for line in lines).encode()


def run(data, **options):
    return b"".join(deduplicate_vertical(io.BytesIO(data), OnionOptions(**options)))


def test_a_near_duplicate_paragraph_of_the_same_document_is_stripped():
    data = vertical([PRAGUE, BRNO])
    assert run(data, strip=True, max_stub=0) == vertical([PRAGUE])


def test_a_paragraph_that_is_covered_to_the_threshold_stays():
    words = [f"word{number}" for number in range(100)]
    copied, new = words[:29], [f"new{number}" for number in range(71)]
    data = vertical([" ".join(words)], [" ".join([*copied, *new])])
    # .29 * 100 is a little less than 29.
    assert run(data, strip=True, t=0.29) == data
    assert run(data, strip=True, t=0.28) == vertical([" ".join(words)])


def test_ngrams_longer_than_any_document_are_in_none():
    data = vertical([PRAGUE], [PRAGUE])
    assert run(data, strip=True, n=10**9) == data


def test_marks_are_put_before_every_line():
    mostly_new = f"{PRAGUE} {OTHER[::-1]} and five words more"
    data = vertical([PRAGUE, OTHER], [OTHER, mostly_new])
    out = run(data)
    first, second = vertical([PRAGUE, OTHER]), vertical([OTHER, mostly_new])
    assert out.startswith(b"".join(b"0\t" + line + b"\n" for line in first.splitlines()))
    marks = [line[:1] for line in out.splitlines()[len(first.splitlines()) :]]
    # the document's line, then the paragraph with its tags
    n = len(OTHER.split()) + 2
    assert marks[: n + 2] == [b"0", *[b"1"] * n, b"0"]
    assert b"".join(line[2:] + b"\n" for line in out.splitlines()) == data
    assert len(marks) == len(second.splitlines())


def test_a_document_without_text_that_is_left_goes_with_its_lines():
    data = vertical([PRAGUE], [PRAGUE], [OTHER])
    assert run(data, strip=True).count(b"<doc") == 2
    assert run(data, strip=True).startswith(vertical([PRAGUE]))
    marks = [line[:1] for line in run(data).splitlines()]
    n = len(vertical([PRAGUE]).splitlines())
    assert marks == [b"0"] * n + [b"1"] * n + [b"0"] * (len(marks) - 2 * n)


def test_stubs_between_duplicates_go_unless_smoothing_is_off():
    stub = "a stub of six words here"
    data = vertical([PRAGUE, OTHER], [PRAGUE, stub, OTHER, "new words at the end"])
    assert stub.split()[1].encode() not in run(data, strip=True)
    assert b"\nstub\n" in run(data, strip=True, max_stub=0)
    assert b"\nstub\n" in run(data, strip=True, max_stub=5)
    # not between duplicates
    assert b"\nnew\nwords\n" in run(data, strip=True)


def test_threshold_must_be_exceeded():
    ten = "one two three four five six seven eight nine ten"
    half = "one two three four five SIX SEVEN EIGHT NINE TEN"
    data = vertical([ten], [half])
    assert run(data, strip=True) == data
    assert run(data, strip=True, t=0.49) == vertical([ten])
    assert run(data, strip=True, n=6, t=0.0) == data


def test_ngrams_run_across_paragraphs_and_not_across_documents():
    five = "one two three four five"
    # the last two words of a paragraph and the first three of the next are one n-gram
    across = vertical([five], ["x y z one two", "three four five v w"])
    assert run(across, t=0.5, strip=True) == vertical([five], ["x y z one two"])
    apart = vertical([five], ["x y z one two"], ["three four five v w"])
    assert run(apart, t=0.0, strip=True) == apart


def test_what_a_failed_paragraph_had_new_is_kept_further_down():
    old, new = "a b c d e f g h i j", "k l m n o p"
    data = vertical([old], [f"{old} {new}", new])
    assert run(data, strip=True) == vertical([old], [new])


def test_other_names_columns_and_structures():
    data = (
        b"<text>\n<par>\n<s>\n" + b"".join(b"%s\tNN\n" % word.encode() for word in OTHER.split())
    ) + b"<g/>\n</s>\n</par>\n</text>\n"
    twice = data + data.replace(b"\tNN", b"\tVB")
    assert run(twice, document="text", paragraph="par", strip=True) == data
    document = next(read_vertical(io.BytesIO(data), document="text", paragraph="par"))
    assert document.paragraphs.tolist() == [OUTSIDE, *[0] * (len(document.lines) - 2), OUTSIDE]
    assert len(document.tokens) == len(OTHER.split())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"one\ntwo\n",
        b"<doc>\n<doc>\n<p>\n<p>\na\n</doc>\n</p>\nb\n",
        b"</doc>\n</p>\n",
        b"<\n>\n<3\n< doc>\na < b\n",
        b"<doc>\n<p>\n\xff\xfe\x00\n\tNN\n</p>",
        b"<doc>\r\n<p>\r\none\r\n</p>\r\n</doc>\r\n",
    ],
)
def test_broken_files_lose_no_line(data):
    assert run(data, strip=True) == data
    assert b"".join(line for doc in read_vertical(io.BytesIO(data)) for line in doc.lines) == data


def test_long_documents_are_read_in_parts():
    data = vertical([PRAGUE, OTHER])
    parts = list(read_vertical(io.BytesIO(data), max_lines=10))
    assert [len(part.lines) for part in parts[:-1]] == [10] * (len(parts) - 1)
    assert b"".join(line for part in parts for line in part.lines) == data


def slow_onion(documents, n, t, max_stub):
    """Judge paragraphs with sets of tuples, word by word."""
    known, verdicts = set(), []
    for paragraphs in documents:
        words = [word for paragraph in paragraphs for word in paragraph]
        passed, covered, is_duplicate, start = set(), set(), [], 0
        for paragraph in paragraphs:
            end = start + len(paragraph)
            tried = set()
            for i in range(start, end):
                ngram = tuple(words[i : i + n])
                if len(ngram) < n:
                    continue
                if ngram in known | passed | tried:
                    covered |= set(range(i, i + n))
                tried.add(ngram)
            n_covered = len(covered & set(range(start, end)))
            is_duplicate.append(bool(paragraph) and n_covered / len(paragraph) > t)
            if not is_duplicate[-1]:
                passed |= tried
            start = end
        verdicts.append(smoothed(is_duplicate, [len(each) for each in paragraphs], max_stub))
        start = 0
        for paragraph, duplicate in zip(paragraphs, verdicts[-1], strict=True):
            for i in range(start, start + len(paragraph)):
                if not duplicate and len(words[i : i + n]) == n:
                    known.add(tuple(words[i : i + n]))
            start += len(paragraph)
    return verdicts


def smoothed(is_duplicate, sizes, max_stub):
    result = list(is_duplicate)
    for i in range(len(result)):
        for j in range(i + 1, len(result)):
            between = is_duplicate[i + 1 : j]
            if max_stub and is_duplicate[i] and is_duplicate[j] and not any(between):
                result[i + 1 : j] = [sum(sizes[i + 1 : j]) <= max_stub] * len(between)
    return result


PARAGRAPHS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=8), max_size=4)


@settings(deadline=None)
@given(
    st.lists(PARAGRAPHS, max_size=4),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    st.integers(0, 6),
)
def test_equal_to_the_slow_version(documents, n, t, max_stub):
    words = [[" ".join(map(str, paragraph)) for paragraph in document] for document in documents]
    out = run(vertical(*words), n=n, t=t, max_stub=max_stub).decode().splitlines()
    marks, document = [], None
    for line in out:
        if line[2:].startswith("<doc"):
            document = []
            marks.append(document)
        elif line[2:] == "<p>":
            document.append(line[0] == "1")
    assert marks == slow_onion(documents, n, t, max_stub)


def test_counts_and_command(tmp_path, capsysbinary):
    path = tmp_path / "corpus.vert"
    path.write_bytes(vertical([PRAGUE], [PRAGUE, OTHER]))
    counts = OnionCounts()
    with path.open("rb") as source:
        list(deduplicate_vertical(source, OnionOptions(), counts))
    n = len(PRAGUE.split())
    assert counts == OnionCounts(2, 2 * n + len(OTHER.split()), 1, n)
    assert main(["-s", "-m", str(path)]) == 0
    out, err = capsysbinary.readouterr()
    assert out == vertical([PRAGUE], [OTHER])
    assert err.decode().strip() == counts.line()


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("-n", "0", "-n must be 1 to 2147483647, got 0"),
        ("-n", str(10**20), "-n must be 1 to 2147483647, got 1"),  # no kernel takes it
        ("-l", "-1", "-l must be 0 to 2147483647, got -1"),
        ("-t", "2", "-t must be 0 to 1, got 2.0"),
        ("-t", "nan", "-t must be 0 to 1, got nan"),
        ("-d", "<doc>", "-d must be a tag such as doc, got '<doc>'"),
        ("-p", "", "-p must be a tag such as doc, got ''"),
    ],
)
def test_a_wrong_option_is_named(tmp_path, capsysbinary, option, value, message):
    path = tmp_path / "corpus.vert"
    path.write_bytes(vertical([PRAGUE]))
    with pytest.raises(InputError, match=f"^{message}"):
        main([option, value, str(path)])
    assert not capsysbinary.readouterr().out


def test_a_pipe_is_read(tmp_path, capsysbinary):
    """It is read once; a shell has them for ``<(zcat FILE)``."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(vertical([PRAGUE], [PRAGUE]),))
    writer.start()
    assert main(["-sq", str(pipe)]) == 0
    writer.join()
    assert capsysbinary.readouterr().out == vertical([PRAGUE])


def test_standard_input():
    with start_python("-m", "pipelines.duplicates.onion", "-sq") as program:
        program.stdin.write(vertical([PRAGUE], [PRAGUE]).decode())
        out, err = program.communicate(timeout=60)
    assert (program.returncode, out, err) == (0, vertical([PRAGUE]).decode(), "")


@pytest.mark.parametrize("wrong", ["", "<p>", "p kind", "absätze"])
def test_what_is_no_tag_is_told(wrong):
    """By the empty name each token began a paragraph, and there were no tokens."""
    for option in ("document", "paragraph"):
        with pytest.raises(ValueError, match="a tag must be a name such as doc, got"):
            list(read_vertical([b"a\n"], **{option: wrong}))


@pytest.mark.parametrize("wrong", [{"n": 0}, {"t": 1.5}, {"t": -0.1}, {"max_stub": -1}])
def test_wrong_options(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        OnionParagraphs(np.empty(0, dtype=np.uint64), **wrong)
