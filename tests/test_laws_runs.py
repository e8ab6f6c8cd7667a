"""What is counted in the runs of characters between white space is what is counted in whole texts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crawler.page.words import has_spaceless_script
from pipelines.linguistics.laws.fingerprints import normal_form
from pipelines.linguistics.laws.full_stop import has_full_stop, sentence_lengths
from pipelines.linguistics.laws.text_runs import TextRuns
from pipelines.linguistics.term_typicality import terms

# Words and signs of which a part counts otherwise than the whole, or with what stands beside it.
PIECES = (
    *"aAzÉßİıΣσς 数ไกא\"'’“».,;:!?()-@/_1²½\n\t\x1c\u00a0\u0301\u200d\u00ad\u3000ﬁǅªЖ",
    *("http://", "www.", "May", "may.", "jan", "PM", "Inc.", "vs.", "Word.", "a.b@c.de", 'ארה"ב'),
    *("हिन्दी", "手机。", "word", " ", " "),
)
TEXTS = st.lists(st.lists(st.sampled_from(PIECES), max_size=20).map("".join), max_size=5)


@given(TEXTS, st.booleans())
def test_runs_count_as_texts_do(texts, latin_only):
    seen = TextRuns(latin_only=latin_only)
    seen.number(["word Word. may"])
    runs, ends = seen.number(texts)
    forms = [normal_form(text, latin_only=latin_only) for text in texts]
    assert seen.normal_forms(runs, ends) == forms
    assert seen.full_stops(runs, ends).tolist() == [has_full_stop(text) for text in texts]
    spaceless = [has_spaceless_script(text) for text in texts]
    assert seen.spaceless(runs, ends).tolist() == spaceless
    letters = [sum(map(str.isalnum, text)) for text in texts]
    assert seen.n_letters(runs, ends).tolist() == letters
    spaced = np.logical_not(np.array(spaceless, dtype=bool))
    chosen = [text for text, flag in zip(texts, spaced.tolist(), strict=True) if flag]
    lengths = [length for text in chosen for length in sentence_lengths(text)]
    assert seen.sentence_lengths(runs, ends, spaced).tolist() == lengths


@given(TEXTS)
def test_terms_of_runs_are_those_of_texts(texts):
    seen = TextRuns()
    runs, ends = seen.number(texts)
    groups, numbers = seen.terms(runs, np.repeat(np.arange(len(texts)), np.diff(ends, prepend=0)))
    names = seen.term_names
    found = [(group, names[number]) for group, number in zip(groups, numbers, strict=True)]
    assert sorted(found) == [
        (i, term) for i, text in enumerate(texts) for term in sorted({*terms(text)})
    ]
    assert groups.tolist() == sorted(groups.tolist())
