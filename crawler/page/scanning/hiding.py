"""What hides the text at hand: elements without a box, and those that are not seen.

What is in an element without a box is hidden, whatever it says; whether an element is seen is inherited, and it
may say otherwise than what it stands in. *Source: CSS Display 3, section 2.6, and appendix A.* Tags that make no gap,
and are not among the open elements, hide where hidden text is dropped alone. Of those that say otherwise than what
they stand in, the innermost ``MAX_HIDERS`` at most are known; a further one says nothing.

Where text is read as it is shown (rule ``phrasing``), those that stand on lines of their own are among them: words are
divided before and behind them. They make no gap, as models have learnt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.kernels.jit import cold_part, part
from crawler.page.scanning.names import IN_LINE, TAG_ID
from crawler.page.scanning.state import (
    ANCHOR_SPACE,
    CLOSED,
    DEPTH,
    DROPS_HIDDEN,
    E_UNSEEN,
    END_TAG,
    H_DEPTH,
    H_N_OPEN,
    H_NAME,
    H_SAYS,
    HIDDEN,
    HIDDEN_DEPTH,
    IN_SPACE,
    MAX_HIDERS,
    N_HIDERS,
    NO_GAP_PROPERTIES,
    OWN_LINE,
    SEEN,
    UNSEEN,
    Elements,
)

if TYPE_CHECKING:
    from crawler.page.scanning.state import I64

_A = TAG_ID["a"]


@part
def is_hidden(state: I64, elements: Elements) -> bool:
    """Tell whether the text at hand is hidden; that which a tag without a gap hides, where it is dropped alone."""
    if state[HIDDEN_DEPTH] or elements.levels[state[DEPTH], E_UNSEEN] or state[N_HIDERS]:
        return _is_hidden(state, elements)
    return False


@cold_part
def _is_hidden(state: I64, elements: Elements) -> bool:
    last = state[N_HIDERS] - 1
    if state[HIDDEN_DEPTH] or (last >= 0 and elements.hiders[last, H_SAYS] & HIDDEN):
        return True
    return is_unseen(state, elements)


@part
def is_unseen(state: I64, elements: Elements) -> bool:
    """Tell whether the innermost of what is open that says something of it is not seen."""
    last = state[N_HIDERS] - 1
    # Elements that were opened within one that makes no gap have inherited from it.
    if last >= 0 and elements.hiders[last, H_DEPTH] == state[DEPTH]:
        return elements.hiders[last, H_SAYS] & UNSEEN != 0
    return elements.levels[state[DEPTH], E_UNSEEN] != 0


@cold_part
def take_hider(name: int, flags: int, state: I64, elements: Elements) -> None:
    """Take a tag that makes no gap and may hide its text, or part it from the line, or that may end what does.

    What does so ends with its end tag, an ``a`` with the next one, and all with the element that it stands in.
    """
    is_start = flags & (END_TAG | CLOSED) == 0
    last = state[N_HIDERS] - 1
    is_same = last >= 0 and elements.hiders[last, H_NAME] == name
    if is_same and (flags & END_TAG or name == _A):
        elements.hiders[last, H_N_OPEN] -= 1
        if elements.hiders[last, H_N_OPEN] == 0:
            state[N_HIDERS] = last
            if elements.hiders[last, H_SAYS] & OWN_LINE:
                _divide_words(state)
        is_same = False
    if is_start and not _open(name, flags, state, elements) and is_same:
        elements.hiders[last, H_N_OPEN] += 1


@part
def _open(name: int, flags: int, state: I64, elements: Elements) -> bool:
    """Open a tag that makes no gap, if it says otherwise than what it stands in; tell whether it does."""
    place = state[N_HIDERS]
    if place and elements.hiders[place - 1, H_SAYS] & HIDDEN:
        return False
    own_line = flags & OWN_LINE if state[NO_GAP_PROPERTIES] & IN_LINE else 0
    if own_line:
        _divide_words(state)
    unseen = UNSEEN if is_unseen(state, elements) else 0
    said = flags & (HIDDEN | (SEEN if unseen else UNSEEN)) if state[DROPS_HIDDEN] else 0
    if place == MAX_HIDERS or not said | own_line:
        return False
    # What has no box is seen or not as what it stands in.
    sight = (HIDDEN | unseen) if said & HIDDEN else said & UNSEEN if said else unseen
    elements.hiders[place, H_NAME] = name
    elements.hiders[place, H_DEPTH] = state[DEPTH]
    elements.hiders[place, H_N_OPEN] = 1
    elements.hiders[place, H_SAYS] = sight | own_line
    state[N_HIDERS] = place + 1
    return True


@part
def _divide_words(state: I64) -> None:
    """Let what follows be of another word, in the block and in the anchor."""
    state[IN_SPACE] = 1
    state[ANCHOR_SPACE] = 1


@part
def close_hiders(depth: int, state: I64, elements: Elements) -> None:
    """End the tags without a gap that stand in the element at *depth*, which is closed."""
    while state[N_HIDERS] and elements.hiders[state[N_HIDERS] - 1, H_DEPTH] >= depth:
        state[N_HIDERS] -= 1
