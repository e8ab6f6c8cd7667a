"""jusText: blocks by length, link density and stop words; what is between them by its neighbours.

*Source: Pomikálek 2011, section 2.7.* ``JusText`` is the thesis's algorithm, with the parameters of
its table 2.7; ``ReleasedJusText`` gives the result of the jusText 3 package. They differ in units
(words there, characters here), comparisons and headings; see their modules.
"""

from pipelines.boilerplate.justext.classes import CLASS_NAMES, context_sensitive
from pipelines.boilerplate.justext.method import Features, JusText, TokenStopWordFilter
from pipelines.boilerplate.justext.released import ReleasedJusText
from pipelines.boilerplate.justext.tuner import tune

__all__ = [
    "CLASS_NAMES",
    "Features",
    "JusText",
    "ReleasedJusText",
    "TokenStopWordFilter",
    "context_sensitive",
    "tune",
]
