"""Gold texts by rules of sites: each published rule on a page made for it, against trees whose text is known, and wrong
files.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from pipelines.evaluation.landmarks.gold_text import gold_text
from pipelines.evaluation.landmarks.rules import PUBLISHED, read_rules
from tests.conftest import ROOT

HEAD = '[site.own]\nparts = [{ name = "body", '
TOP = 'format = "winnow-gold-rules"\nversion = 1\n'
MENU = "<div class=menu><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></div>"

# What of each page is main text stands in capitals, and nothing else does. The marks are those of appendix A.
PAGES = {
    "bbc": """<table><tr><td class="x sh"><b>HEADLINE</b></td></tr></table> by us
        <!-- S BO --><p>FIRST <b>BOLD</b></p><!-- S IIMA --><p>AND LAST<!-- E IIMA --><!-- E BO --> <p>see also""",
    "chip": """<h1><!-- mn-title -->HEADLINE<!-- /mn-title --></h1> add <!--mn-text--><div>BODY</div><!--/mn-text--> add""",
    "economist": """<h1>site</h1><div><!-- top-title --><i>fly</i><h2>HEADLINE</h2><h2>other</h2></div>
        <div>add<p>add<p><!-- col -->FIRST<br>LINE</p>add<p>SECOND</p><p>THIRD <span class="info">add</span></div><p>add</p>""",
    "espresso": """<b>add</b><h1>HEADLINE</h1>add<b>TEASER</b><b>add</b>
        <div class=didascalia><div class=data>add</div>BODY<p>MORE<p class=paging>add</div>add""",
    "golem": """<h4>add</h4><h3 class=artikelhead>HEADLINE</h3><h4 class="artikelsubhead">SUBTITLE</h4>add
        <!-- content --><p>BODY<!-- /content --> add""",
    "heise": """<HEISETEXT><h1>HEADLINE</h1><p>FIRST<cadv>add<p>add</cadv><p>NEXT <span class=ISI_IGNORE>add</span> LAST</heisetext>
        add <heisetext>MORE</heisetext> add""",
    "repubblica": """add<!-- inizio OCCHIELLO -->KICKER<!-- fine OCCHIELLO --><!-- inizio TITOLO -->HEADLINE<!-- fine TITOLO -->add
        <!-- inizio SOMMARIO -->SUMMARY<!-- fine SOMMARIO -->add<!-- inizio TESTO -->ONE<!-- inserto -->add<!-- /inserto -->
        TWO<!-- fine TESTO --> add""",
    "slashdot": """<title>Slashdot HEADLINE &amp; MORE</title><div class=intro>BODY <i>QUOTED</i><div>DEEP</div>END</div><div>add</div>""",
    "spiegel": """<title>HEADLINE</title>add<p class="spIntrotext">TEASER</p>add
        <div id="spArticleBody">FIRST<div>NESTED<div>DEEPER</div></div><p>LAST</div>add""",
    "telepolis": """<h1>add</h1><heisetext>add<h1>HEADLINE</h1>add<p class=fliess>FIRST</p><h3>BETWEEN</h3><p>add</p>
        <p class="zitat x">QUOTED</p><ul><li>add</ul></heisetext><p class=fliess>add</p>""",
    "wiki": """<h1 id=x class="firstHeading">HEADLINE</h1>add<!-- start content --><p>BODY</p><!-- end content -->add""",
    "yahoo": """<h1>HEADLINE</h1><div>add</div><div id=storybody>FIRST<div>add<div>add</div></div><p>LAST</p><div>add</div></div>add""",
    "zdf": """<div class="article-box-content">TEASER</div>add<div class="artikel-inhalt-text">BODY<div>MORE</div></div>add""",
}


def published():
    return read_rules("gottron-2008")


def rules_of(tmp_path, text):
    (tmp_path / "rules.toml").write_text(text, encoding="utf-8")
    return read_rules(tmp_path / "rules.toml")


def rule_of(tmp_path, landmark, rest=""):
    return rules_of(tmp_path, f"{TOP}{HEAD}{landmark} }}]\n{rest}")["own"]


def test_the_thirteen_packages_of_appendix_a_have_a_rule():
    assert set(published()) == set(PAGES)
    assert len(PAGES) == 13


@pytest.mark.parametrize("site", PAGES)
def test_published_rules(site):
    page = f"<html><body>{MENU}{PAGES[site]}<div>imprint</div>".encode()
    found = gold_text(published()[site], page)
    assert found.reason == ""
    words = [word for word in found.text.split() if word != "&"]
    assert all(word.isupper() for word in words)
    capitals = "".join(char if char.isupper() else " " for char in _without_markup(PAGES[site]))
    assert words == [word for word in capitals.split() if len(word) > 1]


def _without_markup(page):
    text, depth = [], 0
    for char in page.replace("&amp;", " "):
        depth += char == "<"
        if not depth:
            text.append(char)
        elif char == ">":
            text.append(" ")
        depth -= char == ">"
    return "".join(text)


def test_both_readings_of_the_printed_comments_of_the_bbc():
    page = PAGES["bbc"].replace(" BO ", " B0 ").encode()
    assert gold_text(published()["bbc"], page) == gold_text(
        published()["bbc"], PAGES["bbc"].encode()
    )


def test_lines_are_blocks_and_each_text_is_there_once():
    page = b"<!-- start content --><h1 class=firstHeading>Name</h1><p>An <b>in</b>line\n word.<p>M&uuml;ll<!-- end content -->"
    assert gold_text(published()["wiki"], page).text == "Name\nAn inline word.\nM\xfcll"


@pytest.mark.parametrize(
    ("site", "page", "reason"),
    [
        ("wiki", "<!-- start content -->text<!-- end content -->", "no title"),
        ("wiki", "<h1 class=firstHeading>x</h1> text", "no body"),
        ("wiki", "<h1 class=firstHeading>x</h1><!-- start content --> text", "no end of body"),
        ("wiki", "<h1 class=firstHeading></h1><!-- start content --><!-- end content -->", "no words"),
        # What stands in a script is no landmark.
        ("wiki", "<h1 class=firstHeading>x</h1><script>'<!-- start content -->'</script>", "no body"),
        ("spiegel", "<title>x</title><div id=spArticleBody>text<div></div>", "no end of body"),
        ("heise", "<heisetext>x <cadv> text</heisetext> <p>and </cadv>", "no end of an exclusion"),
        ("heise", "", "no body"),
        ("yahoo", "<h1>x</h1><div id=storybody>a<div>b</div>", "no end of body"),
        # In letters of another case.
        ("wiki", "<h1 class=firstheading>x</h1>", "no title"),
    ],
)  # fmt: skip
def test_pages_that_do_not_match_have_a_reason(site, page, reason):
    assert gold_text(published()[site], page.encode()) == ("", reason)


@pytest.mark.parametrize(
    ("landmark", "page", "text"),
    [
        # Paragraphs, items and cells whose end tag is left out.
        ('tag = "p", class = "a"', "<p class=a>one<p>two", "one"),
        ('tag = "p", class = "a"', "<div><p class=a>one <b>b</b></i></div>two", "one b"),
        ('tag = "p", class = "a"', "<p class=a>one<ul><li>two</ul>", "one"),
        ('tag = "li", class = "a", all = true', "<ul><li class=a>one<ul><li>in</ul><li>x<li class=a>two</ul>", "one\nin\ntwo"),
        ('tag = "td", id = "a"', "<tr><td id=a>one<table><tr><td>in</table><td>two", "one\nin"),
        ('tag = "p", class = "a"', "<p class=a>one", "one"),
        # An end tag of nothing that is open ends nothing.
        ('tag = "td", id = "a"', "<table><td id=a>one<x:y></x></li> two</table>three", "one\ntwo"),
        ('tag = "p", after_comment = "x", all = true', "<div><!-- x --><p>one</p></x><p>two</div><p>no", "one\ntwo"),
        ('tag = "main"', "<main>one<noscript>no</noscript><noscript>no</noscript> two</main>", "one\ntwo"),
        ('tag = "noscript"', "<noscript>yes</noscript>", "yes"),
        # The first of two attributes of a name counts; values in quotes or without, in any letters of the tag.
        ('tag = "DIV", class = "a"', "<div class=b class=a>no</div><DIV CLASS='x a'>yes</DIV>", "yes"),
        ('tag = "div", id = "a"', "<div data-x='<div id=a>no</div>'>no</div><div id = a >yes</div>", "yes"),
        ('class = ["a", "b"], all = true', "<i class=b>one</i><p class=a>two</p>", "one\ntwo"),
        ('comments = ["a  b", "/a"]', "<!--\na b\n-->one<!-- a b -->two<!-- /a -->three<!-- /a -->four", "onetwothree"),
        ('comments = ["a", "b"], all = true', "<!--a-->one<!--b-->no<!--a-->two<!--b-->", "one\ntwo"),
        ('tag = "main", strip_prefix = "Site: "', "<main>SITE: text</main>", "text"),
        ('tag = "main", strip_prefix = "Site: "', "<main>text</main>", "text"),
        ('tag = "title"', "<title>a &lt;b> <i>c</title>", "a <b> <i>c"),
        ('tag = "p", within = { tag = "main" }, all = true', "<p>no</p><main><p>one<p>two</main><p>no", "one\ntwo"),
        ('tag = "p", after_comment = "x"', "<p>no</p><!-- x --><p>yes</p>", "yes"),
        ('tag = "p", after_comment = "x", all = true', "<div><p>no<!-- x -->yes</p><p>too</div><p>no</p>", "yes\ntoo"),
        ('tag = "div", nested = "drop"', "<div>one<div>no</div>two</div>", "one\ntwo"),
    ],
)  # fmt: skip
def test_landmarks(tmp_path, landmark, page, text):
    assert gold_text(rule_of(tmp_path, landmark), page.encode()) == (text, "")


def test_exclusions_divide_words_and_lines(tmp_path):
    rule = rule_of(tmp_path, 'tag = "main"', 'exclude = [{ class = "x" }]')
    page = b"<main>one<span class=x>no</span>two<div class=x>no<div>no</div></div>three<img class=x></main>"
    assert gold_text(rule, page).text == "one two\nthree"


def test_pages_of_old_encodings():
    page = "<h1 class=firstHeading>M\xfcll</h1><!-- start content -->\xdcber<!-- end content -->"
    found = gold_text(published()["wiki"], page.encode("latin-1"), "text/html; charset=iso-8859-1")
    assert found.text == "M\xfcll\n\xdcber"


# Trees: a text, or a tag with its children. Each text is a number, so that its place is known.
TREES = st.recursive(
    st.none(),
    lambda inner: st.tuples(st.sampled_from(["div", "div.x", "span", "section"]), st.lists(inner, max_size=4)),
    max_leaves=25,
)  # fmt: skip


def written(tree, texts, inside, depth_of_div=0):
    """The source of *tree*; its texts go to *texts*, a list of (text, within what is excluded, depth of div)."""
    if tree is None:
        texts.append((f"w{len(texts)}", inside, depth_of_div))
        return f" {texts[-1][0]} "
    tag, children = tree
    name, _, cls = tag.partition(".")
    inner = "".join(
        written(child, texts, inside or cls == "x", depth_of_div + (name == "div"))
        for child in children
    )
    return f"<{name} class='{cls}'>{inner}</{name}>"


@pytest.mark.parametrize("nested", ["keep", "drop"])
@given(trees=st.lists(TREES, min_size=1, max_size=4))
def test_against_trees_whose_text_is_known(tmp_path_factory, nested, trees):
    landmark = f'tag = "div", id = "main", nested = "{nested}"'
    rule = rule_of(tmp_path_factory.getbasetemp(), landmark, 'exclude = [{ class = "x" }]')
    texts = []
    inner = "".join(written(tree, texts, inside=False) for tree in trees)
    page = f"<div>before<div id=main>{inner}</div>behind</div>".encode()
    wanted = [
        text for text, inside, depth in texts if not inside and (nested == "keep" or not depth)
    ]
    found = gold_text(rule, page)
    assert found.text.split() == wanted
    assert found.reason == ("" if wanted else "no words")


@given(st.binary(max_size=400), st.sampled_from(sorted(PAGES)))
def test_any_bytes_give_a_text_or_a_reason(noise, site):
    page = PAGES[site].encode()
    for body in (noise, page[: len(noise)] + noise + page[len(noise) :]):
        found = gold_text(published()[site], body)
        assert bool(found.text) != bool(found.reason)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no rules of version 1; begin it with format ="),
        (TOP, "no site; add a table [site.NAME]"),
        (TOP.replace("1", "2"), "no rules of version 1"),
        (f"{TOP}x = 1", "unknown key 'x'; known are format, version, site"),
        (f"{TOP}[site.own]", "site own: no parts"),
        (f"{TOP}[site.own]\nparts = 3", "site own: parts is 3; give a list of tables"),
        (f"{TOP}[site.own]\nparts = [3]", "site own, part 1: no table"),
        (f"{TOP}{HEAD} klass = 'x' }}]", "site own, part 1: unknown key 'klass'; known are name, tag,"),
        (f"{TOP}{HEAD} all = true }}]", "part 1: no landmark; add one of tag, class, id, comments"),
        (f"{TOP}{HEAD} tag = 3 }}]", "tag is 3; give a text, or a list of texts"),
        (f"{TOP}{HEAD} tag = 'p', all = 1 }}]", "all is 1; give true or false"),
        (f"{TOP}{HEAD} comments = ['a'] }}]", "comments is ['a']; give two"),
        (f"{TOP}{HEAD} comments = ['a', 'a'] }}]", "give two that differ"),
        (f"{TOP}{HEAD} comments = ['a', 'b'], tag = 'p' }}]", "has comments and an element"),
        (f"{TOP}{HEAD} tag = 'p' }}]\nhosts = 'http://a.org/'", "site own: hosts has 'http://a.org/', which is no host"),
        (f"{TOP}{HEAD} tag = 'p', after_part = 'title' }}]", "after_part is 'title', no part before it"),
        (f"{TOP}{HEAD} tag = 'p', nested = 'no' }}]", "nested is 'no'; give keep"),
        (f"{TOP}{HEAD} class = 'p', after_comment = 'x' }}]", "has after_comment without a tag"),
        (f"{TOP}{HEAD} tag = 'p', within = {{ tag = 'a' }}, after_comment = 'x' }}]", "more than one of within"),
        (f"{TOP}[site.own]\nparts = [{{ tag = 'p' }}]", "part 1: no name; add one"),
        (f"{TOP}{HEAD} tag = 'p' }}]\nlanguage = 'english'", "own: language is 'english'; give a code of ISO 639-1"),
        ("[site", "cannot be read as rules"),
    ],
)  # fmt: skip
def test_wrong_files(tmp_path, text, said):
    with pytest.raises(InputError) as told:
        rules_of(tmp_path, text)
    assert said in str(told.value)
    assert str(told.value).startswith(str(tmp_path))


def test_a_missing_file_names_the_published_rules(tmp_path):
    with pytest.raises(InputError, match=r"No such file.*give a TOML file, or gottron-2008"):
        read_rules(tmp_path / "none")


def test_the_rules_are_part_of_the_distribution():
    (path,) = PUBLISHED.values()
    told = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'"pipelines.evaluation.landmarks" = ["*{path.suffix}"]' in told


def test_hosts(tmp_path):
    rules = published()
    assert rules["repubblica"].is_for("http://www.repubblica.it/a")
    assert not rules["repubblica"].is_for("http://larepubblica.it/")
    assert not rules["wiki"].is_for("http://en.wikipedia.org/")
    own = rule_of(tmp_path, 'tag = "p"', 'hosts = ["Bücher.example", "a.example"]')
    assert own.is_for("http://www.xn--bcher-kva.example/")
    assert own.is_for("http://a.example:8080/")
