"""Style and script of the inspector's page."""

from __future__ import annotations

import xxhash

# The hue of each label, in degrees; of what most methods keep from green to violet, of other text from red to yellow.
# Labels of one method are far apart.
_OF_MOST = {"content": 150, "boilerplate": 25, "comment": 285}
_OF_JUSTEXT = {"good": 160, "neargood-good": 245, "short-good": 305}
_OF_JUSTEXT |= {"bad": 20, "neargood-bad": 85, "short-bad": 55}
_OF_VICTOR = {"header": 310, "paragraph": 155, "list": 255, "continuation": 205, "other": 30}
_OF_ELISA = {"navigation": 50, "layout": 110, "form": 75, "footer": 355, "logo": 335}
_HUES = _OF_MOST | _OF_JUSTEXT | _OF_VICTOR | _OF_ELISA


def label_colours(label: str) -> tuple[str, str]:
    """Return the colour of *label* on light and on dark ground: of one name always the same."""
    hue = _HUES.get(label)
    if hue is None:
        hue = xxhash.xxh3_64_intdigest(label.encode("utf-8", "replace")) % 360
    return f"oklch(0.49 0.14 {hue})", f"oklch(0.76 0.13 {hue})"


STYLE = """
:root { color-scheme: light dark; --ground: #fff; --panel: #f6f8fa; --line: #d8dee4;
  --ink: #1f2328; --faint: #59636e; --for: #116329; --against: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --panel: #161b22;
  --line: #30363d; --ink: #e6edf3; --faint: #9198a1; --for: #3fb950; --against: #ff7b72; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
header { position: sticky; top: 0; z-index: 1; background: var(--panel);
  border-bottom: 1px solid var(--line); padding: .7rem 1.2rem .6rem; }
h1 { margin: 0; font-size: 1.15rem; line-height: 1.3; overflow-wrap: anywhere; }
.of { margin: .1rem 0 .5rem; color: var(--faint); font-size: .85rem; overflow-wrap: anywhere; }
.strip { display: block; width: 100%; height: 14px; border-radius: 3px; background: var(--line); }
fieldset { border: 0; margin: .5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem; }
legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
fieldset label { display: inline-flex; align-items: center; gap: .4em; padding: .1em .6em;
  border: 1px solid var(--line); border-radius: 2em; background: var(--ground);
  font-size: .85rem; cursor: pointer; }
fieldset label:has(:focus-visible) { outline: 2px solid #0969da; outline-offset: 1px; }
fieldset input { margin: 0; }
.dot { width: .8em; height: .8em; border-radius: 2px; background: var(--c); }
.no .dot { background: repeating-linear-gradient(45deg, var(--c) 0 2px, transparent 2px 4px);
  border: 1px solid var(--c); }
fieldset small { color: var(--faint); }
.notes { margin: .45rem 0 0; font-size: .85rem; }
.keys { margin: .45rem 0 0; color: var(--faint); font-size: .8rem; }
kbd { font: inherit; border: 1px solid var(--line); border-radius: 3px; padding: 0 .35em;
  background: var(--ground); }
.diagram { padding: .6rem 1.2rem 0; }
summary { cursor: pointer; color: var(--faint); font-size: .85rem; }
ol { list-style: none; margin: 0; padding: .5rem 1.2rem 40vh; }
li, .head { display: grid; gap: 0 .8rem; border-left: 5px solid var(--c, transparent);
  grid-template-columns: 2.6rem minmax(0, 1fr) 6rem 5.2rem 2.6rem 5.6rem 3rem; padding: .12rem .5rem; }
.head { margin: .5rem 0 -.35rem; color: var(--faint); font-size: .78rem; line-height: 1.2; align-items: end; }
.head :nth-child(n+5), .w, .d { text-align: right; }
li { margin: 0 0 2px; border-radius: 2px; align-items: baseline;
  background: color-mix(in srgb, var(--c) 10%, var(--ground)); scroll-margin: calc(var(--head, 16rem) + .5rem) 0 2rem;
  content-visibility: auto; contain-intrinsic-size: auto 1.8rem; }
li.no { border-left-style: double; background: none; }
li:focus { outline: 2px solid var(--c); }
li > :not(.t) { font-size: .8rem; font-variant-numeric: tabular-nums; color: var(--faint); }
.n { text-align: right; text-decoration: none; }
.t { margin: 0; overflow-wrap: anywhere; white-space: pre-line; text-align: start; }
.no .t { color: var(--faint); font-size: .9rem; }
.k1, .k2 { font-weight: 700; font-size: 1.25rem; line-height: 1.3; }
.k3, .k4, .k5, .k6 { font-weight: 700; }
.no .k1, .no .k2 { font-size: 1.05rem; }
.item .t::before { content: "• "; color: var(--faint); }
.code .t { white-space: pre-wrap; tab-size: 4; font-family: ui-monospace, "Noto Sans Mono", monospace; font-size: .88rem; }
.quote .t { border-inline-start: 3px solid var(--line); padding-inline-start: .7em; }
li > b.l { color: var(--c); overflow-wrap: anywhere; }
.r { white-space: nowrap; text-align: right; }
.r i { display: inline-block; width: 2.6em; height: .55em; margin-inline-end: .5em;
  border-radius: 2px; overflow: hidden; background: var(--line); vertical-align: .05em; }
.r i::before { content: ""; display: block; height: 100%; width: calc(var(--s) * 1%);
  background: var(--faint); }
.why, .path { grid-column: 2 / -1; margin: 0; overflow-wrap: anywhere; }
.why { line-height: 1.35; }
.why > span:not(.rest), .rest > span { display: inline-block; margin-inline-end: .9em; }
.why b { font-variant-numeric: tabular-nums; }
.for { color: var(--for); }
.against { color: var(--against); }
.why em { color: var(--ink); margin-inline-end: .9em; }
.rest { display: none; }
li:focus .rest, li:focus-within .rest, body:has(#all:checked) .rest { display: inline; }
.path { display: none; font-family: ui-monospace, monospace; }
li:focus .path, li:focus-within .path, body:has(#paths:checked) .path { display: block; }
.empty { padding: 2rem 1.2rem; color: var(--faint); }
@media (max-width: 55rem) { .head { display: none; }
  li { grid-template-columns: 2em minmax(0, 1fr) 6em; }
  .w, .d, .k, .r { display: none; } }
@media (max-width: 55rem), (max-height: 34rem) { header { position: static; }
  li { scroll-margin: 1rem 0; } }
@media (hover: none) { .keys { display: none; } }
@media print { header { position: static; } li { break-inside: avoid; } }
"""

# Rows that come near are drawn, and then are higher than was thought: `show` looks again in the next frames.
SCRIPT = """
const blocks = [...document.querySelectorAll("li")];
const boxes = [...document.querySelectorAll("fieldset .f")];
const data = document.getElementById("told");
const { first, said, rows } = data ? JSON.parse(data.textContent) : { rows: [] };
let at = -1, told = 0;
function make(name, cls, ...parts) {
  const made = document.createElement(name);
  if (cls) made.className = cls;
  made.append(...parts); return made;
}
function pushed(place) {
  const [amount, words] = said[place].split(/ (.*)/s);
  return make("span", "", make("b", amount.startsWith("+") ? "for" : "against", amount), " " + words);
}
function why(row) {
  if (row.length === 1) return make("p", "why", said[row[0]]);
  const [chance, decided, ...pushes] = row;
  const bar = make("i"), total = make("span", "", said[pushes.pop()]);
  const n = Math.min(first, pushes.length - 1);
  bar.style.setProperty("--s", said[chance].replace(/[<>%]/g, ""));
  return make("p", "why", make("span", "r", bar, said[chance]),
    ...(said[decided] ? [make("em", "", said[decided])] : []), ...pushes.slice(0, n).map(pushed),
    make("span", "rest", ...pushes.slice(n).map(pushed), total));
}
function tell(n) {
  for (const end = Math.min(told + n, rows.length); told < end; told++)
    blocks[told].querySelector(".path").before(why(rows[told]));
}
function tellMore() { tell(500); if (told < rows.length) setTimeout(tellMore); }
for (const block of blocks) block.tabIndex = block.firstChild.tabIndex = -1;
tellMore();
addEventListener("beforeprint", () => tell(rows.length));
function go(step, differs) {
  let to = at;
  do { to += step; } while (blocks[to] && (!blocks[to].offsetParent || (differs && at >= 0 &&
    blocks[to].classList.contains("no") === blocks[at].classList.contains("no"))));
  if (blocks[to]) { at = to; blocks[to].focus({ preventScroll: true }); show(3); }
}
function show(n) {
  blocks[at].scrollIntoView({ block: "nearest" });
  if (n) requestAnimationFrame(() => show(n - 1));
}
const head = document.querySelector("header");
new ResizeObserver(() => document.documentElement.style.setProperty("--head", head.offsetHeight + "px"))
  .observe(head);
document.addEventListener("focusin", e => {
  const li = e.target.closest("li"); if (li) at = blocks.indexOf(li); });
document.addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const box = boxes[e.key - 1];
  if (e.key === "j") go(1); else if (e.key === "k") go(-1);
  else if (e.key === "n") go(1, true); else if (e.key === "p") go(-1, true);
  else if (box) box.click(); else return;
  e.preventDefault();
});
"""
