"""elISA: rules in XML that say of elements what kind of region they are.

::

    <RULE context="IMG">
      <CALL name="AttrSrc" select="./@src"/>
      <CHECK>
        <WHENEVER test="contains(lc($AttrSrc),'logo')"><SET attr="elISAtype">"logo"</SET></WHENEVER>
      </CHECK>
    </RULE>

A rule is tried on each element that its context names. CALL binds a variable to an XPath from there;
of the tests in a CHECK the first that is true sets its attributes. A later rule overwrites what an
earlier one set. XPath 1.0, and ``lc(x)``, x in lower case. Beside its own a test may use
``$TextChars``, the visible characters in the element, ``$OwnChars`` and ``$OwnText``, those of texts
that are its children, and ``$LinkQuota``, the linked share of the first. The page stays as it is.

A block is of the region that the nearest element's ``elISAtype`` says, its label, and kept when this is ``content``.

*Source: Vitali, Di Iorio, Campori 2004; Gottron 2008, section 3.2.6, figure 3.2.* The authors turn rules
into an XSLT stylesheet; these are compiled to XPath. Contexts of several names, the variables on text,
and the order of tests and rules are ours; so are the rules (:mod:`pipelines.boilerplate.elisa.default_rules`).

Cost: O(elements) for the default rules: 2 µs for a rule on an element where it reads variables and attributes
that it read before, else some 10. Rules that look through all that an element holds cost as much again for each.
"""

from pipelines.boilerplate.elisa.method import Elisa, annotate
from pipelines.boilerplate.elisa.rules import read_rules

__all__ = ["Elisa", "annotate", "read_rules"]
