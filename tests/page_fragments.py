"""Fragments of pages, good, bad and broken: what fuzzing puts pages together from."""

from __future__ import annotations


def _fragments(lines: str) -> tuple[str, ...]:
    return tuple(
        part for line in lines.split("\n") for part in line.strip(" ").split(" ¦ ") if part
    )


def _words(lines: str) -> tuple[str, ...]:
    return tuple(lines.split())


# Names that the scan treats each in its own way, and some that it does not know.
TAG_NAMES = _words(
    """
    a p b i em font div span br img h1 h2 ul ol li dl dt dd
    table thead tbody tr td th caption form input button select option
    textarea label script style title noscript template svg math object iframe
    noembed xmp plaintext pre blockquote area frame base meta link html head
    body hr my-tag x scripts abbr article address center video audio canvas
    datalist noframes annotation annotation-xml mi cite wbr picture g
    """
)
ATTRIBUTES = _fragments(
    """
    href=x ¦ href ¦ HREF='/y?a=1&copy=2&amp;b' ¦ href="#top" ¦ href=mailto:a@b ¦ name=n
    href='http://b.sample/' ¦ href=//c ¦ href='\xe9 x' ¦ href=" /z\n" ¦ href=? ¦ hidden
    rel=nofollow ¦ rel='next ugc' ¦ rel=canonical ¦ rel=alternate ¦ type=application/rss+xml
    charset=gbk ¦ http-equiv=refresh ¦ content='0; url=/r' ¦ content='text/html;charset=koi8-r'
    http-equiv=content-type ¦ name=robots ¦ content=noindex,nofollow ¦ name=description
    content='max-snippet: none,max-image-preview :\tnofollow noai' ¦ content='unavailable_after: none, 1'
    content='some &lt; words' ¦ lang=de ¦ alt='an &eacute; image' ¦ src=s ¦ style='display:none'
    x='>' ¦ y="<p>" ¦ z=' ¦ " ¦ ' ¦ = ¦ ==' ¦ / ¦ a=b=c ¦ \xe9=\xfc ¦ a\x00b ¦ aria-hidden=true
    style=visibility:hidden ¦ style=display:block ¦ id=i ¦ id=S:0 ¦ class='Accordion__a' ¦ role=tabpanel ¦ class=menu ¦ class='c d' ¦ xlink:href=q ¦ width=0
    """
)
_TEXTS = _fragments(
    """
    word ¦ two words ¦ - ¦ a ¦ 1 ¦ \xe9t\xe9 ¦ e\u0301 ¦ \u0301 ¦ &amp; ¦ &amp ¦ &eacute;x ¦ &#65;
    &#x2603; ¦ &#0; ¦ &#128; ¦ &#xd800; ¦ &#1114112; ¦ &notit; ¦ &notin; ¦ &nGt; ¦ & ¦ &; ¦ &#
    &#x ¦ &#x; ¦ < ¦ > ¦ ]]> ¦ --> ¦ -- ¦ <3 ¦ \u6570\u636e\u79d1\u5b66
    \u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22 ¦ \u3053\u3093 ¦ \uff66 ¦ \u202e\u200b ¦ \ufeff
    \ufffd ¦ \U0001f600 ¦ \U000e0041 ¦ \x00 ¦ \x01 ¦ \x7f ¦ \u0344 ¦ \u1100\u1161 ¦ \u212b
    \ufb01 ¦ \u034f
    \ufdd0 ¦ \ufffe ¦ | ¦ 10,000.00
    """
)
_SPACED = (" ", "\n\t ", "\xa0", "\x85", "\u2028", "\r\n", "\r", "\x0b", "\x1c", "\u3000")
# Longer than a wrapped line; rows of marks that normalisation sorts.
_LONG = ("x" * 90, "ab " * 40, "\u5b57" * 50, "\u0300\u0316" * 20)
TEXTS = (*_TEXTS, *_SPACED, *_LONG)
MARKUP = _fragments(
    """
    <!-- ¦ --> ¦ <!-- c --> ¦ <!--> ¦ <!---> ¦ <!-- -- > ¦ --!> ¦ <!doctype html> ¦ <! ¦ <?
    <?xml version='1.0' encoding='utf-8'?> ¦ <![CDATA[x]]> ¦ <![CDATA[ ¦ </ ¦ </> ¦ <> ¦ < p>
    </ p> ¦ <p ¦ <a  ¦ </a  ¦ <a href=' ¦ <a href=" ¦ <a href=x ¦ </script ¦ </scrip ¦ </p x='
    <meta charset=utf-8> ¦ <meta charset=utf-16> ¦ <meta charset=shift_jis> ¦ <base href=/b/>
    <link rel=canonical href=/c> ¦ <svg><title> ¦ <p/> ¦ <a/> ¦ <br/> ¦ <script/> ¦ <x\x00y>
    <SCRIPT> ¦ </ScRiPt > ¦ <textarea></TEXTAREA> ¦ <style></style> ¦ <title>t</title>
    """
)
CODECS = _words(
    "utf-8 utf-8-sig utf-16 utf-16-be utf-16-le latin-1 cp1251 gb18030 big5 shift_jis euc-jp "
    "iso2022_jp euc-kr utf-7"
)
_CHARSETS = _words(
    "utf-8 utf-16 utf-16be shift_jis gb18030 iso-2022-jp big5 windows-1251 euc-kr iso-8859-8-i "
    "nonsense x-user-defined"
)
_TYPES = (
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "text/plain; charset=utf-16be",
    "",
    ";",
)
CONTENT_TYPES = (None, *_TYPES, *(f"text/html; charset={charset}" for charset in _CHARSETS))
# Parts of pages as they are on the web, one a line.
SNIPPETS = tuple(
    line.strip().encode()
    for line in """
    <html lang=en><head><meta charset=utf-8><title>A page &amp; more</title><link rel=canonical href=http://a.sample/><meta name=robots content=nofollow></head><body>
    <nav class="top"><ul><li><a href="/">Home</a></li><li><a href="/news?p=1&amp;q=2">News</a></li><li><a href="/about" rel="nofollow">About us</a></ul></nav>
    <h1>A <em>long</em> heading</h1><p>First sentence of <a href='x.html'>a text</a>, which goes on until the line is full and another one begins.<p>Second&nbsp;paragraph<br>with a break.
    <table width=100%><tr><td bgcolor=#ff0000><font size=2>cell <b>one</b><td>two<tr><th>three</table>
    <script type='text/javascript'>document.write('<a href="y">' + "</sc" + 'ript>');</script><noscript><img src=pixel.gif alt=''></noscript><style>p > a { color: red }</style>
    <form action=/s><select name=q><option value=1>One<option selected>Two</select><textarea><p>x</textarea><input type=submit value=Go><label>Name <input></label></form>
    <div hidden>мир <a href='/путь'>ссылка</a></div><p>数据科学 means <i>data</i> ไทย
    <!-- comment <p> --><iframe src=//ads.sample/></iframe><svg><title>t</title><a href=s>x</a></svg>
    """.strip().splitlines()
)
