"""English: regular inflection, closed compounds, place names of Old English elements."""

from __future__ import annotations

import re

from crawler.sampleweb.languages.lexicon import (
    Column,
    LanguageData,
    compound,
    each,
    ending,
    general,
    numerals,
    topical,
)

_NOUNS = """
painter canvas museum melody orchestra novel poem stage sculptor film actor gallery rhythm
portrait singer chorus drama sketch palette violin studio verse dancer opera |
market company contract customer budget factory investor profit manager supplier invoice export
bank loan warehouse merchant tariff share trader office partner auction brand salary |
server program keyboard network screen database compiler browser script processor memory password
protocol folder printer module engineer laptop sensor user cable router robot backup |
doctor nurse clinic patient vaccine muscle illness remedy therapy hospital symptom vitamin surgeon
bone heart lung allergy diet infection bandage pharmacy fever nerve dentist |
kitchen garden carpet window oven recipe curtain sofa blanket kettle lamp roof cellar candle
pillow cupboard spoon onion carrot soup bread chimney drawer gardener |
reporter minister election headline parliament protest council witness editor senator embassy
treaty scandal policy speech border president court interview mayor law |
traveller island harbour mountain valley camp trail ferry hotel canoe lake cabin tourist forest
beach map river suitcase bridge village compass waterfall ticket anchor |
teacher pupil library lesson grammar dictionary lecture college chapter essay textbook classroom
scholar exam diploma archive index question answer tutor word page alphabet term |
planet molecule laboratory experiment telescope crystal fossil equation particle theory climate
glacier insect enzyme volcano orbit magnet microscope species galaxy atom seed geologist feather |
jacket shoe bargain catalogue parcel necklace discount watch basket perfume leather dress coupon
ribbon voucher boutique wallet fabric glove scarf ring seller package button |
family neighbour festival church tradition citizen ancestor wedding charity village custom priest
monument language belief generation community ceremony veteran temple farmer holiday orphan
charter |
goalkeeper stadium referee coach race athlete trophy league runner penalty tournament bicycle
racket champion swimmer marathon captain season match goal tennis spectator medal rider
"""
_REGULAR = """
accept add admire adopt announce answer appear approach arrange assemble attack attract avoid
balance believe borrow call capture carry celebrate challenge change check claim clean climb
collect combine compare complete connect consider consult contain control convince cook copy
correct cover create damage deliver demand describe design detect develop discover discuss divide
earn enjoy enter examine expect explain explore express fear finish follow gather guard guide
handle help identify ignore imagine improve include inform inspect introduce invent invite join
judge lift like listen love manage mark measure mention mix move notice observe obtain offer open
order organise paint perform plan plant play praise prepare present preserve prevent print produce
promise protect prove publish pull push question reach recall receive recommend record reduce
refuse reject remember remove rent repair repeat replace report request rescue reserve respect
restore review reward sail save search select serve shape share sign signal study suggest supply
support surprise surround test thank touch train transform travel treat trust turn use value visit
wait walk warn wash watch welcome work
"""
_ADJECTIVES = """
able active actual ancient annual apparent bitter bold brave brief bright broad calm careful
central certain cheap civil clear clever close cold common complex constant correct cruel curious
current deep delicate dense direct distant domestic double dry eager early eastern effective
elegant empty equal exact extreme fair faithful familiar famous fierce final firm flat foreign
formal frequent fresh friendly full general gentle golden graceful grand grateful great hard harsh
helpful hidden honest huge humble ideal immense initial inner joint keen kind large late lively
local lonely long loud loyal major mature mild minor modern modest narrow native natural neat
nervous noble normal northern obvious odd official open ordinary pale patient perfect permanent
plain pleasant polite popular precious precise private proper proud public pure quick quiet rapid
rare recent regular remote rich rough round royal rural secret secure separate serious severe
sharp silent similar simple slow smooth social soft solid southern special stable steady steep
strange strict strong sudden suitable sweet tall tender thick thin tight tiny tough typical
unusual urban useful usual vast violent visible vivid warm weak western wide wild wise wonderful
young
"""
_ADVERBS = """
always often never sometimes already soon today again perhaps almost rather still even together
recently usually quietly certainly hardly yesterday tomorrow nowadays meanwhile later
"""
_COMPOUND_STARTS = """
apple arm back barn bath bed bell bird birth black blood blue boat bone book brass bread brick
bull candle card cattle chalk cheese church clay clock cloth coal corn cotton court cow day desk
dish door down dream duck dust ear earth eye farm field fire fish flag flower foot fruit garden
gate glass gold grain grape green ground guest hand hay head heart heat hill home honey horse ice
ink iron key king knife lake lamp land law leaf life light lock mail map meadow meat milk mill
moon mountain mouth music nail name neck needle net news night nut oak oil paint paper path pepper
pine play post rain river road rock roof root rope salt sand school sea seed sheep ship silk
silver skin sky snow song star steam stone story straw street sun table tea tide time tool tooth
tower trade train tree wall war watch water wave wax weather wheat wheel wind window winter wire
wood wool
"""
_COMPOUND_HEADS = """
work house room shop book maker light side stone wood land way board keeper yard craft man woman
"""
_NAME_STARTS = """
Ash Black Brad Brook Burn Clay Cold Cot Crow Dal Edge El Fair Far Glen Green Hal Har Hart Haw
Hazel Heath Hol Kings Lang Lin Long Marsh Mel Mid Nor Oak Pem Red Rock Rose Shel South Stan Stock
Sut Thorn Wal War West Whit Win Wood
"""
_NAME_ENDS = "ford ton ley well field worth bury ham wood brook bridge dale hurst more stead wick"

_GRAMMAR = """
DET: 6 the | 3 a | his | their | our | this | every | another | her | one
DEP: 6 the | some | many | these | their | most | all | several | few | two | NUM
Q: 3 A | 6 | very A | A and A
NS: 5 DET Q N | 3 the N of DEP NP | 2 the A N of DET N | NAME | DET Q N from NAME
NP1: 5 DEP Q NP | 3 DEP NP of DET N | 2 DEP A NP in NAME | the NP and the NP
O: NS | NP1
PREP: in/with/for/near/from/without/after/before/under/against/about/behind/between
  | during/through
PP: 4 PREP NS | 3 PREP NP1 | in YEAR
AUX: can/will/should/must/could/would/may/might
VPS: 3 VZ O | 2 AUX VB O | 2 has ADV? VD O | is ADV? VD by O | wants to VB O | is VG O | 2 was AJ
VPP: 3 VB O | 2 AUX VB O | 2 have ADV? VD O | are ADV? VD by O | hope to VB O | are VG O | were AJ
AJ: very/rather/too/as/not A and MANNER VD | A enough to VB O | more A than NAME
VPD: 3 VD O | did not MANNER VB O | had ADV? VD O | was MANNER VD by O | 2 MANNER VD O
CL: 4 NS VPS | 4 NP1 VPP | 4 NS VPD | DET A N stands PREP NP1 | NAME VPD
CLX: 3 CL PP | 4 CL | ADV , CL | PP CL | CL MANNER | CL , which VPD
SUB: because/although/when/while/if/since/unless/until/whereas/so
CO: and/but/or/yet
S: CLX , CO CL | 2 CL SUB CL | SUB CL , CL | 5 CLX | 3 CLX PP | 2 NS MANNER VD that CL
  | by VG O , CL
T: how to VB O PREP NP1 | the A N of NAME | NP and NP in NAME | why NS VPS | A NP for NP1
  | NAME VZ O
L: 3 NP | 3 A NP | N N | NP of NAME | NP and NP | A N | NAME
"""


def _s(word: str) -> str:
    if re.search(r"(s|x|z|ch|sh)$", word):
        return word + "es"
    return word[:-1] + "ies" if re.search(r"[^aeiou]y$", word) else word + "s"


def _ed(word: str) -> str:
    if word.endswith("e"):
        return word + "d"
    if re.fullmatch(r"plan", word):
        return word + "ned"
    return word[:-1] + "ied" if re.search(r"[^aeiou]y$", word) else word + "ed"


def _ing(word: str) -> str:
    if word == "plan":
        return "planning"
    return word[:-1] + "ing" if word.endswith("e") else word + "ing"


def _ly(word: str) -> str:
    if word.endswith("le") and word != "whole":
        return word[:-1] + "y"
    if word.endswith("ll"):
        return word + "y"
    return word[:-1] + "ily" if word.endswith("y") else word + "ly"


def _columns() -> dict[str, Column]:
    simple = topical(_NOUNS)
    verbs = general(_REGULAR)
    agents = each(verbs, lambda verb: _ed(verb)[:-1] + "r")
    nouns = simple + agents + compound(general(_COMPOUND_STARTS), general(_COMPOUND_HEADS))
    plain = general(_ADJECTIVES)
    negated = each(verbs, lambda verb: "un" + _ed(verb))
    adjectives = plain + negated + ending(simple, "-like")
    verbs = verbs + each(verbs, lambda verb: "re" + verb)
    return {
        "N": nouns,
        "NP": each(nouns, _s),
        "VB": verbs,
        "VZ": each(verbs, _s),
        "VD": each(verbs, _ed),
        "VG": each(verbs, _ing),
        "A": adjectives,
        "MANNER": each(plain, _ly),
        "ADV": general(_ADVERBS),
        "NAME": compound(general(_NAME_STARTS), general(_NAME_ENDS)),
        "NUM": numerals(3, 90),
        "YEAR": numerals(1890, 2024),
    }


def build() -> LanguageData:
    """Return the grammar and the columns of English."""
    repairs = ((r"\b(a|A) (?=[aeio])", r"\1n "),)
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), repairs=repairs)
