"""The methods on the source of a page: token stream and BTE, against listings run as they stand."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from crawler.page.words import density_tokens
from pipelines.boilerplate.bte import BTE, best_stretch
from pipelines.boilerplate.token_stream import token_sequence, token_stream


def page(body):
    return build_page(body.encode(), url="http://a.sample/", content_type="text/html")


def kept_text(cleaner, body):
    model = page(body)
    labels = cleaner.label(model)
    return [text for text, kept in zip(model.blocks.text, labels.kept, strict=True) if kept]


# Words between tags of all sorts; each is closed, so that a regular expression sees them, too.
PIECES = re.findall(
    r"(\S.*?) ~",
    """<p> ~ </p> ~ <div class='a&amp;b'> ~ <br/> ~ <a href='x'> ~ </a> ~ <A> ~ <!--c--> ~ <td> ~
    <b title='a>b'> ~ <script>if(a<b)</script> ~ <style>x</style> ~ one ~ two, ~ - ~ | ~ </b> ~
    &nbsp; ~ &amp; ~ a&nbsp;b ~ caf\xe9 ~ 数据科学 ~ 数 ~ abc数据 ~ &#160; ~ x&lt;b&gt; ~ <h1> ~
    <?php?> ~ <!DOCTYPE html> ~ ภาษาไทย ~ </h1> ~ <body> ~ <img src='>'> ~ 3<4 ~ </A> ~""",
)
SOURCES = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", "\n"])), max_size=30
).map(lambda pieces: "".join(piece + space for piece, space in pieces))
MARKUP = re.compile(
    r"<!--.*?-->|(?P<raw><(script|style)>.*?</\2>)|<[!?].*?>"
    r"""|(?P<tag></?(?P<name>[a-zA-Z]\w*)(?:'[^']*'|[^'>])*>)"""
)


def words_of(text):
    text = re.sub("&(nbsp|#160);", " ", text)
    return sum(max(1, len(density_tokens(run))) for run in re.sub(r"&\w+;", "a", text).split())


def chars_of(text):
    return len("".join(re.sub(r"&\w+;", "a", re.sub("&(nbsp|#160);", " ", text)).split()))


def slow_sequence(source):
    """B of the page by a regular expression, and the counts for the content code vector."""
    sequence, code, a_code, declared, place = [], 0, 0, 0, 0
    content = 0
    for match in [*MARKUP.finditer(source), None]:
        text = source[place : match.start() if match else len(source)]
        sequence += [0] * words_of(text)
        content += chars_of(text)
        if match is None:
            break
        place = match.end()
        if match["raw"]:
            sequence += [1, 1]
        elif match["tag"]:
            sequence.append(1)
            if match["name"].lower() == "a":
                a_code += chars_of(match[0])
            else:
                code += chars_of(match[0])
        elif not match[0].startswith("<!--"):
            declared += chars_of(match[0])
    return sequence, (content, code, a_code, declared)


@given(SOURCES)
def test_stream_is_that_of_a_regular_expression(source):
    model = page(source)
    stream = token_stream(model)
    expected, counts = slow_sequence(source)
    if not len(model.found_runs):
        assert not model.blocks.text
        return
    tokens = token_sequence(stream.all_tags, stream.words)
    assert tokens.is_tag.astype(int).tolist() == expected
    found = (stream.chars, stream.tag_chars, stream.a_chars, stream.code_chars)
    assert tuple(int(column.sum()) for column in found) == counts


@given(SOURCES)
def test_runs_are_texts_of_their_blocks(source):
    model = page(source)
    stream = token_stream(model)
    of_block = stream.block[stream.block >= 0]
    if len(model.found_runs):
        assert of_block.tolist() == model.runs.block.tolist()
    assert np.unique(of_block).tolist() == list(range(len(model.blocks)))
    # A block is parted at tags of links only; words there are counted on both sides.
    n_words = np.bincount(of_block, stream.words[stream.block >= 0], len(model.blocks))
    assert np.all(n_words >= model.blocks.n_words)


def test_what_has_no_end_does_not_go_on_beyond_the_next_text():
    source = "<p>a</p><!-- <b title=\"x> <p>b<i x='> <script>d"
    stream = token_stream(page(source))
    assert stream.words[stream.block >= 0].sum() == len(page(source).blocks)


# --- BTE


def slow_best(sequence, *, printed=False):
    """T for every i and j, in the order of algorithm 3.1; *printed*: with its inclusive tables."""
    n = len(sequence)
    best, found = 0, (0, n - 1)
    for i in range(n):
        for j in range(i, n):
            before = sequence[: i + 1] if printed else sequence[:i]
            behind = sequence[j:] if printed else sequence[j + 1 :]
            total = sum(before) + sum(1 - b for b in sequence[i : j + 1]) + sum(behind)
            if total > best:
                best, found = total, (i, j)
    return found


sequences = st.lists(st.integers(0, 1), max_size=20)


@given(sequences, st.booleans())
def test_best_stretch_is_that_of_the_listing(sequence, printed):
    found = best_stretch(np.array(sequence, np.bool_), printed=printed)
    assert found == slow_best(sequence, printed=printed)


@given(sequences)
def test_the_printed_listing_keeps_the_same_words_unless_the_best_is_one_word(sequence):
    (i, j), (k, m) = (
        best_stretch(np.array(sequence, np.bool_), printed=printed) for printed in (False, True)
    )
    words = [n for n in range(i, j + 1) if not sequence[n]]
    if sum(1 - 2 * b for b in sequence[i : j + 1]) > 1:
        assert words == [n for n in range(k, m + 1) if not sequence[n]]


MENU = "<ul><li><a href=1>one</a><li><a href=2>two</a></ul>"
PROSE = "a long paragraph of many plain words goes here and goes on"


def test_bte_keeps_the_plateau():
    body = f"<body>{MENU}<p>{PROSE}<p>more {PROSE}</p>{MENU}"
    assert kept_text(BTE(), body) == [PROSE, f"more {PROSE}"]
    # It cannot part main content; nor can it leave out what is between.
    body = f"<body>{MENU}<p>{PROSE}</p><i>x</i><p>{PROSE}</p>{MENU}"
    assert kept_text(BTE(), body) == [PROSE, "x", PROSE]


def slow_released(stream):
    """The rule of the released module: runs of tags and of words from the body on, all i and j."""
    runs = []
    for row, (tags, words) in enumerate(
        zip(stream.all_tags.tolist(), stream.words.tolist(), strict=True)
    ):
        if row < stream.body:
            continue
        if tags and runs and runs[-1][0] > 0:
            runs[-1][0] += tags
        elif tags:
            runs.append([tags, []])
        if words and runs and runs[-1][0] < 0:
            runs[-1][0] -= words
            runs[-1][1].append(row)
        elif words:
            runs.append([-words, [row]])
    texts = [place for place, run in enumerate(runs) if run[0] < 0]
    tags_before = np.cumsum([0] + [max(run[0], 0) for run in runs])
    words_before = np.cumsum([0] + [max(-run[0], 0) for run in runs])
    best, found = -1, range(0)
    for place, i in enumerate(texts[:-1]):
        for j in texts[place:-1]:
            outside = tags_before[i] + tags_before[-1] - tags_before[j + 1]
            total = outside + words_before[j + 1] - words_before[i]
            if total > best:
                best, found = total, range(i, j + 1)
    rows = [row for place in found for row in runs[place][1]]
    picked = np.zeros(len(stream.words), np.int64)
    picked[rows] = stream.words[rows]
    return picked


@given(SOURCES)
def test_released_rule(source):
    model = page(source)
    stream = token_stream(model)
    kept = stream.kept(slow_released(stream), len(model.blocks))
    assert BTE(mode="released").label(model).kept.tolist() == kept.tolist()


def test_modes():
    with pytest.raises(
        ValueError, match="mode must be one of definition, shortest, printed, released"
    ):
        BTE(mode="x")
    # A word, a tag, two words, tags: that word and the tag add nothing.
    tie = "one<hr>two words<hr><hr><hr>"
    assert kept_text(BTE(), tie) == ["one", "two words"]
    assert kept_text(BTE(mode="shortest"), tie) == ["two words"]
    # Of two that are as good the first; a script between them parts them by its tags, or not at all.
    twice = "one two<script>x</script><hr>three four"
    assert kept_text(BTE(mode="shortest"), twice) == ["one two"]
    assert kept_text(BTE(mode="shortest", script_tags=False), twice) == ["one two", "three four"]
    lone = "<p><i>one</i></p>"
    assert kept_text(BTE(), lone) == ["one"]
    assert kept_text(BTE(mode="printed"), lone) == []
    assert kept_text(BTE(mode="released"), lone) == []


def test_released_rule_on_real_pages(shared):
    """The rule of the released module and the definition keep the same blocks nearly always."""
    from pipelines.evaluation.readers import open_dataset

    same, total = 0, 0
    pages = open_dataset(shared / "data" / "extraction" / "dev" / "cleaneval-dev")
    for gold in list(pages)[::6]:
        model = build_page(gold.body, url="http://a.sample/", content_type=gold.content_type)
        stream = token_stream(model)
        if len(stream.words) > 1500:
            continue
        released = BTE(mode="released").label(model).kept
        slow = stream.kept(slow_released(stream), len(model.blocks))
        assert released.tolist() == slow.tolist()
        same += int((released == BTE().label(model).kept).sum())
        total += len(released)
    assert same >= 0.9 * total
