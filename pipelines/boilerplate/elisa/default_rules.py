"""The rules that :mod:`pipelines.boilerplate.elisa` is used with unless it is given others.

The rules of the authors, 19, are not published but for the one on logos, here the first. The others
are ours, for the six kinds of region that they looked for: content, layout, navigation, form, footer
and logo. Measures of text are characters but whitespace.
"""

from __future__ import annotations

DEFAULT_RULES = """\
<RULES>
  <RULE context="IMG">
    <CALL name="AttrSrc" select="./@src"/>
    <CHECK>
      <WHENEVER test="contains(lc($AttrSrc),'logo') or
                      contains(lc($AttrSrc),'main') or
                      contains(lc($AttrSrc),'home')">
        <SET attr="border">3</SET>
        <SET attr="alt">"logo"</SET>
        <SET attr="elISAtype">"logo"</SET>
      </WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="P BLOCKQUOTE PRE">
    <CHECK>
      <WHENEVER test="$TextChars >= 80 and $LinkQuota &lt; 0.5">
        <SET attr="elISAtype">"content"</SET>
      </WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="BODY DIV TD SECTION ARTICLE MAIN CENTER FONT SPAN LI DD">
    <CHECK>
      <WHENEVER test="$OwnChars >= 80 and $LinkQuota &lt; 0.3">
        <SET attr="elISAtype">"content"</SET>
      </WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="ARTICLE MAIN">
    <CHECK>
      <WHENEVER test="$LinkQuota &lt; 0.5"><SET attr="elISAtype">"content"</SET></WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="DIV TD SECTION ARTICLE">
    <CALL name="Names" select="lc(concat(@class, ' ', @id))"/>
    <CHECK>
      <WHENEVER test="$TextChars >= 300 and $LinkQuota &lt; 0.3 and
                      (contains($Names,'article') or contains($Names,'content') or
                       contains($Names,'entry') or contains($Names,'story') or
                       contains($Names,'post') or contains($Names,'text'))">
        <SET attr="elISAtype">"content"</SET>
      </WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="H1">
    <CHECK>
      <WHENEVER test="$TextChars > 0"><SET attr="elISAtype">"content"</SET></WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="NAV">
    <CHECK>
      <WHENEVER test="true()"><SET attr="elISAtype">"navigation"</SET></WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="UL OL DL TABLE TR TD DIV SECTION P SPAN">
    <CHECK>
      <WHENEVER test="$TextChars > 0 and $LinkQuota > 0.5">
        <SET attr="elISAtype">"navigation"</SET>
      </WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="DIV UL OL TD SECTION ASIDE P SPAN">
    <CALL name="Names" select="lc(concat(@class, ' ', @id))"/>
    <CHECK>
      <WHENEVER test="contains($Names,'menu') or contains($Names,'nav') or
                      contains($Names,'breadcrumb') or contains($Names,'related')">
        <SET attr="elISAtype">"navigation"</SET>
      </WHENEVER>
      <WHENEVER test="contains($Names,'sidebar') or contains($Names,'banner') or
                      contains($Names,'sponsor') or contains($Names,'promo')">
        <SET attr="elISAtype">"layout"</SET>
      </WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="ASIDE HEADER">
    <CHECK>
      <WHENEVER test="true()"><SET attr="elISAtype">"layout"</SET></WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="FORM">
    <CHECK>
      <WHENEVER test="$TextChars &lt; 300"><SET attr="elISAtype">"form"</SET></WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="LABEL BUTTON SELECT TEXTAREA">
    <CHECK>
      <WHENEVER test="true()"><SET attr="elISAtype">"form"</SET></WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="FOOTER">
    <CHECK>
      <WHENEVER test="true()"><SET attr="elISAtype">"footer"</SET></WHENEVER>
    </CHECK>
  </RULE>
  <RULE context="DIV TD P SPAN TABLE">
    <CALL name="Names" select="lc(concat(@class, ' ', @id))"/>
    <CHECK>
      <WHENEVER test="contains($Names,'foot') or contains($Names,'copyright')">
        <SET attr="elISAtype">"footer"</SET>
      </WHENEVER>
      <WHENEVER test="$TextChars &lt; 300 and
                      (contains($OwnText,'©') or contains(lc($OwnText),'copyright') or
                       contains(lc($OwnText),'all rights reserved'))">
        <SET attr="elISAtype">"footer"</SET>
      </WHENEVER>
    </CHECK>
  </RULE>
</RULES>
"""
