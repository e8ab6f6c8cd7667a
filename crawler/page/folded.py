"""What is folded up on a page: the panels of tabs and accordions, answers to questions, and more text on demand.

Markup hides them as it does menus and dialogues, but they are text of the page, to be had by one click. An element that
hides is folded up where its tag has one of the words `FOLDED` and none of `WITHHELD`, anywhere in its attributes.

Measured on the training pages of `pipelines.evaluation.training.winnow`: of 24,010 words in such elements 21,941 are
main text, on 9 of 665 pages; of 2,594 in those that `WITHHELD` excludes 2 are; of some 90,000 in all others some 650.
"""

from __future__ import annotations

FOLDED = (
    *(b"accordion", b"aria-labelledby", b"collaps", b"expandable", b"expander", b"faq"),
    *(b"tab-content", b"tab-pane", b"tab_content", b"tab_pane", b"tabpanel"),
)
WITHHELD = (
    *(
        b"consent",
        b"cookie",
        b"dialog",
        b"drawer",
        b"dropdown",
        b"login",
        b"menu",
        b"modal",
        b"nav",
    ),
    *(b"overlay", b"popover", b"popup", b"search", b"tooltip"),
)
