"""The inspector: every block with its label, nothing of the page run, nothing fetched."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256

import numpy as np
import pytest
from lxml import html

from crawler.page import PageRules, build_page
from pipelines.boilerplate.labels import Labels
from pipelines.boilerplate.reasons import Push, Reason, Reasons
from pipelines.boilerplate.renderers.inspector import inspector
from pipelines.boilerplate.renderers.inspector_assets import SCRIPT, STYLE, label_colours
from pipelines.boilerplate.victor import CLASSES
from tests.hostile_pages import HOSTILE

# Of all methods.
KNOWN = [
    *("content", "boilerplate", "comment"),
    *("good", "bad", "short-good", "short-bad", "neargood-good", "neargood-bad"),
    *CLASSES,
    *("navigation", "layout", "form", "footer", "logo"),
]
SOURCE = """<title>&lt;script>alert(1)&lt;/script></title><h2>Head&lt;b></h2>
<ul><li><a href=javascript:x>Home</a></ul><p>数据 &lt;img src=x onerror=alert(1)> &amp; "text"
<pre>code</pre><p dir=rtl>שלום עולם</p><p hidden>secret"""


def page_of(source=SOURCE, inline="gap"):
    rules = PageRules(inline=inline)
    return build_page(
        source.encode(),
        url="http://a.sample/",
        content_type="text/html; charset=utf-8",
        rules=rules,
    )


def shown(page=None, *, reasons=None, name="<a>.html"):
    page = page or page_of()
    n_blocks = len(page.blocks)
    kept = np.arange(n_blocks) % 2 == 0
    labels = Labels(kept, [("good", "bad", "<short>")[place % 3] for place in range(n_blocks)])
    return inspector(page, labels, method="made & up", name=name, reasons=reasons)


def test_every_block_in_page_order_with_label_and_numbers():
    page = page_of()
    tree = html.fromstring(shown(page))
    rows = tree.xpath("//li")
    assert [row.xpath("string(p)") for row in rows] == page.blocks.text
    assert [row.xpath("string(*[@class='l'])") for row in rows][:4] == [
        *("good", "bad", "<short>", "good"),
    ]
    assert ["no" in row.get("class").split() for row in rows] == [
        place % 2 == 1 for place in range(len(rows))
    ]
    assert rows[1].xpath("string(*[@class='r'])") == "1.00"
    assert rows[1].xpath("string(*[@class='path'])") == "body/ul/li"
    assert rows[0].xpath("string(*[@class='k'])") == "heading2"
    assert "(hidden)" in rows[-1].xpath("string(*[@class='k'])")
    assert all(row.xpath("p/@dir") == ["auto"] for row in rows)
    assert not tree.xpath("//p/@lang")


def test_texts_have_the_language_of_the_page():
    tree = html.fromstring(shown(page_of(f"<html lang=ja><title>x</title>{SOURCE}")))
    assert set(tree.xpath("//li/p/@lang")) == {"ja"} == set(tree.xpath("//h1/@lang"))


def test_code_has_its_lines_and_the_words_of_its_block():
    page = page_of(
        "<p>a <pre>\n  for <b>x</b> in y:\n\tprint(x)<br>#  (z) \n\n</pre><pre><ol><li>one</li><li>two  2</ol></pre>"
        "<p>b\nc<pre>...</pre><pre>&lt;b>\n d</pre>",
        "transparent",
    )
    rows = html.fromstring(shown(page)).xpath("//li")
    texts = [row.xpath("string(p)") for row in rows]
    assert texts == ["a", "  for x in y:\n\tprint(x)", "#  (z)", "one", "two  2", "b c", "<b>\n d"]
    assert [text.split() for text in texts] == [text.split() for text in page.blocks.text]


def test_a_label_has_one_colour_on_all_pages_and_no_other_has_it():
    assert len(set(map(label_colours, KNOWN))) == len(KNOWN)
    assert all(colour.startswith("oklch(") for colour in label_colours("a rule's own"))
    kept, page = np.array([False, True]), page_of("<p>one<p>two")
    shown_first = inspector(page, Labels(kept, ["bad", "good"]), method="m")
    alone = inspector(page, Labels(~kept, ["good", "comment"]), method="m")
    for text, rule in ((shown_first, "l0"), (alone, "l0")):
        assert f".{rule} {{ --c: {label_colours('good')[0]};" in text


def srgb(colour):
    """Return the parts of an `oklch()` or of hexadecimal digits, 0 to 1 (B. Ottosson 2020, A perceptual color
    space).
    """
    if colour.startswith("#"):
        digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
        return np.array(list(bytes.fromhex(digits))) / 255
    light, chroma, hue = map(float, re.findall(r"[.\d]+", colour))
    a, b = chroma * np.cos(np.radians(hue)), chroma * np.sin(np.radians(hue))
    cones = np.array([[0.3963377774, 0.2158037573], [-0.1055613458, -0.0638541728], [-0.0894841775, -1.2914855480]])  # fmt: skip
    to_linear = [[4.0767416621, -3.3077115913, 0.2309699292], [-1.2684380046, 2.6097574011, -0.3413193965], [-0.0041960863, -0.7034186147, 1.7076147010]]  # fmt: skip
    linear = np.clip(np.array(to_linear) @ (light + cones @ [a, b]) ** 3, 0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def contrast(one, other):
    """Return the contrast of two colours (WCAG 2.2), 1 to 21."""
    sums = []
    for colour in (one, other):
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        sums.append(float(linear @ [0.2126, 0.7152, 0.0722]) + 0.05)
    return max(sums) / min(sums)


def test_all_that_stands_on_the_colour_of_a_label_is_readable():
    """The contrast is 4.5 and more, whatever hue a label has; signs for kept text had 4.4."""
    grounds = re.findall(r"--ground: (#\w+)", STYLE)
    inks = [re.findall(rf"--{name}: (#\w+)", STYLE) for name in ("ink", "faint", "for", "against")]
    for label in (*KNOWN, *(f"label {number}" for number in range(500))):
        for place, ground in enumerate(grounds):
            colour = srgb(label_colours(label)[place])
            tinted = 0.1 * colour + 0.9 * srgb(ground)
            for ink in (colour, *(srgb(pair[place]) for pair in inks)):
                assert contrast(ink, tinted) >= 4.5, (label, place, ink)


def test_a_block_that_is_gone_to_stands_below_the_header():
    """Its height is measured: 16rem hid the first line below the four lines that some pages have in it.

    Rows are drawn when they come near, and then are higher than was thought, so that a look is not enough.
    """
    assert "scroll-margin: calc(var(--head, 16rem)" in STYLE
    assert 'setProperty("--head", head.offsetHeight' in SCRIPT
    assert "requestAnimationFrame(() => show(n - 1))" in SCRIPT
    # A zoomed page is a narrow one: its keys are told where there may be a keyboard.
    assert re.search(r"hover: none\) \{ [.]keys \{ display: none", STYLE)


def test_legend_counts_labels():
    legend = html.fromstring(shown()).xpath("//fieldset")[0].text_content()
    assert "good" in legend
    assert "not kept, 1 block, 1 word" in legend


def told_of(tree):
    """The words of each block's reason, in the order in which the script shows them."""
    (data,) = tree.xpath("//script[@id='told']/text()")
    assert "<" not in data
    told = json.loads(data)
    assert told["first"] == 3
    assert len(set(told["said"])) == len(told["said"])
    return [[told["said"][place] for place in row] for row in told["rows"]]


def test_reasons_are_shown_and_counted():
    page = page_of()
    pushes = [
        Push(f"<i>{k}", amount, f"<b>{k}") for k, amount in enumerate((1.26, -0.4, 0.2, 0.1, 0.0))
    ]
    reasons = Reasons(
        ["The <page>."],
        [Reason("<taken>", place / 10, -0.5, pushes) for place in range(len(page.blocks))],
    )
    tree = html.fromstring(shown(page, reasons=reasons))
    assert tree.xpath("string(//*[@class='notes'])").startswith("The <page>. Below a text")
    told = told_of(tree)
    assert [row[0] for row in told] == [f"{10 * place}%" for place in range(len(page.blocks))]
    assert told[0][1:] == [
        *("<taken>", "+1.3 <i>0: <b>0", "−0.4 <i>1: <b>1", "+0.2 <i>2: <b>2"),
        *("+0.1 <i>3: <b>3", "−0.5 any block", "in all +0.7"),
    ]
    assert told[0][1:] == told[-1][1:]
    with pytest.raises(ValueError, match="one a block, got 1"):
        shown(page, reasons=Reasons([], reasons.blocks[:1]))


def test_reasons_without_chances():
    page = page_of()
    told = shown(page, reasons=Reasons(["Of <it>."], [Reason("a < b")] * len(page.blocks)))
    assert told_of(html.fromstring(told)) == [["a < b"]] * len(page.blocks)
    of_page = html.fromstring(shown(page, reasons=Reasons(["Of <it>."])))
    assert of_page.xpath("string(//*[@class='notes'])") == "Of <it>."
    assert not of_page.xpath("//*[@id='told'] | //*[@id='all']")


def test_what_blocks_share_is_written_once():
    page = page_of("<ul>" + "<li>Item of a list" * 2000)
    pushes = [Push("its neighbours", 0.5, "100% links in the 10 blocks after it")] * 8
    reason = Reason("taken all the same: the limit of this page is 24%", 0.4, 0.3, pushes)
    text = shown(page, reasons=Reasons([], [reason] * len(page.blocks)))
    drawn = re.search("<figure.*</figure>", text)[0]
    assert len(drawn) < 150_000
    assert len(text) - len(drawn) < len(page.blocks) * (len(page.blocks.text[0]) + 320)


def test_nothing_of_the_page_is_markup_and_nothing_is_fetched():
    text = shown()
    tree = html.fromstring(text)
    assert len(tree.xpath("//script")) == 1
    assert not tree.xpath("//img | //link | //iframe | //*[@src] | //*[starts-with(@href, 'j')]")
    assert all(href.startswith("#b") for href in tree.xpath("//@href"))
    assert "http://a.sample" not in text.replace("a.sample/", "")
    policy = tree.xpath("//meta[@http-equiv]/@content")[0]
    digest = b64encode(sha256(tree.xpath("//script")[0].text.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'")
    assert f"script-src 'sha256-{digest}'" in policy
    assert not re.search(r"url\(|@import", text)


def test_the_diagram_has_the_labels_and_the_segments_of_the_page():
    page = page_of()
    page.segments = np.arange(len(page.blocks), dtype=np.uint32) // 2
    tree = html.fromstring(shown(page))
    bars = tree.xpath("//figure//a/rect")
    rows = tree.xpath("//li")
    assert [bar.get("class").replace("pale", "no") for bar in bars] == [
        " ".join(row.get("class").split()[:-1]) for row in rows
    ]
    assert [link.get("href")[1:] for link in tree.xpath("//figure//a")] == [
        row.get("id") for row in rows
    ]
    n_segments = 1 + int(page.segments[-1])
    assert f"borders of {n_segments} segments" in tree.xpath("string(//figcaption)")
    assert not html.fromstring(shown()).xpath("//figure//*[@class='border']")


def test_pages_without_text_and_without_title():
    assert "No text." in shown(page_of(""))
    assert "Page without a title" in shown(page_of("<p>x"), name="")


def test_hostile_pages_are_shown():
    for hostile in HOSTILE.values():
        page = build_page(hostile.make(40), url="", content_type=hostile.content_type)
        assert shown(page).endswith("</html>")
